#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <system_error>

#include "base/process.h"
#include "cli/long_work.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/sources/sources.h"
#include "session/experiment_choices.h"
#include "session/session.h"
#include "shell/run_window.h"
#include "teaching/score.h"
#include "views/frame/workbench.h"
#include "views/panels.h"
#include "window/session_services.h"
#include "window/window.h"

namespace stridescope::window {
namespace {

// On a machine without a GPU: what that means, and what to look at.
std::optional<session::Message> greetWithoutGpu(engine::worker::GpuWorkers& gpus, bool hasTimes) {
  const engine::GpuStatus status = gpus.status();
  if (status.usable()) return std::nullopt;
  session::Message message{
      .kind = session::MessageKind::Fine,
      .sentence = std::string("No usable GPU, so the CPU runs the kernels: values, lanes and "
                              "conflicts are the same") +
                  (hasTimes ? "; GPU times are recorded ones." : "."),
      .details = status.problems.empty() ? std::string() : session::inWindow(status.problems.front())};
  if (!lab::sources::shippedRecordings().empty()) {
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

Result<std::monostate> openWindow(const std::string& file, const WindowParts& parts) {
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
  session::Settings settings =
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
      start = {.experiment = last,
               .elementsGiven = choices.elements,
               .round = settings.lastRound,
               .launch = settings.lastLaunch,
               .cpuMeanwhile = true};
  } else if (isKept) {
    start.round = settings.lastRound;  // nobody chose another experiment, but perhaps another round
  } else {
    settings.lastRound = start.round;  // what is kept if the window closes before the run is there
  }
  engine::JobControl ended;  // the session then ends its jobs, which clear up, and the settings are kept
  const cli::CancelOnSignal signals(ended);
  if (model::isKernelFile(file)) start.round = 0;  // the kernel opens at its first round
  options.closeRequest = &ended.cancel;
  shell::WindowBell bell;  // outlives the session, whose threads ring it
  options.bell = &bell;
  const cli::WakeOnSignal waker([&bell] { bell.ring(); });
  options.closingRings = waker.isAwake();
  session::SessionServices services = sessionServices(parts, [&bell] { bell.ring(); });
  services.scoreFile = teaching::scoreFile();
  if (!folder.empty()) services.draftFolder = folder + "/drafts";
  services.questionSeed = std::random_device{}();
  if (!isKept)
    services.greet = [parts] {
      const auto& times = parts.sources.shipped.of<model::TimingRecord>();
      return greetWithoutGpu(*parts.gpus, !times.all().empty());
    };
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

}  // namespace stridescope::window
