#include "measure/gpu/gpu_limits.h"

#include <algorithm>
#include <array>
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

constexpr std::uint64_t kLineBytes = 128, kL2sOfLines = 4;
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

namespace {

// A block moves four rows at a time, side by side, with 16 bytes per thread in each: the fastest of the
// shapes tried.
constexpr const char* kReadText = R"(
__global__ void read_pass(const uint4* in, unsigned long long count, unsigned* checksum) {
  const unsigned long long row = blockDim.x, step = 4 * row * gridDim.x;
  unsigned long long i = 4 * row * blockIdx.x + threadIdx.x;
  unsigned bits = 0;
  for (; i + 3 * row < count; i += step) {
    const uint4 a = __ldcs(in + i), b = __ldcs(in + i + row);
    const uint4 c = __ldcs(in + i + 2 * row), d = __ldcs(in + i + 3 * row);
    bits ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
  }
  for (; i < count; i += row) {
    const uint4 a = __ldcs(in + i);
    bits ^= a.x ^ a.y ^ a.z ^ a.w;
  }
  for (int offset = 16; offset > 0; offset /= 2) bits ^= __shfl_xor_sync(0xffffffffu, bits, offset);
  if (threadIdx.x % 32 == 0) atomicXor(checksum, bits);
}
)";

constexpr const char* kCopyText = R"(
__global__ void copy_pass(const uint4* in, uint4* out, unsigned long long count) {
  const unsigned long long row = blockDim.x, step = 4 * row * gridDim.x;
  unsigned long long i = 4 * row * blockIdx.x + threadIdx.x;
  for (; i + 3 * row < count; i += step) {
    const uint4 a = __ldcs(in + i), b = __ldcs(in + i + row);
    const uint4 c = __ldcs(in + i + 2 * row), d = __ldcs(in + i + 3 * row);
    __stcs(out + i, a);
    __stcs(out + i + row, b);
    __stcs(out + i + 2 * row, c);
    __stcs(out + i + 3 * row, d);
  }
  for (; i < count; i += row) __stcs(out + i, __ldcs(in + i));
}
)";

constexpr std::uint64_t kMaxBytes = 4ull << 30;
constexpr std::uint64_t kFreePerBuffer = 4;  // each of two takes at most one in so many of the free bytes
constexpr unsigned kPasses = 15;
constexpr std::array kPassBlocksPerMultiprocessor{2u, 4u, 8u};  // the best of them is the ceiling
constexpr std::uint32_t kWord = 0x13579bdf;                     // the memory's first word; all others are 0
constexpr unsigned kChecksumBytes = 4;

struct Buffers {
  std::unique_ptr<GpuBuffer> from, to, checksum;
};

Result<Buffers> makeBuffers(CleanRunner& runner, std::uint64_t bytes) {
  Buffers buffers;
  for (auto* buffer : {&buffers.from, &buffers.to, &buffers.checksum}) {
    auto made = runner.allocate(buffer == &buffers.checksum ? kChecksumBytes : bytes);
    if (!made) return tl::unexpected(made.error());
    *buffer = std::move(*made);
  }
  return buffers;
}

// Zeros but for the first word: so the checksum is that word, and so is the copy's.
Result<void> prepareMemory(CleanRunner& runner, std::uint64_t from, std::uint64_t bytes) {
  const auto clearing = runner.timed({.name = "the input of the passes",
                                      .steps = {TimedFill{from, bytes, 0}},
                                      .resultAddress = from,
                                      .resultBytes = kChecksumBytes});
  if (!clearing) return tl::unexpected(clearing.error());
  if (const auto cleared = (*clearing)->run(0); !cleared) return tl::unexpected(cleared.error());
  std::array<std::uint8_t, sizeof kWord> word;
  std::memcpy(word.data(), &kWord, sizeof kWord);
  return runner.upload(from, word);
}

