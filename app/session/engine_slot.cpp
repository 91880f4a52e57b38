#include "session/engine_slot.h"

#include <utility>

namespace stridescope::session {
namespace {

constexpr std::chrono::milliseconds kMoment{1000};  // a driver that is well takes less
constexpr std::chrono::milliseconds kLookAtCancel{5};

}  // namespace

void FirstEngine::setOpened(std::optional<MadeEngine> engine) {
  const std::scoped_lock lock(mutex_);
  engine_ = std::move(engine);
  opened_ = true;
  changed_.notify_all();
}

bool FirstEngine::wait(const engine::JobControl& job) {
  std::unique_lock lock(mutex_);
  const auto mayWait = [this] {
    return !cpuMeanwhile_ || std::chrono::steady_clock::now() - began_ < kMoment;
  };
  while (!opened_ && !job.cancel && mayWait()) changed_.wait_for(lock, kLookAtCancel);
  return opened_;
}

std::optional<MadeEngine> FirstEngine::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(engine_, std::nullopt);
}

MadeEngine EngineSlot::use(const std::string& id, const std::optional<archive::RecordingIndex>& recording,
                           FirstEngine& first, const SessionServices& services,
                           const engine::JobControl& job) {
  if (engine_ && id_ == id) return engine_;
  std::optional<MadeEngine> made;
  bool meanwhile = false;
  if (id == kAutoEngine) {
    meanwhile = !first.wait(job);
    if (job.cancel) return cancelled();
    if (!meanwhile) made = first.take();
  }
  id_.clear();
  engine_ = nullptr;
  if (!made && recording && services.makeRecorded) made = services.makeRecorded(id, *recording);
  if (!made) made = services.makeEngine(meanwhile ? "host" : id);
  if (!*made) return *made;
  engine_ = **made;
  if (!meanwhile) id_ = id;
  return engine_;
}

}  // namespace stridescope::session
