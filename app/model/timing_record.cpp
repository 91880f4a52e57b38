#include "model/timing_record.h"

#include <cmath>

#include "model/clock_record.h"
#include "model/quantity.h"
#include "model/trace_check.h"

namespace stridescope::model {

std::string_view nameOf(SubjectKind kind) {
  constexpr std::array<std::string_view, kSubjectKinds.size()> names{"variant", "gpu peer", "cpu peer",
                                                                     "several gpus"};
  return names[std::size_t(kind)];
}

std::optional<std::string> faultOf(const TimingRecord& timing) {
  const TimingCase& at = timing.timingCase;
  if (std::size_t(timing.subject.kind) >= kSubjectKinds.size()) return "its kind is unknown";
  if (timing.subject.id.empty()) return "its subject has no name";
  if (std::size_t(at.type) >= kElementTypes.size()) return "its element type is unknown";
  if (std::size_t(at.op) >= kOperators.size()) return "its operator is unknown";
  if (at.threads > kMaxThreads || timing.threads > kMaxThreads) return "its block size is too large";
  if (timing.executor.kind == EngineKind::Recorded) return "its engine is unknown";
  for (const std::string* text :
       {&timing.subject.id, &timing.executor.device, &timing.executor.computeCapability,
        &timing.executor.driver, &timing.executor.compiler, &timing.executor.recordedOn})
    if (text->size() > kMaxTextBytes || !isPlainUtf8(*text)) return "a text is too long or is not UTF-8";
  if (timing.samples.empty() || timing.samples.size() > kMaxTimingSamples)
    return "it has " + std::to_string(timing.samples.size()) + " samples";
  for (std::size_t i = 0; i < timing.samples.size(); ++i) {
    if (i > 0 && timing.samples[i].repetition <= timing.samples[i - 1].repetition)
      return "its repetitions do not ascend";
    if (!isTime(timing.samples[i].microseconds)) return "a sample is no time";
  }
  for (const double ceiling : {timing.readCeiling, timing.copyCeiling})
    if (!(ceiling >= 0 && ceiling <= kMaxCeiling)) return "a ceiling is none";
  return std::nullopt;
}

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
