#include "measure/gpu/memory_passes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stridescope::measure::gpu {
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
constexpr std::uint64_t kShareOfFree =
    4;                               // each of two buffers takes at most one in so many of the free bytes
constexpr std::uint64_t kUnit = 16;  // bytes that a thread moves at once
constexpr unsigned kPasses = 15;
constexpr std::array kBlocksPerMultiprocessor{2u, 4u, 8u};  // the best of them is the ceiling
constexpr std::uint32_t kWord = 0x13579bdf;                 // the memory's first word; all others are 0
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
          .arguments = {from, bytes / kUnit, checksum}};
}

TimedLaunch MemoryPasses::copying(std::uint64_t from, std::uint64_t to, std::uint64_t bytes,
                                  unsigned blocks) const {
  return {.kernel = copy_.get(),
          .grid = blocks,
          .block = kPassThreads,
          .sharedBytes = 0,
          .arguments = {from, to, bytes / kUnit}};
}

Result<MeasuredCeiling> measureCeiling(CleanRunner& runner, const MemoryPasses& passes,
                                       engine::JobControl& job) {
  const auto facts = runner.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  const std::uint64_t bytes = std::min(kMaxBytes, facts->freeBytes / kShareOfFree) / kUnit * kUnit;
  const auto buffers = makeBuffers(runner, bytes);
  if (!buffers) return tl::unexpected(buffers.error());
  const std::uint64_t from = buffers->from->address(), to = buffers->to->address(),
                      checksum = buffers->checksum->address();

  MeasuredCeiling ceiling{.bytes = bytes, .read = {}, .copy = {}, .datasheet = facts->peakGigabytesPerSecond};
  const auto keepBetter = [](Summary& best, const Summary& other) {
    if (other.median > best.median) best = other;
  };
  if (auto prepared = prepareMemory(runner, from, bytes); !prepared) return tl::unexpected(prepared.error());
  for (const unsigned perMultiprocessor : kBlocksPerMultiprocessor) {
    const unsigned blocks = perMultiprocessor * facts->multiprocessors;
    TimedPlan reading{.name = "the reading pass",
                      .before = {TimedFill{checksum, kChecksumBytes, 0}},
                      .steps = {passes.reading(from, bytes, checksum, blocks)},
                      .resultAddress = checksum,
                      .resultBytes = kChecksumBytes};
    TimedPlan copying{.name = "the copying pass",
                      .before = {TimedFill{to, kUnit, 0}},
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
