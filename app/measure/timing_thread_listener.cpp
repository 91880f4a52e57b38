// What the thread does with what the sampler tells, and how it becomes a snapshot.
#include <algorithm>

#include "base/numbers.h"
#include "measure/timing_thread.h"

namespace stridescope::measure {
namespace {

constexpr double kSecondsBetweenSnapshots = 0.05;
constexpr double kSecondsBetweenSummaries = 0.25;
constexpr double kShareOfSummaries = 0.05;  // a share of the sampling thread's time

}  // namespace

void TimingThread::onReady(std::size_t subject, const PreparedSubject& prepared) {
  const Lock lock(storeMutex_);
  store_.setPrepared(subject, prepared);
  if (prepared.unavailable.empty()) store_.setFault(subject, {});
}

void TimingThread::onSample(std::size_t subject, const model::TimingSample& sample, double atSeconds) {
  const Lock lock(storeMutex_);
  store_.add(subject, sample, atSeconds - began_);
}

void TimingThread::onFault(std::size_t subject, const std::string& sentence) {
  const Lock lock(storeMutex_);
  store_.setFault(subject, sentence);
}

void TimingThread::onWrongResult(std::size_t subject, const std::string& sentence) {
  onFault(subject, sentence);
  onNote(sentence);
  const Lock lock(mutex_);
  if (!isCancelled()) ++next_.wrongResults;
}

void TimingThread::onNote(const std::string& sentence) {
  const Lock lock(mutex_);
  if (isCancelled()) return;
  if (std::ranges::find(next_.notes, sentence) == next_.notes.end()) next_.notes.push_back(sentence);
}

void TimingThread::onRepetition(std::uint64_t repetitionsDone, double seconds) {
  {
    const Lock lock(mutex_);
    if (isCancelled()) return;
    next_.doing = sizeText(next_.timingCase.elements) + " elements: " + figure(repetitionsDone) +
                  (plan_.samplesPerCase > 0 ? " of " + figure(plan_.samplesPerCase) : "") + " repetitions";
    next_.fraction = fractionDone(repetitionsDone, seconds);
  }
  showSeriesSoon();
}

bool TimingThread::beginSample(std::size_t subject) {
  Lock lock(mutex_);
  while (!isCancelled() && (paused_ || holds_ > 0 || clearRequested_)) {
    const TimingState why = paused_ ? TimingState::Paused : TimingState::Held;
    if (next_.state != why && (paused_ || holds_ > 0)) {
      setState(why);
      lock.unlock();
      showSeries(true);
      lock.lock();
      continue;
    }
    if (clearRequested_) {
      lock.unlock();
      clearIfRequested();
      lock.lock();
      continue;
    }
    changed_.wait(lock);
  }
  if (isCancelled()) return false;
  if (next_.state != TimingState::Sampling) setState(TimingState::Sampling);
  holdsBefore_ = holdsEver_;
  gpuSampling_ = deviceOf(plan_.subjects[subject].kind) == TimingDeviceKind::Gpu;
  return true;
}

bool TimingThread::endSample() {
  const Lock lock(mutex_);
  gpuSampling_ = false;
  if (holds_ > 0) changed_.notify_all();
  return holdsEver_ == holdsBefore_;
}

float TimingThread::fractionDone(std::uint64_t repetitionsDone, double seconds) const {
  double here = -1;
  if (plan_.samplesPerCase > 0) here = double(repetitionsDone) / double(plan_.samplesPerCase);
  if (plan_.secondsPerCase > 0) here = std::max(here, seconds / plan_.secondsPerCase);
  if (here < 0) return -1;
  return float((double(casePlace_) + std::min(here, 1.0)) / double(caseCount_));
}

void TimingThread::setState(TimingState state) {
  next_.state = state;
  show();
  changed_.notify_all();
}

void TimingThread::show() {
  ++next_.revision;
  auto snapshot = std::make_shared<TimingSnapshot>(next_);
  snapshot->series = *live_;
  snapshot->series.insert(snapshot->series.end(), recorded_.begin(), recorded_.end());
  shown_ = std::move(snapshot);
  if (wake_) wake_();
}

void TimingThread::showSeriesSoon() {
  const double now = makers_.now();
  if (now - lastShown_ < kSecondsBetweenSnapshots) return;
  showSeries(now - lastSummarized_ >= std::max(kSecondsBetweenSummaries, summarizing_ / kShareOfSummaries));
}

void TimingThread::showSeries(bool summarize) {
  lastShown_ = makers_.now();
  if (summarize) lastSummarized_ = lastShown_;
  std::shared_ptr<const std::vector<TimingSeries>> live;
  {
    const Lock lock(storeMutex_);
    if (summarize) store_.summarizeCase();
    if (summarize) summarizing_ = makers_.now() - lastSummarized_;
    live = std::make_shared<std::vector<TimingSeries>>(store_.series());
  }
  const Lock lock(mutex_);
  live_ = std::move(live);
  show();
}

void TimingThread::clearIfRequested() {
  {
    const Lock lock(mutex_);
    if (!clearRequested_) return;
    clearRequested_ = false;
  }
  {
    const Lock lock(storeMutex_);
    store_.clear();
  }
  showSeries(false);
}

}  // namespace stridescope::measure