// GB/s of a plan that moves so many bytes, the result checked every time.
Result<Summary> rateOf(CleanRunner& runner, TimedPlan plan, std::uint64_t bytesMoved,
                       engine::JobControl& job) {
  const auto run = runner.timed(std::move(plan));
  if (!run) return tl::unexpected(run.error());
  std::vector<float> rates;
  for (unsigned i = 0; i <= kPasses; ++i) {
    if (job.cancel) return cancelled();
    const auto outcome = (*run)->run(0);
    if (!outcome) return tl::unexpected(outcome.error());
    std::uint32_t word = 0;
    std::memcpy(&word, outcome->result.data(), sizeof word);
    if (word != kWord)
      return unavailable("A pass over the GPU's memory gave wrong data: its ceiling is not known.");
    if (i > 0)
      rates.push_back(float(double(bytesMoved) / outcome->microseconds / 1e3));  // the first warms up
  }
  return summarize(rates);
}

}  // namespace

Result<MemoryPasses> MemoryPasses::load(CleanRunner& runner) {
  MemoryPasses passes;
  auto read = runner.load("read_pass", "", kReadText);
  if (!read) return tl::unexpected(read.error());
  auto copy = runner.load("copy_pass", "", kCopyText);
  if (!copy) return tl::unexpected(copy.error());
  passes.read_ = std::move(*read);
  passes.copy_ = std::move(*copy);
  return passes;
}

TimedLaunch MemoryPasses::reading(std::uint64_t from, std::uint64_t bytes, std::uint64_t checksum,
                                  unsigned blocks) const {
  return {.kernel = read_.get(),
          .grid = blocks,
          .block = kPassThreads,
          .sharedBytes = 0,
          .arguments = {from, bytes / kPassUnit, checksum}};
}

TimedLaunch MemoryPasses::copying(std::uint64_t from, std::uint64_t to, std::uint64_t bytes,
                                  unsigned blocks) const {
  return {.kernel = copy_.get(),
          .grid = blocks,
          .block = kPassThreads,
          .sharedBytes = 0,
          .arguments = {from, to, bytes / kPassUnit}};
}

Result<MeasuredCeiling> measureCeiling(CleanRunner& runner, const MemoryPasses& passes,
                                       engine::JobControl& job) {
  const auto facts = runner.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  const std::uint64_t bytes = std::min(kMaxBytes, facts->freeBytes / kFreePerBuffer) / kPassUnit * kPassUnit;
  const auto buffers = makeBuffers(runner, bytes);
  if (!buffers) return tl::unexpected(buffers.error());
  const std::uint64_t from = buffers->from->address(), to = buffers->to->address(),
                      checksum = buffers->checksum->address();

  MeasuredCeiling ceiling{.bytes = bytes, .read = {}, .copy = {}, .datasheet = facts->peakGigabytesPerSecond};
  const auto keepBetter = [](Summary& best, const Summary& other) {
    if (other.median > best.median) best = other;
  };
  if (auto prepared = prepareMemory(runner, from, bytes); !prepared) return tl::unexpected(prepared.error());
  for (const unsigned perMultiprocessor : kPassBlocksPerMultiprocessor) {
    const unsigned blocks = perMultiprocessor * facts->multiprocessors;
    TimedPlan reading{.name = "the reading pass",
                      .before = {TimedFill{checksum, kChecksumBytes, 0}},
                      .steps = {passes.reading(from, bytes, checksum, blocks)},
                      .resultAddress = checksum,
                      .resultBytes = kChecksumBytes};
    TimedPlan copying{.name = "the copying pass",
                      .before = {TimedFill{to, kPassUnit, 0}},
                      .steps = {passes.copying(from, to, bytes, blocks)},
                      .resultAddress = to,
                      .resultBytes = kChecksumBytes};
    const auto read = rateOf(runner, std::move(reading), bytes, job);
    if (!read) return tl::unexpected(read.error());
    const auto copied = rateOf(runner, std::move(copying), 2 * bytes, job);
    if (!copied) return tl::unexpected(copied.error());
    keepBetter(ceiling.read, *read);
    keepBetter(ceiling.copy, *copied);
  }
  return ceiling;
}

}  // namespace stridescope::measure::gpu
