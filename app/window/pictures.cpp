#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/long_work.h"
#include "session/experiment_choices.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "shell/headless_context.h"
#include "views/frame/mode_layout.h"
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

namespace {

// How many frames each takes: what is shown first, which lays itself out; a step after it, which may bring
// tabs to the front; and panels alone, whose notes are those of the frame before.
constexpr int kFramesAtFirst = 8, kFramesOfAStep = 6, kFramesOfPanels = 2;

// Gives the trace that is there already, where the session would record it; what it records beside it, to
// compare with, comes from the engine itself.
class GivenTrace : public engine::Engine {
 public:
  using Make = std::function<Result<std::shared_ptr<engine::Engine>>()>;
  GivenTrace(const model::Trace& trace, Make engine) : trace_(trace), engine_(std::move(engine)) {}
  model::Executor executor() const override { return trace_.executor; }
  Result<model::Trace> record(const model::Experiment& experiment, engine::JobControl& job) override {
    if (experiment == trace_.experiment) return trace_;
    auto engine = engine_();
    if (!engine) return tl::unexpected(engine.error());
    return (*engine)->record(experiment, job);
  }

 private:
  const model::Trace& trace_;  // the shown run's; it outlives the session
  Make engine_;
};

class WindowPainter : public cli::RoundPainter {
 public:
  WindowPainter(std::unique_ptr<shell::HeadlessRenderer> renderer, WindowParts parts, bool presented)
      : renderer_(std::move(renderer)), parts_(std::move(parts)), presented_(presented) {
    settings_.reducedMotion = true;  // a picture shows what a step has come to
  }

  Result<void> show(const lab::Run& run, const std::string& engine) override {
    workbench_.reset();
    sheet_.reset();
    session_.reset();  // whose jobs use the run before
    const model::Trace& trace = run.trace;
    session::SessionServices services = sessionServices(parts_, {});
    services.makeEngine = [&trace, make = services.makeEngine](
                              const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
      return std::make_shared<GivenTrace>(trace, [make, id] { return make(id); });
    };
    services.known.measuringGpu = {};  // what is not measured yet is not waited for
    session_ = std::make_unique<session::Session>(
        services, settings_,
        session::Start{.experiment = trace.experiment,
                       .elementsGiven = !session::isOneBlockLoad(trace.experiment),
                       .engine = engine});
    session_->waitForJobs();
    if (!session_->replay().run()) {
      if (const auto& message = session_->app().message())
        return unavailable(message->sentence, message->details);
      return unavailable("Nothing was recorded, so there is nothing to draw.");
    }
    session_->app().setPanels(views::knownPanels(views::allPanels()));
    if (presented_) session_->apply(session::EnterMode{session::Mode::Present});
    workbench_ = std::make_unique<views::Workbench>(
        *session_, [](const session::Settings&) {}, views::allPanels());
    workbench_->drawForPicture();
    sheet_ = std::make_unique<views::PanelSheet>(*session_, views::allPanels());
    drawnFirst_ = false;
    return {};
  }

  void useTheme(cli::ShotTheme theme) override {
    settings_.theme = theme == cli::ShotTheme::Light ? session::ThemeName::Light : session::ThemeName::Dark;
    settings_.presenterTheme = settings_.theme;
    if (session_) session_->apply(session::ChangeSettings{settings_});
  }

  Result<picture::Image> window(const handout::Place& place, const std::string& panel) override {
    goTo(place);
    if (!panel.empty()) session_->apply(session::ShowPanel{panel});
    const int frames = std::exchange(drawnFirst_, true) ? kFramesOfAStep : kFramesAtFirst;
    if (panel.empty()) return renderer_->draw(*workbench_, frames);
    picture::Image image = renderer_->draw(*workbench_, frames, [&] {
      const views::PanelArea area = workbench_->areaOf(panel);
      return std::pair(area.min, area.max);
    });
    if (image.rgba.empty())
      return unavailable("The panel " + panel +
                         " has no room in a window of this size. Choose a larger --size.");
    return image;
  }

  Result<std::vector<cli::PanelPicture>> panels(const handout::Place& place,
                                                std::span<const cli::PanelSize> sizes) override {
    goTo(place);
    std::vector<views::SheetPanel> sheet;
    for (const cli::PanelSize& size : sizes)
      sheet.push_back({size.panel, float(size.width), float(size.height)});
    sheet_->lay(std::move(sheet));
    const picture::Image all = renderer_->draw(*sheet_, kFramesOfPanels);
    const std::vector<views::Panel> known = views::allPanels();
    std::vector<cli::PanelPicture> pictures;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto [min, max] = sheet_->areaOf(i);
      const views::Panel* const panel = views::findPanel(known, sizes[i].panel);
      pictures.push_back({panel == nullptr ? sizes[i].panel : panel->title, shell::cropped(all, min, max)});
    }
    return pictures;
  }

 private:
  void goTo(const handout::Place& place) {
    session_->apply(session::GoToRound{place.launch, place.round, place.pass});
  }

  std::unique_ptr<shell::HeadlessRenderer> renderer_;
  WindowParts parts_;
  bool presented_;
  session::Settings settings_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<views::Workbench> workbench_;
  std::unique_ptr<views::PanelSheet> sheet_;
  bool drawnFirst_ = false;
};

}  // namespace

Result<std::unique_ptr<cli::RoundPainter>> makeRoundPainter(const cli::PainterSetup& setup,
                                                            const WindowParts& parts) {
  auto renderer = shell::HeadlessRenderer::create({int(setup.width), int(setup.height)}, setup.scale);
  if (!renderer) return tl::unexpected(renderer.error());
  return std::make_unique<WindowPainter>(*std::move(renderer), parts, setup.presented);
}

}  // namespace stridescope::window
