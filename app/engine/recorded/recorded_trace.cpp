#include "engine/recorded/recorded_trace.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "archive/recording_file.h"
#include "base/plain_text.h"
#include "engine/custom_operator.h"
#include "engine/experiment_check.h"
#include "engine/judge.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/value.h"

namespace stridescope::engine::recorded {
namespace {

// As a clause: what the texts say is not what would run.
std::optional<std::string> faultOfTexts(const model::Trace& trace) {
  const model::Experiment& experiment = trace.experiment;
  if (experiment.op == model::Operator::Custom) {
    const auto read =
        readCustomOperator(experiment.custom.combine, experiment.custom.identity, experiment.type);
    if (!read || *read != experiment.custom) return "its identity is not the one that it shows";
  }
  if (trace.preamble != kernels::preambleOf(trace.kernelText, experiment))
    return "its preamble is not the one that its experiment has";
  return {};
}

// The values that a text of printed ones lists: it is whole if none is left out at its end.
struct PrintedValues {
  std::vector<std::uint64_t> values;
  bool isWhole = true;
};

PrintedValues valuesIn(const model::Experiment& experiment, std::string_view text) {
  PrintedValues all;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const auto bits = model::readPrintedElement(experiment.type, text.substr(0, end));
    if (!bits) return {std::move(all.values), false};
    all.values.push_back(*bits);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return all;
}

const model::Kernel* knownKernel(const model::Trace& trace) {
  const bool isLegal = checkedExperiment(trace.experiment, true).has_value();
  return isLegal ? kernels::kernelOf(trace.experiment) : nullptr;
}

// What is wrong with the number of values, as a clause. A run that did not end has no value.
std::optional<std::string> faultOfCount(const model::Trace& trace) {
  const model::Kernel* const kernel = knownKernel(trace);
  if (kernel == nullptr || !model::hasEnded(trace)) return {};
  const std::uint64_t wanted = kernel->merges() ? trace.experiment.elements : 1;
  const PrintedValues result = valuesIn(trace.experiment, trace.result);
  if (!result.isWhole || result.values.size() == wanted) return {};
  return "its result has " + std::to_string(result.values.size()) + " values where its experiment gives " +
         std::to_string(wanted);
}

// The list that each value of a merge came from, as its threads stored it; nothing if not all were recorded.
std::optional<std::vector<std::uint32_t>> originsIn(const model::Trace& trace) {
  if (trace.launches.size() != 1 || trace.launches.front().grid != 1) return {};
  const model::LaunchTrace& launch = trace.launches.front();
  const auto buffer = model::indexOfRole(launch.buffers, model::ParameterRole::Origin);
  if (!buffer) return {};
  std::vector<std::optional<std::uint32_t>> stored(trace.experiment.elements);
  for (const model::Event& event : launch.recorded().events) {
    if (event.kind() != model::EventKind::Store || !event.inGlobal() || event.buffer() != *buffer) continue;
    const std::uint64_t i = event.offset() / sizeof(std::uint32_t);
    if (event.width() != sizeof(std::uint32_t) || i >= stored.size()) return {};
    const auto list = std::uint32_t(event.value);
    if (stored[i].value_or(list) != list) return {};  // which of two came last is not recorded
    stored[i] = list;
  }
  std::vector<std::uint32_t> origins;
  for (const auto& list : stored)
    if (list) origins.push_back(*list);
  if (origins.size() != stored.size()) return {};
  return origins;
}

// A merge is sorted in memory.
constexpr std::uint64_t kMaxMerged = std::uint64_t{1} << 20;

// As judge() takes them; nothing where it cannot tell.
std::optional<RunValues> runValuesOf(const model::Trace& trace, const model::Kernel& kernel) {
  PrintedValues result = valuesIn(trace.experiment, trace.result);
  if (!result.isWhole) return {};
  if (!kernel.merges())
    return result.values.size() == 1 ? std::optional(RunValues{std::move(result.values)}) : std::nullopt;
  if (result.values.size() != trace.experiment.elements) return {};
  return RunValues{std::move(result.values), originsIn(trace)};
}

// The first values stand for a long merge.
std::string shortly(const std::string& values) {
  constexpr std::size_t kShown = 80;
  if (values.empty()) return "nothing";
  return values.size() <= kShown ? values : std::string(cutBetweenCharacters(values, kShown)) + "...";
}

// What the trace said of its result before it was judged.
struct Told {
  std::string expected;
  bool ok = false;
};

std::optional<std::string> contradiction(const Told& told, const model::Trace& judged) {
  if (told.expected != judged.expected)
    return "The recording says that " + shortly(told.expected) + " is expected; a plain loop gives " +
           shortly(judged.expected) + ".";
  if (told.ok != judged.ok)
    return std::string("The recording calls its result ") + (told.ok ? "right" : "wrong") +
           ", but against a plain loop it is " + (judged.ok ? "right" : "wrong") + ".";
  return {};
}

}  // namespace

std::optional<std::string> judgeRecorded(model::Trace& trace, std::uint64_t maxElements) {
  trace.verdictIsRecorded = true;
  const model::Kernel* const kernel = knownKernel(trace);
  if (kernel == nullptr || trace.experiment.op == model::Operator::Custom ||
      trace.experiment.elements > (kernel->merges() ? std::min(maxElements, kMaxMerged) : maxElements))
    return {};
  if (!model::hasEnded(trace)) {
    judge(trace, std::nullopt);
    return {};
  }
  const std::optional<RunValues> values = runValuesOf(trace, *kernel);
  if (!values) return {};
  const Told told{trace.expected, trace.ok};
  const std::string toldNote = trace.checkNote;
  judge(trace, values);
  const auto contradicted = contradiction(told, trace);
  if (kernel->merges() && !values->origins && trace.ok) {
    trace.verdictIsRecorded = true;  // the verdict on the lists that the values came from
    trace.ok = told.ok;
    trace.checkNote = toldNote;
    if (told.expected == trace.expected) return {};
  }
  if (contradicted) trace.checkNote += (trace.checkNote.empty() ? "" : " ") + *contradicted;
  return contradicted;
}

Result<RecordedTrace> readJudgedTrace(const std::filesystem::path& path, std::int64_t id,
                                      const std::atomic<bool>* cancel, std::uint64_t maxElements,
                                      const model::SharedData* known) {
  Result<model::Trace> trace = archive::readTrace(path, id, cancel, known);
  if (!trace) return tl::unexpected(trace.error());
  auto fault = faultOfTexts(*trace);
  if (!fault) fault = faultOfCount(*trace);
  if (fault) return unavailable("The recording '" + path.native() + "' is damaged: " + *fault + ".");
  RecordedTrace recorded{*std::move(trace)};
  recorded.contradiction = judgeRecorded(recorded.trace, maxElements);
  return recorded;
}

Result<model::Trace> readRecordedTrace(const std::filesystem::path& path, std::int64_t id,
                                       const std::atomic<bool>* cancel, const model::SharedData* known) {
  return readJudgedTrace(path, id, cancel, kMaxJudgedWhenRead, known).map([](RecordedTrace&& recorded) {
    return std::move(recorded.trace);
  });
}

}  // namespace stridescope::engine::recorded
