#include "measure/timing_thread.h"

#include <algorithm>
#include <chrono>

#include "base/in_parallel.h"
#include "base/numbers.h"
#include "base/result.h"

namespace stridescope::measure {
namespace {

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

TimingMakers withClock(TimingMakers makers) {
  if (!makers.now) makers.now = steadySeconds;
  return makers;
}

// All sizes with the first block size, then the first size with the others.
std::vector<model::TimingCase> casesOf(const TimingPlan& plan) {
  std::vector<model::TimingCase> cases;
  const auto add = [&](std::uint64_t elements, unsigned threads) {
    cases.push_back({plan.type, plan.op, elements, threads, plan.warmL2, plan.graph});
  };
  if (plan.sizes.empty()) return cases;
  for (const std::uint64_t size : plan.sizes) add(size, plan.threads.empty() ? 0 : plan.threads.front());
  for (std::size_t i = 1; i < plan.threads.size(); ++i) add(plan.sizes.front(), plan.threads[i]);
  return cases;
}

}  // namespace

// What a plan needs, opened; which subject each times.
struct TimingThread::Devices {
  std::vector<std::unique_ptr<TimingDevice>> owned;
  std::vector<DeviceSubjects> subjects;
};

TimingThread::TimingThread(TimingMakers makers, std::function<void()> wake)
    : makers_(withClock(std::move(makers))),
      wake_(std::move(wake)),
      began_(makers_.now()),
      shown_(std::make_shared<TimingSnapshot>()) {
  if (hasThreads()) thread_ = std::thread([this] { work(); });
}

TimingThread::~TimingThread() { end(); }

void TimingThread::end() {
  {
    const Lock lock(mutex_);
    quitting_ = true;
    request_.reset();
    if (job_) job_->cancel = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void TimingThread::start(TimingPlan plan) {
  {
    const Lock lock(mutex_);
    if (job_) job_->cancel = true;
    paused_ = false;
    next_.plan = plan;
    next_.doing.clear();
    next_.notes.clear();
    next_.wrongResults = 0;
    next_.failure.reset();
    request_ = std::move(plan);
    setState(TimingState::Preparing);
  }
  doRequestInTurn();
}

void TimingThread::stop() {
  const Lock lock(mutex_);
  request_.reset();
  if (job_) job_->cancel = true;
  next_.doing.clear();
  if (next_.state != TimingState::Done && next_.state != TimingState::Failed) setState(TimingState::Idle);
}

void TimingThread::setPaused(bool paused) {
  const Lock lock(mutex_);
  paused_ = paused && job_ != nullptr;
  changed_.notify_all();
}

void TimingThread::clear() {
  {
    const Lock lock(mutex_);
    clearRequested_ = true;
    changed_.notify_all();
  }
  doRequestInTurn();
}

void TimingThread::showRecorded(std::vector<TimingSeries> series) {
  const Lock lock(mutex_);
  recorded_ = std::move(series);
  show();
}

std::shared_ptr<const TimingSnapshot> TimingThread::snapshot() const {
  const Lock lock(mutex_);
  return shown_;
}

std::vector<model::TimingRecord> TimingThread::records() const {
  const Lock lock(storeMutex_);
  return store_.records();
}

std::vector<model::GroupTimingRecord> TimingThread::groupRecords() const {
  const Lock lock(storeMutex_);
  return store_.groupRecords();
}

bool TimingThread::waitUntilDone(double seconds) {
  Lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] {
    return next_.state == TimingState::Idle || next_.state == TimingState::Done ||
           next_.state == TimingState::Failed;
  });
}

void TimingThread::hold() {
  Lock lock(mutex_);
  ++holds_, ++holdsEver_;
  changed_.wait(lock, [this] { return !gpuSampling_; });
}

void TimingThread::release() {
  const Lock lock(mutex_);
  --holds_;
  changed_.notify_all();
}

void TimingThread::work() {
  while (waitForRequest()) doRequest();
}

// False: it is to end.
bool TimingThread::waitForRequest() {
  Lock lock(mutex_);
  job_.reset();
  changed_.notify_all();
  changed_.wait(lock, [this] { return quitting_ || request_ || clearRequested_; });
  return !quitting_;
}

void TimingThread::doRequest() {
  std::shared_ptr<engine::JobControl> job;
  {
    const Lock lock(mutex_);
    if (request_) {
      const bool same = plan_.gpu == request_->gpu && plan_.gpus == request_->gpus &&
                        plan_.type == request_->type && plan_.op == request_->op;
      clearRequested_ = clearRequested_ || !same;
      plan_ = std::move(*request_);
      request_.reset();
      job_ = job = std::make_shared<engine::JobControl>();
    }
  }
  const auto ran = withoutExceptions("taking times", [&] {
    clearIfRequested();
    if (job) runPlan(*job);
  });
  if (!ran && job && !job->cancel) endAfterException(ran.error());
}

// Without threads there is no device that takes long, and what was asked for is done here.
void TimingThread::doRequestInTurn() {
  if (thread_.joinable()) return;
  doRequest();
  const Lock lock(mutex_);
  job_.reset();
}

// In the middle of a sample, perhaps: whoever holds the GPU waits for its end.
void TimingThread::endAfterException(const Error& error) {
  const Lock lock(mutex_);
  gpuSampling_ = false;
  finish(tl::unexpected(error));
}

void TimingThread::runPlan(engine::JobControl& job) {
  running_ = &job;
  job.progress = [this](float, const std::string& doing) {
    const Lock lock(mutex_);
    if (isCancelled()) return;
    next_.doing = doing;
    show();
  };
  std::uint32_t lastRepetition = 0;
  {
    const Lock lock(storeMutex_);
    store_.begin(plan_.subjects);
    lastRepetition = store_.lastRepetition();
  }
  Result<void> ended;
  {
    Devices devices = openDevices(job);
    if (devices.owned.empty() && !job.cancel) {
      ended = unavailable("Nothing of this can be timed here.");
    } else {
      Sampler sampler(plan_.subjects, std::move(devices.subjects), makers_.now, makers_.seed, lastRepetition);
      ended = sampleCases(sampler, job);
    }
  }  // the devices give back what they hold
  showSeries(true);
  const Lock lock(mutex_);
  if (!job.cancel) finish(ended);
}

Result<std::unique_ptr<TimingDevice>> TimingThread::make(TimingDeviceKind kind, unsigned gpu,
                                                         engine::JobControl& job) const {
  if (kind == TimingDeviceKind::Cpu)
    return makers_.makeCpu ? makers_.makeCpu() : unavailable("This program cannot time the CPU.");
  if (kind == TimingDeviceKind::SeveralGpus)
    return makers_.makeGpus ? makers_.makeGpus(plan_.gpus, job)
                            : unavailable("This program cannot time several GPUs.");
  return makers_.makeGpu ? makers_.makeGpu(gpu, job) : unavailable("This program cannot time a GPU.");
}

TimingThread::Devices TimingThread::openDevices(engine::JobControl& job) {
  Devices devices;
  for (const TimingDeviceKind kind :
       {TimingDeviceKind::Gpu, TimingDeviceKind::SeveralGpus, TimingDeviceKind::Cpu}) {
    DeviceSubjects those;
    for (std::size_t i = 0; i < plan_.subjects.size(); ++i)
      if (deviceOf(plan_.subjects[i].kind) == kind) those.numbers.push_back(i);
    if (those.numbers.empty()) continue;
    auto device = make(kind, plan_.gpu, job);
    if (!device && job.cancel) break;
    if (!device) onNote(device.error().sentence);
    for (const std::size_t number : those.numbers) {
      if (!device) onFault(number, device.error().sentence);
      const Lock lock(storeMutex_);
      if (device) store_.setDevice(number, (*device)->facts());
    }
    if (!device) continue;
    those.device = device->get();
    devices.owned.push_back(std::move(*device));
    devices.subjects.push_back(std::move(those));
  }
  return devices;
}

Result<void> TimingThread::sampleCases(Sampler& sampler, engine::JobControl& job) {
  const std::vector<model::TimingCase> cases = casesOf(plan_);
  const CaseLimits limits{plan_.samplesPerCase, plan_.secondsPerCase, plan_.secondsPerSubject,
                          plan_.interleaved};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    enter(cases[i], i, cases.size());
    if (auto sampled = sampler.sampleCase(cases[i], limits, *this, job); !sampled) return sampled;
    showSeries(true);
  }
  return {};
}

void TimingThread::enter(const model::TimingCase& timingCase, std::size_t place, std::size_t count) {
  lastSummarized_ = 0;  // the first samples show at once
  casePlace_ = place;
  caseCount_ = count;
  {
    const Lock lock(storeMutex_);
    store_.enter(timingCase);
  }
  const Lock lock(mutex_);
  if (isCancelled()) return;
  next_.timingCase = timingCase;
  next_.doing = sizeText(timingCase.elements) + " elements: getting ready";
  next_.fraction = fractionDone(0, 0);
  setState(TimingState::Preparing);
}

void TimingThread::finish(const Result<void>& ended) {
  next_.doing.clear();
  next_.fraction = 1;
  if (!ended) next_.failure = ended.error();
  setState(ended ? TimingState::Done : TimingState::Failed);
}

// What the thread does with what the sampler tells, and how it becomes a snapshot.

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
  gpuSampling_ = deviceOf(plan_.subjects[subject].kind) != TimingDeviceKind::Cpu;
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
