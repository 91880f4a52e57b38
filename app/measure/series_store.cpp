#include "measure/series_store.h"

#include <algorithm>
#include <iterator>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "measure/group_series.h"
#include "measure/timing_data.h"

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
  point.toOneGpu.reset(), point.toNccl.reset();
  const bool overSeveral = all[place].subject->kind == model::SubjectKind::SeveralGpus;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == place || all[i].samples.empty()) continue;
    if (all[i].subject->id == kBaselineOfComparison) point.toCub = ratioTo(all[i]);
    if (overSeveral && leavesArrays(*all[place].subject) == leavesArrays(*all[i].subject)) {
      if (*all[i].subject == kOneGpu) point.toOneGpu = ratioTo(all[i]);
      if (isOfNccl(all[i].subject->id)) point.toNccl = ratioTo(all[i]);
    }
    if (i > place || all[i].subject->kind != model::SubjectKind::Variant) continue;
    if (!point.toFirst) point.toFirst = ratioTo(all[i]);
    if (kernels::buildsOn(all[place].subject->id, all[i].subject->id)) point.toPrevious = ratioTo(all[i]);
  }
}

// The same device in the same state, on one day: sizes and block sizes are timed one after the other.
bool isSameDay(model::Executor one, const model::Executor& other) {
  constexpr std::size_t kDay = std::string_view("2026-11-27").size();
  if (one.recordedOn.substr(0, kDay) != other.recordedOn.substr(0, kDay)) return false;
  one.recordedOn = other.recordedOn;
  return one == other;
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
  line(subject).gpus = facts.gpus;
  line(subject).links = facts.links;
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
                      .gpus = line.gpus,
                      .links = line.links,
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
  for (const Line& line : lines_) {
    if (line.subject.kind == model::SubjectKind::SeveralGpus) continue;  // groupRecords() has them
    for (const Visit& visit : line.visits)
      all.push_back({.subject = line.subject,
                     .timingCase = visit.point.timingCase,
                     .threads = visit.point.threads,
                     .executor = line.executor,
                     .readCeiling = line.ceiling ? line.ceiling->read.median : 0,
                     .copyCeiling = line.ceiling ? line.ceiling->copy.median : 0,
                     .samples = visit.ring.samples()});
  }
  return all;
}

std::vector<model::GroupTimingRecord> SeriesStore::groupRecords() const {
  std::vector<model::GroupTimingRecord> all;
  for (const Line& line : lines_) {
    if (line.subject.kind != model::SubjectKind::SeveralGpus || line.subject == kOneGpu) continue;
    for (const Visit& visit : line.visits) {
      std::vector<SampledBeside> beside;
      for (const Line& other : lines_) {
        if (&other == &line || other.subject.kind != model::SubjectKind::SeveralGpus) continue;
        for (const Visit& there : other.visits)
          if (there.point.timingCase == visit.point.timingCase)
            beside.push_back({other.subject, there.ring.samples()});
      }
      all.push_back(groupRecord({.subject = line.subject,
                                 .timingCase = visit.point.timingCase,
                                 .threads = visit.point.threads,
                                 .executor = line.executor,
                                 .gpus = line.gpus,
                                 .samples = visit.ring.samples()},
                                beside));
    }
  }
  return all;
}

