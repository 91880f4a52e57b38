#include "cli/compared_run.h"

#include <algorithm>

#include "cli/counting_gpu.h"

namespace stridescope::cli {
namespace {

constexpr std::uint64_t kTimedElements = 1 << 24;

analysis::FigureOrigin originOf(bool live, const std::string& device) {
  return {live ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded, device};
}

// Of one of the launches; a record of another run's launches tells nothing.
const model::LaunchCounters* countersOf(const ComparedRun& run, unsigned launch) {
  if (!run.counters || run.counters->launches.size() != run.trace.launches.size()) return nullptr;
  return launch < run.counters->launches.size() ? &run.counters->launches[launch] : nullptr;
}

void findCounters(const Context& context, const ChosenEngine& engine, const std::string& engineName,
                  bool live, ComparedRun& run, std::vector<std::string>& notes, engine::JobControl& job) {
  const std::span<const model::Experiment> experiments{&run.trace.experiment, 1};
  const std::string shipped = "host";
  auto counted = live ? countRunsOn(context, engineName, experiments, job)
                      : recordedRuns(context, engine.isRecording() ? engineName : shipped, experiments);
  if (!live && counted && counted->records.empty()) counted = recordedRuns(context, shipped, experiments);
  if (!counted) return notes.push_back(counted.error().sentence);
  if (live) std::ranges::copy(counted->notes, std::back_inserter(notes));
  if (counted->records.empty()) return;
  run.counters = std::move(counted->records.front());
  run.countersLive = live;
}

std::string deviceOf(const model::Executor& executor) {
  return executor.kind == model::EngineKind::Host ? std::string() : executor.device;
}

}  // namespace

narration::RoundAt ComparedRun::at(unsigned launch, unsigned round) const {
  return {trace, trace.launches[launch], analysis.launches[launch], flow[launch], round};
}

analysis::ComparedSide ComparedRun::side(unsigned launch, std::optional<unsigned> round) const {
  analysis::ComparedSide side{.trace = &trace, .analysis = &analysis, .launch = launch};
  if (round) {
    side.shown = &analysis.launches[launch].rounds[*round];
    side.flow = &flow[launch][*round];
    side.round = *round;
  }
  if (launch < cycles.launches.size() && !cycles.records.empty()) {
    side.cycles = &cycles.launches[launch];
    side.cyclesFrom = originOf(cyclesLive, cycles.records.back().executor.device);
  }
  side.counters = countersOf(*this, launch);
  if (side.counters != nullptr) side.countersFrom = originOf(countersLive, counters->executor.device);
  if (time) {
    side.microseconds = time->microseconds;
    side.timeFrom = originOf(time->live, time->device);
  }
  side.timedElements = timedElements;
  return side;
}

Result<ComparedRun> comparedRun(const Context& context, const ChosenEngine& engine,
                                const std::string& engineName, const ExperimentRequest& request,
                                bool measures, std::vector<std::string>& notes, engine::JobControl& job) {
  auto trace = engine.traceOf(request, job);
  if (!trace) return tl::unexpected(trace.error());
  ComparedRun run{.trace = *std::move(trace), .analysis = {}};
  for (const std::string& warning : model::warningsOf(run.trace.trial))
    notes.push_back("warning: " + warning);
  run.analysis = analysis::analyse(run.trace);
  for (std::size_t launch = 0; launch < run.trace.launches.size(); ++launch)
    run.flow.push_back(
        analysis::findDataFlow(run.trace, run.trace.launches[launch], run.analysis.launches[launch]));
  const bool live = measures && run.trace.executor.kind == model::EngineKind::Gpu;
  run.cyclesLive = live;
  run.cycles = live ? findCycles(context, engine, engineName, run.trace, run.analysis, job)
                    : recordedCycles(context, engine, run.trace, run.analysis);
  if (live) std::ranges::copy(run.cycles.notes, std::back_inserter(notes));
  findCounters(context, engine, engineName, live, run, notes, job);
  if (job.cancel) return cancelled();
  return run;
}

void findTimes(const Context& context, ComparedRun& left, ComparedRun& right) {
  if (!context.services.recordedTimings) return;
  measure::TimingBoard board({});
  board.showRecorded(context.services.recordedTimings());
  const measure::ComparedTimes times =
      measure::comparedTimes(*board.snapshot(), {left.trace.experiment, deviceOf(left.trace.executor)},
                             {right.trace.experiment, deviceOf(right.trace.executor)}, kTimedElements);
  left.time = times.left, right.time = times.right;
  left.timedElements = right.timedElements = times.elements;
}

}  // namespace stridescope::cli
