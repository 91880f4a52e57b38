// What it costs that an engine runs in a process of its own: a trace of 1024 threads as bytes, back, checked,
// and all of it between two processes.
#include <benchmark/benchmark.h>

#include "engine/worker/gpu_worker.h"
#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_engine.h"
#include "model/trace_check.h"
#include "support/ladder_trace.h"

namespace {

using namespace stridescope;

model::Trace blockOf1024() { return support::ladderTrace("sequential", 1024, model::ElementType::Int); }

void writeTrace(benchmark::State& state) {
  const model::Trace trace = blockOf1024();
  std::size_t bytes = 0;
  for (auto _ : state) {
    engine::worker::ByteWriter writer;
    writer(trace);
    bytes = writer.bytes().size();
    benchmark::DoNotOptimize(writer.bytes().data());
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

void readTrace(benchmark::State& state) {
  engine::worker::ByteWriter writer;
  writer(blockOf1024());
  for (auto _ : state) {
    engine::worker::ByteReader reader(writer.bytes());
    model::Trace trace;
    reader(trace);
    benchmark::DoNotOptimize(reader.isComplete());
  }
}

void checkTrace(benchmark::State& state) {
  const model::Trace trace = blockOf1024();
  for (auto _ : state) benchmark::DoNotOptimize(model::faultOf(trace));
}

// Always the same trace, so that only its way is measured.
class ReadyTrace final : public engine::Engine {
 public:
  model::Executor executor() const override { return trace_.executor; }
  Result<model::Trace> record(const model::Experiment&, engine::JobControl&) override { return trace_; }

 private:
  model::Trace trace_ = blockOf1024();
};

void traceFromAnotherProcess(benchmark::State& state) {
  auto worker = engine::worker::GpuWorkers().engine(0);
  if (!worker) return state.SkipWithError(worker.error().sentence.c_str());
  engine::JobControl job;
  for (auto _ : state) benchmark::DoNotOptimize((*worker)->record({}, job));
}

void startOfAProcess(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::worker::GpuWorkers().engine(0));
}

BENCHMARK(writeTrace)->Unit(benchmark::kMicrosecond);
BENCHMARK(readTrace)->Unit(benchmark::kMicrosecond);
BENCHMARK(checkTrace)->Unit(benchmark::kMicrosecond);
BENCHMARK(traceFromAnotherProcess)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(startOfAProcess)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  if (engine::worker::gpuWorkerIndex(argc, argv))
    return engine::worker::serveEngine(
        []() -> Result<std::unique_ptr<engine::Engine>> { return std::make_unique<ReadyTrace>(); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
