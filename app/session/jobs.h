// One background worker. The newest job wins: starting one cancels the one before. A job that throws, because
// memory ran out above all, ends with an error. Where a program has one thread alone, jobs are done in turns.
#pragma once

#include <condition_variable>
#include <cstdint>
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

// What does the jobs.
enum class JobsRunner : std::uint8_t {
  Thread,  // one of their own
  Turns,  // poll(), on the owner's thread; a job that awaits something (engine::JobControl) has its next turn
          // in the next one
};
JobsRunner defaultJobsRunner();  // a thread, where there are any (base/in_parallel.h)

// Owned and called by one thread (the window's); the work runs on the worker's own.
class Jobs {
 public:
  using Delivery = std::function<void()>;                             // runs in poll(), on the owner's thread
  using Work = std::function<Delivery(engine::JobControl& control)>;  // runs on the worker

  using Failed = std::function<void(const Error&)>;  // runs in poll(), on the owner's thread

  // `wake` is called from the worker when there is something to poll. `failed` is told of jobs, and of
  // deliveries, that threw. Both may be empty.
  explicit Jobs(std::function<void()> wake, Failed failed = {}, JobsRunner runner = defaultJobsRunner());
  ~Jobs();  // cancels and waits
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  void start(std::string doing, Work work);  // "Recording sequential"
  void cancel();                             // what the running job delivers is dropped

  // Runs the delivery of the newest job, if it ended since the last poll. True if it did.
  bool poll();
  std::optional<JobStatus> status() const;  // nullopt: nothing runs
  bool isIdle() const;                      // and nothing that ended waits for poll()
  // Until idle; then poll() delivers. In turns it ends, too, where the job awaits something.
  void wait();

 private:
  struct Job;
  using Lock = std::unique_lock<std::mutex>;
  void work();
  void runNext(Lock& lock);
  void takeTurn();

  std::function<void()> wake_;
  Failed failed_;
  JobsRunner runner_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Job> next_, running_;
  std::optional<Result<Delivery>> delivered_;  // the newest job's, if it ended and was not polled
  bool stopping_ = false;
  std::thread thread_;  // none where jobs are done in turns
};

}  // namespace stridescope::session
