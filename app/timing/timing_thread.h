// The thread behind a board: it waits for a plan, opens the devices that the plan needs, samples station
// after station, and publishes what it has.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "timing/sampler.h"
#include "timing/series_store.h"
#include "timing/timing_board.h"

namespace stridescope {

// Every public function may be called from any thread, except the listener's, which the sampler calls.
class TimingThread final : private SampleListener {
 public:
  TimingThread(TimingMakers makers, std::function<void()> wake);
  ~TimingThread() override;

  void end();  // stops, and waits for the sample under way; nothing runs after it
  void start(TimingPlan plan);
  void stop();
  void setPaused(bool paused);
  void clear();
  void showRecorded(std::vector<TimingSeries> series);
  std::shared_ptr<const TimingSnapshot> snapshot() const;
  std::vector<TimingRecord> records() const;
  bool waitUntilDone(double seconds);
  void hold();
  void release();

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Devices;

  void work();
  void runPlan(const TimingPlan& plan, JobControl& job);
  Devices openDevices(const TimingPlan& plan);
  Result<std::unique_ptr<TimingDevice>> make(TimingDeviceKind kind, unsigned gpu) const;
  Result<void> sampleStations(Sampler& sampler, const TimingPlan& plan, JobControl& job);
  void enter(const TimingStation& station, std::size_t place, std::size_t count);
  void finish(const Result<void>& ended);

  void onReady(std::size_t subject, const PreparedSubject& prepared) override;
  void onSample(std::size_t subject, const TimingSample& sample, double atSeconds) override;
  void onFault(std::size_t subject, const std::string& sentence) override;
  void onWrongResult(std::size_t subject, const std::string& sentence) override;
  void onNote(const std::string& sentence) override;
  void onTurn(std::uint64_t turnsDone) override;
  bool beginSample(std::size_t subject) override;
  bool endSample() override;

  // With the lock held.
  void setState(TimingState state);
  void publish(bool summarize);
  void publishSoon();
  float fractionDone(std::uint64_t turnsDone) const;

  const TimingMakers makers_;
  const std::function<void()> wake_;
  mutable std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  std::optional<TimingPlan> wish_;   // to be begun by the thread
  std::shared_ptr<JobControl> job_;  // of the plan that runs; null: none
  bool quitting_ = false, paused_ = false;
  unsigned holds_ = 0;
  std::uint64_t holdsEver_ = 0, holdsBefore_ = 0;  // ever; when the sample under way began
  bool gpuSampling_ = false;

  SeriesStore store_;
  TimingSnapshot next_;  // what is published but for its live series
  std::vector<TimingSeries> recorded_;
  std::shared_ptr<const TimingSnapshot> published_;
  double planBegan_ = 0, stationBegan_ = 0, lastPublished_ = 0, lastSummarized_ = 0;
  std::size_t stationPlace_ = 0, stationCount_ = 1;
  std::thread thread_;  // last: it uses the others
};

}  // namespace stridescope
