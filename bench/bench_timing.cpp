// What live timings cost the window: reading a snapshot every frame, and what the sampling thread does for
// it.
#include <benchmark/benchmark.h>

#include <random>

#include "measure/series_store.h"
#include "measure/statistics.h"

namespace stridescope::bench {
namespace {

// Every variant there may be, each line full.
measure::SeriesStore fullStore(std::size_t lines) {
  measure::SeriesStore store;
  std::vector<model::TimingSubject> subjects;
  for (std::size_t i = 0; i < lines; ++i)
    subjects.push_back({model::SubjectKind::Variant, "v" + std::to_string(i)});
  store.begin(subjects);
  store.enter({.elements = 1 << 24});
  std::mt19937 random(1);
  std::normal_distribution<float> time(50, 1);
  for (std::uint32_t turn = 1; turn <= 2 * measure::kKeptSamples; ++turn)
    for (std::size_t i = 0; i < lines; ++i) store.add(i, {turn, time(random)}, turn);
  return store;
}

void SeriesOfASnapshot(benchmark::State& state) {
  measure::SeriesStore store = fullStore(std::size_t(state.range(0)));
  store.summarizeCase();
  for (auto _ : state) benchmark::DoNotOptimize(store.series());
}
BENCHMARK(SeriesOfASnapshot)->Arg(30)->Unit(benchmark::kMicrosecond);

void SummaryOfACase(benchmark::State& state) {
  measure::SeriesStore store = fullStore(std::size_t(state.range(0)));
  for (auto _ : state) store.summarizeCase();
}
BENCHMARK(SummaryOfACase)->Arg(30)->Unit(benchmark::kMicrosecond);

// What a frame does.
void ReadingASnapshot(benchmark::State& state) {
  measure::TimingBoard board({});
  for (auto _ : state) benchmark::DoNotOptimize(board.snapshot()->revision);
}
BENCHMARK(ReadingASnapshot);

void AMillionSamples(benchmark::State& state) {
  for (auto _ : state) {
    measure::SampleRing ring;
    for (std::uint32_t i = 0; i < 1'000'000; ++i) ring.add({i, 1}, 0);
    benchmark::DoNotOptimize(ring.kept());
  }
}
BENCHMARK(AMillionSamples)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stridescope::bench
