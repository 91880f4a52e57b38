#include "judge.h"

#include <algorithm>
#include <utility>

#include "kernels/catalog.h"

namespace stridescope::engine::sandbox {
namespace {

model::TrialVerdict verdictOn(const model::OperatorTrial& trial, model::TrialProperty property) {
  const auto found = std::ranges::find(trial.findings, property, &model::TrialFinding::property);
  return found == trial.findings.end() ? model::TrialVerdict::Holds : found->verdict;
}

// The sentence that warns of the identity; nullptr: it does no harm, or none is known.
const std::string* warningOfIdentity(const model::OperatorTrial& trial) {
  for (const model::TrialFinding& finding : trial.findings) {
    const bool ofIdentity = finding.property == model::TrialProperty::LeftIdentity ||
                            finding.property == model::TrialProperty::RightIdentity;
    if (ofIdentity && finding.isWarning) return &finding.sentence;
  }
  return nullptr;
}

bool isFiniteNumber(const std::string& value) {
  return !value.ends_with("inf") && value.find("nan") == std::string::npos;
}

std::string noteOn(const model::Trace& trace) {
  const model::OperatorTrial& trial = trace.trial;
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  const auto fails = [&](model::TrialProperty property) {
    return verdictOn(trial, property) == model::TrialVerdict::Fails;
  };
  const bool orderDecides = fails(model::TrialProperty::Associative) ||
                            (fails(model::TrialProperty::Commutative) && !(kernel && kernel->keepsOrder));
  if (trace.expected.empty()) return "The result is compared with nothing. " + trial.whyNotTried;
  if (trace.ok)
    return orderDecides
               ? "Equal this time; but the operator lets the order decide, and a plain loop has another."
               : std::string();
  if (fails(model::TrialProperty::Associative))
    return "The operator is not associative: the order of the brackets decides, and a plain loop's are from "
           "left to right.";
  if (orderDecides)
    return "The operator is not commutative, and this variant combines elements out of their order.";
  if (const std::string* const warning = warningOfIdentity(trial))
    return *warning + " The plain loop does without it.";
  if (!model::isFloating(trace.experiment.type)) return {};
  if (!isFiniteNumber(trace.result) || !isFiniteNumber(trace.expected))
    return "Where a partial result overflows or is nan, the order decides what becomes of it; the result is "
           "held against a plain loop's order.";
  return "No bound on the rounding of a custom operator is known, so the two must be equal; the order "
         "decides "
         "the last digits.";
}

}  // namespace

void judge(model::Trace& trace, model::OperatorTrial trial, std::string expected) {
  trace.trial = std::move(trial);
  trace.expected = std::move(expected);
  if (trace.result.empty()) return;  // the note says why it did not end
  trace.ok = !trace.expected.empty() && trace.result == trace.expected;
  trace.checkNote = noteOn(trace);
}

}  // namespace stridescope::engine::sandbox
