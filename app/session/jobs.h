// One background worker. The newest job wins: starting one cancels the one before. A job that throws, because
// memory ran out above all, ends with an error.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"
#include "engine/engine.h"

namespace stridescope::session {

struct JobStatus {
  std::string doing;    // "Recording interleaved_contiguous"
  float fraction = -1;  // 0 to 1; below 0: not known
};

// Owned and called by one thread (the window's); the work runs on the worker's own.
class Jobs {
 public:
  using Delivery = std::function<void()>;                             // runs in poll(), on the owner's thread
  using Work = std::function<Delivery(engine::JobControl& control)>;  // runs on the worker

  using Failed = std::function<void(const Error&)>;  // runs in poll(), on the owner's thread

  // `wake` is called from the worker when there is something to poll. `failed` is told of jobs, and of
  // deliveries, that threw. Both may be empty.
  explicit Jobs(std::function<void()> wake, Failed failed = {});
  ~Jobs();  // cancels and waits
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  void start(std::string doing, Work work);  // "Recording sequential"
  void cancel();                             // what the running job delivers is dropped

  // Runs the delivery of the newest job, if it ended since the last poll. True if it did.
  bool poll();
  std::optional<JobStatus> status() const;  // nullopt: idle
  void wait();                              // until idle; then poll() delivers

 private:
  struct Job;
  void work();

  std::function<void()> wake_;
  Failed failed_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Job> next_, running_;
  std::optional<Result<Delivery>> delivered_;  // the newest job's, if it ended and was not polled
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace stridescope::session
