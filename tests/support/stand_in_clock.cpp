#include "support/stand_in_clock.h"

namespace stridescope::support {

using model::MarkKind;

model::WarpMarks standInMarks(const model::LaunchTrace& launch, unsigned warp, const MarkTime& timeOf) {
  model::WarpMarks marks;
  const auto mark = [&](std::uint32_t site, MarkKind kind) {
    marks.push_back({timeOf(marks.size()), site, kind});
  };
  mark(0, MarkKind::Start);
  const unsigned thread = warp * model::kWarpSize;
  for (std::uint32_t i = launch.recorded().first[thread]; i < launch.recorded().first[thread + 1]; ++i) {
    const model::Event& event = launch.recorded().events[i];
    const bool block = event.kind() == model::EventKind::BlockBarrier;
    if (block || event.kind() == model::EventKind::Shuffle) mark(event.site(), MarkKind::Arrive);
    if (block || event.kind() == model::EventKind::WarpBarrier) mark(event.site(), MarkKind::Leave);
  }
  mark(0, MarkKind::End);
  return marks;
}

model::ClockRecord standInRecord(const model::Trace& trace, model::ClockedGrid company, std::size_t runs,
                                 const MarkTime& timeOf) {
  const model::Experiment& experiment = trace.experiment;
  const model::LaunchTrace& launch = trace.launches.front();
  const bool full = company == model::ClockedGrid::Full;
  model::ClockRecord record{.variant = experiment.variant,
                            .type = experiment.type,
                            .op = experiment.op,
                            .custom = experiment.custom,
                            .threads = experiment.threads,
                            .kernelHash = model::hashOf(trace.kernelText),
                            .company = company,
                            .elements = full ? model::kFullGridElements : launch.elements,
                            .grid = full ? model::kFullGridElements / launch.block : 1,
                            .cleanMicroseconds = 4,
                            .clockedMicroseconds = 4.25};
  record.block = record.grid / 2;
  record.executor.kind = model::EngineKind::Gpu;
  record.executor.device = "Stand-in GPU";
  record.executor.recordedOn = "2026-01-02T03:04:05Z";
  record.firstWarp.assign(runs, standInMarks(launch, 0, timeOf));
  for (unsigned warp = 0; warp * model::kWarpSize < launch.block; ++warp)
    record.warps.push_back(standInMarks(launch, warp, timeOf));
  return record;
}

}  // namespace stridescope::support
