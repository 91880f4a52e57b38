// Every command through its menu and through its keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <thread>

#include "analysis/requests.h"
#include "imgui_internal.h"
#include "support/fake_engine.h"
#include "support/temporary_folder.h"
#include "timings_fixture.h"
#include "views/frame/command_table.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::PredictAct;
using session::PredictStep;
using test::UiRequest;
using test::WorkbenchUi;

// What a command does to a session at stride 8 of the contiguous rung, round 4 of 10.
struct Effect {
  session::Commands before = {};
  std::function<bool(WorkbenchUi&)> done;
  bool timed = false;  // timings that a test's clock takes are there when `before` has been done
};

// The sampling thread follows soon.
bool comesTo(WorkbenchUi& w, const std::function<bool(const measure::TimingSnapshot&)>& request) {
  for (int tries = 0; tries < 500; ++tries) {
    if (request(*w.session().measurements().timings())) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
  return false;
}
bool isPaused(WorkbenchUi& w) {
  return w.session().measurements().timings()->state == measure::TimingState::Paused;
}

session::SessionServices timedServices() {
  return test::timedServices(test::handMadeBoard({.gpu = false, .repetitions = 1'000'000}), false);
}

session::Settings withTextSize(int percent) {
  session::Settings settings;
  settings.textSize = percent;
  return settings;
}

std::string savedPath() {
  static const support::Folder folder;
  return folder.path() / "saved.stride";
}

std::map<std::string, Effect> allEffects() {
  const auto overlay = [](session::Overlay which) {
    return Effect{{}, [which](WorkbenchUi& w) { return w.session().app().overlay() == which; }};
  };
  const auto variant = [](const char* id) {
    return Effect{{session::Choose(&model::Experiment::variant,
                                   id == std::string("sequential") ? "interleaved_modulo" : "sequential")},
                  [id](WorkbenchUi& w) { return w.session().workspace().experiment().variant == id; }};
  };
  const auto round = [](unsigned number) {
    return Effect{{}, [number](WorkbenchUi& w) {
                    return w.session().replay().playhead() == session::Playhead{0, number};
                  }};
  };
  const auto speed = [](double expected) {
    return Effect{{session::SetSpeed{1}},
                  [expected](WorkbenchUi& w) { return w.session().app().settings().speed == expected; }};
  };
  const auto textSize = [](int before, int after) {
    return Effect{{session::ChangeSettings{withTextSize(before)}}, [after](WorkbenchUi& w) {
                    return w.session().app().settings().textSize == after &&
                           std::abs(w.ui().runner().drawContext().scale - float(after) / 100) < 1e-4f;
                  }};
  };
  // The request at a place among stride 8's load A, load B and store is shown; load A was shown before.
  const auto request = [](std::size_t place) {
    return Effect{{}, [place](WorkbenchUi& w) {
                    const auto list = analysis::listRequests(w.session().replay().round());
                    return list.size() == 3 && w.session().replay().shownRequest() == list[place];
                  }};
  };
  const auto mode = [](session::Mode before, session::Mode after) {
    return Effect{{session::EnterMode{before}},
                  [after](WorkbenchUi& w) { return w.session().app().mode() == after; }};
  };
  // An effect on two runs that are compared.
  const auto compared = [](std::function<bool(const session::Comparison&)> done) {
    return Effect{{session::EnterMode{session::Mode::Compare}}, [done = std::move(done)](WorkbenchUi& w) {
                    return w.session().comparison() != nullptr && done(*w.session().comparison());
                  }};
  };
  using analysis::Side;
  // In Predict, which hides stride 16, round 5; it asks about threads, warps, ways and a value.
  const auto predicted = [](session::Commands before, bool (*done)(const session::Predict&)) {
    before.insert(before.begin(), session::EnterMode{session::Mode::Predict});
    return Effect{std::move(before), [done](WorkbenchUi& w) { return done(w.session().predict()); }};
  };
  const auto step = [](PredictAct act) { return session::Command(PredictStep{.act = act}); };
  const session::Command wrongValue = PredictStep{.act = PredictAct::AnswerText, .question = 3, .text = "-1"};
  const auto tour = [](const char* title) {
    return Effect{{}, [title](WorkbenchUi& w) {
                    return w.session().app().tour() && w.session().app().tour()->title == title;
                  }};
  };
  const auto stop = [](std::size_t before, std::size_t after) {
    return Effect{{session::StartTour{"first"}, session::GoToStop{before}},
                  [after](WorkbenchUi& w) { return w.session().app().tourStop() == after; }};
  };
  return {
      {"Explore", mode(session::Mode::Compare, session::Mode::Explore)},
      {"Compare", mode(session::Mode::Explore, session::Mode::Compare)},
      {"Compare with the one before",
       {{},
        [](WorkbenchUi& w) {
          const session::Comparison* const both = w.session().comparison();
          return both != nullptr && both->workspace(Side::Left).experiment().variant == "interleaved_and";
        }}},
      {"Choose the other side",
       compared([](const session::Comparison& both) { return both.chosen() == Side::Left; })},
      {"Swap the sides", compared([](const session::Comparison& both) {
         return both.workspace(Side::Left).experiment().variant == "interleaved_contiguous";
       })},
      {"Set both sides together", compared([](const session::Comparison& both) { return !both.together(); })},
      {"Lock by stride", compared([](const session::Comparison& both) {
         return both.lockedBy() == analysis::LockedBy::Stride;
       })},
      {"Next panel", {{}, [](WorkbenchUi& w) { return w.session().app().focused() == "ladder"; }}},
      {"Previous panel",
       {{}, [](WorkbenchUi& w) { return w.session().app().focused() == session::kBarPart; }}},
      {"Go to the experiment bar",
       {{}, [](WorkbenchUi& w) { return w.session().app().focused() == session::kBarPart; }}},
      {"Open a recording or a kernel (.cu)...", overlay(session::Overlay::OpenFile)},
      {"Open input data...", overlay(session::Overlay::OwnData)},
      {"Custom operator...", overlay(session::Overlay::CustomOperator)},
      {"Save", overlay(session::Overlay::SaveFile)},  // of a variant, which has no text to save
      {"Save as a recording...", overlay(session::Overlay::SaveFile)},
      {"Export...", overlay(session::Overlay::Export)},
      {"Copy timings as CSV",
       {{session::StartTiming{}},
        [](WorkbenchUi&) { return std::string(ImGui::GetClipboardText()).starts_with("subject,kind,"); },
        true}},
      {"Start timing", {{}, [](WorkbenchUi& w) { return w.session().measurements().isTiming(); }, true}},
      {"Pause timing", {{session::StartTiming{}}, isPaused, true}},
      {"Stop timing",
       {{session::StartTiming{}},
        [](WorkbenchUi& w) { return !w.session().measurements().isTiming(); },
        true}},
      {"Quit", {{}, [](WorkbenchUi& w) { return w.session().app().quitting(); }}},
      {"Reset experiment",
       {{session::Choose(&model::Experiment::threads, 64),
         session::Choose(&model::Experiment::type, model::ElementType::Float)},
        [](WorkbenchUi& w) {
          const model::Experiment& experiment = w.session().workspace().experiment();
          return experiment.threads == 256 && experiment.type == model::ElementType::Int;
        }}},
      {"Variant 1", variant("interleaved_modulo")},
      {"Variant 2", variant("interleaved_and")},
      {"Variant 3", variant("interleaved_contiguous")},
      {"Variant 4", variant("sequential")},
      {"Variant 5", variant("first_add_on_load")},
      {"Variant 6", variant("unrolled_last_warp")},
      {"Variant 7", variant("fully_unrolled")},
      {"Variant 8", variant("grid_stride")},
      {"Variant 9", variant("warp_shuffle")},
      {"Switch theme",
       {{},
        [](WorkbenchUi& w) {
          return w.session().app().settings().theme == session::ThemeName::Light &&
                 w.ui().runner().drawContext().theme == draw::Theme::Light;
        }}},
      {"Larger text", textSize(100, 110)},
      {"Smaller text", textSize(100, 90)},
      {"Text at 100 %", textSize(140, 100)},
      {"Full screen", {{}, [](WorkbenchUi& w) { return w.session().app().fullscreen(); }}},
      {"Reduced motion", {{}, [](WorkbenchUi& w) { return w.session().app().settings().reducedMotion; }}},
      {"Next request in Banks", request(1)},
      {"Previous request in Banks", request(2)},
      {"Explore", predicted({}, [](const session::Predict& predict) { return !predict.isOn(); })},
      {"Predict", {{}, [](WorkbenchUi& w) { return w.session().predict().isHidden(); }}},
      {"Text of this round...", overlay(session::Overlay::RoundText)},
      {"Step forward", round(5)},
      {"Step back", round(3)},
      {"Next pass", round(5)},
      {"Previous pass", round(3)},
      {"First round", round(0)},
      {"Last round", round(9)},
      {"Play or pause", {{}, [](WorkbenchUi& w) { return w.session().replay().playing(); }}},
      {"Reveal the round", predicted({}, [](const session::Predict& predict) { return predict.isJudged(); })},
      {"Skip the round", predicted({},
                                   [](const session::Predict& predict) {
                                     return predict.isHidden() && predict.asked()[0].question.at.round == 6;
                                   })},
      {"Try the round again", predicted({step(PredictAct::Reveal)},
                                        [](const session::Predict& predict) { return predict.isHidden(); })},
      {"Hint",
       predicted({}, [](const session::Predict& predict) { return predict.asked()[0].hints.size() == 1; })},
      {"Mark the thread", predicted({session::Pin{session::hoverThread(5)}},
                                    [](const session::Predict& predict) {
                                      const std::vector<bool>& marks = predict.asked()[0].guess.marks;
                                      return marks.size() == 256 && marks[5] &&
                                             std::ranges::count(marks, true) == 1;
                                    })},
      {"Mark the thread", predicted({session::Pin{{session::HoverKind::Warp, 1}}},
                                    [](const session::Predict& predict) {
                                      const std::vector<bool>& marks = predict.asked()[0].guess.marks;
                                      return marks.size() == 256 && marks[32] &&
                                             std::ranges::count(marks, true) == 32;
                                    })},
      {"Next question", predicted({}, [](const session::Predict& predict) { return predict.chosen() == 1; })},
      {"Previous question",
       predicted({}, [](const session::Predict& predict) { return predict.chosen() == 3; })},
      {"Ask me in another variant",
       {{session::EnterMode{session::Mode::Predict}, wrongValue, step(PredictAct::Reveal)},
        [](WorkbenchUi& w) { return w.session().workspace().experiment().variant == "padded_tree"; }}},
      {"Delete the score...", overlay(session::Overlay::DeleteScore)},
      {"Undo",
       {{session::GoToRound{0, 6}, session::GoToRound{0, 7}},
        [](WorkbenchUi& w) { return w.session().replay().playhead().round == 6; }}},
      {"Redo",
       {{session::GoToRound{0, 6}, session::GoToRound{0, 7}, session::Undo{}},
        [](WorkbenchUi& w) { return w.session().replay().playhead().round == 7; }}},
      {"Back",
       {{session::EnterMode{session::Mode::Predict}},
        [](WorkbenchUi& w) { return w.session().app().mode() == session::Mode::Explore; }}},
      {"Forward",
       {{session::EnterMode{session::Mode::Predict}, session::GoBack{}},
        [](WorkbenchUi& w) { return w.session().app().mode() == session::Mode::Predict; }}},
      {"Copy the path of what was saved",
       {{session::SaveRecording{savedPath(), true}},
        [](WorkbenchUi&) { return std::string(ImGui::GetClipboardText()) == savedPath(); }}},
      {"Copy a link to this",
       {{},
        [](WorkbenchUi& w) {
          const std::string copied = ImGui::GetClipboardText();
          return copied.starts_with("#show/" + w.session().workspace().experiment().variant + "?");
        }}},
      {"Edit a copy of this variant...", overlay(session::Overlay::CopyVariant)},
      {"Run after a pause in typing",
       {{}, [](WorkbenchUi& w) { return w.session().app().settings().runsWhileTyping; }}},
      {"Slower", speed(0.5)},
      {"Faster", speed(2)},
      {"Free the pinned thread",
       {{session::Pin{session::hoverThread(5)}},
        [](WorkbenchUi& w) { return !w.session().replay().pinned(); }}},
      {"All keys", overlay(session::Overlay::Keys)},
      {"Command palette", overlay(session::Overlay::Palette)},
      {"Lesson of this variant", overlay(session::Overlay::Lesson)},
      {"Glossary", overlay(session::Overlay::Glossary)},
      {"About Stridescope", overlay(session::Overlay::About)},
      {"Welcome", overlay(session::Overlay::Welcome)},
      {"Present", mode(session::Mode::Explore, session::Mode::Present)},
      {"Open tour...", overlay(session::Overlay::OpenTour)},
      {"Keep a copy of the tour...",
       {{session::StartTour{"first"}}, overlay(session::Overlay::SaveTour).done}},
      {"Ten-minute tour", tour("Ten minutes with Stridescope")},
      {"Lecture tour", tour("Parallel reduction in 45 minutes")},
      {"Tour", overlay(session::Overlay::Tour)},
      {"Speaker notes in a second window",
       {{session::StartTour{"lecture"}}, [](WorkbenchUi& w) { return w.session().app().wantsNotes(); }}},
      {"Next stop of the tour", stop(1, 2)},
      {"Previous stop of the tour", stop(1, 0)},
  };
}

// Tested on their own below, those of a person's own kernel in ui_own_kernel_test.cpp.
bool hasItsOwnTest(const std::string& name) {
  constexpr std::array kOfOwnKernels{"Take the text of the file", "Run the kernel's text",
                                     "Launch of the kernel...", "Compare with before"};
  if (std::ranges::count(kOfOwnKernels, name) != 0) return true;
  return name == "Reset layout" || name == "Cancel what is running" || name.ends_with(" race");
}

void expectEffect(const CommandEntry& entry, const std::string& how,
                  std::function<void(ImGuiTestContext*)> give) {
  const auto effects = allEffects();
  const auto effect = effects.find(entry.name);
  ASSERT_NE(effect, effects.end()) << "no test says what '" << entry.name << "' does";
  WorkbenchUi w({}, effect->second.timed ? timedServices() : test::hostServices());
  for (const session::Command& command : effect->second.before) w.session().apply(command);
  if (w.session().measurements().isTiming()) {
    ASSERT_TRUE(comesTo(w, [](const measure::TimingSnapshot& now) { return !now.series.empty(); }));
  }
  ImGui::SetClipboardText("");
  w.settle();
  EXPECT_FALSE(effect->second.done(w)) << entry.name << ": so before it is given";
  bool done = false;
  w.run(entry.name, [&](ImGuiTestContext* test) {
    give(test);
    test->Yield(2);
    done = effect->second.done(w);  // the clipboard is the test's only as long as this runs
  });
  w.ui().drawFrames(2);
  if (entry.name == "Pause timing")
    comesTo(w, [](const measure::TimingSnapshot& now) { return now.state == measure::TimingState::Paused; });
  EXPECT_TRUE(done || effect->second.done(w)) << entry.name << " through " << how;
}

TEST(UiCommands, EachThroughItsMenu) {
  for (const CommandEntry& entry : commandTable(allPanels())) {
    if (hasItsOwnTest(entry.name) || entry.mode || entry.name == "Explore") continue;  // Present has no menus
    if (!isShownIn(session::Mode::Explore, entry.menu)) continue;
    expectEffect(entry, "its menu", [&](ImGuiTestContext* test) {
      test->SetRef("##bar");
      test->MenuClick((entry.menu + "/" + (entry.what ? "###" : "") + entry.name).c_str());
    });
  }
}

TEST(UiCommands, EachThroughItsKeys) {
  for (const CommandEntry& entry : commandTable(allPanels())) {
    if (hasItsOwnTest(entry.name) || entry.mode) continue;  // ui_present_test.cpp
    for (const ImGuiKeyChord keys : {entry.keys, entry.otherKeys})
      if (keys != 0)
        expectEffect(entry, keysOf(entry), [&](ImGuiTestContext* test) { test->KeyPress(keys); });
  }
}

// A click leaves Dear ImGui's focus on a button, an arrow key shows it: Space must not press that button as
// well.
TEST(UiCommands, KeysMeanTheSameAfterAClick) {
  WorkbenchUi w;
  w.run("keys after a click", [&](ImGuiTestContext* test) {
    test->ItemClick("//##transport/Play or pause");
    IM_CHECK(w.session().replay().playing());
    test->ItemClick("//##transport/Play or pause");
    IM_CHECK(!w.session().replay().playing());
    const unsigned before = w.session().replay().playhead().round;
    test->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(w.session().replay().playhead().round, before + 1);
    test->KeyPress(ImGuiKey_Space);
    IM_CHECK(w.session().replay().playing());
    test->KeyPress(ImGuiKey_Space);
    IM_CHECK(!w.session().replay().playing());
    test->ItemClick("//##transport/Step back");
    const unsigned back = w.session().replay().playhead().round;
    test->KeyPress(ImGuiKey_LeftArrow);
    test->KeyPress(ImGuiKey_Space);
    IM_CHECK(w.session().replay().playing());
    IM_CHECK_EQ(w.session().replay().playhead().round, back - 1);
  });
}

TEST(UiCommands, ACapitalLetterOrAnotherModifierIsAnotherKey) {
  WorkbenchUi w;
  w.run("modifiers", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Alt | ImGuiKey_T);
    test->KeyPress(ImGuiMod_Shift | ImGuiKey_T);
    IM_CHECK(w.session().app().settings().theme == session::ThemeName::Dark);
    IM_CHECK(w.session().app().overlay() == session::Overlay::None);
  });
}

