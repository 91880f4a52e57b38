// Stands in the place of the page's executor (page_in_a_browser.py, exhausted_executor()): the thread of a
// kernel fills what it has, on the executor's own fibers. What the page asked for decides which:
//   k_way_merge     memory
//   warp_shuffle    what a thread is written to when it waits at a barrier, deep in its functions
//   any other       its stack
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/host/executor/block_runner.h"
#include "engine/worker/byte_archive.h"
#include "model/experiment.h"
#include "recording/host.h"
#include "worker_question.h"

namespace stridescope::web {
namespace {

constexpr unsigned kDepth = 1024;

unsigned fillStack(unsigned depth) {
  volatile std::uint8_t frame[256];
  frame[depth % 256] = std::uint8_t(depth);
  const unsigned below = depth == 0 ? 0 : fillStack(depth - 1);
  return below + frame[depth % 256];
}

// NOLINTNEXTLINE(misc-no-recursion)
unsigned waitBelow(unsigned depth) {
  if (depth == 0) {
    recording::syncthreads(0);
    return 0;
  }
  return waitBelow(depth - 1) * 3 + depth;
}

void fillsStack(unsigned* out) { *out = fillStack(kDepth / 16); }
void waitsDeep(unsigned* out) { *out = waitBelow(kDepth); }
void fillsMemory(unsigned* out) {
  std::vector<std::unique_ptr<std::uint8_t[]>> taken;
  for (;;) {
    taken.emplace_back(new std::uint8_t[std::size_t{16} << 20]);
    *out += taken.back()[0];
  }
}

template <auto kernel>
void run() {
  unsigned out = 0;
  unsigned* data = &out;
  void* arguments[] = {&data};
  recording::HostLaunch launch;
  launch.block = dim3(32);
  launch.kernel = recording::KernelCall<kernel>::call;
  launch.arguments = arguments;
  launch.buffers = {{reinterpret_cast<std::uintptr_t>(data), sizeof(out)}};
  launch.bufferNames = {"out"};
  launch.traceBytes = 1 << 20;
  recording::BlockRunner runner;
  if (runner.begin(launch).empty()) runner.run(0, true);
}

}  // namespace

// Comes to its end only where nobody has seen that something is full.
engine::worker::ByteWriter answerTo(std::span<const std::byte> question) {
  engine::worker::ByteReader reader(question);
  model::Experiment experiment;
  reader(experiment);
  if (experiment.variant == "k_way_merge")
    run<fillsMemory>();
  else if (experiment.variant == "warp_shuffle")
    run<waitsDeep>();
  else
    run<fillsStack>();
  engine::worker::ByteWriter answer;
  answer(std::string("nothing was full"));
  return answer;
}

}  // namespace stridescope::web

int main() { return 0; }
