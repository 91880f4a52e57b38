#include "model/peel_record.h"

#include <cmath>

#include "model/clock_record.h"
#include "model/measured_origin.h"

namespace stridescope::model {

std::optional<std::string> faultOf(const PeelRecord& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  if (record.runs == 0) return "it has no runs";
  for (const double time :
       {record.cleanMicroseconds, record.cleanLow, record.cleanHigh, record.wholeMicroseconds})
    if (!isTime(time)) return "a time is none";
  if (record.steps.empty() || record.steps.size() > kMaxPeeledMarks + 1 + kMaxLaunches)
    return "it has no step, or too many of them";
  const PeelStep* before = nullptr;
  for (const PeelStep& step : record.steps) {
    for (const double time : {step.microseconds, step.low, step.high})
      if (!std::isfinite(time) || std::abs(time) > double(kMaxStoredTime)) return "a step's time is none";
    const bool follows = before == nullptr ? step.launch == 0 && step.marks == 0
                         : step.launch == before->launch
                             ? step.marks > before->marks
                             : step.launch == before->launch + 1 && before->marks == clocking::kAllMarks &&
                                   step.marks == clocking::kAllMarks;
    if (!follows) return "its steps do not follow one another";
    before = &step;
  }
  if (before->marks != clocking::kAllMarks) return "its last launch does not come to its end";
  return std::nullopt;
}

bool tellsOf(const PeelRecord& record, const Experiment& experiment) {
  return timedExperiment(record.experiment) == timedExperiment(experiment);
}

}  // namespace stridescope::model
