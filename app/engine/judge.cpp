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
  if (trace.launches.empty() || trace.launches.back().problems.empty()) return std::string(kNoEnd) + ".";
  return std::string(kNoEnd) + ": " + trace.launches.back().problems.front().text;
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

}  // namespace stridescope::engine
