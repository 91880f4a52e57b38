#include "measure/gpu/gpu_limits.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "measure/statistics.h"

namespace stridescope::measure::gpu {
namespace {

// Lines of 128 bytes in one cycle that jumps about: a linear congruential generator modulo a power of two has
// the full period where the increment is odd and the factor 1 more than a multiple of 4 (Hull and Dobell,
// "Random number generators", 1962).
constexpr const char* kLayText = R"(
__global__ void lay_chain(unsigned* lines, unsigned count) {
  const unsigned step = blockDim.x * gridDim.x;
  for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < count; i += step)
    lines[32ull * i] = (1664525u * i + 1013904223u) & (count - 1);
}
)";

// The time and the cycles of so many loads, each of which needs the one before.
constexpr const char* kChaseText = R"(
__global__ void chase(const unsigned* lines, unsigned from, unsigned steps, unsigned long long* out) {
  unsigned long long begin = 0, end = 0;
  unsigned at = from;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long clock = clock64();
  for (unsigned i = 0; i < steps; ++i) at = __ldcg(lines + 32ull * at);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end) : "r"(at) : "memory");
  out[0] = end - begin;
  out[1] = clock64() - clock;
  out[2] = at;
}
)";

constexpr const char* kEmptyText = "__global__ void empty() {}\n";

constexpr std::uint64_t kLineBytes = 128, kL2sOfLines = 4, kL2sToEmpty = 2;
constexpr std::uint64_t kAssumedL2 = std::uint64_t{32} << 20;  // where the driver does not tell
constexpr unsigned kChases = 5, kSteps = 4096, kLaunches = 41, kWarmUps = 5;

struct Chased {
  std::uint64_t nanoseconds = 0, cycles = 0, at = 0;
};

std::uint64_t bytesLeavingL2(const GpuMemoryFacts& facts) {
  const std::uint64_t l2 = facts.l2Bytes == 0 ? kAssumedL2 : facts.l2Bytes;
  return std::bit_ceil(kL2sOfLines * l2);
}

Result<void> measureLatency(CleanRunner& runner, model::GpuLimits& limits, const GpuMemoryFacts& facts,
                            engine::JobControl& job) {
  const std::uint64_t bytes = bytesLeavingL2(facts);
  const std::uint64_t other = std::max<std::uint64_t>(kL2sToEmpty * facts.l2Bytes, kLineBytes);
  if (bytes + other > facts.freeBytes) return {};  // it stays unknown
  const auto lay = runner.load("lay_chain", "", kLayText);
  if (!lay) return tl::unexpected(lay.error());
  const auto chase = runner.load("chase", "", kChaseText);
  if (!chase) return tl::unexpected(chase.error());
  std::vector<std::unique_ptr<GpuBuffer>> buffers;
  for (const std::uint64_t size : {bytes, other, std::uint64_t(sizeof(Chased))}) {
    auto buffer = runner.allocate(size);
    if (!buffer) return tl::unexpected(buffer.error());
    buffers.push_back(std::move(*buffer));
  }
  const std::uint64_t lines = buffers[0]->address(), out = buffers[2]->address(), count = bytes / kLineBytes;
  std::vector<float> latencies, clocks;
  for (unsigned i = 0; i < kChases; ++i) {
    if (job.cancel) return cancelled();
    const auto run = runner.timed(
        {.name = "the pointer chase",
         .before = {TimedLaunch{.kernel = lay->get(), .grid = 256, .block = 256, .arguments = {lines, count}},
                    TimedFill{buffers[1]->address(), other, 0}},
         .steps = {TimedLaunch{.kernel = chase->get(),
                               .grid = 1,
                               .block = 1,
                               .arguments = {lines, i * (count / kChases), kSteps, out}}},
         .resultAddress = out,
         .resultBytes = sizeof(Chased)});
    if (!run) return tl::unexpected(run.error());
    const auto outcome = (*run)->run(0);
    if (!outcome) return tl::unexpected(outcome.error());
    Chased chased;
    std::memcpy(&chased, outcome->result.data(), sizeof chased);
    if (chased.nanoseconds == 0) continue;
    latencies.push_back(float(double(chased.nanoseconds) / kSteps));
    clocks.push_back(float(double(chased.cycles) / double(chased.nanoseconds) * 1e3));
  }
  limits.latencyNanoseconds = summarize(latencies).median;
  limits.clockMegahertz = summarize(clocks).median;
  return {};
}

Result<void> measureLaunch(CleanRunner& runner, model::GpuLimits& limits, engine::JobControl& job) {
  const auto empty = loadEmptyKernel(runner);
  if (!empty) return tl::unexpected(empty.error());
  const auto nothing = runner.allocate(kLineBytes);
  if (!nothing) return tl::unexpected(nothing.error());
  const auto run = runner.timed({.name = "the empty kernel",
                                 .steps = {TimedLaunch{.kernel = empty->get(), .grid = 1, .block = 32}},
                                 .resultAddress = (*nothing)->address(),
                                 .resultBytes = 4});
  if (!run) return tl::unexpected(run.error());
  std::vector<float> times;
  for (unsigned i = 0; i < kWarmUps + kLaunches; ++i) {
    if (job.cancel) return cancelled();
    const auto outcome = (*run)->run(0);
    if (!outcome) return tl::unexpected(outcome.error());
    if (i >= kWarmUps) times.push_back(float(outcome->microseconds));
  }
  limits.launchMicroseconds = summarize(times).median;
  return {};
}

}  // namespace

Result<std::unique_ptr<CleanKernel>> loadEmptyKernel(CleanRunner& runner) {
  return runner.load("empty", "", kEmptyText);
}

Result<model::GpuLimits> measureLimits(CleanRunner& runner, double readGigabytesPerSecond,
                                       engine::JobControl& job) {
  const auto facts = runner.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  model::GpuLimits limits{.multiprocessors = facts->multiprocessors,
                          .readGigabytesPerSecond = readGigabytesPerSecond};
  STRIDESCOPE_TRY(measureLatency(runner, limits, *facts, job));
  STRIDESCOPE_TRY(measureLaunch(runner, limits, job));
  return limits;
}

}  // namespace stridescope::measure::gpu
