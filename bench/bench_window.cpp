// Frames of the whole window, drawn without a display: through Mesa's llvmpipe, and through the GPU's own EGL
// where there is one. Every frame shows the next round, so that nothing is drawn twice.
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "engine/host/host_engine.h"
#include "session/session.h"
#include "shell/render_headless.h"
#include "views/chrome/workbench.h"
#include "views/panels.h"

namespace {

using namespace stridescope;

class SteppingApp : public views::Workbench {
 public:
  explicit SteppingApp(session::Session& session)
      : views::Workbench(
            session, [](const session::Settings&) {}, views::allPanels()),
        session_(session) {}

  void drawFrame(shell::Frame& frame) override {
    session_.apply(session_.replay().atLast() ? session::Command(session::GoToFirst{})
                                              : session::Command(session::StepForward{}));
    views::Workbench::drawFrame(frame);
  }

 private:
  session::Session& session_;
};

// Plays as a person would see it, from the first round again when it has come to the last.
class PlayingApp : public views::Workbench {
 public:
  explicit PlayingApp(session::Session& session)
      : views::Workbench(
            session, [](const session::Settings&) {}, views::allPanels()),
        session_(session) {
    session_.apply(session::SetSpeed{session::kFastest});
  }

  void drawFrame(shell::Frame& frame) override {
    if (!session_.replay().playing()) session_.apply(session::TogglePlay{});
    views::Workbench::drawFrame(frame);
  }

 private:
  session::Session& session_;
};

// The process's memory in MiB as the kernel counts it: "VmRSS" now, "VmHWM" at its highest. 0 where it is not
// told.
double memoryMiB(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what + ":")) return std::stod(line.substr(what.size() + 1)) / 1024;
  return 0;
}

session::Session hostSession(unsigned threads) {
  session::SessionServices services;
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
    return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
  };
  const model::Experiment experiment{
      .variant = "interleaved_contiguous", .threads = threads, .elements = threads};
  return session::Session(services, {},
                          {.experiment = experiment, .elementsGiven = false, .round = 4, .engine = "host"});
}

void drawFrames(benchmark::State& state, shell::HeadlessDevice device) {
  constexpr int kFrames = 300;
  session::Session session = hostSession(unsigned(state.range(2)));
  session.waitForJobs();
  SteppingApp app(session);
  const shell::HeadlessRequest request{.size = {int(state.range(0)), int(state.range(1))},
                                       .scale = state.range(0) > 2000 ? 2.0f : 1.0f,
                                       .frames = kFrames,
                                       .device = device};
  for (auto _ : state) {
    const auto picture = shell::renderHeadless(app, request);
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

constexpr double kMedianLimitMs = 25, kLongestLimitMs = 60, kMemoryLimitMiB = 300;

// The limits that the window is held to, through llvmpipe: 600 frames of playing.
void playing(benchmark::State& state) {
  session::Session session = hostSession(unsigned(state.range(0)));
  session.waitForJobs();
  PlayingApp app(session);
  for (auto _ : state) {
    const auto picture = shell::renderHeadless(
        app, {.size = {1600, 1000}, .scale = 1, .frames = 601, .device = shell::HeadlessDevice::Software});
    if (!picture) return state.SkipWithError(picture.error().sentence.c_str());
    state.SetIterationTime(picture->times.medianMs / 1000);
    state.counters["p95_ms"] = picture->times.p95Ms;
    state.counters["worst_ms"] = picture->times.longestMs;
    state.counters["memory_MiB"] = memoryMiB("VmHWM");
    if (picture->times.medianMs >= kMedianLimitMs || picture->times.longestMs > kLongestLimitMs)
      state.SetLabel("LIMIT EXCEEDED: median 25 ms, none over 60 ms");
    else if (memoryMiB("VmHWM") >= kMemoryLimitMiB)
      state.SetLabel("LIMIT EXCEEDED: 300 MiB");
    else
      state.SetLabel("within its limits");
  }
}

// The time until there is something to see: session, recording, fonts, one frame.
void firstFrame(benchmark::State& state) {
  for (auto _ : state) {
    session::Session session = hostSession(256);
    session.waitForJobs();
    SteppingApp app(session);
    const auto picture = shell::renderHeadless(
        app, {.size = {1600, 1000}, .scale = 1, .frames = 1, .device = shell::HeadlessDevice::Software});
    if (!picture) {
      state.SkipWithError(picture.error().sentence.c_str());
      return;
    }
  }
}

void software(benchmark::State& state) { drawFrames(state, shell::HeadlessDevice::Software); }
void gpu(benchmark::State& state) { drawFrames(state, shell::HeadlessDevice::Gpu); }

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1600, 1000, 256})->Args({1600, 1000, 1024})->Args({3840, 2160, 256});
  benchmark->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
}

BENCHMARK(firstFrame)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(playing)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK(software)->Apply(sizes);
BENCHMARK(gpu)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
