#include "model/clock_record.h"

#include <algorithm>
#include <numeric>

#include "model/quantity.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

constexpr std::uint64_t kMaxCycles = std::uint64_t{1} << 48;  // days

// Nothing, or what is wrong with a warp's marks.
std::optional<std::string> faultOf(const WarpMarks& marks) {
  if (marks.size() < 2 || marks.size() > kMaxMarks)
    return "a warp has " + std::to_string(marks.size()) + " marks";
  if (marks.front().kind != MarkKind::Start || marks.back().kind != MarkKind::End)
    return "a warp's marks have no beginning or no end";
  if (marks.front().site >= recording::kMaxSites) return "a mark's site is not there";
  for (std::size_t i = 1; i < marks.size(); ++i) {
    const bool last = i + 1 == marks.size();
    if (!last && marks[i].kind != MarkKind::Arrive && marks[i].kind != MarkKind::Leave)
      return "a mark's kind is unknown";
    if (marks[i].clock < marks[i - 1].clock) return "a warp's clock runs back";
    if (marks[i].clock > kMaxCycles) return "a warp's clock counts too far";
    if (marks[i].site >= recording::kMaxSites) return "a mark's site is not there";
  }
  return std::nullopt;
}

}  // namespace

std::string_view nameOf(ClockedGrid grid) {
  constexpr std::array<std::string_view, kClockedGrids.size()> names{"alone", "full grid"};
  return names[std::size_t(grid)];
}

std::size_t markCount(const ClockRecord& record) {
  std::size_t count = 0;
  for (const auto* series : {&record.firstWarp, &record.warps})
    for (const WarpMarks& marks : *series) count += marks.size();
  return count;
}

std::optional<std::string> faultOf(const ClockRecord& record) {
  const Experiment own{.variant = record.variant,
                       .type = record.type,
                       .op = record.op,
                       .threads = record.threads,
                       .custom = record.custom};
  if (auto fault = faultOfOrigin(own, record.kernelHash, record.executor)) return fault;
  if (std::size_t(record.company) >= kClockedGrids.size()) return "the block's company is unknown";
  if (record.block >= record.grid) return "its grid has no such block";
  if ((record.company == ClockedGrid::Alone) != (record.grid == 1))
    return "a block is alone in a grid of one, and only there";
  if (!isTime(record.cleanMicroseconds) || !isTime(record.clockedMicroseconds)) return "a time is none";
  if (record.firstWarp.empty() || record.firstWarp.size() > kMaxClockedRuns)
    return "it has " + std::to_string(record.firstWarp.size()) + " runs";
  if (record.warps.size() != warpsOf(record.threads))
    return "it has marks of " + std::to_string(record.warps.size()) + " warps";
  for (const auto* marks : {&record.firstWarp, &record.warps})
    for (const WarpMarks& warp : *marks)
      if (auto fault = faultOf(warp)) return fault;
  return std::nullopt;
}

bool tellsOf(const ClockRecord& record, const Experiment& experiment) {
  return record.variant == experiment.variant && record.type == experiment.type &&
         record.op == experiment.op && record.threads == experiment.threads &&
         (experiment.op != Operator::Custom || record.custom == experiment.custom);
}

}  // namespace stridescope::model

namespace clocking {

std::string_view nameOf(MarkKind kind) {
  constexpr std::array<std::string_view, kMarkKinds.size()> names{"none", "start", "arrive", "leave", "end"};
  return names[std::size_t(kind)];
}

}  // namespace clocking

namespace stridescope::model {
namespace {

constexpr std::uint64_t kMaxNanoseconds = std::uint64_t(kMaxMicroseconds) * 1000;

std::optional<std::string> faultOf(const LaunchTimeline& launch) {
  if (launch.block == 0 || launch.block > kMaxThreads) return "a launch has a block size that is none";
  if (launch.blocks.empty()) return "a launch has no block";
  for (const BlockRun& block : launch.blocks) {
    if (block.start > kMaxNanoseconds) return "a block starts too late";
    if (block.multiprocessor >= kMaxMultiprocessors) return "a multiprocessor's number is none";
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t blockCount(const TimelineRecord& record) {
  return std::accumulate(
      record.launches.begin(), record.launches.end(), std::uint64_t{0},
      [](std::uint64_t sum, const LaunchTimeline& launch) { return sum + launch.blocks.size(); });
}

std::optional<std::string> faultOf(const TimelineRecord& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  if (record.multiprocessors == 0 || record.multiprocessors > kMaxMultiprocessors)
    return "its GPU has multiprocessors that cannot be";
  if (record.runs == 0) return "it has no runs";
  if (!isTime(record.cleanMicroseconds) || !isTime(record.markedMicroseconds)) return "a time is none";
  if (record.nanoseconds > kMaxNanoseconds || record.placedWithin > kMaxNanoseconds)
    return "its run takes too long";
  if (record.launches.empty() || record.launches.size() > kMaxLaunches)
    return "it has no launch, or too many of them";
  if (blockCount(record) > kMaxTimelineBlocks) return "it has too many blocks";
  for (const LaunchTimeline& launch : record.launches)
    if (auto fault = faultOf(launch)) return fault;
  return std::nullopt;
}

bool tellsOf(const TimelineRecord& record, const Experiment& experiment) {
  return timedExperiment(record.experiment) == timedExperiment(experiment);
}

}  // namespace stridescope::model
