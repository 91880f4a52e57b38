#include "window_services.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "base/plain_text.h"
#include "base/process.h"
#include "cli/long_work.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "export_process.h"
#include "kernels/catalog.h"
#include "lab/sources/shipped_recordings.h"
#include "lab/sources/sources.h"
#include "session/experiment_choices.h"
#include "session/run_measured.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/headless_context.h"
#include "shell/image.h"
#include "shell/run_window.h"
#include "teaching/score.h"
#include "views/frame/workbench.h"
#include "views/panels.h"

namespace stridescope::program {

using lab::sources::shippedClocks;
using lab::sources::shippedCodes;
using lab::sources::shippedCosts;
using lab::sources::shippedCounters;
using lab::sources::shippedRecordings;
using lab::sources::shippedTimelines;
using lab::sources::shippedTimings;

namespace {

// The names are those of --engine.
Result<std::shared_ptr<engine::Engine>> makeEngine(const std::string& id, const SharedParts& parts) {
  auto opened = parts.sources.open(id);
  if (!opened) return tl::unexpected(opened.error());
  return std::shared_ptr<engine::Engine>(std::move(opened->engine));
}

std::vector<session::EngineChoice> listEngines(engine::worker::GpuWorkers& gpus) {
  std::vector<session::EngineChoice> choices;
  const engine::GpuStatus status = gpus.status();
  for (const engine::GpuDescription& gpu : status.gpus) {
    session::EngineChoice choice{.id = engine::gpuEngineName(gpu.index), .label = gpu.name};
    for (const std::string& problem : gpu.problems) choice.why += problem;
    if (choice.why.empty() && !status.usable() && !status.problems.empty())
      choice.why = status.problems.front();
    choices.push_back(std::move(choice));
  }
  if (status.gpus.empty())
    choices.push_back(
        {.id = engine::gpuEngineName(0),
         .label = "a GPU",
         .why = status.problems.empty() ? "No NVIDIA GPU was found." : status.problems.front()});
  choices.push_back({.id = "host", .label = "CPU executor"});
  for (const auto& path : shippedRecordings())
    if (const auto index = archive::readIndex(path))
      choices.push_back({.id = path.string(),
                         .label = "recorded on " + index->traces.front().executor.device + " (" +
                                  printable(path.stem().native()) + ")"});
  return choices;
}

// A board with the timings that come with the program.
std::shared_ptr<measure::TimingBoard> timingBoard(const SharedParts& parts, std::function<void()> wake) {
  auto board = std::make_shared<measure::TimingBoard>(parts.sources.timing, std::move(wake));
  if (const auto recorded = shippedTimings(); !recorded.empty())
    board->showRecorded(recorded, shippedCosts());
  return board;
}

std::vector<std::string> pathsOf(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(file.string());
  return paths;
}

}  // namespace

session::SessionServices sessionServices(const SharedParts& parts, const std::function<void()>& wake) {
  return {.makeEngine = [parts](const std::string& id) { return makeEngine(id, parts); },
          .makeRecorded = [](const std::string& path,
                             archive::RecordingIndex index) -> std::shared_ptr<engine::Engine> {
            return lab::sources::recordingOf(path, std::move(index));
          },
          .listEngines = [gpus = parts.gpus] { return listEngines(*gpus); },
          .greet = {},
          .wake = wake,
          .timings = timingBoard(parts, wake),
          .shippedRecordings = pathsOf(shippedRecordings()),
          .recorded =
              [](const std::string& id) {
                return session::measurementsOf(id, {.clocks = shippedClocks,
                                                    .counters = shippedCounters,
                                                    .timelines = shippedTimelines,
                                                    .costs = shippedCosts,
                                                    .codes = shippedCodes});
              },
          .compileCode = parts.sources.compileCode,
          .measuringGpu = parts.sources.timing.makeGpu,
          .exportRun = [parts](const session::ExportOrder& order,
                               engine::JobControl& job) { return exportInItsOwnProcess(order, parts, job); },
          .trust = parts.trust};
}

namespace {

// On a machine without a GPU: what that means, and what to look at.
std::optional<session::Message> greetWithoutGpu(engine::worker::GpuWorkers& gpus) {
  const engine::GpuStatus status = gpus.status();
  if (status.usable()) return std::nullopt;
  session::Message message{
      .kind = session::MessageKind::Fine,
      .sentence = std::string("No usable GPU, so the CPU runs the kernels: values, lanes and "
                              "conflicts are the same") +
                  (shippedTimings().empty() ? "." : "; GPU times are recorded ones."),
      .details = status.problems.empty() ? std::string() : status.problems.front()};
  if (!shippedRecordings().empty()) {
    message.actionLabel = "Open a recording from a GPU";
    message.action = session::OpenShippedRecording{};
    message.stays = true;
  }
  return message;
}

// The contiguous variant at stride 8: a conflict that can be seen from the last row.
session::Start firstStart() {
  model::Experiment experiment;
  experiment.variant = "interleaved_contiguous";
  experiment.data = kernels::defaultData(experiment);
  return {.experiment = *engine::checkedExperiment(experiment, false),
          .elementsGiven = false,
          .round = 4,
          .engine = "auto",
          .cpuMeanwhile = true};
}

// What a driver does not answer is not waited for any more.
class ClosesGpus {
 public:
  explicit ClosesGpus(engine::worker::GpuWorkers& gpus) : gpus_(gpus) {}
  ~ClosesGpus() { gpus_.close(); }
  ClosesGpus(const ClosesGpus&) = delete;
  ClosesGpus& operator=(const ClosesGpus&) = delete;

