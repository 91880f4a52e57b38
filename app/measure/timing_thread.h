// The thread behind a board: it waits for a plan, opens the devices that the plan needs, samples case
// after case, and publishes what it has.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "measure/series_store.h"
#include "measure/timing_board.h"

namespace stridescope::measure {

// Every public function may be called from any thread, except the listener's, which the sampler calls.
class TimingThread final : private SampleListener {
 public:
  TimingThread(TimingMakers makers, std::function<void()> wake);
  ~TimingThread() override;

  void end();  // stops, and waits for the sample in progress; nothing runs after it
  void start(TimingPlan plan);
  void stop();
  void setPaused(bool paused);
  void clear();
  void showRecorded(std::vector<TimingSeries> series);
  std::shared_ptr<const TimingSnapshot> snapshot() const;
  std::vector<model::TimingRecord> records() const;
  std::vector<model::GroupTimingRecord> groupRecords() const;
  bool waitUntilDone(double seconds);
  void hold();
  void release();

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Devices;

  void work();
  bool waitForRequest();
  void doRequest();
  void doRequestInTurn();
  void runPlan(engine::JobControl& job);
  Devices openDevices(engine::JobControl& job);
  Result<std::unique_ptr<TimingDevice>> make(TimingDeviceKind kind, unsigned gpu,
                                             engine::JobControl& job) const;
  Result<void> sampleCases(Sampler& sampler, engine::JobControl& job);
  void enter(const model::TimingCase& timingCase, std::size_t place, std::size_t count);
  void finish(const Result<void>& ended);
  void endAfterException(const Error& error);

  void onReady(std::size_t subject, const PreparedSubject& prepared) override;
  void onSample(std::size_t subject, const model::TimingSample& sample, double atSeconds) override;
  void onFault(std::size_t subject, const std::string& sentence) override;
  void onWrongResult(std::size_t subject, const std::string& sentence) override;
  void onNote(const std::string& sentence) override;
  void onRepetition(std::uint64_t repetitionsDone, double seconds) override;
  bool beginSample(std::size_t subject) override;
  bool endSample() override;

  // With the lock held: what is not the store's is shown at once.
  void setState(TimingState state);
  void show();
  float fractionDone(std::uint64_t repetitionsDone, double seconds) const;

  // The sampling thread alone calls these, without the lock.
  void showSeries(bool summarize);
  void showSeriesSoon();
  void clearIfRequested();
  bool isCancelled() const { return running_->cancel; }

  const TimingMakers makers_;
  const std::function<void()> wake_;
  const double began_;  // when samples' seconds are 0: one plan's go on where the last one's ended

  mutable std::mutex mutex_;  // guards these; never held for long: the window waits for it
  std::condition_variable changed_;
  std::optional<TimingPlan> request_;        // to be begun by the thread
  std::shared_ptr<engine::JobControl> job_;  // the running plan's; null: none
  bool quitting_ = false, paused_ = false, clearRequested_ = false;
  unsigned holds_ = 0;
  std::uint64_t holdsEver_ = 0, holdsBefore_ = 0;  // ever; when the sample in progress began
  bool gpuSampling_ = false;
  TimingSnapshot next_;  // what is shown but for its series
  std::shared_ptr<const std::vector<TimingSeries>> live_ = std::make_shared<std::vector<TimingSeries>>();
  std::vector<TimingSeries> recorded_;
  std::shared_ptr<const TimingSnapshot> shown_;

  mutable std::mutex
      storeMutex_;  // guards the store, which the sampling thread alone changes; taken before mutex_ or alone
  SeriesStore store_;

  // The sampling thread's own.
  engine::JobControl* running_ = nullptr;
  TimingPlan plan_;
  double lastShown_ = 0, lastSummarized_ = 0, summarizing_ = 0;
  std::size_t casePlace_ = 0, caseCount_ = 1;
  std::thread thread_;  // last: it uses the others; none where there are no threads (base/in_parallel.h)
};

}  // namespace stridescope::measure
