#include "model/several_gpus.h"

#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

constexpr double kMaxRate = 1'000'000;  // GB/s

bool isGroup(unsigned gpus) { return gpus >= kMinGpusTogether && gpus <= kMaxGpus; }

bool isBetween(double figure, double most) { return std::isfinite(figure) && figure >= 0 && figure <= most; }

bool isRatio(double ratio) { return isBetween(ratio, double(kMaxStoredTime)); }

}  // namespace

std::optional<std::string> faultOf(const LinkRecord& record) {
  // What it has in common with records of experiments, of which it has none.
  Experiment none;
  none.variant = "none";
  if (auto fault = faultOfOrigin(none, "", record.executor)) return fault;
  if (!isGroup(record.gpus)) return "it is not of 2 to 8 GPUs";
  if (record.links.size() > kMaxLinks) return "it has too many links";
  for (const GpuLink& link : record.links) {
    if (link.from >= record.gpus || link.to >= record.gpus || link.from == link.to)
      return "a link is between GPUs that it does not have";
    if (!isBetween(link.copyGigabytesPerSecond, kMaxRate) ||
        !isBetween(link.loadGigabytesPerSecond, kMaxRate))
      return "a bandwidth is none";
    if (!isTime(link.messageNanoseconds)) return "a message's time is none";
  }
  return std::nullopt;
}

std::optional<std::string> faultOf(const GroupTimingRecord& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  if (!isGroup(record.experiment.gpus)) return "it is not of 2 to 8 GPUs";
  if (record.samples == 0) return "it has no samples";
  for (const double time : {record.least, record.lowerQuartile, record.microseconds, record.upperQuartile,
                            record.low, record.high})
    if (!isTime(time)) return "a time is none";
  if (record.others.size() > kMaxPairedTimes) return "it is paired with too many others";
  for (const PairedTime& other : record.others) {
    if (other.subject.empty() || other.subject.size() > kMaxTextBytes || !isPlainUtf8(other.subject))
      return "another's name is too long or is not UTF-8";
    if (!isTime(other.microseconds)) return "another's time is none";
    for (const double ratio : {other.ratio, other.low, other.high})
      if (!isRatio(ratio)) return "a ratio is none";
  }
  return std::nullopt;
}

bool tellsOf(const GroupTimingRecord& record, const Experiment& experiment) {
  return timedExperiment(record.experiment) == timedExperiment(experiment);
}

}  // namespace stridescope::model
