#include "kernels/launch_rules.h"

#include <algorithm>

namespace stridescope::kernels {
namespace {

constexpr std::uint64_t kThreadsThatFillAnyGpu = 160 * 2048;
constexpr std::uint64_t kWaves = 8;
constexpr std::uint64_t kThreadsThatHideLatency = 1u << 17;
constexpr std::uint64_t kThreadsOfAnH100 = 132 * 2048;
constexpr std::uint64_t kElementsForMoreThreads = 256;                            // per thread
constexpr std::uint64_t kElementsOfAThreadAlone = 2 * kElementsOfAPackingThread;  // in a lone block

std::uint64_t blocks(std::uint64_t elements, unsigned threads, unsigned elementsPerThread,
                     std::uint64_t mostThreads) {
  const std::uint64_t perBlock = std::uint64_t(threads) * elementsPerThread;
  const std::uint64_t needed = elements / perBlock + (elements % perBlock != 0);
  return std::clamp<std::uint64_t>(needed, 1, mostThreads / threads);
}

}  // namespace

std::uint64_t blocksThatQueue(std::uint64_t elements, unsigned threads) {
  return blocks(elements, threads, kElementsOfAStridingThread, kWaves * kThreadsThatFillAnyGpu);
}

std::uint64_t blocksThatQueueForPacks(std::uint64_t elements, unsigned threads) {
  return blocks(elements, threads, kElementsOfAPackingThread, kWaves * kThreadsThatFillAnyGpu);
}

std::uint64_t blocksInOneWave(std::uint64_t elements, unsigned threads) {
  if (elements <= kElementsOfAThreadAlone * threads) return 1;
  const std::uint64_t most =
      std::clamp(elements / kElementsForMoreThreads, kThreadsThatHideLatency, kThreadsOfAnH100);
  return blocks(elements, threads, kElementsOfAPackingThread, most);
}

std::uint64_t oneBlock(std::uint64_t, unsigned) { return 1; }

}  // namespace stridescope::kernels
