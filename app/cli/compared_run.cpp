#include "cli/compared_run.h"

#include <algorithm>

#include "cli/measured_source.h"

namespace stridescope::cli {
namespace {

constexpr std::uint64_t kTimedElements = 1 << 24;

analysis::FigureOrigin originOf(bool measured, const std::string& device) {
  return {measured ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded, device};
}

// The counters of one of the launches. A record of a run with other launches tells nothing.
const model::LaunchCounters* countersOf(const ComparedRun& run, unsigned launch) {
  if (!run.counters || run.counters->launches.size() != run.trace.launches.size()) return nullptr;
  return launch < run.counters->launches.size() ? &run.counters->launches[launch] : nullptr;
}

// Measured on the GPU that executed the run, if it is `live`, else recorded: in the recording that was
// stepped, or in those that come with the program.
template <class Record>
std::optional<Record> found(const Context& context, const ChosenEngine& engine, const std::string& engineName,
                            const MeasuredSource<Record>& source, bool live,
                            const model::Experiment& experiment, std::vector<std::string>& notes,
                            engine::JobControl& job) {
  const std::string shipped = "host";
  auto runs = live ? measuredOnGpu(context, engineName, source, {&experiment, 1}, job)
                   : measuredBefore(context, engine.isRecording() ? engineName : shipped, source,
                                    std::span(&experiment, 1));
  if (!live && runs && runs->records.empty())
    runs = measuredBefore(context, shipped, source, std::span(&experiment, 1));
  if (!runs) {
    notes.push_back(runs.error().sentence);
    return std::nullopt;
  }
  if (live) std::ranges::copy(runs->notes, std::back_inserter(notes));
  return runs->records.empty() ? std::nullopt : std::optional(std::move(runs->records.front()));
}

std::string deviceOf(const model::Executor& executor) {
  return executor.kind == model::EngineKind::Host ? std::string() : executor.device;
}

}  // namespace

narration::RoundAt ComparedRun::at(unsigned launch, unsigned round) const {
  return narration::roundAt(trace, analysis, flow, launch, round);
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
    side.cyclesFrom = originOf(live, cycles.records.back().executor.device);
  }
  side.counters = countersOf(*this, launch);
  if (side.counters != nullptr) side.countersFrom = originOf(live, counters->executor.device);
  if (cost) {
    side.cost = &*cost;
    side.costFrom = originOf(live, cost->executor.device);
  }
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
  run.flow = analysis::findDataFlow(run.trace, run.analysis);
  const bool live = measures && run.trace.executor.kind == model::EngineKind::Gpu;
  run.live = live;
  run.cycles = live ? findCycles(context, engine, engineName, run.trace, run.analysis, job)
                    : recordedCycles(context, engine, run.trace, run.analysis);
  if (live) std::ranges::copy(run.cycles.notes, std::back_inserter(notes));
  const model::Experiment& experiment = run.trace.experiment;
  run.counters = found(context, engine, engineName, counterSource(), live, experiment, notes, job);
  run.cost = found(context, engine, engineName, costSource(), live, experiment, notes, job);
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
