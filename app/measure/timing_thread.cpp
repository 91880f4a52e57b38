#include "measure/timing_thread.h"

#include <chrono>

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
      shown_(std::make_shared<TimingSnapshot>()),
      thread_([this] { work(); }) {}

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
  const Lock lock(mutex_);
  clearRequested_ = true;
  changed_.notify_all();
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
  for (;;) {
    std::shared_ptr<engine::JobControl> job;
    {
      Lock lock(mutex_);
      job_.reset();
      changed_.notify_all();
      changed_.wait(lock, [this] { return quitting_ || request_ || clearRequested_; });
      if (quitting_) return;
      if (request_) {
        const bool same =
            plan_.gpu == request_->gpu && plan_.type == request_->type && plan_.op == request_->op;
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
  return makers_.makeGpu ? makers_.makeGpu(gpu, job) : unavailable("This program cannot time a GPU.");
}

TimingThread::Devices TimingThread::openDevices(engine::JobControl& job) {
  Devices devices;
  for (const TimingDeviceKind kind : {TimingDeviceKind::Gpu, TimingDeviceKind::Cpu}) {
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
  const CaseLimits limits{plan_.samplesPerCase, plan_.secondsPerCase};
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

}  // namespace stridescope::measure
