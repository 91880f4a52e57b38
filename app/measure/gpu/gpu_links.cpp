#include "measure/gpu/gpu_links.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "measure/gpu/gpu_limits.h"
#include "measure/statistics.h"

namespace stridescope::measure::gpu {
namespace {

// A thread of one GPU and one of another throw a number back and forth: each waits for it in its own memory
// and stores it into the other's, and the first tells the time of all rounds.
constexpr const char* kThrowText = R"(
__device__ unsigned looked(const unsigned* at) {
  unsigned seen;
  asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(seen) : "l"(at) : "memory");
  return seen;
}
__device__ void thrown(unsigned* to, unsigned number) {
  asm volatile("st.relaxed.sys.u32 [%0], %1;" : : "l"(to), "r"(number) : "memory");
}
__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
  return now;
}
__global__ void throw_number(unsigned* mine, unsigned* theirs, unsigned rounds, unsigned begins,
                             unsigned long long* taken) {
  const unsigned warming = 10;
  unsigned long long begin = 0;
  for (unsigned number = 1; number <= warming + rounds; ++number) {
    if (number == warming + 1) begin = nanoseconds();
    if (begins) thrown(theirs, number);
    while (looked(mine) != number) {}
    if (!begins) thrown(theirs, number);
  }
  *taken = nanoseconds() - begin;
}
)";
constexpr const char* kThrow = "throw_number";

constexpr std::uint64_t kMaxLinkBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kFreePerLinkBuffer = 8;  // each of two takes at most one in so many of the free bytes
constexpr std::array kLinkBlocksPerMultiprocessor{2u, 4u, 8u};  // the best of them counts
constexpr std::uint64_t kLinkCellBytes = 128;  // of what threads wait for and leave: lines of their own

// What is measured with, on one GPU.
struct Ends {
  std::unique_ptr<GpuBuffer> from, to;  // what others read, and where copies go
  std::unique_ptr<GpuBuffer> cell, taken, checksum;
  std::unique_ptr<CleanKernel> thrower;
  MemoryPasses passes;
  unsigned multiprocessors = 0;
};

Result<Ends> endsOn(CleanRunner& runner, std::uint64_t bytes) {
  Ends ends;
  const auto facts = runner.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  ends.multiprocessors = facts->multiprocessors;
  for (auto [buffer, size] :
       {std::pair(&ends.from, bytes), std::pair(&ends.to, bytes), std::pair(&ends.cell, kLinkCellBytes),
        std::pair(&ends.taken, kLinkCellBytes), std::pair(&ends.checksum, kLinkCellBytes)}) {
    auto made = runner.allocate(size);
    if (!made) return tl::unexpected(made.error());
    *buffer = *std::move(made);
  }
  auto thrower = runner.load(kThrow, "", kThrowText);
  if (!thrower) return tl::unexpected(thrower.error());
  ends.thrower = *std::move(thrower);
  auto passes = MemoryPasses::load(runner);
  if (!passes) return tl::unexpected(passes.error());
  ends.passes = *std::move(passes);
  return ends;
}

// GB/s of a plan that brings so many bytes over.
Result<double> linkRateOf(CleanRunner& runner, TimedPlan plan, std::uint64_t bytes, engine::JobControl& job) {
  const auto run = runner.timed(std::move(plan));
  if (!run) return tl::unexpected(run.error());
  std::vector<float> rates;
  for (unsigned i = 0; i <= kLinkPasses; ++i) {
    if (job.cancel) return cancelled();
    const auto outcome = (*run)->run(0);
    if (!outcome) return tl::unexpected(outcome.error());
    if (i > 0 && outcome->microseconds > 0)
      rates.push_back(float(double(bytes) / outcome->microseconds / 1e3));
  }
  return summarize(rates).median;
}

