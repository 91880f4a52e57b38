// What sampling costs the window: frames of the whole window with the Timings panel in view, without
// rasterising them, while a stand-in device answers as fast as a GPU does at small sizes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/host/host_engine.h"
#include "measure/timing_data.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "views/frame/workbench.h"
#include "views/measure/timings_look.h"
#include "views/panels.h"

namespace {

using namespace stridescope;
using Clock = std::chrono::steady_clock;

constexpr double kLimitMs = 1;
constexpr int kFrames = 600;
constexpr auto kSample = std::chrono::microseconds(20), kFrame = std::chrono::microseconds(16'667);

class StandIn final : public measure::TimingDevice {
 public:
  StandIn() {
    facts_.kind = measure::TimingDeviceKind::Gpu;
    facts_.executor.kind = model::EngineKind::Gpu;
    facts_.executor.device = "a stand-in";
  }
  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                                        std::span<const model::TimingSubject> subjects,
                                                        engine::JobControl&) override {
    expected_ = measure::expectedResult(timingCase.type, timingCase.op, timingCase.elements);
    return std::vector<measure::PreparedSubject>(subjects.size());
  }
  Result<measure::Timed> sample(std::size_t number, engine::JobControl&) override {
    const auto end = Clock::now() + kSample;
    while (Clock::now() < end) std::this_thread::yield();
    return measure::Timed{20.0 + double(number) + double(++taken_ % 7), expected_};
  }

 private:
  measure::TimingDeviceFacts facts_;
  std::uint64_t expected_ = 0, taken_ = 0;
};

std::shared_ptr<measure::TimingBoard> standInBoard() {
  measure::TimingMakers makers;
  makers.makeGpu = [](unsigned, engine::JobControl&) -> Result<std::unique_ptr<measure::TimingDevice>> {
    return std::make_unique<StandIn>();
  };
  return std::make_shared<measure::TimingBoard>(std::move(makers));
}

session::SessionServices servicesWith(std::shared_ptr<measure::TimingBoard> board) {
  session::SessionServices services;
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
    return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
  };
  services.listEngines = [] {
    return std::vector<session::EngineChoice>{{.id = "gpu:0", .label = "a stand-in"}};
  };
  services.timings = std::move(board);
  return services;
}

struct FrameTimes {
  double meanMs = 0, medianMs = 0, longestMs = 0;
};

// As a display asks for them, so that snapshots come at their own pace between them.
FrameTimes drawFrames(shell::FrameRunner& runner, views::Workbench& workbench) {
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
  session::Session session(
      servicesWith(board), {},
      {.experiment = {.variant = "interleaved_contiguous", .threads = 256, .elements = 256},
       .round = 4,
       .engine = "host"});
  session.waitForJobs();
  session::TimingChoices choices;
  choices.baselines = false;  // the CPU's would take the processor from the window
  session.apply(session::ChooseTimings{choices});
  shell::NullContext context({1600, 1000}, 1);
  auto runner = shell::FrameRunner::create(context);
  if (!runner) return state.SkipWithError(runner.error().sentence.c_str());
  const auto timings = std::make_shared<views::TimingsState>();
  timings->tab = views::TimingsTab(state.range(0));
  std::vector<views::Panel> panels = views::allPanels();
  *std::ranges::find(panels, "timings", &views::Panel::id) = views::timingsPanel(timings);
  views::Workbench workbench(
      session, [](const session::Settings&) {}, panels);
  for (auto _ : state) {
    session.apply(session::StartTiming{});
    drawFrames(**runner, workbench);  // until the rings are full
    const FrameTimes sampling = drawFrames(**runner, workbench);
    session.apply(session::StopTiming{});
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
  measure::TimingSnapshot snapshot;
  for (const model::TimingSubject& subject :
       measure::variantSubjects(model::ElementType::Int, model::Operator::Add)) {
    measure::TimingSeries series;
    series.subject = subject;
    for (std::size_t i = 0; i < measure::kKeptSamples; ++i) {
      series.recentSeconds.push_back(float(i) * 0.005f);
      series.recentMicroseconds.push_back(float(100 + i * 7919 % 97));
    }
    snapshot.series.push_back(std::move(series));
  }
  const auto shared = std::make_shared<const measure::TimingSnapshot>(std::move(snapshot));
  for (auto _ : state) benchmark::DoNotOptimize(views::timingsPicture(shared, {.elements = 1u << 24}));
  state.counters["lines"] = double(shared->series.size());
}

BENCHMARK(aSnapshotsPicture)->Unit(benchmark::kMillisecond);
BENCHMARK(samplingAgainstRest)
    ->Arg(int(views::TimingsTab::Live))
    ->Arg(int(views::TimingsTab::Ladder))
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