std::vector<TimingSeries> recordedSeries(const std::vector<model::TimingRecord>& records,
                                         const std::vector<model::CostRecord>& costs) {
  std::vector<TimingSeries> all;
  Summarizer summarizer;
  for (const model::TimingRecord& record : records) {
    auto found = std::ranges::find_if(all, [&](const TimingSeries& series) {
      return series.subject == record.subject && isSameDay(series.executor, record.executor);
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
                      .toPrevious = {},
                      .toOneGpu = {},
                      .toNccl = {}};
    compare(point, place, others, summarizer);
    found->points.push_back(point);
  }
  return all;
}

namespace {

constexpr double kSecondsBetweenLooks = 1;  // at what disturbs the devices
// What runs between two samples of a subject makes them longer: CUB's two launches take 32 us for 2^24 ints
// beside one variant alone, and 46 among 25 (NVIDIA H100 80GB HBM3). So each subject has stretches of its own
// with CUB, and what a stretch begins with is not kept.
constexpr unsigned kStretchRepetitions = 25;

bool isCancelled(const Error& error) { return error.kind == ErrorKind::Cancelled; }

}  // namespace

Sampler::Sampler(std::vector<model::TimingSubject> subjects, std::vector<DeviceSubjects> devices,
                 std::function<double()> now, std::uint64_t seed, std::uint32_t lastRepetition)
    : subjects_(std::move(subjects)),
      devices_(std::move(devices)),
      now_(std::move(now)),
      random_(seed),
      repetitions_(lastRepetition) {}

Result<void> Sampler::sampleCase(const model::TimingCase& timingCase, const CaseLimits& limits,
                                 SampleListener& listener, engine::JobControl& job) {
  expected_ = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
  if (auto prepared = prepare(timingCase, listener, job); !prepared) return prepared;
  for (const DeviceSubjects& device : std::vector(devices_))
    for (unsigned i = 0; i < kWarmUpRepetitions; ++i)
      if (auto turned = repetition({device.numbers}, timingCase, 0, true, listener, job); !turned)
        return turned;

  std::vector<Stretch> stretches = stretchesOf(limits.interleaved);
  const double begin = now_();
  waited_ = 0;
  const auto secondsDone = [&] { return now_() - begin - waited_; };
  const auto isDone = [&](const Stretch& stretch) {
    return !isReady(stretch) || (limits.samples > 0 && stretch.done >= limits.samples) ||
           (limits.seconds > 0 && stretch.done > 0 && secondsDone() >= limits.seconds) ||
           (limits.secondsPerSubject > 0 && stretch.done >= kMinSamples &&
            stretch.seconds >= limits.secondsPerSubject);
  };
  double lastLook = begin;
  while (!std::ranges::all_of(stretches, isDone)) {
    for (Stretch& stretch : stretches) {
      if (isDone(stretch)) continue;
      if (stretches.size() > 1)
        if (auto turned = repetition(stretch, timingCase, 0, true, listener, job); !turned) return turned;
      const double stretchBegan = secondsDone(), share = limits.seconds / double(stretches.size());
      for (unsigned i = 0; i < kStretchRepetitions && !isDone(stretch); ++i) {
        if (share > 0 && i > 0 && secondsDone() - stretchBegan >= share) break;
        ++stretch.done;
        const double before = secondsDone();
        if (auto turned = repetition(stretch, timingCase, ++repetitions_, false, listener, job); !turned)
          return turned;
        stretch.seconds += secondsDone() - before;
        std::uint64_t sum = 0;
        for (const Stretch& each : stretches) sum += each.done;
        listener.onRepetition(sum / stretches.size(), secondsDone());
        if (now_() - lastLook < kSecondsBetweenLooks) continue;
        lastLook = now_();
        if (auto looked = look(listener, job); !looked) return looked;
      }
    }
  }
  if (devices_.empty()) return unavailable("Nothing is left that can be timed.");
  return {};
}

std::vector<Sampler::Stretch> Sampler::stretchesOf(bool interleaved) const {
  std::vector<Stretch> stretches;
  for (const DeviceSubjects& device : devices_) {
    const auto cub = std::ranges::find_if(device.numbers, [this](std::size_t number) {
      return subjects_[number].id == kBaselineOfComparison && isReady(number);
    });
    if (interleaved || cub == device.numbers.end() || device.numbers.size() < 2) {
      stretches.push_back({device.numbers});
      continue;
    }
    for (const std::size_t number : device.numbers)
      if (number != *cub) stretches.push_back({{number}, *cub});
  }
  return stretches;
}

bool Sampler::isReady(std::size_t number) const {
  return std::ranges::find(ready_, number, &Ready::number) != ready_.end();
}

bool Sampler::isReady(const Stretch& stretch) const {
  return std::ranges::any_of(stretch.numbers, [this](std::size_t number) { return isReady(number); });
}

Result<void> Sampler::prepare(const model::TimingCase& timingCase, SampleListener& listener,
                              engine::JobControl& job) {
  ready_.clear();
  for (std::size_t i = 0; i < devices_.size();) {
    const DeviceSubjects& each = devices_[i];
    if (job.cancel) return cancelled();
    std::vector<model::TimingSubject> subjects;
    for (const std::size_t number : each.numbers) subjects.push_back(subjects_[number]);
    const auto prepared = each.device->prepare(timingCase, subjects, job);
    if (!prepared && isCancelled(prepared.error())) return cancelled();
    if (!prepared) {
      const bool wasUsable = each.device->isUsable();
      drop(each.device, prepared.error(), listener);
      if (wasUsable) ++i;
      continue;
    }
    for (std::size_t place = 0; place < prepared->size(); ++place) {
      const PreparedSubject& subject = (*prepared)[place];
      const std::size_t number = each.numbers[place];
      listener.onReady(number, subject);
      if (subject.unavailable.empty())
        ready_.push_back({number, each.device, place});
      else
        listener.onFault(number, subject.unavailable);
    }
    ++i;
  }
  return {};
}

Result<void> Sampler::repetition(const Stretch& stretch, const model::TimingCase& timingCase,
                                 std::uint32_t number, bool warmingUp, SampleListener& listener,
                                 engine::JobControl& job) {
  std::vector<Ready> order;
  std::ranges::copy_if(ready_, std::back_inserter(order), [&](const Ready& each) {
    return each.number == stretch.partner ||
           std::ranges::find(stretch.numbers, each.number) != stretch.numbers.end();
  });
  std::ranges::shuffle(order, random_);
  for (const Ready& next : order) {
    if (std::ranges::find(ready_, next.number, &Ready::number) == ready_.end()) continue;
    const double asked = now_();
    if (!listener.beginSample(next.number)) return cancelled();
    waited_ += now_() - asked;
    const auto timed = next.device->sample(next.place, job);
    const bool counts = listener.endSample();
    if (!timed && isCancelled(timed.error())) return cancelled();
    if (!timed) {
      if (!next.device->isUsable()) {
        drop(next.device, timed.error(), listener);
        continue;
      }
      listener.onFault(next.number, timed.error().sentence);
    } else if (timed->resultBits != expected_ || !timed->wrong.empty()) {
      const std::string wrong = timed->wrong.empty()
                                    ? wrongResultText(timingCase.type, timed->resultBits, expected_)
                                    : timed->wrong;
      listener.onWrongResult(next.number, nameOfSubject(next.number) + " " + wrong + " at n = " +
                                              sizeText(timingCase.elements) + " and is not timed there.");
    } else {
      if (!warmingUp && counts) listener.onSample(next.number, {number, float(timed->microseconds)}, now_());
      continue;
    }
    std::erase_if(ready_, [&](const Ready& ready) { return ready.number == next.number; });
  }
  return {};
}

// Looks at what disturbs the devices.
Result<void> Sampler::look(SampleListener& listener, engine::JobControl& job) {
  const std::vector<DeviceSubjects> devices = devices_;  // one that is lost leaves
  for (const DeviceSubjects& each : devices) {
    const auto disturbances = each.device->disturbances(job);
    if (!disturbances && isCancelled(disturbances.error())) return cancelled();
    if (!disturbances) drop(each.device, disturbances.error(), listener);
    for (const std::string& sentence : disturbances.value_or(std::vector<std::string>()))
      listener.onNote(sentence);
  }
  return {};
}

// A whole device cannot go on: at this case, or for ever.
void Sampler::drop(const TimingDevice* device, const Error& error, SampleListener& listener) {
  listener.onNote(error.sentence);
  for (const DeviceSubjects& each : devices_)
    if (each.device == device)
      for (const std::size_t number : each.numbers) listener.onFault(number, error.sentence);
  std::erase_if(ready_, [&](const Ready& ready) { return ready.device == device; });
  if (!device->isUsable())
    std::erase_if(devices_, [&](const DeviceSubjects& each) { return each.device == device; });
}

}  // namespace stridescope::measure
