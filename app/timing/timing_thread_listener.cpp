// What the thread does with what the sampler tells, and how it becomes a snapshot.
#include <algorithm>

#include "timing/timing_thread.h"
#include "timing/words.h"

namespace stridescope {
namespace {

constexpr double kSecondsBetweenSnapshots = 0.05;
constexpr double kSecondsBetweenSummaries = 0.25;  // they sort every sample

}  // namespace

void TimingThread::onReady(std::size_t subject, const PreparedSubject& prepared) {
  const Lock lock(mutex_);
  store_.setThreads(subject, prepared.threads);
  if (prepared.unavailable.empty()) store_.setFault(subject, {});
  stationBegan_ = makers_.now();
}

void TimingThread::onSample(std::size_t subject, const TimingSample& sample, double atSeconds) {
  const Lock lock(mutex_);
  if (job_ && !job_->cancel) store_.add(subject, sample, atSeconds - planBegan_);
}

void TimingThread::onFault(std::size_t subject, const std::string& sentence) {
  const Lock lock(mutex_);
  if (job_ && !job_->cancel) store_.setFault(subject, sentence);
}

void TimingThread::onWrongResult(std::size_t subject, const std::string& sentence) {
  onFault(subject, sentence);
  onNote(sentence);
  const Lock lock(mutex_);
  ++next_.wrongResults;
}

void TimingThread::onNote(const std::string& sentence) {
  const Lock lock(mutex_);
  if (std::ranges::find(next_.notes, sentence) == next_.notes.end()) next_.notes.push_back(sentence);
}

void TimingThread::onTurn(std::uint64_t turnsDone) {
  const Lock lock(mutex_);
  if (job_->cancel) return;
  next_.doing =
      elementsText(next_.station.elements) + " elements: " + std::to_string(turnsDone) +
      (next_.plan.samplesPerStation > 0 ? " of " + std::to_string(next_.plan.samplesPerStation) : "") +
      " turns";
  next_.fraction = fractionDone(turnsDone);
  publishSoon();
}

bool TimingThread::beginSample(std::size_t subject) {
  Lock lock(mutex_);
  const auto mayNot = [this] { return paused_ || holds_ > 0; };
  while (!job_->cancel && mayNot()) {
    const TimingState why = paused_ ? TimingState::Paused : TimingState::Held;
    if (next_.state != why) setState(why);
    changed_.wait(lock);
  }
  if (job_->cancel) return false;
  if (next_.state != TimingState::Sampling) setState(TimingState::Sampling);
  holdsBefore_ = holdsEver_;
  gpuSampling_ = deviceOf(next_.plan.subjects[subject].kind) == TimingDeviceKind::Gpu;
  return true;
}

bool TimingThread::endSample() {
  const Lock lock(mutex_);
  gpuSampling_ = false;
  if (holds_ > 0) changed_.notify_all();
  return holdsEver_ == holdsBefore_;
}

float TimingThread::fractionDone(std::uint64_t turnsDone) const {
  const TimingPlan& plan = next_.plan;
  double here = -1;
  if (plan.samplesPerStation > 0) here = double(turnsDone) / double(plan.samplesPerStation);
  if (plan.secondsPerStation > 0)
    here = std::max(here, (makers_.now() - stationBegan_) / plan.secondsPerStation);
  if (here < 0) return -1;
  return float((double(stationPlace_) + std::min(here, 1.0)) / double(stationCount_));
}

void TimingThread::setState(TimingState state) {
  next_.state = state;
  publish(state == TimingState::Paused || state == TimingState::Held);
  changed_.notify_all();
}

void TimingThread::publishSoon() {
  const double now = makers_.now();
  if (now - lastPublished_ < kSecondsBetweenSnapshots) return;
  publish(now - lastSummarized_ >= kSecondsBetweenSummaries);
}

void TimingThread::publish(bool summarize) {
  lastPublished_ = makers_.now();
  if (summarize) {
    store_.summarizeStation();
    lastSummarized_ = lastPublished_;
  }
  ++next_.revision;
  auto snapshot = std::make_shared<TimingSnapshot>(next_);
  snapshot->series = store_.series();
  snapshot->series.insert(snapshot->series.end(), recorded_.begin(), recorded_.end());
  published_ = std::move(snapshot);
  if (wake_) wake_();
}

}  // namespace stridescope
