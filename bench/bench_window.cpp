// Frames of the whole window, drawn without a display: through Mesa's llvmpipe, and through the GPU's own EGL
// where there is one. Every frame shows the next round, so that nothing is drawn twice. In each mode, and
// with the Timeline of many blocks, of which every frame shows another part.
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "lab/known/recorded.h"
#include "model/trace.h"
#include "session/session.h"
#include "shell/headless_context.h"
#include "support/grid_records.h"
#include "views/frame/workbench.h"
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
    if (session_.replay().hidden() != nullptr)
      session_.apply(session::PredictStep{.act = session::PredictAct::Skip});
    else if (isAtLast())
      session_.apply(session::GoToFirst{});
    else
      session_.apply(session::StepForward{});
    views::Workbench::drawFrame(frame);
  }

 private:
  bool isAtLast() const {
    const session::Comparison* const both = session_.comparison();
    return both != nullptr ? both->atLast() : session_.replay().atLast();
  }

  session::Session& session_;
};

// Zooms into the Timeline and out again, a notch a frame.
class ZoomingApp : public views::Workbench {
 public:
  using views::Workbench::Workbench;

  void drawFrame(shell::Frame& frame) override {
    const views::PanelArea area = areaOf("timeline");
    ImGui::GetIO().AddMousePosEvent((area.min.x + 3 * area.max.x) / 4, (area.min.y + area.max.y) / 2);
    ImGui::GetIO().AddMouseWheelEvent(0, frame_++ % 60 < 30 ? 1 : -1);
    views::Workbench::drawFrame(frame);
  }

 private:
  unsigned frame_ = 0;
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

session::SessionServices hostServices() {
  session::SessionServices services;
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
    return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
  };
  return services;
}

session::Session hostSession(unsigned threads) {
  const model::Experiment experiment{
      .variant = "interleaved_contiguous", .threads = threads, .elements = threads};
  return session::Session(hostServices(), {},
                          {.experiment = experiment, .elementsGiven = false, .round = 4, .engine = "host"});
}

void drawApp(benchmark::State& state, shell::App& app, shell::PixelSize size, shell::HeadlessDevice device) {
  constexpr int kFrames = 300;
  const shell::HeadlessRequest request{
      .size = size, .scale = size.width > 2000 ? 2.0f : 1.0f, .frames = kFrames, .device = device};
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

void drawFrames(benchmark::State& state, shell::HeadlessDevice device) {
  session::Session session = hostSession(unsigned(state.range(2)));
  session.waitForJobs();
  SteppingApp app(session);
  drawApp(state, app, {int(state.range(0)), int(state.range(1))}, device);
}

void drawMode(benchmark::State& state, shell::HeadlessDevice device) {
  session::Session session = hostSession(256);
  session.waitForJobs();
  SteppingApp app(session);
  session.apply(session::EnterMode{session::Mode(state.range(0))});
  session.waitForJobs();
  session.apply(session::GoToFirst{});
  drawApp(state, app, {1600, 1000}, device);
}

constexpr unsigned kMarkedBlock = 16;  // threads, so that the executor takes 2^20 of them

// As many blocks as asked for on 132 multiprocessors, which each have place for eight.
model::TimelineRecord timelineOf(unsigned blocks) {
  constexpr unsigned kMultiprocessors = 132, kResident = 8;
  model::TimelineRecord record = support::smallTimeline();
  record.experiment.threads = kMarkedBlock;
  record.experiment.elements = std::uint64_t(blocks) * kMarkedBlock;
  record.kernelHash = model::hashOf(kernels::kernelText(record.experiment));
  record.multiprocessors = kMultiprocessors;
  model::LaunchTimeline launch{.block = kMarkedBlock, .residentBlocks = kResident, .blocks = {}};
  for (unsigned i = 0; i < blocks; ++i)
    launch.blocks.push_back({1000 + std::uint64_t(i / (kMultiprocessors * kResident)) * 1300 + i % 7 * 32,
                             1100 + i % 5 * 32, i % kMultiprocessors});
  record.nanoseconds = launch.blocks.back().start + 4000;
  record.launches = {std::move(launch)};
  return record;
}

void drawTimeline(benchmark::State& state, shell::HeadlessDevice device) {
  session::SessionServices services = hostServices();
  services.known.recorded = [record = timelineOf(unsigned(state.range(0)))](const std::string&) {
    lab::Recorded recorded;
    recorded.of<model::TimelineRecord>() = [record](const model::Experiment&) { return std::vector{record}; };
    return recorded;
  };
  session::Session session(
      services, {},
      {.experiment = timelineOf(1).experiment, .elementsGiven = false, .round = 4, .engine = "host"});
  session.apply(session::Choose::elements(std::uint64_t(state.range(0)) * kMarkedBlock));
  session.apply(session::ShowPanel{"timeline"});
  session.waitForJobs();
  if (!session.replay().timeline().grid) return state.SkipWithError("no timeline is shown");
  ZoomingApp app(
      session, [](const session::Settings&) {}, views::allPanels());
  drawApp(state, app, {1600, 1000}, device);
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

void softwareMode(benchmark::State& state) { drawMode(state, shell::HeadlessDevice::Software); }
void gpuMode(benchmark::State& state) { drawMode(state, shell::HeadlessDevice::Gpu); }
void softwareTimeline(benchmark::State& state) { drawTimeline(state, shell::HeadlessDevice::Software); }
void gpuTimeline(benchmark::State& state) { drawTimeline(state, shell::HeadlessDevice::Gpu); }

void modes(benchmark::internal::Benchmark* benchmark) {
  for (const session::ModeFacts& each : session::kModes) benchmark->Arg(int(each.mode));
  benchmark->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
}
void blocks(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1 << 16)->Arg(1 << 20)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1600, 1000, 256})->Args({1600, 1000, 1024})->Args({3840, 2160, 256});
  benchmark->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
}

BENCHMARK(firstFrame)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(playing)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK(software)->Apply(sizes);
BENCHMARK(gpu)->Apply(sizes);
BENCHMARK(softwareMode)->Apply(modes);
BENCHMARK(gpuMode)->Apply(modes);
BENCHMARK(softwareTimeline)->Apply(blocks);
BENCHMARK(gpuTimeline)->Apply(blocks);

}  // namespace

BENCHMARK_MAIN();
