#include "painter/window_painter.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "session/experiment_choices.h"
#include "session/session.h"
#include "shell/graphics_context.h"
#include "shell/headless_context.h"
#include "views/frame/mode_layout.h"
#include "views/frame/workbench.h"
#include "views/panels.h"

namespace stridescope::painter {
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

class WindowPainter : public handout::RoundPainter {
 public:
  WindowPainter(std::unique_ptr<shell::HeadlessRenderer> renderer, MakeServices services, bool presented)
      : renderer_(std::move(renderer)), services_(std::move(services)), presented_(presented) {
    settings_.reducedMotion = true;  // a picture shows what a step has come to
  }

  Result<void> show(const lab::Run& run, const std::string& engine) override {
    workbench_.reset();
    sheet_.reset();
    session_.reset();  // whose jobs use the run before
    const model::Trace& trace = run.trace;
    session::SessionServices services = services_();
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

  void useTheme(handout::PictureTheme theme) override {
    settings_.theme =
        theme == handout::PictureTheme::Light ? session::ThemeName::Light : session::ThemeName::Dark;
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

  Result<std::vector<handout::PanelPicture>> panels(const handout::Place& place,
                                                    std::span<const handout::PanelSize> sizes) override {
    goTo(place);
    std::vector<views::SheetPanel> sheet;
    for (const handout::PanelSize& size : sizes)
      sheet.push_back({size.panel, float(size.width), float(size.height)});
    sheet_->lay(std::move(sheet));
    const picture::Image all = renderer_->draw(*sheet_, kFramesOfPanels);
    const std::vector<views::Panel> known = views::allPanels();
    std::vector<handout::PanelPicture> pictures;
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
  MakeServices services_;
  bool presented_;
  session::Settings settings_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<views::Workbench> workbench_;
  std::unique_ptr<views::PanelSheet> sheet_;
  bool drawnFirst_ = false;
};

}  // namespace

Result<std::unique_ptr<handout::RoundPainter>> makeWindowPainter(const handout::PainterSetup& setup,
                                                                 MakeServices services) {
  auto renderer = shell::HeadlessRenderer::create({int(setup.width), int(setup.height)}, setup.scale);
  if (!renderer) return tl::unexpected(renderer.error());
  return std::make_unique<WindowPainter>(*std::move(renderer), std::move(services), setup.presented);
}

}  // namespace stridescope::painter
