// Runs kernels that are written by hand with the recording calls in them, as the text pass would write them.
#pragma once

#include <string>
#include <vector>

#include "engine/host/executor/block_runner.h"
#include "recording/host.h"

namespace stridescope::engine {

struct HandLaunch {
  unsigned threads = 32;
  std::uint64_t sharedBytes = 0;
  std::uint64_t eventsPerThread = 1u << 16;
  std::uint64_t traceBytes = 64ull << 20;
  const std::atomic<bool>* cancel = nullptr;
  bool goesOnUnrecorded = false;
  std::uint64_t recordedPerThread = ~0ull;
};

struct HandRun {
  recording::BlockOutcome outcome{};
  recording::BlockRecord record;
  std::vector<model::Problem> problems;

  std::vector<model::Event> eventsOf(unsigned thread) const {
    return {record.events.begin() + record.first[thread], record.events.begin() + record.first[thread + 1]};
  }
};

// The kernel has one parameter: a pointer to the buffer.
template <auto kernel, class T>
HandRun runByHand(std::vector<T>& buffer, const HandLaunch& options) {
  T* data = buffer.data();
  void* arguments[] = {&data};
  recording::HostLaunch launch;
  launch.block = dim3(options.threads);
  launch.dynamicSharedBytes = options.sharedBytes;
  launch.kernel = recording::KernelCall<kernel>::call;
  launch.arguments = arguments;
  launch.buffers = {{reinterpret_cast<std::uintptr_t>(data), buffer.size() * sizeof(T)}};
  launch.bufferNames = {"out"};
  launch.sharedNames = {"data", "more"};
  launch.eventsPerThread = options.eventsPerThread;
  launch.traceBytes = options.traceBytes;
  launch.cancel = options.cancel;
  launch.goesOnUnrecorded = options.goesOnUnrecorded;
  launch.recordedPerThread = options.recordedPerThread;
  recording::BlockRunner runner;
  HandRun run;
  if (const std::string hindrance = runner.begin(launch); !hindrance.empty()) {
    run.outcome = recording::BlockOutcome::Stopped;
    run.problems.push_back({model::ProblemKind::Limit, hindrance, -1, 0});
    return run;
  }
  run.outcome = runner.run(0, true);
  run.record = runner.takeRecord();
  run.problems = runner.problems();
  return run;
}

}  // namespace stridescope::engine
