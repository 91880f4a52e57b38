// Recording one block of 1024 threads on a real GPU: launched, copied back and analysed, as the window shows
// it. Without a GPU every case says so and is skipped.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "analysis/analysis.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/worker_engine.h"

namespace {

using namespace stridescope;

model::Experiment blockOf1024() { return {.variant = "sequential", .threads = 1024, .elements = 1024}; }

std::string scratchCache() {
  return (std::filesystem::temp_directory_path() / "stridescope-bench-cache").string();
}

// False, and the benchmark is skipped, if it failed.
bool recordAndAnalyse(benchmark::State& state, engine::Engine& engine) {
  engine::JobControl job;
  const auto trace = engine.record(blockOf1024(), job);
  if (!trace) {
    state.SkipWithError(trace.error().sentence.c_str());
    return false;
  }
  benchmark::DoNotOptimize(analysis::analyse(*trace));
  return true;
}

// With its context on the GPU: the window's worker makes it while the window opens.
std::unique_ptr<engine::Engine> makeEngine(benchmark::State& state, const engine::gpu::GpuPlaces& places) {
  auto engine = engine::gpu::makeGpuEngine(0, places);
  if (!engine) {
    state.SkipWithError(engine.error().sentence.c_str());
    return nullptr;
  }
  engine::JobControl job;
  if (const auto opened = (*engine)->prepare({}, job); !opened) {
    state.SkipWithError(opened.error().sentence.c_str());
    return nullptr;
  }
  state.SetLabel((*engine)->executor().device);
  return std::move(*engine);
}

void recordWarm(benchmark::State& state) {
  const auto engine = makeEngine(state, {});
  if (!engine || !recordAndAnalyse(state, *engine)) return;
  for (auto _ : state)
    if (!recordAndAnalyse(state, *engine)) return;
}

// The same through a process of its own, as the program does it.
void recordInAWorker(benchmark::State& state) {
  const auto worker = engine::worker::GpuWorkers().engine(0);
  if (!worker) return state.SkipWithError(worker.error().sentence.c_str());
  state.SetLabel((*worker)->executor().device);
  if (!recordAndAnalyse(state, **worker)) return;
  for (auto _ : state)
    if (!recordAndAnalyse(state, **worker)) return;
}

// The engine is new, its context is there, the compiled kernel lies in the cache on the disk.
void recordWithFilledDiskCache(benchmark::State& state) {
  const engine::gpu::GpuPlaces places{.cacheFolder = scratchCache()};
  if (const auto filling = makeEngine(state, places); !filling || !recordAndAnalyse(state, *filling)) return;
  for (auto _ : state) {
    state.PauseTiming();
    auto engine = makeEngine(state, places);
    if (!engine) break;
    state.ResumeTiming();
    if (!recordAndAnalyse(state, *engine)) break;
    state.PauseTiming();
    engine.reset();
    state.ResumeTiming();
  }
}

// Nothing was compiled before; the context is there.
void recordTheFirstTime(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    std::error_code ignored;
    std::filesystem::remove_all(scratchCache(), ignored);
    auto engine = makeEngine(state, {.cacheFolder = scratchCache()});
    if (!engine) break;
    state.ResumeTiming();
    if (!recordAndAnalyse(state, *engine)) break;
    state.PauseTiming();
    engine.reset();
    state.ResumeTiming();
  }
}

BENCHMARK(recordWarm)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(recordInAWorker)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(recordWithFilledDiskCache)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);
BENCHMARK(recordTheFirstTime)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);

}  // namespace

int main(int argc, char** argv) {
  if (const auto gpu = engine::worker::gpuWorkerIndex(argc, argv))
    return engine::worker::serveEngine([index = *gpu] { return engine::gpu::makeGpuEngine(index); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
