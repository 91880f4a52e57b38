#include "engine/judge.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/merge_lists.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/value.h"

namespace stridescope::engine {
namespace {

constexpr std::size_t kMaxPrintedValues = 1 << 16;  // a result is a text that recordings hold, too

struct Verdict {
  std::string result, expected, note;
  bool ok = false;
};

// `valueAt(i)` of `count` values.
template <class ValueAt>
std::string printed(model::ElementType type, std::size_t count, const ValueAt& valueAt) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, kMaxPrintedValues); ++i) {
    if (i > 0) text += ' ';
    text += model::printElement(type, valueAt(i));
  }
  if (count > kMaxPrintedValues) text += " ... (" + std::to_string(count) + " values)";
  return text;
}

std::string printed(model::ElementType type, const std::vector<MergedElement>& merged) {
  return printed(type, merged.size(), [&](std::size_t i) { return merged[i].value; });
}

// " from list 3"; empty where the lists are not known.
std::string fromList(const RunValues& run, std::uint32_t list) {
  return run.origins ? " from list " + std::to_string(list) : std::string();
}

// The first value that is not as it must be, in a sentence; empty: there is none.
std::string firstWrong(model::ElementType type, const RunValues& run,
                       const std::vector<MergedElement>& expected) {
  if (run.values.size() != expected.size())
    return std::to_string(run.values.size()) + " values came out; it must be " +
           std::to_string(expected.size()) + ".";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint32_t origin = run.origins ? (*run.origins)[i] : expected[i].origin;
    if (model::sameElement(type, run.values[i], expected[i].value) && origin == expected[i].origin) continue;
    return "Element " + std::to_string(i) + " is " + model::printElement(type, run.values[i]) +
           fromList(run, origin) + "; it must be " + model::printElement(type, expected[i].value) +
           fromList(run, expected[i].origin) + ".";
  }
  return {};
}

Verdict judgeMerge(const model::Experiment& experiment, const std::optional<RunValues>& run) {
  const std::vector<MergedElement> expected = mergeOf(experiment, listsOf(experiment));
  Verdict verdict{.result = {}, .expected = printed(experiment.type, expected), .note = {}};
  if (!run) return verdict;
  verdict.result =
      printed(experiment.type, run->values.size(), [&](std::size_t i) { return run->values[i]; });
  verdict.note = firstWrong(experiment.type, *run, expected);
  verdict.ok = verdict.note.empty();
  return verdict;
}

Verdict judgeReduction(const model::Experiment& experiment, const std::optional<RunValues>& run) {
  Verdict verdict;
  if (run) verdict.result = model::printElement(experiment.type, run->values.front());
  if (experiment.op == model::Operator::Custom) return verdict;
  // A run without a result is told what is expected of one that is a number.
  Check check = checkResult(experiment, run ? run->values.front() : 0);
  verdict.expected = std::move(check.expected);
  verdict.note = std::move(check.note);
  verdict.ok = check.ok;
  return verdict;
}

std::string whyNoResult(const model::Trace& trace) {
  constexpr const char* kNoEnd = "The run did not end";
  if (trace.launches.empty() || trace.launches.back().recorded().problems.empty())
    return std::string(kNoEnd) + ".";
  return std::string(kNoEnd) + ": " + trace.launches.back().recorded().problems.front().text;
}

// ---- A person's own operator.

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

void judge(model::Trace& trace, const std::optional<RunValues>& values) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  const bool merges = kernel != nullptr && kernel->merges();
  Verdict verdict = merges ? judgeMerge(trace.experiment, values) : judgeReduction(trace.experiment, values);
  trace.result = std::move(verdict.result);
  trace.expected = std::move(verdict.expected);
  trace.ok = values.has_value() && verdict.ok;
  trace.checkNote = values ? std::move(verdict.note) : whyNoResult(trace);
  trace.verdictIsRecorded = false;
}

void judge(model::Trace& trace, model::OperatorTrial trial, std::string expected) {
  trace.trial = std::move(trial);
  trace.expected = std::move(expected);
  if (trace.result.empty()) return;  // the note says why it did not end
  trace.ok = !trace.expected.empty() && trace.result == trace.expected;
  trace.checkNote = noteOn(trace);
}

}  // namespace stridescope::engine