// All of a chord may come between two frames, as a window system sends it.
TEST(UiCommands, AChordFasterThanAFrameCounts) {
  WorkbenchUi w;
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiKey_LeftCtrl, true);
  io.AddKeyEvent(ImGuiKey_Q, true);
  io.AddKeyEvent(ImGuiKey_Q, false);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  io.AddKeyEvent(ImGuiKey_LeftCtrl, false);
  w.ui().drawFrames(6);
  EXPECT_TRUE(w.session().app().quitting());
}

TEST(UiCommands, HoldingAnArrowKeySteps) {
  WorkbenchUi w({.round = 0});
  w.run("hold", [&](ImGuiTestContext* test) { test->KeyHold(ImGuiKey_RightArrow, 2); });
  EXPECT_EQ(w.session().replay().playhead().round, 9u);
}

TEST(UiCommands, TheKeyboardAloneGoesFromTheFirstToTheLastRound) {
  WorkbenchUi w;
  w.run("keyboard alone", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_Home);
    for (unsigned round = 0; round < 10; ++round) {
      IM_CHECK_EQ(w.session().replay().playhead().round, round);
      test->KeyPress(ImGuiKey_RightArrow);
    }
    IM_CHECK(w.session().replay().atLast());
    test->KeyPress(ImGuiKey_Home);
    test->KeyPress(ImGuiKey_End);
    IM_CHECK(w.session().replay().atLast());
  });
}

