// How long the analysis of one recorded block takes, and which part of it how long.
#include <benchmark/benchmark.h>

#include "analysis/analysis.h"
#include "analysis/races.h"
#include "analysis/rounds.h"
#include "analysis/warp_operations.h"
#include "support/ladder_trace.h"

namespace {

using namespace stridescope;

constexpr const char* kVariants[] = {"interleaved_modulo", "interleaved_contiguous", "sequential",
                                     "unrolled_last_warp"};

model::Trace traceOf(const benchmark::State& state) {
  return support::ladderTrace(kVariants[state.range(0)], unsigned(state.range(1)), model::ElementType::Int);
}

void describe(benchmark::State& state, const model::Trace& trace) {
  state.SetLabel(trace.experiment.variant);
  state.counters["events"] = double(trace.launches[0].recorded().events.size());
}

void analyseTrace(benchmark::State& state) {
  const model::Trace trace = traceOf(state);
  for (auto _ : state) benchmark::DoNotOptimize(analysis::analyse(trace));
  describe(state, trace);
}

void lineUpLanes(benchmark::State& state) {
  const model::Trace trace = traceOf(state);
  const analysis::SiteTable sites(trace);
  for (auto _ : state) {
    MemoryBudget budget;
    benchmark::DoNotOptimize(analysis::lineUpWarps(trace.launches[0], sites, budget));
  }
  describe(state, trace);
}

void cutRounds(benchmark::State& state) {
  const model::Trace trace = traceOf(state);
  const analysis::SiteTable sites(trace);
  MemoryBudget forOperations;
  const auto timelines = analysis::lineUpWarps(trace.launches[0], sites, forOperations);
  for (auto _ : state) {
    MemoryBudget budget;
    benchmark::DoNotOptimize(analysis::cutIntoRounds(trace.launches[0], timelines.warps, budget));
  }
  describe(state, trace);
}

void findTheRaces(benchmark::State& state) {
  const model::Trace trace = traceOf(state);
  const analysis::Analysis analysis = analysis::analyse(trace);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        analysis::findRaces(trace.launches[0], analysis.launches[0].rounds, MemoryBudget()));
  describe(state, trace);
}

const std::vector<std::vector<std::int64_t>> kBlocks{{0, 1, 2, 3}, {256, 1024}};

BENCHMARK(analyseTrace)->ArgsProduct(kBlocks)->Unit(benchmark::kMicrosecond);
BENCHMARK(lineUpLanes)->ArgsProduct(kBlocks)->Unit(benchmark::kMicrosecond);
BENCHMARK(cutRounds)->ArgsProduct(kBlocks)->Unit(benchmark::kMicrosecond);
BENCHMARK(findTheRaces)->ArgsProduct(kBlocks)->Unit(benchmark::kMicrosecond);

}  // namespace
