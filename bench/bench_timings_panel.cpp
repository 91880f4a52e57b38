// What sampling costs the window: frames of the whole window with the Timings panel in view, without
// rasterising them, while a stand-in device answers as fast as a GPU does at small sizes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/host/host_engine.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/null_context.h"
#include "measure/timing_data.h"
#include "views/chrome/workbench.h"

namespace {

using namespace stridescope;
using Clock = std::chrono::steady_clock;

constexpr double kLimitMs = 1;
constexpr int kFrames = 600;
constexpr auto kSample = std::chrono::microseconds(20), kFrame = std::chrono::microseconds(16'667);

class StandIn final : public TimingDevice {
 public:
  StandIn() {
    facts_.kind = TimingDeviceKind::Gpu;
    facts_.executor.kind = EngineKind::Gpu;
    facts_.executor.device = "a stand-in";
  }
  const TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<PreparedSubject>> prepare(const TimingStation& station,
                                               std::span<const TimingSubject> subjects,
                                               JobControl&) override {
    expected_ = expectedResult(station.type, station.op, station.elements);
    return std::vector<PreparedSubject>(subjects.size());
  }
  Result<Timed> sample(std::size_t number, JobControl&) override {
    const auto end = Clock::now() + kSample;
    while (Clock::now() < end) std::this_thread::yield();
    return Timed{20.0 + double(number) + double(++taken_ % 7), expected_};
  }

 private:
  TimingDeviceFacts facts_;
  std::uint64_t expected_ = 0, taken_ = 0;
};

std::shared_ptr<TimingBoard> standInBoard() {
  TimingMakers makers;
  makers.makeGpu = [](unsigned, JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
    return std::make_unique<StandIn>();
  };
  return std::make_shared<TimingBoard>(std::move(makers));
}

SessionServices servicesWith(std::shared_ptr<TimingBoard> board) {
  SessionServices services;
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<Engine>> {
    return std::shared_ptr<Engine>(makeHostEngine());
  };
  services.listEngines = [] {
    return std::vector<EngineChoice>{{.id = "gpu:0", .label = "a stand-in", .why = {}}};
  };
  services.timings = std::move(board);
  return services;
}

struct FrameTimes {
  double meanMs = 0, medianMs = 0, longestMs = 0;
};

// As a display asks for them, so that snapshots come at their own pace between them.
FrameTimes drawFrames(FrameRunner& runner, Workbench& workbench) {
  std::vector<double> ms;
  for (int frame = 0; frame < kFrames; ++frame) {
    const auto begin = Clock::now();
    runner.run(workbench);
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    std::this_thread::sleep_until(begin + kFrame);
  }
  FrameTimes times;
  for (const double each : ms) times.meanMs += each / double(ms.size());
  std::ranges::sort(ms);
  times.medianMs = ms[ms.size() / 2];
  times.longestMs = ms.back();
  return times;
}

// The same window before a start, its panel at rest with what was measured, and while it samples.
void samplingAgainstRest(benchmark::State& state) {
  const auto board = standInBoard();
  Session session(servicesWith(board), {},
                  {.experiment = {.variant = "interleaved_contiguous", .threads = 256, .elements = 256},
                   .round = 4,
                   .engine = "host"});
  session.waitForJobs();
  TimingChoices choices;
  choices.peers = false;  // the CPU's would take the processor from the window
  session.apply(ChooseTimings{choices});
  NullContext context({1600, 1000}, 1);
  auto runner = FrameRunner::create(context);
  if (!runner) return state.SkipWithError(runner.error().sentence.c_str());
  Workbench workbench(session, [](const Settings&) {});
  workbench.timings().tab = TimingsTab(state.range(0));
  for (auto _ : state) {
    session.apply(StartTiming{});
    drawFrames(**runner, workbench);  // until the rings are full
    const FrameTimes sampling = drawFrames(**runner, workbench);
    session.apply(StopTiming{});
    drawFrames(**runner, workbench);
    const FrameTimes rest = drawFrames(**runner, workbench);
    const double cost = sampling.meanMs - rest.meanMs;
    state.SetIterationTime(std::max(0.0, cost) / 1000);
    state.counters["rest_ms"] = rest.meanMs;
    state.counters["sampling_ms"] = sampling.meanMs;
    state.counters["median_cost_ms"] = sampling.medianMs - rest.medianMs;
    state.counters["longest_ms"] = sampling.longestMs;
    state.counters["longest_at_rest_ms"] = rest.longestMs;
    state.SetLabel(cost <= kLimitMs ? "within its limit" : "LIMIT EXCEEDED: 1 ms");
  }
}

// What a new snapshot costs the frame that takes it in: all lines with full rings.
void aSnapshotsPicture(benchmark::State& state) {
  TimingSnapshot snapshot;
  for (const TimingSubject& subject : variantSubjects(ElementType::Int, Operator::Add)) {
    TimingSeries series;
    series.subject = subject;
    for (std::size_t i = 0; i < kKeptSamples; ++i) {
      series.recentSeconds.push_back(float(i) * 0.005f);
      series.recentMicroseconds.push_back(float(100 + i * 7919 % 97));
    }
    snapshot.series.push_back(std::move(series));
  }
  const auto shared = std::make_shared<const TimingSnapshot>(std::move(snapshot));
  for (auto _ : state) benchmark::DoNotOptimize(timingsPicture(shared, {.elements = 1u << 24}));
  state.counters["lines"] = double(shared->series.size());
}

BENCHMARK(aSnapshotsPicture)->Unit(benchmark::kMillisecond);
BENCHMARK(samplingAgainstRest)
    ->Arg(int(TimingsTab::Live))
    ->Arg(int(TimingsTab::Ladder))
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
