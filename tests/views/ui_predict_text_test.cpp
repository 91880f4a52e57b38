// Every text of a round that is predicted, hidden and revealed, at every size that people use: whole,
// visible, over no other one.
#include <gtest/gtest.h>

#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::PredictAct;
using session::PredictStep;
using test::Ground;
using test::WorkbenchUi;

struct Scene {
  const char* variant;
  unsigned round, threads;
  model::ElementType type;
};

constexpr Scene kScenes[] = {{"interleaved_contiguous", 0, 256, model::ElementType::Int},
                             {"interleaved_contiguous", 5, 256, model::ElementType::Int64},
                             {"interleaved_modulo", 4, 1024, model::ElementType::Double},
                             {"warp_shuffle", 3, 256, model::ElementType::Double},
                             {"missing_barrier", 1, 256, model::ElementType::Int},
                             {"global_memory", 3, 256, model::ElementType::Int},
                             {"k_way_merge", 3, 64, model::ElementType::Int}};

class PredictTexts : public testing::TestWithParam<Ground> {};

TEST_P(PredictTexts, AreWholeVisibleAndAlone) {
  const Ground& ground = GetParam();
  WorkbenchUi w({.size = ground.size,
                 .scale = ground.scale,
                 .settings = ground.settings(),
                 .before = {session::EnterMode{session::Mode::Predict}}},
                test::hostServicesWithCycles());
  for (const Scene& scene : kScenes) {
    w.session().apply(session::Choose(&model::Experiment::variant, scene.variant));
    w.session().apply(session::Choose(&model::Experiment::threads, scene.threads));
    w.session().apply(session::Choose(&model::Experiment::type, scene.type));
    w.session().waitForJobs();
    w.session().apply(session::GoToRound{0, scene.round});
    w.session().apply(session::Unpin{});
    if (!w.session().predict().isHidden()) w.session().apply(PredictStep{.act = PredictAct::TryAgain});
    w.settle();
    const auto expectWellSet = [&](const std::string& when) {
      test::expectWellSet(w.ui().texts().entries(), ground.widthUnits(),
                          std::string(scene.variant) + " round " + std::to_string(scene.round) + ", " + when);
    };
    expectWellSet("hidden");
    // Every second thread and warp, so that the list of them is long; and two hints of each question.
    for (std::size_t place = 0; place < w.session().predict().asked().size(); ++place) {
      for (unsigned one = 0; one < scene.threads; one += 2)
        w.session().apply(PredictStep{.act = PredictAct::Mark, .question = place, .first = one, .last = one});
      w.session().apply(PredictStep{.act = PredictAct::AnswerWay, .question = place, .way = 1});
      w.session().apply(PredictStep{.act = PredictAct::AnswerText, .question = place, .text = "-12345678"});
      for (int hints = 0; hints < 2; ++hints) w.session().apply(PredictStep{.act = PredictAct::Hint});
    }
    w.session().apply(session::Pin{session::hoverThread(5)});
    w.settle();
    expectWellSet("guessed");
    w.apply(PredictStep{.act = PredictAct::Reveal});
    expectWellSet("revealed");
  }
}

INSTANTIATE_TEST_SUITE_P(All, PredictTexts, testing::ValuesIn(test::allGrounds()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace stridescope::views
