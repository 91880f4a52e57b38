#include "session/jobs.h"

#include <cctype>
#include <utility>

#include "base/in_parallel.h"
#include "base/result.h"

namespace stridescope::session {

struct Jobs::Job {
  std::string doing;  // within a sentence: "recording sequential"
  Work work;
  engine::JobControl control;
  JobStatus status;  // guarded by Jobs::mutex_
};

namespace {

// "Recording sequential" within a sentence.
std::string withinSentence(std::string doing) {
  if (!doing.empty()) doing.front() = char(std::tolower(static_cast<unsigned char>(doing.front())));
  return doing;
}

}  // namespace

JobsRunner defaultJobsRunner() { return hasThreads() ? JobsRunner::Thread : JobsRunner::Turns; }

Jobs::Jobs(std::function<void()> wake, Failed failed, JobsRunner runner)
    : wake_(std::move(wake)), failed_(std::move(failed)), runner_(runner) {
  if (runner_ == JobsRunner::Thread) thread_ = std::thread([this] { work(); });
}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    next_.reset();
    if (running_) running_->control.cancel = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Jobs::start(std::string doing, Work work) {
  auto job = std::make_shared<Job>();
  job->doing = withinSentence(doing);
  job->work = std::move(work);
  job->status.doing = std::move(doing);
  // The job outlives its progress calls: the worker holds it while it runs.
  job->control.progress = [this, raw = job.get()](float fraction, const std::string& what) {
    {
      const std::lock_guard lock(mutex_);
      raw->status = {what, fraction};
    }
    if (wake_) wake_();
  };
  {
    const std::lock_guard lock(mutex_);
    if (running_) running_->control.cancel = true;
    delivered_.reset();
    next_ = std::move(job);
  }
  changed_.notify_all();
}

void Jobs::cancel() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  delivered_.reset();
  if (running_) running_->control.cancel = true;
}

bool Jobs::poll() {
  if (runner_ == JobsRunner::Turns) takeTurn();
  std::optional<Result<Delivery>> ready;
  {
    const std::lock_guard lock(mutex_);
    ready.swap(delivered_);
  }
  if (!ready) return false;
  auto delivered = Result<void>();
  if (*ready)
    delivered = withoutExceptions("showing what was done", **ready);
  else
    delivered = tl::unexpected(std::move(ready->error()));
  if (!delivered && failed_) failed_(delivered.error());
  return true;
}

std::optional<JobStatus> Jobs::status() const {
  const std::lock_guard lock(mutex_);
  if (next_) return next_->status;
  if (running_ && !running_->control.cancel) return running_->status;
  return std::nullopt;
}

bool Jobs::isIdle() const {
  const std::lock_guard lock(mutex_);
  return !next_ && !delivered_ && (!running_ || running_->control.cancel);
}

void Jobs::wait() {
  if (runner_ == JobsRunner::Turns) return takeTurn();
  Lock lock(mutex_);
  changed_.wait(lock, [this] { return !next_ && !running_; });
}

void Jobs::work() {
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || next_; });
    if (stopping_) return;
    running_ = std::exchange(next_, nullptr);
    runNext(lock);
  }
}

// Does the running job, and takes in what it delivers unless it is cancelled, or awaits something.
void Jobs::runNext(Lock& lock) {
  const auto job = running_;
  lock.unlock();
  job->control.awaits = false;
  // Outside the job's own work nothing here allocates: it may have ended because there is no memory left.
  auto delivery =
      withoutExceptions(job->doing, [&]() -> Result<Delivery> { return job->work(job->control); });
  lock.lock();
  if (delivery && job->control.awaits && !job->control.cancel) return;
  if (!job->control.cancel && (!delivery || *delivery)) delivered_ = std::move(delivery);
  running_.reset();
  changed_.notify_all();
  lock.unlock();
  if (wake_) wake_();
  lock.lock();
}

// One that awaits something and is cancelled has a last turn, in which it ends what it awaits.
void Jobs::takeTurn() {
  Lock lock(mutex_);
  if (running_ && running_->control.cancel) runNext(lock);
  if (next_) running_ = std::exchange(next_, nullptr);
  if (running_) runNext(lock);
}

}  // namespace stridescope::session