 private:
  engine::worker::GpuWorkers& gpus_;
};

}  // namespace

Result<std::monostate> openStridescopeWindow(const std::string& file, const SharedParts& parts) {
  const std::string folder = session::configFolder();
  const std::string settingsFile = folder.empty() ? std::string() : folder + "/settings.json";
  shell::WindowOptions options;
  if (!folder.empty()) {
    std::error_code ignored;  // without the folder the layout is not kept
    std::filesystem::create_directories(folder, ignored);
    if (std::filesystem::is_directory(folder, ignored))
      options.frame.layoutFile = folder + "/" + shell::kLayoutFileName;
  }
  std::error_code unknown;
  const bool isKept = std::filesystem::exists(settingsFile, unknown);  // not the first start
  const session::Settings settings =
      settingsFile.empty() ? session::Settings() : session::loadSettings(settingsFile);
  options.placement = {.x = settings.windowX,
                       .y = settings.windowY,
                       .width = settings.windowWidth,
                       .height = settings.windowHeight,
                       .ofOrdinaryDensity = !isKept};

  session::Start start = firstStart();
  if (const model::Experiment& last = settings.lastExperiment; last.elements > 0) {
    const auto choices = session::choicesOf(last, !session::isOneBlockLoad(last));
    if (engine::checkedExperiment(session::experimentFor(choices), true))
      start = {.experiment = last, .elementsGiven = choices.elements, .cpuMeanwhile = true};
  }
  engine::JobControl ended;  // the session then ends its jobs, which clear up, and the settings are kept
  const cli::CancelOnSignal signals(ended);
  options.closeRequest = &ended.cancel;
  shell::WindowBell bell;  // outlives the session, whose threads ring it
  options.bell = &bell;
  session::SessionServices services = sessionServices(parts, [&bell] { bell.ring(); });
  services.scoreFile = teaching::scoreFile();
  services.questionSeed = std::random_device{}();
  if (settings.lastExperiment.variant.empty())
    services.greet = [gpus = parts.gpus] { return greetWithoutGpu(*gpus); };
  session::Session session(services, settings, start);
  const ClosesGpus closesGpus(*parts.gpus);  // before the session ends, however that comes
  session::Settings last = settings;
  bool isSaved = false;  // `last` is what the window had in the end
  views::Workbench workbench(
      session,
      [&](const session::Settings& now) {
        last = now;
        isSaved = true;
      },
      views::allPanels());
  if (!file.empty())
    workbench.onDrop(file);
  else if (!settings.welcomed && settings.lastExperiment.variant.empty())
    session.apply(session::ShowOverlay{session::Overlay::Welcome});
  // The window's place stays that of the last start: nobody can ask the display for it.
  options.displayLost = [&](const Error& error) {
    if (isSaved && !settingsFile.empty()) (void)session::saveSettings(settingsFile, last);
    endProcess(int(cli::exitCodeOf(error)), error.sentence);
  };
  auto report = shell::runWindow(workbench, options);
  if (!report) return tl::unexpected(report.error());
  last.windowX = report->placement.x;
  last.windowY = report->placement.y;
  last.windowWidth = report->placement.width;
  last.windowHeight = report->placement.height;
  if (!settingsFile.empty())
    if (auto saved = session::saveSettings(settingsFile, last); !saved) return tl::unexpected(saved.error());
  return std::monostate{};
}

namespace {

constexpr int kFramesOfAPanel = 8;  // it may have to come in front of others first

// False: it was cancelled, and the session ends its jobs when it goes.
bool waitForJobs(session::Session& session, const std::atomic<bool>& cancel,
                 const std::function<void(float, const std::string&)>& progress) {
  constexpr std::chrono::milliseconds kLook{2};
  for (; session.workspace().job() && !cancel; session.update(0)) {
    if (progress) progress(session.workspace().job()->fraction, session.workspace().job()->doing);
    std::this_thread::sleep_for(kLook);
  }
  if (!cancel) session.waitForJobs();
  return !cancel;
}

}  // namespace

Result<model::Executor> drawStridescopeShot(const cli::ShotRequest& request, const SharedParts& parts) {
  const session::ModeFacts* const named = session::findMode(request.mode);
  const session::ModeFacts& mode = named == nullptr ? session::kModes.front() : *named;
  const std::vector<views::Panel> panels = views::allPanels();
  const views::Panel* const panel = views::findPanel(panels, request.panel);
  if (named != nullptr && panel != nullptr && !panel->isOfferedIn(mode.mode))
    return usageError("--mode " + request.mode + " has no panel " + request.panel +
                      "; leave out one of the two.");
  session::Settings settings;
  settings.theme = settings.presenterTheme =
      request.theme == cli::ShotTheme::Light ? session::ThemeName::Light : session::ThemeName::Dark;
  session::SessionServices services = sessionServices(parts, {});
  if (request.recording)
    services.makeEngine = [&request, make = services.makeEngine](
                              const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
      if (id != request.engine) return make(id);
      return std::shared_ptr<engine::Engine>(lab::sources::recordingOf(id, *request.recording));
    };
  session::Session session(
      std::move(services), settings,
      {.experiment = request.experiment,
       .elementsGiven = request.elementsGiven || !session::isOneBlockLoad(request.experiment),
       .round = request.round,
       .pass = request.pass,
       .engine = request.engine});
  engine::JobControl ended;
  const cli::CancelOnSignal signals(ended);
  session.app().setPanels(views::knownPanels(panels));
  if (!waitForJobs(session, ended.cancel, request.progress)) return cancelled();
  if (!session.replay().run()) {
    if (session.app().message())
      return unavailable(session.app().message()->sentence, session.app().message()->details);
    return unavailable("Nothing was recorded, so there is nothing to draw.");
  }
  if (const std::size_t rounds = session.replay().launchAnalysis().rounds.size(); request.round >= rounds)
    return usageError("--round " + std::to_string(request.round) + " is not there: the rounds are 0 to " +
                      std::to_string(rounds - 1) + ".");
  if (const unsigned passes = session.replay().wholeRound().passes; request.pass >= passes)
    return usageError("--pass " + std::to_string(request.pass) + " is not there: " +
                      (passes == 1 ? "the round has one pass, 0."
                                   : "the round's passes are 0 to " + std::to_string(passes - 1) + "."));
  if (!request.beside.empty() || mode.comparesSides) {
    session.compareWith(request.beside);
    if (!waitForJobs(session, ended.cancel, request.progress)) return cancelled();
    session.update(session::kTransitionSeconds);  // the sides have come to where they are locked
  }
  if (mode.hidesRounds) session.predictShownRound();
  if (request.thread) session.apply(session::PointAt{session::hoverThread(*request.thread)});
  if (mode.presents) session.apply(session::EnterMode{mode.mode});
  if (!request.panel.empty()) session.apply(session::ShowPanel{request.panel});
  views::Workbench workbench(
      session, [](const session::Settings&) {}, panels);
  shell::HeadlessRequest headless{.size = {int(request.width), int(request.height)}, .scale = request.scale};
  if (!request.panel.empty()) {
    headless.frames = kFramesOfAPanel;
    headless.part = [&] {
      const views::PanelArea area = workbench.areaOf(request.panel);
      return std::pair(area.min, area.max);
    };
  }
  auto picture = shell::renderHeadless(workbench, headless);
  if (!picture) return tl::unexpected(picture.error());
  if (auto written = shell::writePng(request.file, picture->image); !written)
    return tl::unexpected(written.error());
  return session.replay().run()->trace.executor;
}

std::vector<std::string> modeNames() {
  std::vector<std::string> names;
  for (const session::ModeFacts& mode : session::kModes) names.emplace_back(mode.id);
  return names;
}

std::vector<std::string> panelNames() { return views::idsOf(views::allPanels()); }

std::vector<cli::Finding> pictureFindings() {
  std::vector<cli::Finding> findings;
  auto graphics = shell::HeadlessContext::create({64, 64}, 1);
  if (!graphics) {
    findings.push_back({.subject = "OpenGL", .ok = false, .text = graphics.error().sentence});
    return findings;
  }
  findings.push_back({.subject = "OpenGL", .ok = true, .text = (*graphics)->description()});
  auto frames = shell::FrameRunner::create(**graphics);
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

}  // namespace stridescope::program
