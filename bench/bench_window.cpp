// Frames of the whole window, drawn without a display: through Mesa's llvmpipe, and through the GPU's own EGL
// where there is one. Every frame shows the next round, so that nothing is drawn twice.
#include <benchmark/benchmark.h>

#include "engine/host/host_engine.h"
#include "session/session.h"
#include "shell/render_headless.h"
#include "views/workbench.h"

namespace {

using namespace stridescope;

class SteppingApp : public Workbench {
 public:
  explicit SteppingApp(Session& session) : Workbench(session, [](const Settings&) {}), session_(session) {}

  void drawFrame(Frame& frame) override {
    session_.apply(session_.atLast() ? Command(GoToFirst{}) : Command(StepForward{}));
    Workbench::drawFrame(frame);
  }

 private:
  Session& session_;
};

Session hostSession(unsigned threads) {
  SessionServices services;
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<Engine>> {
    return std::shared_ptr<Engine>(makeHostEngine());
  };
  const Experiment experiment{.variant = "interleaved_contiguous", .threads = threads, .elements = threads};
  return Session(services, {},
                 {.experiment = experiment, .elementsGiven = false, .round = 4, .engine = "host"});
}

void drawFrames(benchmark::State& state, HeadlessDevice device) {
  constexpr int kFrames = 300;
  Session session = hostSession(unsigned(state.range(2)));
  session.waitForJobs();
  SteppingApp app(session);
  const HeadlessRequest request{.size = {int(state.range(0)), int(state.range(1))},
                                .scale = state.range(0) > 2000 ? 2.0f : 1.0f,
                                .frames = kFrames,
                                .device = device};
  for (auto _ : state) {
    const auto picture = renderHeadless(app, request);
    if (!picture) {
      state.SkipWithError(picture.error().sentence.c_str());
      return;
    }
    state.SetIterationTime(picture->times.medianMs / 1000);
    state.counters["worst_ms"] = picture->times.longestMs;
    state.counters["p95_ms"] = picture->times.p95Ms;
    state.SetLabel(picture->description);
  }
}

// The time until there is something to see: session, recording, fonts, one frame.
void firstFrame(benchmark::State& state) {
  for (auto _ : state) {
    Session session = hostSession(256);
    session.waitForJobs();
    SteppingApp app(session);
    const auto picture = renderHeadless(
        app, {.size = {1600, 1000}, .scale = 1, .frames = 1, .device = HeadlessDevice::Software});
    if (!picture) {
      state.SkipWithError(picture.error().sentence.c_str());
      return;
    }
  }
}

void software(benchmark::State& state) { drawFrames(state, HeadlessDevice::Software); }
void gpu(benchmark::State& state) { drawFrames(state, HeadlessDevice::Gpu); }

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1600, 1000, 256})->Args({1600, 1000, 1024})->Args({3840, 2160, 256});
  benchmark->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
}

BENCHMARK(firstFrame)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(software)->Apply(sizes);
BENCHMARK(gpu)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
