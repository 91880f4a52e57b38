#include "measure/group_series.h"

#include <algorithm>

#include "kernels/catalog.h"
#include "measure/statistics.h"
#include "model/quantity.h"

namespace stridescope::measure {
namespace {

Summary summaryOf(std::span<const model::TimingSample> samples) {
  std::vector<float> times;
  for (const model::TimingSample& sample : samples) times.push_back(sample.microseconds);
  return summarize(times);
}

model::TimingCase caseOf(const model::GroupTimingRecord& record) {
  return {.type = record.experiment.type, .op = record.experiment.op, .elements = record.experiment.elements};
}

const model::PairedTime* ofOneGpu(const model::GroupTimingRecord& record) {
  const auto found = std::ranges::find(record.others, kOneGpu.id, &model::PairedTime::subject);
  return found == record.others.end() ? nullptr : &*found;
}

std::optional<Ratio> ratioOf(const model::GroupTimingRecord& record, const model::PairedTime& other) {
  return Ratio{.pairs = record.samples, .median = other.ratio, .interval = {other.low, other.high}};
}

TimingPoint pointOf(const model::GroupTimingRecord& record, const Summary& time) {
  return {.timingCase = caseOf(record),
          .time = time,
          .taken = record.samples,
          .toCub = {},
          .toFirst = {},
          .toPrevious = {},
          .toOneGpu = {},
          .toNccl = {}};
}

TimingPoint pointOf(const model::GroupTimingRecord& record) {
  TimingPoint point = pointOf(record, {.count = record.samples,
                                       .least = record.least,
                                       .lowerQuartile = record.lowerQuartile,
                                       .median = record.microseconds,
                                       .upperQuartile = record.upperQuartile,
                                       .medianInterval = {record.low, record.high}});
  point.threads = record.experiment.threads;
  for (const model::PairedTime& other : record.others) {
    if (other.subject == kOneGpu.id) point.toOneGpu = ratioOf(record, other);
    if (isOfNccl(other.subject)) point.toNccl = ratioOf(record, other);
  }
  return point;
}

// What a record says of the one GPU that was sampled beside it: a median and no more.
TimingPoint pointOf(const model::GroupTimingRecord& record, const model::PairedTime& one) {
  return pointOf(record, {.count = record.samples,
                          .least = one.microseconds,
                          .lowerQuartile = one.microseconds,
                          .median = one.microseconds,
                          .upperQuartile = one.microseconds,
                          .medianInterval = {one.microseconds, one.microseconds}});
}

bool isSameGroup(const TimingSeries& series, const model::GroupTimingRecord& record) {
  return series.gpus == record.experiment.gpus && series.executor.device == record.executor.device &&
         series.executor.compiler == record.executor.compiler;
}

TimingSeries& seriesIn(std::vector<TimingSeries>& all, const model::TimingSubject& subject,
                       const model::GroupTimingRecord& record, const std::vector<model::LinkRecord>& links) {
  const auto found = std::ranges::find_if(all, [&](const TimingSeries& series) {
    return series.subject == subject && isSameGroup(series, record);
  });
  if (found != all.end()) return *found;
  TimingSeries& series = all.emplace_back();
  series.subject = subject;
  series.label = labelOf(subject);
  series.mark = unsigned(all.size() - 1);
  series.source = SeriesSource::Recorded;
  series.executor = record.executor;
  series.gpus = record.experiment.gpus;
  for (const model::LinkRecord& link : links)
    if (link.gpus == record.experiment.gpus && link.executor.device == record.executor.device)
      series.links = link.links;
  return series;
}

}  // namespace

bool isOfNccl(std::string_view subject) { return subject.starts_with("nccl_"); }

bool leavesArrays(const model::TimingSubject& subject) {
  const kernels::Variant* const variant = kernels::findVariant(subject.id);
  return variant != nullptr && variant->devices == model::DeviceUse::ArrayEach;
}

model::GroupTimingRecord groupRecord(const SampledGroup& sampled, std::span<const SampledBeside> beside) {
  const Summary time = summaryOf(sampled.samples);
  model::Experiment experiment;
  experiment.variant = sampled.subject.id;
  experiment.type = sampled.timingCase.type;
  experiment.op = sampled.timingCase.op;
  experiment.elements = sampled.timingCase.elements;
  experiment.gpus = sampled.gpus;
  const kernels::Variant* const variant = kernels::findVariant(sampled.subject.id);
  experiment.threads = sampled.threads != 0 ? sampled.threads
                       : variant != nullptr ? variant->defaultThreads
                                            : model::kDefaultThreads;
  model::GroupTimingRecord record{.experiment = model::timedExperiment(experiment),
                                  .kernelHash = "",
                                  .executor = sampled.executor,
                                  .samples = unsigned(time.count),
                                  .least = time.least,
                                  .lowerQuartile = time.lowerQuartile,
                                  .microseconds = time.median,
                                  .upperQuartile = time.upperQuartile,
                                  .low = time.medianInterval.low,
                                  .high = time.medianInterval.high};
  if (variant != nullptr) record.kernelHash = model::hashOf(variant->text);
  for (const SampledBeside& other : beside) {
    if (leavesArrays(other.subject) != leavesArrays(sampled.subject)) continue;
    const auto ratio = measure::ratioOf(sampled.samples, other.samples);
    if (!ratio || record.others.size() == model::kMaxPairedTimes) continue;
    record.others.push_back({.subject = other.subject.id,
                             .microseconds = summaryOf(other.samples).median,
                             .ratio = ratio->median,
                             .low = ratio->interval.low,
                             .high = ratio->interval.high});
  }
  return record;
}

std::vector<TimingSeries> recordedGroups(const std::vector<model::GroupTimingRecord>& records,
                                         const std::vector<model::LinkRecord>& links) {
  std::vector<TimingSeries> all;
  for (const model::GroupTimingRecord& record : records) {
    if (const model::PairedTime* const one = ofOneGpu(record)) {
      TimingSeries& alone = seriesIn(all, kOneGpu, record, links);
      const TimingPoint point = pointOf(record, *one);
      if (std::ranges::find(alone.points, point.timingCase, &TimingPoint::timingCase) == alone.points.end())
        alone.points.push_back(point);
    }
    seriesIn(all, {model::SubjectKind::SeveralGpus, record.experiment.variant}, record, links)
        .points.push_back(pointOf(record));
  }
  return all;
}

}  // namespace stridescope::measure
