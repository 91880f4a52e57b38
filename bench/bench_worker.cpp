// What it costs that an engine runs in a process of its own: a trace of 1024 threads as bytes, back, checked,
// and all of it between two processes.
#include <benchmark/benchmark.h>

#include "engine/worker/gpu_worker.h"
#include "engine/worker/serve_engine.h"
#include "engine/worker/worker_message.h"
#include "support/ladder_trace.h"
#include "model/trace_check.h"

namespace {

using namespace stridescope;

Trace blockOf1024() { return test::ladderTrace("sequential", 1024, ElementType::Int); }

void writeTrace(benchmark::State& state) {
  const Trace trace = blockOf1024();
  std::size_t bytes = 0;
  for (auto _ : state) {
    ByteWriter writer;
    writer(trace);
    bytes = writer.bytes().size();
    benchmark::DoNotOptimize(writer.bytes().data());
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

void readTrace(benchmark::State& state) {
  ByteWriter writer;
  writer(blockOf1024());
  for (auto _ : state) {
    ByteReader reader(writer.bytes());
    Trace trace;
    reader(trace);
    benchmark::DoNotOptimize(reader.isComplete());
  }
}

void checkTrace(benchmark::State& state) {
  const Trace trace = blockOf1024();
  for (auto _ : state) benchmark::DoNotOptimize(faultOf(trace));
}

// Always the same trace, so that only its way is measured.
class ReadyTrace final : public Engine {
 public:
  Executor executor() const override { return trace_.executor; }
  Result<Trace> record(const Experiment&, JobControl&) override { return trace_; }

 private:
  Trace trace_ = blockOf1024();
};

void traceFromAnotherProcess(benchmark::State& state) {
  auto worker = makeGpuWorkerEngine(0);
  if (!worker) return state.SkipWithError(worker.error().sentence.c_str());
  JobControl job;
  for (auto _ : state) benchmark::DoNotOptimize((*worker)->record({}, job));
}

void startOfAProcess(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(makeGpuWorkerEngine(0));
}

BENCHMARK(writeTrace)->Unit(benchmark::kMicrosecond);
BENCHMARK(readTrace)->Unit(benchmark::kMicrosecond);
BENCHMARK(checkTrace)->Unit(benchmark::kMicrosecond);
BENCHMARK(traceFromAnotherProcess)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(startOfAProcess)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  if (gpuWorkerIndex(argc, argv))
    return serveEngine([]() -> Result<std::unique_ptr<Engine>> { return std::make_unique<ReadyTrace>(); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
