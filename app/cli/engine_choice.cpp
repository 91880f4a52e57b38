#include "cli/engine_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "engine/engine.h"
#include "engine/experiment_check.h"
#include "engine/recorded/recorded_engine.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"
#include "report/measured.h"

namespace stridescope::cli {
namespace {

std::string listOf(const std::vector<const archive::RecordingEntry*>& entries) {
  std::string list;
  for (const archive::RecordingEntry* entry : entries)
    list += fmt::format("{}  {}", list.empty() ? "" : "\n", engine::summaryOf(entry->experiment));
  return list;
}

}  // namespace

bool isRecordingName(const std::string& name) {
  const auto parsed = engine::parseEngineName(name);
  if (!parsed || parsed->kind != engine::EngineNameKind::Recording) return false;
  std::error_code ignored;
  return name.ends_with(archive::kRecordingSuffix) || name.find('/') != std::string::npos ||
         std::filesystem::exists(name, ignored);
}

std::optional<Error> engineNameFault(const std::string& name) {
  const auto parsed = engine::parseEngineName(name);
  if (!parsed)
    return Error{
        ErrorKind::Usage,
        fmt::format("--engine gpu:N takes a number from 0 to {}, not \"{}\".", engine::kMaxGpus - 1, name),
        {}};
  if (parsed->kind != engine::EngineNameKind::Recording || isRecordingName(name)) return std::nullopt;
  if (name == "cpu" || name == "CPU")  // by its letters nearest to gpu
    return Error{ErrorKind::Usage,
                 fmt::format("--engine {} is not one of {}; did you mean host?", name,
                             "auto, gpu, gpu:N, host, a recording's file"),
                 {}};
  return notOneOf("--engine", name, {"auto", "gpu", "gpu:N", "host", "a recording's file"});
}

Result<ChosenEngine> openEngine(const Context& context, const std::string& name,
                                engine::OnGpuFailure onGpuFailure) {
  if (const auto fault = engineNameFault(name)) return tl::unexpected(*fault);
  auto opened = context.services.sources.open(name, onGpuFailure);
  if (!opened) return tl::unexpected(opened.error());
  if (opened->recording) return ChosenEngine(name, *std::move(opened->recording));
  if (engine::parseEngineName(name)->kind != engine::EngineNameKind::Auto)
    return ChosenEngine(std::move(opened->engine));
  if (opened->whyNoGpu.empty())
    context.streams.error << "engine: " << opened->engine->executor().device << "\n";
  else
    context.streams.error << "engine: CPU executor, because no GPU can be used: "
                          << printable(opened->whyNoGpu) << "\n";
  return ChosenEngine(std::move(opened->engine), context.streams.error);
}

Result<model::Trace> ChosenEngine::traceOf(const ExperimentRequest& experimentRequest,
                                           engine::JobControl& job, bool firstOfMany) const {
  if (engine_) {
    const auto experiment = completed(experimentRequest);
    if (!experiment) return tl::unexpected(experiment.error());
    auto trace = engine_->record(*experiment, job);
    if (trace && notes_)
      if (const std::string why = engine::whyOnTheCpu(*engine_); !why.empty())
        *notes_ << "engine: CPU executor: " << printable(why) << "\n";
    return trace;
  }
  const auto entry = entryOf(experimentRequest, firstOfMany);
  if (!entry) return tl::unexpected(entry.error());
  return engine::recorded::readRecordedTrace(file_, (*entry)->id, &job.cancel, &(*entry)->experiment.given);
}

Result<model::Trace> ChosenEngine::nthTraceOf(const ExperimentRequest& experimentRequest, std::size_t place,
                                              engine::JobControl& job) const {
  const auto admitted = admittedBy(experimentRequest);
  if (admitted.empty()) return noneMatches();
  if (place >= admitted.size())
    return tl::unexpected(Error{ErrorKind::Usage,
                                fmt::format("{} has {} traces that match, and more are asked for:",
                                            file_.string(), figure(admitted.size())),
                                listOf(admitted)});
  return engine::recorded::readRecordedTrace(file_, admitted[place]->id, &job.cancel,
                                             &admitted[place]->experiment.given);
}

std::vector<const archive::RecordingEntry*> ChosenEngine::admittedBy(
    const ExperimentRequest& experimentRequest) const {
  std::vector<const archive::RecordingEntry*> admitted;
  for (const archive::RecordingEntry& entry : index_.traces)
    if (experimentRequest.admits(entry.experiment)) admitted.push_back(&entry);
  return admitted;
}

tl::unexpected<Error> ChosenEngine::noneMatches() const {
  std::vector<const archive::RecordingEntry*> all;
  for (const archive::RecordingEntry& entry : index_.traces) all.push_back(&entry);
  return tl::unexpected(Error{ErrorKind::Usage,
                              fmt::format("{} has no trace that matches; it has these:", file_.string()),
                              listOf(all)});
}

Result<const archive::RecordingEntry*> ChosenEngine::entryOf(const ExperimentRequest& experimentRequest,
                                                             bool firstOfMany) const {
  const auto admitted = admittedBy(experimentRequest);
  if (admitted.empty()) return noneMatches();
  if (admitted.size() == 1) return admitted.front();
  const auto experiment = completed(experimentRequest);
  if (experiment) {
    const auto whole = [&](const archive::RecordingEntry* entry) { return entry->experiment == *experiment; };
    if (const auto found = std::ranges::find_if(admitted, whole); found != admitted.end()) return *found;
    // Data that were left open are any, where that says which.
    const auto butData = [&](const archive::RecordingEntry* entry) {
      model::Experiment same = *experiment;
      same.data = entry->experiment.data;
      return entry->experiment == same;
    };
    if (std::ranges::count_if(admitted, butData) == 1) return *std::ranges::find_if(admitted, butData);
  }
  if (firstOfMany && experimentRequest.leavesTheRestOpen()) return admitted.front();
  return tl::unexpected(
      Error{ErrorKind::Usage,
            fmt::format("{} has {} traces that match; say which:", file_.string(), figure(admitted.size())),
            listOf(admitted)});
}

namespace {

// What there is to say of cycles out of a recording: where they are from, or why there are none.
std::string noteOn(const ChosenEngine& engine, const model::Trace& trace,
                   const std::vector<model::ClockRecord>& clocks) {
  const std::string who = engine.isRecording() ? "" : "The CPU executor has no cycles to count. ";
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  if (clocks.empty() && kernel != nullptr && (kernel->merges() || kernel->isWrong()))
    return "Merges and variants that demonstrate a bug are not clocked.";
  if (clocks.empty())
    return who +
           "None are recorded of this variant, type, operator and block size. Run it on a GPU: --engine gpu.";
  return who + "The cycles were " + report::recordedOn(clocks.back().executor) + ".";
}

}  // namespace

lab::RunCycles findCycles(const Context& context, const ChosenEngine& engine, const std::string& engineName,
                          const lab::Run& run, engine::JobControl& job) {
  if (engine.isRecording() || run.trace.executor.kind == model::EngineKind::Host)
    return recordedCycles(recordedOf(context, engine), engine, run);
  lab::RunCycles cycles{.live = run.trace.executor.kind == model::EngineKind::Gpu};
  if (auto clocked = lab::measuredOnGpu<model::ClockRecord>(context.services.sources, engineName,
                                                            {&run.trace.experiment, 1}, job)) {
    cycles.clocks = std::move(clocked->records);
    cycles.notes = std::move(clocked->notes);
  } else {
    cycles.notes.push_back(clocked.error().sentence);
  }
  cycles.launches = analysis::cyclesOf(run.trace, run.analysis, cycles.clocks);
  return cycles;
}

lab::Recorded recordedOf(const Context& context, const ChosenEngine& engine) {
  return lab::recordedFor(engine.isRecording() ? engine.file().native() : "host",
                          context.services.sources.shipped);
}

lab::RunCycles recordedCycles(const lab::Recorded& recorded, const ChosenEngine& engine,
                              const lab::Run& run) {
  const auto clocks = recorded.of<model::ClockRecord>()(run.trace.experiment);
  if (!clocks) return {.notes = {clocks.error().sentence}};
  lab::RunCycles cycles = lab::cyclesOf(run, *clocks);
  cycles.notes.push_back(noteOn(engine, run.trace, cycles.clocks));
  return cycles;
}

lab::MakeHost hostOf(const Context& context) {
  return [&context]() -> Result<std::shared_ptr<engine::Engine>> {
    return std::shared_ptr(context.services.sources.makeHost());
  };
}

}  // namespace stridescope::cli
