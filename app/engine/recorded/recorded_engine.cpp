#include "engine/recorded/recorded_engine.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "archive/recording_file.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "engine/own_data.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"

namespace stridescope::engine::recorded {
namespace {

constexpr std::size_t kListedTraces = 12;  // in an error's sentence

// What all traces' executors share; the devices' names joined.
model::Executor commonExecutor(const archive::RecordingIndex& index) {
  model::Executor common = index.traces.front().executor;
  common.kind = model::EngineKind::Recorded;
  std::vector<std::string> devices{common.device};
  const auto keepIfShared = [](std::string& ours, const std::string& theirs) {
    if (ours != theirs) ours.clear();
  };
  for (const archive::RecordingEntry& entry : index.traces) {
    const model::Executor& executor = entry.executor;
    if (std::find(devices.begin(), devices.end(), executor.device) == devices.end()) {
      devices.push_back(executor.device);
      common.device += " and " + executor.device;
    }
    keepIfShared(common.computeCapability, executor.computeCapability);
    keepIfShared(common.driver, executor.driver);
    keepIfShared(common.compiler, executor.compiler);
    common.recordedOn = std::min(common.recordedOn, executor.recordedOn);  // ISO 8601 sorts as text
  }
  return common;
}

class RecordedEngine final : public Engine {
 public:
  RecordedEngine(std::filesystem::path path, archive::RecordingIndex index)
      : path_(std::move(path)), index_(std::move(index)), executor_(commonExecutor(index_)) {}

  model::Executor executor() const override { return executor_; }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    const auto& entries = index_.traces;
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const archive::RecordingEntry& each) {
      return each.experiment == experiment;
    });
    if (entry == entries.end()) return noTraceOf(experiment);
    if (job.progress) job.progress(0, "Reading the recording");
    Result<model::Trace> trace = readRecordedTrace(path_, entry->id, &job.cancel, &entry->experiment.given);
    if (trace && trace->experiment != experiment)
      return unavailable("The recording '" + path_.native() +
                         "' has changed since it was opened. Open it again.");
    if (trace && job.progress) job.progress(1, "Reading the recording");
    return trace;
  }

 private:
  tl::unexpected<Error> noTraceOf(const model::Experiment& experiment) const {
    const std::size_t listed = std::min(index_.traces.size(), kListedTraces);
    std::string sentence =
        "The recording '" + path_.native() + "' has no trace of " + summaryOf(experiment) + ". It has: ";
    for (std::size_t i = 0; i < listed; ++i)
      sentence += (i == 0 ? "" : "; ") + summaryOf(index_.traces[i].experiment);
    if (listed < index_.traces.size()) sentence += "; and " + figure(index_.traces.size() - listed) + " more";
    return usageError(sentence + ".");
  }

  std::filesystem::path path_;
  archive::RecordingIndex index_;
  model::Executor executor_;
};

}  // namespace

Result<std::unique_ptr<Engine>> openRecordedEngine(const std::filesystem::path& path) {
  Result<archive::RecordingIndex> index = archive::readIndex(path);
  if (!index) return tl::unexpected(index.error());
  return makeRecordedEngine(path, *std::move(index));
}

std::unique_ptr<Engine> makeRecordedEngine(const std::filesystem::path& path, archive::RecordingIndex index) {
  return std::make_unique<RecordedEngine>(path, std::move(index));
}

namespace {

// As a clause: what the texts say is not what would run.
std::optional<std::string> faultOfTexts(const model::Trace& trace) {
  const model::Experiment& experiment = trace.experiment;
  if (experiment.op == model::Operator::Custom) {
    const auto read =
        readCustomOperator(experiment.custom.combine, experiment.custom.identity, experiment.type);
    if (!read || *read != experiment.custom) return "its identity is not the one that it shows";
  }
  // A person's own kernel has none: in its text nothing is predefined.
  const bool isOwn = trace.preamble.empty() && kernels::findVariant(experiment.variant) == nullptr;
  if (!isOwn && trace.preamble != kernels::preambleOf(trace.kernelText, experiment))
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

bool hasArrays(const model::Kernel& kernel) { return kernel.devices == model::DeviceUse::ArrayEach; }

const model::Kernel* knownKernel(const model::Trace& trace) {
  const bool isLegal = checkedExperiment(trace.experiment, true).has_value();
  return isLegal ? kernels::kernelOf(trace.experiment) : nullptr;
}

// What is wrong with the number of values, as a clause. A run that did not end has no value.
std::optional<std::string> faultOfCount(const model::Trace& trace) {
  const model::Kernel* const kernel = knownKernel(trace);
  if (kernel == nullptr || !model::hasEnded(trace)) return {};
  const std::uint64_t wanted = kernel->merges() || hasArrays(*kernel) ? trace.experiment.elements : 1;
  const PrintedValues result = valuesIn(trace.experiment, trace.result);
  if (!result.isWhole || result.values.size() == wanted) return {};
  return "its result has " + figure(result.values.size()) + " values where its experiment gives " +
         figure(wanted);
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
  if (hasArrays(kernel)) {
    // The text has the first device's array alone: nobody can tell whether the others' were the same.
    if (result.values.size() != trace.experiment.elements) return {};
    RunValues values;
    for (unsigned device = 0; device < trace.experiment.gpus; ++device)
      values.values.insert(values.values.end(), result.values.begin(), result.values.end());
    return values;
  }
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
      trace.experiment.elements >
          (kernel->merges() || hasArrays(*kernel) ? std::min(maxElements, kMaxMerged) : maxElements))
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
  if ((hasArrays(*kernel) || (kernel->merges() && !values->origins)) && trace.ok) {
    trace.verdictIsRecorded =
        true;  // the verdict on the lists that the values came from, or on other devices
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
