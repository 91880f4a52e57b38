// The engine in use, and the one that a session begins with: a driver may take its time, or never answer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "archive/recording_file.h"
#include "base/result.h"
#include "engine/engine.h"
#include "session/services.h"

namespace stridescope::session {

// The engine that takes a GPU where one works. A session that begins with it opens it beside its other work.
inline constexpr const char* kAutoEngine = "auto";

using MadeEngine = Result<std::shared_ptr<engine::Engine>>;

// Shared by the thread that opens the first engine and the one that records.
class FirstEngine {
 public:
  // `cpuMeanwhile`: as Start has it.
  explicit FirstEngine(bool cpuMeanwhile) : cpuMeanwhile_(cpuMeanwhile) {}

  // nullopt: a session begins with another, which whoever records makes.
  void setOpened(std::optional<MadeEngine> engine);

  // Until it is opened. False: the CPU executor is to run meanwhile, or `job` was cancelled.
  bool wait(const engine::JobControl& job);

  // What was opened, once; nullopt: nothing was, or it was taken.
  std::optional<MadeEngine> take();

 private:
  const bool cpuMeanwhile_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool opened_ = false;
  std::optional<MadeEngine> engine_;
};

// Touched by the thread that records alone.
class EngineSlot {
 public:
  // The engine of that name, made if another is in use; `recording`: the index of a recording that was read
  // already. Errors: it could not be made; Cancelled.
  MadeEngine use(const std::string& id, const std::optional<archive::RecordingIndex>& recording,
                 FirstEngine& first, const SessionServices& services, const engine::JobControl& job);

  // The engine is the CPU executor, because the one that is asked for is not opened yet.
  bool standsIn() const { return engine_ != nullptr && id_.empty(); }

 private:
  std::string id_;  // empty: none, or it stands in
  std::shared_ptr<engine::Engine> engine_;
};

}  // namespace stridescope::session