TEST(UiCommands, ResetLayoutPutsPanelsBack) {
  WorkbenchUi w;
  ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Lanes"));
  w.ui().drawFrames(6);
  ASSERT_TRUE(w.ui().runner().docks().wasRearranged());
  w.run("reset layout", [](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->MenuClick("View/Reset layout");
  });
  w.ui().drawFrames(6);
  EXPECT_FALSE(w.ui().runner().docks().wasRearranged());
}

TEST(UiCommands, WhatIsRunningCanBeCancelled) {
  support::FakeEngines engines;
  WorkbenchUi w({}, engines.services());
  engines.hold();
  w.session().apply(session::Choose(&model::Experiment::variant, "sequential"));
  engines.waitUntilHeld();
  w.ui().drawFrames(30);
  EXPECT_TRUE(w.shows("Cancel", "##bar"));
  w.run("cancel", [](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->MenuClick("Run/Cancel what is running");
  });
  EXPECT_FALSE(w.session().workspace().job());

  w.session().apply(session::Choose(&model::Experiment::variant, "interleaved_modulo"));
  engines.waitUntilHeld();
  w.run("by its button", [](ImGuiTestContext* test) {
    test->Yield(30);
    test->ItemClick("//##bar/##MenuBar/cancel");
  });
  EXPECT_FALSE(w.session().workspace().job());
  EXPECT_EQ(w.session().replay().run()->trace.experiment.variant, "interleaved_contiguous");
}

