#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/long_work.h"
#include "painter/window_painter.h"
#include "session/experiment_choices.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "shell/headless_context.h"
#include "views/frame/workbench.h"
#include "views/panels.h"
#include "window/session_services.h"
#include "window/window.h"

namespace stridescope::window {
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

Result<model::Executor> drawShot(const cli::ShotRequest& request, const WindowParts& parts) {
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
  workbench.drawForPicture();
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

Result<std::unique_ptr<cli::RoundPainter>> makeRoundPainter(const cli::PainterSetup& setup,
                                                            const WindowParts& parts) {
  return painter::makeWindowPainter(setup, [parts] { return sessionServices(parts, {}); });
}

}  // namespace stridescope::window
