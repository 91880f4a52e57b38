#include "model/timeline_record.h"

#include <numeric>

#include "model/measured_origin.h"
#include "model/trace_check.h"

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
