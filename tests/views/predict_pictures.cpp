// predict_pictures FOLDER: the window while rounds are predicted, for a person to look at.
#include <cstdio>
#include <filesystem>
#include <functional>

#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "shell/graphics_context.h"
#include "shell/headless_context.h"
#include "workbench_ui.h"

namespace {

using namespace stridescope;
using namespace stridescope::views;
using session::PredictAct;
using session::PredictStep;

struct Ground {
  const char* name;
  shell::PixelSize size;
  float scale;
  session::ThemeName theme;
};

using Steps = std::function<void(session::Session&)>;

bool drawOne(const std::filesystem::path& folder, const std::string& name, const Ground& ground,
             const std::string& variant, unsigned round, const Steps& steps) {
  session::Settings settings;
  settings.theme = ground.theme;
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.threads = 0;
  experiment.data = kernels::defaultData(variant, model::Operator::Add);
  experiment.op = kernels::findVariant(variant)->operators.front();
  session::Session session(
      test::hostServicesWithCycles(), settings,
      {.experiment = *engine::checkedExperiment(experiment, false), .round = round, .engine = "host"});
  session.waitForJobs();
  session.apply(session::EnterMode{session::Mode::Predict});
  session.apply(session::GoToRound{0, round});
  if (!session.predict().isHidden()) session.apply(PredictStep{.act = PredictAct::TryAgain});
  steps(session);
  session.update(1);
  Workbench app(
      session, [](const session::Settings&) {}, allPanels());
  const auto picture = shell::renderHeadless(app, {.size = ground.size, .scale = ground.scale, .frames = 10});
  if (!picture) return false;
  return bool(shell::writePng(folder / (name + "-" + ground.name + ".png"), picture->image));
}

std::size_t placeOf(const session::Session& session, teaching::Topic topic) {
  const auto& asked = session.predict().asked();
  for (std::size_t place = 0; place < asked.size(); ++place)
    if (asked[place].question.topic == topic) return place;
  return asked.size();  // it is not asked
}

// Threads 0 to 8, warp 0, 8 ways, and a value that is wrong.
void guess(session::Session& session) {
  const auto give = [&](PredictStep step, teaching::Topic topic) {
    step.question = placeOf(session, topic);
    session.apply(step);
  };
  give({.act = PredictAct::Mark, .first = 0, .last = 6, .on = true}, teaching::Topic::ActiveThreads);
  give({.act = PredictAct::Mark, .first = 8, .last = 8, .on = true}, teaching::Topic::ActiveThreads);
  give({.act = PredictAct::Mark, .first = 0, .last = 0, .on = true}, teaching::Topic::PartialWarps);
  give({.act = PredictAct::AnswerWay, .way = 32}, teaching::Topic::ConflictWays);
  give({.act = PredictAct::AnswerText, .text = "74"}, teaching::Topic::CellValues);
  session.apply(session::PointAt{session::hoverThread(8)});
}

void reveal(session::Session& session) {
  guess(session);
  session.apply(PredictStep{.act = PredictAct::Hint});
  session.apply(PredictStep{.act = PredictAct::Reveal});
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fprintf(stderr, "usage: predict_pictures FOLDER [GROUND]\n"), 2;
  const std::filesystem::path folder = arguments[1];
  bool drawn = true;
  for (const Ground& ground : {Ground{"1600-dark", {1600, 1000}, 1, session::ThemeName::Dark},
                               Ground{"1600-light", {1600, 1000}, 1, session::ThemeName::Light},
                               Ground{"1280-dark", {1280, 720}, 1, session::ThemeName::Dark},
                               Ground{"1280-light-200", {1280, 720}, 2, session::ThemeName::Light},
                               Ground{"3840-dark-200", {3840, 2160}, 2, session::ThemeName::Dark},
                               Ground{"3840-light", {3840, 2160}, 1, session::ThemeName::Light}}) {
    if (count > 2 && std::string(arguments[2]) != ground.name) continue;
    const auto show = [&](const char* name, const char* variant, unsigned round, const Steps& steps) {
      drawn = drawOne(folder, name, ground, variant, round, steps) && drawn;
    };
    show("before", "interleaved_contiguous", 5, guess);
    show("after", "interleaved_contiguous", 5, reveal);
    show("first", "interleaved_contiguous", 0, guess);
    show("stride-1", "sequential", 1, guess);
    show("modulo", "interleaved_modulo", 4, reveal);
    show("shuffle", "warp_shuffle", 3, guess);
    show("shuffle-after", "warp_shuffle", 3, reveal);
    show("race", "missing_barrier", 1, guess);
    show("race-after", "missing_barrier", 1, reveal);
    show("merge", "k_way_merge", 3, guess);
    show("merge-after", "k_way_merge", 3, reveal);
    show("nothing", "missing_bound_check", 0, guess);
    show("barrier", "divergent_barrier", 2, guess);
    show("barrier-after", "divergent_barrier", 2, reveal);
    show("device", "global_memory", 3, guess);
    show("device-write", "global_memory", 9, guess);
  }
  return drawn ? 0 : 3;
}