// Whoever starts it from a menu sees its rows move, whichever panel stood before them.
TEST(UiCommands, StartTimingBringsTheTimingsToTheFront) {
  WorkbenchUi w({.size = {1366, 768}}, timedServices());
  w.apply(session::ShowPanel{"source"});
  w.ui().drawFrames(3);
  ASSERT_EQ(w.workbench().areaOf("timings").max.x, 0);
  w.run("menu", [](ImGuiTestContext* test) {
    test->MenuClick("//##bar/Run/Start timing");
    test->Yield(5);
  });
  EXPECT_TRUE(w.session().measurements().isTiming());
  EXPECT_GT(w.workbench().areaOf("timings").max.x, 0);
  EXPECT_EQ(w.session().app().mode(), session::Mode::Explore);
}

// Who is about to open its list while a run begins does not cancel the run instead.
TEST(UiCommands, WhatExecutesStaysWhatItIsWhileARunGoesOn) {
  support::FakeEngines engines;
  WorkbenchUi w({}, engines.services());
  const auto chip = [&] {
    ImRect box;
    w.run("chip", [&](ImGuiTestContext* test) { box = test->ItemInfo("//##bar/what executes").RectFull; });
    return box;
  };
  const ImRect before = chip();
  const std::string bar = w.textsIn("##bar");
  engines.hold();
  w.session().apply(session::Choose(&model::Experiment::variant, "sequential"));
  engines.waitUntilHeld();
  for (const int frames : {2, 30}) {
    w.ui().drawFrames(frames);
    const ImRect now = chip();
    EXPECT_EQ(now.Min.x, before.Min.x);
    EXPECT_EQ(now.Max.x, before.Max.x);
    EXPECT_EQ(now.Min.y, before.Min.y);
    w.run("click", [](ImGuiTestContext* test) {
      test->ItemClick("//##bar/what executes");
      test->Yield(2);
      IM_CHECK_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1);
      test->KeyPress(ImGuiKey_Escape);
      test->Yield(2);
    });
    EXPECT_TRUE(w.session().workspace().job()) << "nothing is cancelled";
  }
  EXPECT_TRUE(w.shows("Half way 50 %", "##bar")) << w.textsIn("##bar");
  engines.letGo();
  w.settle();
  EXPECT_FALSE(w.shows("Cancel", "##bar"));
}

}  // namespace
}  // namespace stridescope::views
