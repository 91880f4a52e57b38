#include "measure/timing_board.h"

#include "measure/series_store.h"
#include "measure/timing_thread.h"

namespace stridescope::measure {

double gigabytesPerSecond(const TimingPoint& point) {
  const double bytes = double(point.timingCase.elements) * model::bytesOf(point.timingCase.type);
  return point.time.median > 0 ? bytes / point.time.median / 1e3 : 0;
}

struct TimingBoard::Shared {
  Shared(TimingMakers makers, std::function<void()> wake) : thread(std::move(makers), std::move(wake)) {}
  TimingThread thread;
};

TimingBoard::TimingBoard(TimingMakers makers, std::function<void()> wake)
    : shared_(std::make_shared<Shared>(std::move(makers), std::move(wake))) {}
TimingBoard::~TimingBoard() { shared_->thread.end(); }

void TimingBoard::start(TimingPlan plan) { shared_->thread.start(std::move(plan)); }
void TimingBoard::stop() { shared_->thread.stop(); }
void TimingBoard::pause() { shared_->thread.setPaused(true); }
void TimingBoard::resume() { shared_->thread.setPaused(false); }
void TimingBoard::clear() { shared_->thread.clear(); }
void TimingBoard::showRecorded(std::vector<model::TimingRecord> records) {
  shared_->thread.showRecorded(recordedSeries(records));
}
std::shared_ptr<const TimingSnapshot> TimingBoard::snapshot() const { return shared_->thread.snapshot(); }
std::vector<model::TimingRecord> TimingBoard::records() const { return shared_->thread.records(); }
bool TimingBoard::waitUntilDone(double seconds) const { return shared_->thread.waitUntilDone(seconds); }

TimingBoard::Hold TimingBoard::holdGpu() {
  shared_->thread.hold();
  return Hold([shared = shared_] { shared->thread.release(); });
}

}  // namespace stridescope::measure
