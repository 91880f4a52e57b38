#include "session/jobs.h"

#include <utility>

namespace stridescope {

struct Jobs::Job {
  Work work;
  JobControl control;
  JobStatus status;  // guarded by Jobs::mutex_
};

Jobs::Jobs(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { work(); }) {}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    next_.reset();
    if (running_) running_->control.cancel = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Jobs::start(std::string doing, Work work) {
  auto job = std::make_shared<Job>();
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
    delivered_.clear();
    next_ = std::move(job);
  }
  changed_.notify_all();
}

void Jobs::cancel() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  delivered_.clear();
  if (running_) running_->control.cancel = true;
}

bool Jobs::poll() {
  std::vector<Delivery> ready;
  {
    const std::lock_guard lock(mutex_);
    ready.swap(delivered_);
  }
  for (const Delivery& delivery : ready) delivery();
  return !ready.empty();
}

std::optional<JobStatus> Jobs::status() const {
  const std::lock_guard lock(mutex_);
  if (next_) return next_->status;
  if (running_ && !running_->control.cancel) return running_->status;
  return std::nullopt;
}

void Jobs::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !next_ && !running_; });
}

void Jobs::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || next_; });
    if (stopping_) return;
    running_ = std::exchange(next_, nullptr);
    const auto job = running_;
    lock.unlock();
    Delivery delivery = job->work(job->control);
    lock.lock();
    if (!job->control.cancel && delivery) delivered_.push_back(std::move(delivery));
    running_.reset();
    changed_.notify_all();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace stridescope
