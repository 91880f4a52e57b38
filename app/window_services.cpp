#include "window_services.h"

#include <filesystem>

#include "engine/experiment_check.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_engine.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/headless_context.h"
#include "shell/png.h"
#include "shell/render_headless.h"
#include "shell/run_window.h"
#include "views/workbench.h"

namespace stridescope {
namespace {

Result<std::shared_ptr<Engine>> shared(Result<std::unique_ptr<Engine>> engine) {
  if (!engine) return tl::unexpected(engine.error());
  return std::shared_ptr<Engine>(std::move(*engine));
}

constexpr std::string_view kGpuPrefix = "gpu";

// The names are those of --engine.
Result<std::shared_ptr<Engine>> makeEngine(const std::string& id) {
  if (id == "host") return shared(makeHostEngine());
  if (id == "auto") {
    if (auto gpu = makeGpuEngine(0)) return shared(std::move(gpu));
    return shared(makeHostEngine());
  }
  if (id == kGpuPrefix) return shared(makeGpuEngine(0));
  if (id.starts_with("gpu:"))
    return shared(makeGpuEngine(unsigned(std::strtoul(id.c_str() + 4, nullptr, 10))));
  return shared(openRecordedEngine(id));
}

std::vector<EngineChoice> listEngines() {
  std::vector<EngineChoice> choices;
  const GpuStatus status = queryGpus();
  for (const GpuDescription& gpu : status.gpus) {
    EngineChoice choice{.id = "gpu:" + std::to_string(gpu.index), .label = gpu.name, .why = {}};
    for (const std::string& problem : gpu.problems) choice.why += problem;
    if (choice.why.empty() && !status.usable() && !status.problems.empty())
      choice.why = status.problems.front();
    choices.push_back(std::move(choice));
  }
  if (status.gpus.empty())
    choices.push_back(
        {.id = "gpu:0",
         .label = "a GPU",
         .why = status.problems.empty() ? "No NVIDIA GPU was found." : status.problems.front()});
  choices.push_back({.id = "host", .label = "CPU executor", .why = {}});
  return choices;
}

SessionServices sessionServices(std::function<void()> wake) {
  return {.makeEngine = makeEngine, .listEngines = listEngines, .wake = std::move(wake)};
}

// The contiguous variant at stride 8: a conflict that can be seen from the last row.
Session::Start firstStart() {
  Experiment experiment;
  experiment.variant = "interleaved_contiguous";
  experiment.data = DataPattern::Random;
  experiment.seed = 7;
  return {.experiment = *checkedExperiment(experiment, false),
          .elementsGiven = false,
          .round = 4,
          .engine = "auto"};
}

}  // namespace

Result<std::monostate> openStridescopeWindow() {
  const std::string folder = configFolder();
  const std::string settingsFile = folder.empty() ? std::string() : folder + "/settings.json";
  WindowOptions options;
  if (!folder.empty()) {
    std::error_code ignored;  // without the folder the layout is not kept
    std::filesystem::create_directories(folder, ignored);
    if (std::filesystem::is_directory(folder, ignored))
      options.frame.layoutFile = folder + "/" + kLayoutFileName;
  }
  const Settings settings = settingsFile.empty() ? Settings() : loadSettings(settingsFile);
  options.placement = {.x = settings.windowX,
                       .y = settings.windowY,
                       .width = settings.windowWidth,
                       .height = settings.windowHeight};

  Session::Start start = firstStart();
  if (const auto last = checkedExperiment(settings.lastExperiment, true); last && last->elements > 0) {
    start.experiment = *last;
    start.elementsGiven = checkedExperiment(settings.lastExperiment, false)->elements != last->elements;
  }
  Session session(sessionServices(wakeWindow), settings, start);
  Settings last = settings;
  Workbench workbench(session, [&last](const Settings& now) { last = now; });
  auto report = runWindow(workbench, options);
  if (!report) return tl::unexpected(report.error());
  last.windowX = report->placement.x;
  last.windowY = report->placement.y;
  last.windowWidth = report->placement.width;
  last.windowHeight = report->placement.height;
  if (!settingsFile.empty())
    if (auto saved = saveSettings(settingsFile, last); !saved) return tl::unexpected(saved.error());
  return std::monostate{};
}

Result<std::monostate> drawStridescopeShot(const ShotRequest& request) {
  Settings settings;
  settings.theme = request.theme == ShotTheme::Light ? ThemeName::Light : ThemeName::Dark;
  Session session(sessionServices({}), settings,
                  {.experiment = request.experiment,
                   .elementsGiven = request.elementsGiven,
                   .round = request.round,
                   .engine = request.engine});
  session.waitForJobs();
  if (!session.run()) {
    if (session.message()) return unavailable(session.message()->sentence, session.message()->details);
    return unavailable("Nothing was recorded, so there is nothing to draw.");
  }
  Workbench workbench(session, [](const Settings&) {});
  auto picture =
      renderHeadless(workbench, {.size = {int(request.width), int(request.height)}, .scale = request.scale});
  if (!picture) return tl::unexpected(picture.error());
  if (auto written = writePng(request.file, picture->image); !written) return tl::unexpected(written.error());
  return std::monostate{};
}

std::vector<Finding> pictureFindings() {
  std::vector<Finding> findings;
  auto graphics = HeadlessContext::create({64, 64}, 1);
  if (!graphics) {
    findings.push_back({.subject = "OpenGL", .ok = false, .text = graphics.error().sentence});
    return findings;
  }
  findings.push_back({.subject = "OpenGL", .ok = true, .text = (*graphics)->description()});
  auto frames = FrameRunner::create(**graphics);
  if (!frames) {
    findings.push_back({.subject = "fonts", .ok = false, .text = frames.error().sentence});
    return findings;
  }
  for (const std::string& missing : (*frames)->missingFonts())
    findings.push_back({.subject = "fonts", .ok = false, .text = missing});
  if (findings.size() == 1)
    findings.push_back({.subject = "fonts", .ok = true, .text = "Inter and JetBrains Mono"});
  return findings;
}

}  // namespace stridescope
