#include "measure/sampler.h"

#include <algorithm>

#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

constexpr double kSecondsBetweenLooks = 1;  // at what disturbs the devices

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
  for (unsigned i = 0; i < kWarmUpRepetitions && !ready_.empty(); ++i)
    if (auto turned = repetition(timingCase, 0, true, listener, job); !turned) return turned;

  const double begin = now_();
  waited_ = 0;
  const auto secondsDone = [&] { return now_() - begin - waited_; };
  double lastLook = begin;
  for (std::uint64_t done = 0; !ready_.empty(); ++done) {
    if (limits.samples > 0 && done >= limits.samples) break;
    if (limits.seconds > 0 && done > 0 && secondsDone() >= limits.seconds) break;
    if (auto turned = repetition(timingCase, ++repetitions_, false, listener, job); !turned) return turned;
    listener.onRepetition(done + 1, secondsDone());
    if (now_() - lastLook < kSecondsBetweenLooks) continue;
    lastLook = now_();
    if (auto looked = look(listener, job); !looked) return looked;
  }
  if (devices_.empty()) return unavailable("Nothing is left that can be timed.");
  return {};
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

Result<void> Sampler::repetition(const model::TimingCase& timingCase, std::uint32_t number, bool warmingUp,
                                 SampleListener& listener, engine::JobControl& job) {
  std::ranges::shuffle(ready_, random_);
  const std::vector<Ready> order = ready_;
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
    } else if (timed->resultBits != expected_) {
      listener.onWrongResult(next.number, nameOfSubject(next.number) + " " +
                                              wrongResultText(timingCase.type, timed->resultBits, expected_) +
                                              " at n = " + std::to_string(timingCase.elements) +
                                              " and is not timed there.");
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
