// timings_pictures FOLDER: the window with the Timings panel in its states, for a person to look at.
#include <cstdio>
#include <filesystem>

#include "engine/experiment_check.h"
#include "imgui_internal.h"
#include "shell/graphics_context.h"
#include "shell/headless_context.h"
#include "timings_fixture.h"
#include "workbench_ui.h"

namespace {

using namespace stridescope;
using namespace stridescope::views;

struct Ground {
  const char* name;
  shell::PixelSize size;
  float scale;
  session::ThemeName theme;
};

// Shows one tab of the panel, in front of what shares its place.
class OneTab : public Workbench {
 public:
  OneTab(session::Session& session, TimingsTab tab, bool gigabytes)
      : Workbench(
            session, [](const session::Settings&) {}, test::panelsWith(stateOf(tab, gigabytes))) {}
  void drawFrame(shell::Frame& frame) override {
    if (++frames_ == 4) ImGui::FocusWindow(ImGui::FindWindowByName("Timings"));
    Workbench::drawFrame(frame);
  }

 private:
  static std::shared_ptr<TimingsState> stateOf(TimingsTab tab, bool gigabytes) {
    auto state = std::make_shared<TimingsState>();
    state->tab = tab;
    state->gigabytes = gigabytes;
    return state;
  }

  int frames_ = 0;
};

bool drawOne(const std::filesystem::path& folder, const std::string& name, const Ground& ground, bool gpu,
             std::shared_ptr<test::HandMadeBoard> board, TimingsTab tab, const session::Commands& commands,
             bool gigabytes = false) {
  session::Settings settings;
  settings.theme = ground.theme;
  model::Experiment experiment;
  experiment.variant = "interleaved_contiguous";
  session::Session session(
      test::timedServices(board, gpu), settings,
      {.experiment = *engine::checkedExperiment(experiment, false), .round = 4, .engine = "host"});
  session.waitForJobs();
  session.apply(commands);
  test::waitUntilStill(*board);
  OneTab app(session, tab, gigabytes);
  const auto picture = shell::renderHeadless(app, {.size = ground.size, .scale = ground.scale, .frames = 10});
  if (!picture) return false;
  const std::string file = name + "-" + ground.name + ".png";
  std::printf("%s: median %.2f ms, longest %.2f ms\n", file.c_str(), picture->times.medianMs,
              picture->times.longestMs);
  return bool(shell::writePng(folder / file, picture->image));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: timings_pictures FOLDER\n"), 2;
  const std::filesystem::path folder = arguments[1];
  bool drawn = true;
  for (const Ground& ground : {Ground{"1600-dark", {1600, 1000}, 1, session::ThemeName::Dark},
                               Ground{"1600-light", {1600, 1000}, 1, session::ThemeName::Light},
                               Ground{"1280-dark", {1280, 720}, 1, session::ThemeName::Dark},
                               Ground{"1280-light", {1280, 720}, 1, session::ThemeName::Light},
                               Ground{"3840-dark", {3840, 2160}, 2, session::ThemeName::Dark},
                               Ground{"3840-light", {3840, 2160}, 2, session::ThemeName::Light}}) {
    const auto show = [&](const char* name, bool gpu, bool recorded, TimingsTab tab,
                          const session::Commands& commands, bool gigabytes = false,
                          const test::HandMadeInput& request = {}) {
      auto board = test::handMadeBoard(request);
      if (recorded) board->showRecorded(test::handMadeRecords());
      drawn = drawOne(folder, name, ground, gpu, std::move(board), tab, commands, gigabytes) && drawn;
    };
    const session::StartTiming one{session::TimingSweep::OneSize};
    show("idle", true, false, TimingsTab::Live, {});
    show("idle-cpu", false, false, TimingsTab::Live, {});
    show("live", true, false, TimingsTab::Live, {one});
    show("live-recorded", false, true, TimingsTab::Live, {one});
    show("ladder", true, false, TimingsTab::Ladder, {one});
    show("ladder-recorded", false, true, TimingsTab::Ladder, {one});
    show("sizes-recorded", false, true, TimingsTab::BySize, {});
    show("rates-recorded", false, true, TimingsTab::BySize, {}, true);
    show("blocks-recorded", false, true, TimingsTab::ByBlock, {});
    show("failed", true, false, TimingsTab::Live, {one}, false,
         {.failure = "The GPU's driver is too old for timings. Update it to 525 or newer."});
  }
  return drawn ? 0 : 3;
}
