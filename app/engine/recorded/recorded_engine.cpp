#include "engine/recorded/recorded_engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "archive/recording_file.h"
#include "engine/experiment_summary.h"
#include "engine/recorded/recorded_trace.h"

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
    if (listed < index_.traces.size())
      sentence += "; and " + std::to_string(index_.traces.size() - listed) + " more";
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

}  // namespace stridescope::engine::recorded
