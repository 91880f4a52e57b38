#include "engine/recorded/recorded_engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/experiment_summary.h"
#include "engine/recorded/recorded_trace.h"
#include "archive/recording_file.h"

namespace stridescope {
namespace {

constexpr std::size_t kListedTraces = 12;  // in an error's sentence

// What all traces' executors share; the devices' names joined.
Executor commonExecutor(const RecordingIndex& index) {
  Executor common = index.traces.front().executor;
  common.kind = EngineKind::Recorded;
  std::vector<std::string> devices{common.device};
  const auto keepIfShared = [](std::string& ours, const std::string& theirs) {
    if (ours != theirs) ours.clear();
  };
  for (const RecordingEntry& entry : index.traces) {
    const Executor& executor = entry.executor;
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
  RecordedEngine(std::filesystem::path path, RecordingIndex index)
      : path_(std::move(path)), index_(std::move(index)), executor_(commonExecutor(index_)) {}

  Executor executor() const override { return executor_; }

  Result<Trace> record(const Experiment& experiment, JobControl& job) override {
    const auto& entries = index_.traces;
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const RecordingEntry& each) {
      return each.experiment == experiment;
    });
    if (entry == entries.end()) return noTraceOf(experiment);
    if (job.progress) job.progress(0, "Reading the recording");
    Result<Trace> trace = readRecordedTrace(path_, entry->id, &job.cancel);
    if (trace && trace->experiment != experiment)
      return unavailable("The recording '" + path_.native() +
                         "' has changed since it was opened. Open it again.");
    if (trace && job.progress) job.progress(1, "Reading the recording");
    return trace;
  }

 private:
  tl::unexpected<Error> noTraceOf(const Experiment& experiment) const {
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
  RecordingIndex index_;
  Executor executor_;
};

}  // namespace

Result<std::unique_ptr<Engine>> openRecordedEngine(const std::filesystem::path& path) {
  Result<RecordingIndex> index = readIndex(path);
  if (!index) return tl::unexpected(index.error());
  return std::make_unique<RecordedEngine>(path, *std::move(index));
}

}  // namespace stridescope
