#include "window_services.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <random>
#include <thread>

#include "base/end_process.h"
#include "base/plain_text.h"
#include "cli/long_work.h"
#include "engine/auto_engine.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/machine_code.h"
#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_engine.h"
#include "engine/sandbox/custom_engine.h"
#include "engine/worker/gpu_worker.h"
#include "export_process.h"
#include "kernels/catalog.h"
#include "measure/cpu/cpu_device.h"
#include "measure/gpu/timing_worker.h"
#include "session/legal_choices.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/headless_context.h"
#include "shell/image.h"
#include "shell/render_headless.h"
#include "shell/run_window.h"
#include "shipped_recordings.h"
#include "teaching/score.h"
#include "views/chrome/workbench.h"
#include "views/panels.h"

namespace stridescope::program {
namespace {

Result<std::shared_ptr<engine::Engine>> shared(Result<std::unique_ptr<engine::Engine>> engine) {
  if (!engine) return tl::unexpected(engine.error());
  return std::shared_ptr<engine::Engine>(std::move(*engine));
}

using Trust = std::shared_ptr<engine::CodeTrust>;

std::unique_ptr<engine::Engine> makeHost(const Trust& trust) {
  return engine::sandbox::makeCustomEngine(engine::host::makeHostEngine(), trust);
}

Result<std::unique_ptr<engine::Engine>> makeGpu(unsigned index, const Trust& trust) {
  return engine::worker::makeGpuWorkerEngine(index).map(
      [&](auto gpu) { return engine::sandbox::makeCustomEngine(std::move(gpu), trust); });
}

// The names are those of --engine.
Result<std::shared_ptr<engine::Engine>> makeEngine(const std::string& id, const Trust& trust) {
  const auto name = engine::parseEngineName(id);
  if (!name) return tl::unexpected(usageError("There is no engine '" + id + "'."));
  switch (name->kind) {
    case engine::EngineNameKind::Host:
      return shared(makeHost(trust));
    case engine::EngineNameKind::Auto:
      if (auto gpu = makeGpu(0, trust))
        return shared(engine::makeAutoEngine(std::move(*gpu), makeHost(trust)));
      return shared(makeHost(trust));
    case engine::EngineNameKind::Gpu:
      return shared(makeGpu(name->gpu, trust));
    case engine::EngineNameKind::Recording:
      break;
  }
  return shared(engine::recorded::openRecordedEngine(id));
}

std::vector<session::EngineChoice> listEngines() {
  std::vector<session::EngineChoice> choices;
  const engine::gpu::GpuStatus status = engine::gpu::queryGpus();
  for (const engine::gpu::GpuDescription& gpu : status.gpus) {
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

// With the timings that come with the program.
std::shared_ptr<measure::TimingBoard> timingBoard(std::function<void()> wake) {
  auto board = std::make_shared<measure::TimingBoard>(
      measure::TimingMakers{.makeGpu = measure::gpu::makeGpuTimingWorker,
                            .makeCpu = measure::cpu::makeCpuTimingDevice,
                            .now = {}},
      std::move(wake));
  if (const auto recorded = shippedTimings(); !recorded.empty())
    board->showRecorded(recorded, shippedCosts());
  return board;
}

// What tells of the experiment among the shipped recordings' records, and those of the recording that is
// open.
template <class Record, class Tells>
std::vector<Record> recordsOf(const std::vector<Record>& shipped,
                              Result<std::vector<Record>> (*read)(const std::filesystem::path&),
                              const std::string& id, const Tells& tells) {
  std::vector<Record> records;
  const auto take = [&](const std::vector<Record>& all) {
    std::ranges::copy_if(all, std::back_inserter(records), tells);
  };
  take(shipped);
  const auto name = engine::parseEngineName(id);
  if (!name || name->kind != engine::EngineNameKind::Recording) return records;
  const auto own = read(id);
  if (!own) return {};  // it is damaged: none rather than another's
  take(*own);
  return records;
}

auto tellsOf(const model::Experiment& experiment) {
  return [&experiment](const auto& record) { return model::tellsOf(record, experiment); };
}

std::vector<model::ClockRecord> clocksOf(const std::string& id, const model::Experiment& experiment) {
  static const std::vector<model::ClockRecord> shipped = shippedClocks();  // read once
  return recordsOf(shipped, &archive::readClocks, id, tellsOf(experiment));
}

// The same of counters.
std::vector<model::CounterRecord> countersOf(const std::string& id, const model::Experiment& experiment) {
  static const std::vector<model::CounterRecord> shipped = shippedCounters();
  return recordsOf(shipped, &archive::readCounters, id, tellsOf(experiment));
}

std::vector<model::CostRecord> costsOf(const std::string& id, const model::Experiment& experiment) {
  static const std::vector<model::CostRecord> shipped = shippedCosts();
  return recordsOf(shipped, &archive::readCosts, id, tellsOf(experiment));
}

std::vector<model::MachineCode> codesOf(const std::string& id, const model::Experiment& experiment) {
  static const std::vector<model::MachineCode> shipped = shippedCodes();
  return recordsOf(shipped, &archive::readCodes, id, tellsOf(experiment));
}

// Of any number of elements.
std::vector<model::TimelineRecord> timelinesOf(const std::string& id, const model::Experiment& experiment) {
  static const std::vector<model::TimelineRecord> shipped = shippedTimelines();
  return recordsOf(shipped, &archive::readTimelines, id, [&](const model::TimelineRecord& record) {
    model::Experiment atItsSize = experiment;
    atItsSize.elements = record.experiment.elements;
    return model::tellsOf(record, atItsSize);
  });
}

std::vector<std::string> pathsOf(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(file.string());
  return paths;
}

}  // namespace

session::SessionServices sessionServices(const Trust& trust, const std::function<void()>& wake) {
  return {
      .makeEngine = [trust](const std::string& id) { return makeEngine(id, trust); },
      .listEngines = listEngines,
      .greet = {},
      .wake = wake,
      .timings = timingBoard(wake),
      .shippedRecordings = pathsOf(shippedRecordings()),
      .clocks = clocksOf,
      .counters = countersOf,
      .timelines = timelinesOf,
      .costs = costsOf,
      .codes = codesOf,
      .compileCode = [](const model::Experiment& experiment,
                        std::optional<unsigned> gpu) { return engine::gpu::machineCodeOf(experiment, gpu); },
      .measuringGpu = measure::gpu::makeGpuTimingWorker,
      .exportRun = [trust](const session::ExportOrder& order,
                           engine::JobControl& job) { return exportInItsOwnProcess(order, trust, job); },
      .trust = trust};
}

namespace {

// On a machine without a GPU: what that means, and what to look at.
std::optional<session::Message> greetWithoutGpu() {
  const engine::gpu::GpuStatus status = engine::gpu::queryGpus();
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
  experiment.data = kernels::defaultData(experiment.variant, experiment.op);
  return {.experiment = *engine::checkedExperiment(experiment, false),
          .elementsGiven = false,
          .round = 4,
          .engine = "auto"};
}

}  // namespace

Result<std::monostate> openStridescopeWindow(const std::string& file,
                                             const std::shared_ptr<engine::CodeTrust>& trust) {
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
      start = {.experiment = last, .elementsGiven = choices.elements};
  }
  engine::JobControl ended;  // the session then ends its jobs, which clear up, and the settings are kept
  const cli::CancelOnSignal signals(ended);
  options.closeRequest = &ended.cancel;
  shell::WindowBell bell;  // outlives the session, whose threads ring it
  options.bell = &bell;
  session::SessionServices services = sessionServices(trust, [&bell] { bell.ring(); });
  services.scoreFile = teaching::scoreFile();
  services.questionSeed = std::random_device{}();
  if (settings.lastExperiment.variant.empty()) services.greet = greetWithoutGpu;
  session::Session session(services, settings, start);
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

std::string nameOf(const session::ModeFacts& mode) {
  std::string name(mode.name);
  std::ranges::transform(name, name.begin(), [](char c) { return char(std::tolower(c)); });
  return name;
}

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

Result<model::Executor> drawStridescopeShot(const cli::ShotRequest& request,
                                            const std::shared_ptr<engine::CodeTrust>& trust) {
  for (const session::ModeFacts& mode : session::kModes)
    if (nameOf(mode) == request.mode && !request.panel.empty() && !hasPanel(mode.mode, request.panel))
      return usageError("--mode " + request.mode + " has no panel " + request.panel +
                        "; leave out one of the two.");
  session::Settings settings;
  settings.theme = settings.presenterTheme =
      request.theme == cli::ShotTheme::Light ? session::ThemeName::Light : session::ThemeName::Dark;
  session::Session session(
      sessionServices(trust, {}), settings,
      {.experiment = request.experiment,
       .elementsGiven = request.elementsGiven || !session::isOneBlockLoad(request.experiment),
       .round = request.round,
       .pass = request.pass,
       .engine = request.engine});
  engine::JobControl ended;
  const cli::CancelOnSignal signals(ended);
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
  if (!request.beside.empty() || request.mode == "compare") {
    session.compareWith(request.beside);
    if (!waitForJobs(session, ended.cancel, request.progress)) return cancelled();
    session.update(session::kTransitionSeconds);  // the sides have come to where they are locked
  }
  if (request.mode == "predict") session.predictShownRound();
  if (request.thread) session.apply(session::PointAt{session::hoverThread(*request.thread)});
  if (request.mode == "present") session.apply(session::EnterMode{session::Mode::Present});
  if (!request.panel.empty()) session.apply(session::ShowPanel{request.panel});
  views::Workbench workbench(
      session, [](const session::Settings&) {}, views::allPanels());
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
  for (const session::ModeFacts& mode : session::kModes) names.push_back(nameOf(mode));
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
