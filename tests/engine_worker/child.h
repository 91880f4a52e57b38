// The tests' worker (worker_child.cpp): started, asked, and looked for among the processes.
#pragma once

#include <dirent.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "engine/worker/worker_engine.h"

namespace stridescope::engine::worker {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

inline WorkerCommand child(const std::string& part) {
  return {.program = STRIDESCOPE_WORKER_CHILD, .arguments = {part}};
}

inline constexpr WorkerLimits kShort{
    .start = 10s, .silence = 1s, .silencePerElement = 0ns, .cancelling = 500ms};

inline std::unique_ptr<Engine> workerOf(const std::string& part, const WorkerLimits& limits = {}) {
  auto made = makeWorkerEngine(child(part), limits);
  EXPECT_TRUE(made) << made.error().sentence << "\n" << made.error().details;
  return made ? std::move(*made) : nullptr;
}

inline Result<model::Trace> record(Engine& engine, const std::string& variant, std::uint64_t seed = 1) {
  JobControl job;
  return engine.record({.variant = variant, .seed = seed}, job);
}

// The number of the process that recorded.
inline pid_t processOf(Engine& engine) {
  const auto trace = record(engine, "anything");
  EXPECT_TRUE(trace) << trace.error().sentence;
  return trace ? std::atoi(trace->checkNote.c_str()) : 0;
}

// A sentence for a person: what happened, and what to do.
inline void expectAdvice(const Error& error, ErrorKind kind = ErrorKind::Unavailable) {
  EXPECT_EQ(error.kind, kind);
  EXPECT_THAT(error.sentence, testing::EndsWith("."));
  EXPECT_THAT(error.sentence, testing::HasSubstr(". "));
}

// Within two seconds, at most its number is left, for its parent (perhaps not this program) to collect.
inline bool isGone(pid_t process) {
  for (int i = 0; i < 2000; ++i) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    if (!(file >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

inline bool hasNoChildren() {  // none that runs, and none that was not waited for
  for (int i = 0; i < 2000; ++i) {
    const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
    if (ended < 0) return errno == ECHILD;
    if (ended > 0) return false;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

inline unsigned openDescriptors() {
  unsigned count = 0;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

}  // namespace stridescope::engine::worker
