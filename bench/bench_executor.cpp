// How fast the CPU executor records. A thread-round is one thread in one round, the first and the last round
// included; every event of it is written, and gathered thread by thread.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/host/executor/block_runner.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"

namespace {

using namespace stridescope;

const engine::host::HostKernel* intKernel(std::string_view variant) {
  for (const engine::host::HostKernel& kernel : engine::host::hostKernels(variant))
    if (kernel.type == model::ElementType::Int) return &kernel;
  return nullptr;
}

int add(int a, int b) { return a + b; }

// One block of int sums, run by the executor alone.
class BlockBench {
 public:
  BlockBench(std::string_view variant, unsigned threads) : in_(2 * threads, 1), out_(1) {
    const engine::host::HostKernel& kernel = *intKernel(variant);
    kernel.prepare(0, reinterpret_cast<engine::host::AnyFunction>(add));
    recording::HostLaunch launch;
    launch.block = dim3(threads);
    launch.dynamicSharedBytes = threads * sizeof(int);
    launch.kernel = kernel.call;
    launch.arguments = pointers_;
    launch.buffers = {{reinterpret_cast<std::uintptr_t>(in_.data()), in_.size() * sizeof(int)},
                      {reinterpret_cast<std::uintptr_t>(out_.data()), sizeof(int)}};
    runner_.begin(launch);
  }
  recording::BlockRunner& runner() { return runner_; }

 private:
  std::vector<int> in_, out_;
  void* arguments_[2] = {in_.data(), out_.data()};
  void* pointers_[2] = {&arguments_[0], &arguments_[1]};
  recording::BlockRunner runner_;
};

void countThreadRounds(benchmark::State& state, std::size_t threads, std::size_t rounds) {
  state.counters["thread-rounds/s"] =
      benchmark::Counter(double(threads * rounds), benchmark::Counter::kIsIterationInvariantRate);
}

void recordBlock(benchmark::State& state, std::string_view variant) {
  const auto threads = unsigned(state.range(0));
  BlockBench bench(variant, threads);
  std::size_t rounds = 0;
  for (auto _ : state) {
    bench.runner().run(0, true);
    auto record = bench.runner().takeRecord();
    rounds = record.barrierCopies.size() + 1;
    benchmark::DoNotOptimize(record.events.data());
  }
  countThreadRounds(state, threads, rounds);
}
BENCHMARK_CAPTURE(recordBlock, interleaved_modulo, "interleaved_modulo")->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(recordBlock, interleaved_contiguous, "interleaved_contiguous")->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(recordBlock, sequential, "sequential")->Arg(256)->Arg(1024);

// A block that is not inspected: the same, without a log.
void runBlock(benchmark::State& state, std::string_view variant) {
  const auto threads = unsigned(state.range(0));
  BlockBench bench(variant, threads);
  bench.runner().run(0, true);
  const std::size_t rounds = bench.runner().takeRecord().barrierCopies.size() + 1;
  for (auto _ : state) bench.runner().run(0, false);
  countThreadRounds(state, threads, rounds);
}
BENCHMARK_CAPTURE(runBlock, sequential, "sequential")->Arg(256)->Arg(1024);

// The whole of Engine::record(): input, launches, trace, check.
void recordExperiment(benchmark::State& state, std::string variant) {
  const auto engine = engine::host::makeHostEngine();
  model::Experiment experiment{.variant = variant, .threads = unsigned(state.range(0))};
  experiment.elements =
      std::uint64_t(state.range(0)) * kernels::findVariant(variant)->launch.elementsPerThread;
  engine::JobControl job;
  for (auto _ : state) {
    auto trace = engine->record(experiment, job);
    benchmark::DoNotOptimize(trace);
  }
}
BENCHMARK_CAPTURE(recordExperiment, sequential, "sequential")
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(recordExperiment, unrolled_last_warp, "unrolled_last_warp")
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
