#include "measure/series_store.h"

#include <algorithm>

#include "kernels/catalog.h"

namespace stridescope::measure {
namespace {

constexpr std::string_view kBaselineOfComparison = "cub";

std::vector<float> timesOf(const std::vector<model::TimingSample>& samples) {
  std::vector<float> times;
  times.reserve(samples.size());
  for (const model::TimingSample& sample : samples) times.push_back(sample.microseconds);
  return times;
}

// With the others at the same case, in the order of the plan. Empty samples: not sampled there.
struct AtCase {
  const model::TimingSubject* subject = nullptr;
  std::vector<model::TimingSample> samples;
};

void compare(TimingPoint& point, std::size_t place, const std::vector<AtCase>& all, Summarizer& summarizer) {
  const auto ratioTo = [&](const AtCase& other) {
    return summarizer.ratio(all[place].samples, other.samples);
  };
  point.toCub.reset(), point.toFirst.reset(), point.toPrevious.reset();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == place || all[i].samples.empty()) continue;
    if (all[i].subject->id == kBaselineOfComparison) point.toCub = ratioTo(all[i]);
    if (i > place || all[i].subject->kind != model::SubjectKind::Variant) continue;
    if (!point.toFirst) point.toFirst = ratioTo(all[i]);
    if (kernels::buildsOn(all[place].subject->id, all[i].subject->id)) point.toPrevious = ratioTo(all[i]);
  }
}

// The empty kernels' time in the newest cost of that reduction on that GPU.
double emptyTimeOf(const model::TimingRecord& timing, const std::vector<model::CostRecord>& costs) {
  const model::CostRecord* newest = nullptr;
  for (const model::CostRecord& cost : costs) {
    const model::Experiment& experiment = cost.experiment;
    if (timing.subject.kind != model::SubjectKind::Variant || experiment.variant != timing.subject.id ||
        experiment.type != timing.timingCase.type || experiment.op != timing.timingCase.op ||
        experiment.elements != timing.timingCase.elements || experiment.threads != timing.threads ||
        cost.executor.device != timing.executor.device || timing.timingCase.graph)
      continue;
    if (newest == nullptr || newest->executor.recordedOn <= cost.executor.recordedOn) newest = &cost;
  }
  return newest == nullptr ? 0 : newest->emptyMicroseconds;
}

}  // namespace

void SeriesStore::begin(const std::vector<model::TimingSubject>& subjects) {
  places_.clear();
  for (const model::TimingSubject& subject : subjects) {
    const auto found = std::ranges::find(lines_, subject, &Line::subject);
    places_.push_back(std::size_t(found - lines_.begin()));
    if (found == lines_.end()) {
      Line line;
      line.subject = subject;
      line.mark = unsigned(lines_.size());
      lines_.push_back(std::move(line));
    }
    lines_[places_.back()].fault.clear();
  }
  prepared_.assign(subjects.size(), {});
}

void SeriesStore::clear() {
  for (Line& line : lines_) line.visits.clear();
}

void SeriesStore::enter(const model::TimingCase& timingCase) {
  case_ = timingCase;
  for (const std::size_t place : places_) {
    auto& visits = lines_[place].visits;
    const auto found =
        std::ranges::find(visits, timingCase, [](const Visit& visit) { return visit.point.timingCase; });
    if (found != visits.end()) std::rotate(found, found + 1, visits.end());
  }
}

void SeriesStore::setDevice(std::size_t subject, const TimingDeviceFacts& facts) {
  line(subject).executor = facts.executor;
  line(subject).ceiling = facts.ceiling;
  line(subject).limits = facts.limits;
}

const SeriesStore::Visit* SeriesStore::visitOf(const Line& line) const {
  const bool isHere = !line.visits.empty() && line.visits.back().point.timingCase == case_;
  return isHere ? &line.visits.back() : nullptr;
}

SeriesStore::Visit& SeriesStore::visitHere(std::size_t subject) {
  auto& visits = line(subject).visits;
  if (visitOf(line(subject)) == nullptr) visits.emplace_back().point.timingCase = case_;
  return visits.back();
}

void SeriesStore::add(std::size_t subject, const model::TimingSample& sample, double atSeconds) {
  Visit& visit = visitHere(subject);
  visit.point.threads = prepared_[subject].threads;
  visit.point.emptyMicroseconds = prepared_[subject].emptyMicroseconds;
  visit.ring.add(sample, float(atSeconds));
  lastRepetition_ = std::max(lastRepetition_, sample.repetition);
}

