#include "model/peel_record.h"

#include <cmath>

#include "model/clock_record.h"
#include "model/measured_origin.h"

namespace stridescope::model {

std::string_view nameOf(PeeledPart part) {
  constexpr std::array<std::string_view, kPeeledParts.size()> names{"copy", "launch", "cpu"};
  return names[std::size_t(part)];
}

namespace {

// Whether the step may come after that before it; nullptr: it is the first.
bool follows(const PeelStep& step, const PeelStep* before) {
  if (step.part != PeeledPart::Launch && (step.launch != 0 || step.marks != 0)) return false;
  if (before == nullptr)
    return step.part == PeeledPart::Copy ||
           (step.part == PeeledPart::Launch && step.launch == 0 && step.marks == 0);
  const bool afterCopy = before->part == PeeledPart::Copy;
  const bool afterEnd = before->part == PeeledPart::Launch && before->marks == clocking::kAllMarks;
  if (step.part == PeeledPart::Cpu) return afterEnd;
  if (step.part == PeeledPart::Copy || before->part == PeeledPart::Cpu) return false;
  if (afterCopy) return step.launch == 0 && step.marks == 0;
  if (step.launch == before->launch) return step.marks > before->marks;
  return afterEnd && step.launch == before->launch + 1 && step.marks == clocking::kAllMarks;
}

}  // namespace

std::optional<std::string> faultOf(const PeelRecord& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  if (record.runs == 0) return "it has no runs";
  for (const double time :
       {record.cleanMicroseconds, record.cleanLow, record.cleanHigh, record.wholeMicroseconds})
    if (!isTime(time)) return "a time is none";
  if (record.steps.empty() || record.steps.size() > kMaxPeeledMarks + 3 + kMaxLaunches)
    return "it has no step, or too many of them";
  const PeelStep* before = nullptr;
  for (const PeelStep& step : record.steps) {
    for (const double time : {step.microseconds, step.low, step.high})
      if (!std::isfinite(time) || std::abs(time) > double(kMaxStoredTime)) return "a step's time is none";
    if (!follows(step, before)) return "its steps do not follow one another";
    before = &step;
  }
  if (before->part != PeeledPart::Cpu && before->marks != clocking::kAllMarks)
    return "its last launch does not come to its end";
  return std::nullopt;
}

bool tellsOf(const PeelRecord& record, const Experiment& experiment) {
  return timedExperiment(record.experiment) == timedExperiment(experiment);
}

}  // namespace stridescope::model