Result<void> measureBandwidth(GpuGroup& group, const std::vector<Ends>& ends, std::uint64_t bytes,
                              model::GpuLink& link, engine::JobControl& job) {
  CleanRunner& reader = group.gpu(link.to);
  const Ends& here = ends[link.to];
  const std::uint64_t from = ends[link.from].from->address();
  const auto copied = linkRateOf(reader,
                                 {.name = "a copy between GPUs",
                                  .steps = {TimedCopy{here.to->address(), from, bytes}},
                                  .resultAddress = here.checksum->address(),
                                  .resultBytes = 4},
                                 bytes, job);
  if (!copied) return tl::unexpected(copied.error());
  link.copyGigabytesPerSecond = *copied;
  for (const unsigned perMultiprocessor : kLinkBlocksPerMultiprocessor) {
    const auto read = linkRateOf(reader,
                                 {.name = "a pass over another GPU's memory",
                                  .steps = {here.passes.reading(from, bytes, here.checksum->address(),
                                                                perMultiprocessor * here.multiprocessors)},
                                  .resultAddress = here.checksum->address(),
                                  .resultBytes = 4},
                                 bytes, job);
    if (!read) return tl::unexpected(read.error());
    link.loadGigabytesPerSecond = std::max(link.loadGigabytesPerSecond, *read);
  }
  return {};
}

// Half of the time that a message takes there and back between the two, in nanoseconds.
Result<double> messageBetween(GpuGroup& group, const std::vector<Ends>& ends, unsigned one, unsigned other,
                              engine::JobControl& job) {
  GroupPlan plan{.name = "a message there and back", .parts = {}, .end = GroupEnd::AllFinished};
  for (const auto& [gpu, peer] : {std::pair(other, one), std::pair(one, other)}) {
    const std::uint64_t cell = ends[gpu].cell->address(), taken = ends[gpu].taken->address();
    TimedPlan share{.name = plan.name,
                    .before = {TimedFill{cell, 4, 0}},
                    .steps = {TimedLaunch{.kernel = ends[gpu].thrower.get(),
                                          .grid = 1,
                                          .block = 1,
                                          .arguments = {cell, ends[peer].cell->address(), kMessageRounds,
                                                        gpu == one ? 1u : 0u, taken}}}};
    if (gpu == one) share.resultAddress = taken, share.resultBytes = sizeof(std::uint64_t);
    plan.parts.emplace_back(GroupShare{gpu, std::move(share)});
  }
  const auto run = group.timed(std::move(plan));
  if (!run) return tl::unexpected(run.error());
  std::vector<float> halves;
  for (unsigned i = 0; i < kMessageRuns; ++i) {
    if (job.cancel) return cancelled();
    const auto outcome = (*run)->run();
    if (!outcome) return tl::unexpected(outcome.error());
    std::uint64_t nanoseconds = 0;
    std::memcpy(&nanoseconds, outcome->results.at(0).data(), sizeof nanoseconds);
    halves.push_back(float(double(nanoseconds) / kMessageRounds / 2));
  }
  return summarize(halves).median;
}

}  // namespace

Result<std::vector<model::GpuLink>> measureLinks(GpuGroup& group, engine::JobControl& job) {
  std::uint64_t bytes = kMaxLinkBytes;
  for (unsigned gpu = 0; gpu < group.size(); ++gpu) {
    const auto facts = group.gpu(gpu).memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    bytes = std::min(bytes, facts->freeBytes / kFreePerLinkBuffer / kPassUnit * kPassUnit);
  }
  std::vector<Ends> ends;
  for (unsigned gpu = 0; gpu < group.size(); ++gpu) {
    auto made = endsOn(group.gpu(gpu), bytes);
    if (!made) return tl::unexpected(made.error());
    ends.push_back(*std::move(made));
  }
  std::vector<model::GpuLink> links;
  for (unsigned from = 0; from < group.size(); ++from)
    for (unsigned to = 0; to < group.size(); ++to) {
      if (from == to) continue;
      model::GpuLink link{.from = from, .to = to};
      if (job.progress)
        job.progress(-1,
                     "Measuring the link from GPU " + std::to_string(from) + " to GPU " + std::to_string(to));
      STRIDESCOPE_TRY(measureBandwidth(group, ends, bytes, link, job));
      const auto message = messageBetween(group, ends, from, to, job);
      if (!message) return tl::unexpected(message.error());
      link.messageNanoseconds = *message;
      links.push_back(link);
    }
  return links;
}

}  // namespace stridescope::measure::gpu