void SeriesStore::summarizeCase() {
  std::vector<AtCase> all;
  for (const std::size_t place : places_) {
    const Visit* visit = visitOf(lines_[place]);
    all.push_back(
        {&lines_[place].subject, visit ? visit->ring.samples() : std::vector<model::TimingSample>()});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].samples.empty()) continue;
    Visit& visit = line(i).visits.back();
    visit.point.time = summarizer_.of(timesOf(all[i].samples));
    visit.point.taken = visit.ring.taken();
    compare(visit.point, i, all, summarizer_);
  }
}

TimingSeries SeriesStore::seriesOf(const Line& line) const {
  TimingSeries series{.subject = line.subject,
                      .label = labelOf(line.subject),
                      .mark = line.mark,
                      .source = SeriesSource::Live,
                      .executor = line.executor,
                      .ceiling = line.ceiling,
                      .limits = line.limits,
                      .recentSeconds = {},
                      .recentMicroseconds = {},
                      .points = {},
                      .fault = line.fault};
  if (const Visit* visit = visitOf(line)) {
    series.recentSeconds = visit->ring.seconds();
    series.recentMicroseconds = timesOf(visit->ring.samples());
  }
  for (const Visit& visit : line.visits)
    if (visit.point.time.count > 0) series.points.push_back(visit.point);
  return series;
}

std::vector<TimingSeries> SeriesStore::series() const {
  std::vector<TimingSeries> all;
  for (const std::size_t place : places_) all.push_back(seriesOf(lines_[place]));
  for (std::size_t place = 0; place < lines_.size(); ++place)
    if (std::ranges::find(places_, place) == places_.end() && !lines_[place].visits.empty())
      all.push_back(seriesOf(lines_[place]));
  return all;
}

std::size_t SeriesStore::bytesHeld() const {
  std::size_t bytes = 0;
  for (const Line& line : lines_)
    for (const Visit& visit : line.visits) bytes += visit.ring.bytesHeld();
  return bytes;
}

std::vector<model::TimingRecord> SeriesStore::records() const {
  std::vector<model::TimingRecord> all;
  for (const Line& line : lines_)
    for (const Visit& visit : line.visits)
      all.push_back({.subject = line.subject,
                     .timingCase = visit.point.timingCase,
                     .threads = visit.point.threads,
                     .executor = line.executor,
                     .readCeiling = line.ceiling ? line.ceiling->read.median : 0,
                     .copyCeiling = line.ceiling ? line.ceiling->copy.median : 0,
                     .samples = visit.ring.samples()});
  return all;
}

std::vector<TimingSeries> recordedSeries(const std::vector<model::TimingRecord>& records,
                                         const std::vector<model::CostRecord>& costs) {
  std::vector<TimingSeries> all;
  Summarizer summarizer;
  for (const model::TimingRecord& record : records) {
    auto found = std::ranges::find_if(all, [&](const TimingSeries& series) {
      return series.subject == record.subject && series.executor == record.executor;
    });
    if (found == all.end()) {
      TimingSeries series;
      series.subject = record.subject;
      series.label = labelOf(record.subject);
      series.mark = unsigned(all.size());
      series.source = SeriesSource::Recorded;
      series.executor = record.executor;
      if (record.readCeiling > 0) {
        series.ceiling.emplace();
        series.ceiling->read.median = record.readCeiling;
        series.ceiling->copy.median = record.copyCeiling;
      }
      found = all.insert(all.end(), std::move(series));
    }
    std::vector<AtCase> others;
    std::size_t place = 0;
    for (const model::TimingRecord& other : records) {
      if (other.timingCase != record.timingCase || other.executor != record.executor) continue;
      if (&other == &record) place = others.size();
      others.push_back({&other.subject, other.samples});
    }
    TimingPoint point{.timingCase = record.timingCase,
                      .threads = record.threads,
                      .emptyMicroseconds = emptyTimeOf(record, costs),
                      .time = summarizer.of(timesOf(record.samples)),
                      .taken = record.samples.size(),
                      .toCub = {},
                      .toFirst = {},
                      .toPrevious = {}};
    compare(point, place, others, summarizer);
    found->points.push_back(point);
  }
  return all;
}

}  // namespace stridescope::measure
