#include "model/cost_record.h"

#include <cmath>

#include "model/measured_origin.h"
#include "model/timeline_record.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

constexpr double kMaxLimit = 1e9;  // MHz, GB/s, ns

bool isLimit(double value) { return std::isfinite(value) && value >= 0 && value <= kMaxLimit; }

}  // namespace

std::optional<std::string> faultOf(const CostRecord& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  const GpuLimits& limits = record.limits;
  if (limits.multiprocessors > kMaxMultiprocessors) return "its GPU has multiprocessors that cannot be";
  for (const double limit : {limits.clockMegahertz, limits.readGigabytesPerSecond, limits.latencyNanoseconds,
                             limits.launchMicroseconds})
    if (!isLimit(limit)) return "a limit of its GPU is none";
  if (record.runs == 0) return "it has no runs";
  for (const double time :
       {record.microseconds, record.lowerQuartile, record.upperQuartile, record.emptyMicroseconds})
    if (!isTime(time)) return "a time is none";
  if (record.launches.empty() || record.launches.size() > kMaxLaunches)
    return "it has no launch, or too many of them";
  for (const LaunchCost& launch : record.launches)
    if (launch.grid == 0 || launch.block == 0 || launch.block > kMaxThreads)
      return "a launch has blocks or threads that cannot be";
  return std::nullopt;
}

bool tellsOf(const CostRecord& record, const Experiment& experiment) {
  return timedExperiment(record.experiment) == timedExperiment(experiment);
}

}  // namespace stridescope::model
