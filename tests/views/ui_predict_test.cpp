// Predict with the mouse and the keys, at stride 16 of the contiguous rung: threads 0 to 7 add, in warp 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "imgui_internal.h"
#include "views/frame/command_table.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::PredictAct;
using session::PredictStep;
using teaching::Topic;
using test::UiRequest;
using test::WorkbenchUi;

UiRequest hiddenStride16() { return {.before = {session::EnterMode{session::Mode::Predict}}}; }

const std::string kQuestions = "Predict/**";  // they scroll

class UiPredict : public testing::Test {
 protected:
  WorkbenchUi ui_{hiddenStride16()};

  const session::Predict& predict() { return ui_.session().predict(); }
  unsigned round() { return ui_.session().replay().playhead().round; }
  const session::AskedQuestion& about(Topic topic) {
    return *std::ranges::find(predict().asked(), topic,
                              [](const session::AskedQuestion& asked) { return asked.question.topic; });
  }
  std::vector<unsigned> marked() {
    std::vector<unsigned> threads;
    const std::vector<bool>& marks = about(Topic::ActiveThreads).guess.marks;
    for (unsigned thread = 0; thread < marks.size(); ++thread)
      if (marks[thread]) threads.push_back(thread);
    return threads;
  }
  ImVec2 laneOf(unsigned thread) { return ui_.cellOf("lanes to mark", int(thread % 32), int(thread / 32)); }
  // What the panel says, without its lines.
  std::string said() {
    std::string texts;
    for (const draw::TextLog::Entry& entry : ui_.ui().texts().entries())
      if (entry.window.starts_with("Predict")) texts += entry.text + " ";
    return texts;
  }
  bool says(const std::string& text) { return said().find(text) != std::string::npos; }
  void click(const std::string& item) {
    ui_.run("click " + item, [&](ImGuiTestContext* test) {
      test->ItemClick(("//" + item).c_str());
      test->Yield(2);
    });
  }
  void press(ImGuiKeyChord keys) {
    ui_.run("press", [&](ImGuiTestContext* test) {
      test->KeyPress(keys);
      test->Yield(2);
    });
    ui_.settle();
  }
  void drag(ImVec2 from, ImVec2 to) {
    ui_.run("drag", [&](ImGuiTestContext* test) {
      test->MouseMoveToPos(from);
      test->MouseDown(0);
      test->Yield();
      test->MouseMoveToPos(to);
      test->MouseUp(0);
      test->Yield(2);
    });
  }
};

TEST_F(UiPredict, DraggingMarksLanes) {
  drag(laneOf(0), laneOf(7));
  EXPECT_EQ(marked(), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(ui_.shows("8 threads marked."));
  EXPECT_TRUE(says("you: 0 to 7"));
}

// One drag is one step, and so is a number that is typed without its field; within the field its own undo
// counts.
TEST_F(UiPredict, UndoTakesOneChangeBack) {
  drag(laneOf(0), laneOf(3));
  drag(laneOf(4), laneOf(7));
  const auto typed = [&] { return about(Topic::CellValues).guess.typed; };
  while (predict().asked()[predict().chosen()].question.topic != Topic::CellValues) press(ImGuiKey_DownArrow);
  ui_.run("type", [](ImGuiTestContext* test) {
    test->KeyChars("16");
    test->Yield(2);
    test->KeyChars("6");
    test->Yield(2);
  });
  ASSERT_EQ(typed(), "166");
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(typed(), "");
  EXPECT_EQ(marked().size(), 8u);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(marked().size(), 4u);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_TRUE(marked().empty());
  EXPECT_TRUE(predict().isHidden());
  for (int i = 0; i < 3; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Y);
  EXPECT_EQ(typed(), "166");
  EXPECT_EQ(marked().size(), 8u);

  ui_.run("in the field", [](ImGuiTestContext* test) {
    test->ItemClick((kQuestions + "/##value").c_str());
    test->KeyChars("7");
    test->Yield(2);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    test->Yield(2);
  });
  EXPECT_EQ(typed(), "166");
  EXPECT_EQ(marked().size(), 8u) << "the field's undo is not the window's";
}

TEST_F(UiPredict, ADragOverRowsLeavesNoGap) {
  drag(laneOf(0), laneOf(7 * 32));
  const std::vector<unsigned> threads = marked();
  ASSERT_EQ(threads.size(), 8u);
  for (unsigned warp = 0; warp < 8; ++warp) EXPECT_EQ(threads[warp], 32 * warp);
}

TEST_F(UiPredict, AClickTakesAMarkAwayAndADragThatBeginsOnOneToo) {
  drag(laneOf(0), laneOf(15));
  drag(laneOf(3), laneOf(3));
  EXPECT_EQ(marked().size(), 15u);
  EXPECT_EQ(std::ranges::count(marked(), 3u), 0);
  drag(laneOf(8), laneOf(15));
  EXPECT_EQ(marked(), (std::vector<unsigned>{0, 1, 2, 4, 5, 6, 7}));
}

TEST_F(UiPredict, TheLabelOfAWarpMarksAllOfIt) {
  const ImVec2 lane = laneOf(33), label{lane.x - (laneOf(34).x - lane.x) * 2, lane.y};
  drag(label, label);
  ASSERT_EQ(marked().size(), 32u);
  EXPECT_EQ(marked().front(), 32u);
  drag(label, label);
  EXPECT_TRUE(marked().empty());
}

TEST_F(UiPredict, MMarksWhatIsPointedAt) {
  ui_.run("point", [&](ImGuiTestContext* test) { test->MouseMoveToPos(laneOf(5)); });
  press(ImGuiKey_M);
  EXPECT_EQ(marked(), (std::vector<unsigned>{5}));
  EXPECT_TRUE(ui_.shows("marked", "##transport"));
  press(ImGuiKey_M);
  EXPECT_TRUE(marked().empty());
}

// F6 gives the arrow keys to Lanes.
TEST_F(UiPredict, LanesAreMarkedByTheKeyboardAlone) {
  ui_.apply(session::FocusPart{"lanes"});
  ui_.ui().drawFrames(8);
  for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_RightArrow}) press(key);
  ASSERT_TRUE(ui_.session().replay().hoveredThread());
  const unsigned first = *ui_.session().replay().hoveredThread();
  press(ImGuiKey_M);
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);
  EXPECT_EQ(marked(), (std::vector<unsigned>{first, first + 32}));
  EXPECT_TRUE(predict().isHidden()) << "in a map Enter is the click on a cell";
  press(ImGuiKey_Escape);
  press(ImGuiKey_Enter);
  EXPECT_FALSE(predict().isHidden());
}

// Tab goes from chip to chip and into the field; Enter presses.
TEST_F(UiPredict, QuestionsAreAnsweredByTheKeyboardAlone) {
  ui_.apply(session::FocusPart{"predict"});
  ui_.ui().drawFrames(8);
  std::set<std::string> answered;
  ui_.run("tab and space", [&](ImGuiTestContext* test) {
    for (int stops = 0; stops < 40 && answered.size() < 3; ++stops) {
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(3);
      if (ImGui::GetIO().WantTextInput)
        test->KeyChars("496");
      else
        test->KeyPress(ImGuiKey_Space);
      test->Yield(2);
      for (const session::AskedQuestion& asked : predict().asked())
        if (asked.guess.answered) answered.insert(asked.question.text);
    }
  });
  EXPECT_EQ(answered.size(), 3u);
}

TEST_F(UiPredict, ChipsAnswer) {
  click(kQuestions + "/W0");
  click(kQuestions + "/W3");
  click(kQuestions + "/8 ways");
  EXPECT_EQ(about(Topic::PartialWarps).guess.marks,
            (std::vector<bool>{true, false, false, true, false, false, false, false}));
  EXPECT_EQ(about(Topic::ConflictWays).guess.way, 8u);
  click(kQuestions + "/W3");
  EXPECT_EQ(std::ranges::count(about(Topic::PartialWarps).guess.marks, true), 1);
  click(kQuestions + "/no thread");
  EXPECT_TRUE(about(Topic::ActiveThreads).guess.answered);
  click(kQuestions + "/no warp");
  EXPECT_EQ(std::ranges::count(about(Topic::PartialWarps).guess.marks, true), 0);
  EXPECT_TRUE(about(Topic::PartialWarps).guess.answered);
  EXPECT_TRUE(predict().isHidden());
}

// The letters of a value are no commands but H, and Enter reveals.
TEST_F(UiPredict, AValueIsTyped) {
  ui_.run("type", [&](ImGuiTestContext* test) {
    test->ItemClick("//Predict/**/##value");
    test->KeyChars("13s4h");
    test->Yield(2);
    IM_CHECK_STR_EQ(about(Topic::CellValues).guess.typed.c_str(), "134");
    IM_CHECK(predict().isHidden());
    test->KeyPress(ImGuiKey_Backspace);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
  });
  EXPECT_EQ(about(Topic::CellValues).guess.typed, "13");
  EXPECT_TRUE(predict().isJudged());
  EXPECT_EQ(about(Topic::CellValues).hints.size(), 1u);
}

// Digits belong to the question that is chosen, and choose no variant there.
TEST_F(UiPredict, AValueIsTypedWithoutItsField) {
  const std::string variant = ui_.session().workspace().experiment().variant;
  for (int i = 0; i < 3; ++i) press(ImGuiKey_DownArrow);
  ASSERT_EQ(predict().asked()[predict().chosen()].question.topic, Topic::CellValues);
  ui_.run("type", [&](ImGuiTestContext* test) {
    test->KeyChars("-166");
    test->KeyPress(ImGuiKey_1);
    test->KeyPress(ImGuiKey_Backspace);
    test->Yield(2);
  });
  EXPECT_EQ(about(Topic::CellValues).guess.typed, "-16");
  EXPECT_EQ(ui_.session().workspace().experiment().variant, variant);
  press(ImGuiKey_Enter);
  EXPECT_TRUE(predict().isJudged());
  ui_.run("a variant", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_1); });
  ui_.settle();
  EXPECT_NE(ui_.session().workspace().experiment().variant, variant) << "nothing is typed any more";
}

// What was said of every question, and the score, also where they have less room than they need.
TEST_F(UiPredict, TheKeyboardComesToAllThatWasRevealed) {
  press(ImGuiKey_Enter);
  const std::size_t last = predict().asked().size() - 1;
  for (std::size_t i = predict().chosen(); i < last; ++i) press(ImGuiKey_DownArrow);
  EXPECT_EQ(predict().chosen(), last);
  press(ImGuiKey_UpArrow);
  EXPECT_EQ(predict().chosen(), last - 1);
}

// A lesson tells what its variant does.
TEST_F(UiPredict, TheLessonIsFoldedUntilTheRoundIsRevealed) {
  ui_.apply(session::ShowOverlay{session::Overlay::Lesson});
  EXPECT_NE(test::spoken(ui_).find("It is folded until the round"), std::string::npos)
      << ui_.textsIn("Lesson");
  EXPECT_FALSE(ui_.shows("bank", "Lesson")) << ui_.textsIn("Lesson");
  press(ImGuiKey_Enter);
  EXPECT_TRUE(ui_.shows("bank", "Lesson")) << ui_.textsIn("Lesson");
  press(ImGuiKey_RightArrow);
  EXPECT_FALSE(ui_.shows("bank", "Lesson"));
  click("Lesson/Read it all the same");
  EXPECT_TRUE(ui_.shows("bank", "Lesson"));
}

// A word of the caption is clicked while a round is asked about: the questions, the map that is marked, and
// the text stand beside one another.
TEST(UiPredictInASmallWindow, WhatIsAskedStaysInSightBesideTheGlossary) {
  for (const shell::PixelSize size : {shell::PixelSize{1366, 768}, {1280, 720}}) {
    SCOPED_TRACE(size.width);
    WorkbenchUi ui({.size = size, .before = {session::EnterMode{session::Mode::Predict}}});
    ui.ui().drawFrames(12);
    ui.apply(session::ShowOverlay{session::Overlay::Glossary, "thread"});
    ui.ui().drawFrames(12);
    EXPECT_TRUE(ui.shows("thread", "Glossary"));
    for (const char* panel : {"predict", "lanes"}) EXPECT_GT(ui.workbench().areaOf(panel).max.x, 0) << panel;
    EXPECT_GE(ImGui::FindWindowByName("Glossary")->Size.x, 260);
    EXPECT_TRUE(ui.hasRoom("Predict"));
    ui.apply(session::ShowOverlay{session::Overlay::Glossary});
    ui.ui().drawFrames(12);
    for (const char* panel : {"predict", "lanes"}) EXPECT_GT(ui.workbench().areaOf(panel).max.x, 0) << panel;
  }
}

// Where each element has room for its number, the axis above the rounds before has it over the element. The
// data are 0 to 7, so that element 6 holds 6 after the load.
TEST(UiPredictInASmallWindow, NumbersOfWideElementsStandOverThem) {
  WorkbenchUi ui({.variant = "warm_up",
                  .round = 1,
                  .threads = 8,
                  .size = {1366, 768},
                  .before = {session::EnterMode{session::Mode::Predict}}});
  ui.ui().drawFrames(12);
  std::vector<std::pair<float, float>> places;  // from above: where it stands, and its middle
  for (const draw::TextLog::Entry& entry : ui.ui().texts().entries())
    if (entry.text == "6" && entry.window.starts_with("Shared memory"))
      places.emplace_back(entry.min.y, (entry.min.x + entry.max.x) / 2);
  std::ranges::sort(places);
  ASSERT_GE(places.size(), 2u);
  EXPECT_GT(places[1].first, places[0].first + 10);
  EXPECT_NEAR(places[0].second, places[1].second, 1);
}

// The room of what cannot be read is the questions'.
TEST(UiPredictInASmallWindow, AFoldedLessonIsNarrow) {
  WorkbenchUi ui({.size = {1366, 768}, .before = {session::EnterMode{session::Mode::Predict}}});
  const auto widthOf = [&](const char* panel) {
    ui.ui().drawFrames(12);
    const PanelArea area = ui.workbench().areaOf(panel);
    return area.max.x - area.min.x;
  };
  const float without = widthOf("predict");
  ui.apply(session::ShowOverlay{session::Overlay::Lesson});
  EXPECT_GT(widthOf("predict"), without * 0.8f);
  EXPECT_LT(ImGui::FindWindowByName("Lesson")->Size.x, 1366 * 0.14f);
  EXPECT_TRUE(ui.hasRoom("Lesson"));
  ui.run("reveal", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Enter); });
  ui.settle();
  EXPECT_GT(widthOf("predict"), without * 0.8f) << "the answers stay in sight";
  ui.run("read", [](ImGuiTestContext* test) { test->ItemClick("//Lesson/Read it"); });
  ui.settle();
  EXPECT_GT(ImGui::FindWindowByName("Lesson")->Size.x, 1366 * 0.2f);
  EXPECT_TRUE(ui.shows("bank", "Lesson"));
}

TEST(UiPredictInASmallWindow, TheFocusedPanelScrollsToTheScore) {
  WorkbenchUi ui({.size = {1280, 720}, .before = {session::EnterMode{session::Mode::Predict}}});
  ui.run("reveal", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Enter); });
  ui.settle();
  ui.apply(session::FocusPart{"predict"});
  ui.ui().drawFrames(4);
  ui.run("down", [](ImGuiTestContext* test) {
    for (int i = 0; i < 12; ++i) test->KeyPress(ImGuiKey_DownArrow);
  });
  ui.ui().drawFrames(4);
  const ImGuiWindow* questions = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string_view(window->Name).find("/questions_") != std::string_view::npos)
      questions = window;
  ASSERT_NE(questions, nullptr);
  ASSERT_GT(questions->ScrollMax.y, 0) << "all of it has room";
  EXPECT_GE(questions->Scroll.y, questions->ScrollMax.y - 1);
}

TEST_F(UiPredict, TheKeysOfARound) {
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(round(), 5u);
  EXPECT_TRUE(ui_.shows("Next is stride 16. It is hidden: reveal it with Enter, or skip it with S."));
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_H);
  EXPECT_EQ(predict().asked()[1].hints.size(), 1u);
  EXPECT_TRUE(says("Hint 1:"));
  press(ImGuiKey_Enter);
  EXPECT_TRUE(predict().isJudged());
  press(ImGuiKey_R);
  EXPECT_TRUE(predict().isHidden());
  press(ImGuiKey_S);
  EXPECT_EQ(round(), 6u);
  EXPECT_TRUE(predict().isHidden());
  press(ImGuiKey_LeftArrow);
  EXPECT_EQ(round(), 5u);
  EXPECT_TRUE(says("Nothing was asked about this round."));
  press(ImGuiKey_E);
  EXPECT_EQ(ui_.session().app().mode(), session::Mode::Explore);
}

TEST_F(UiPredict, TheButtonsOfARound) {
  click("Predict/Hint");
  EXPECT_EQ(predict().asked()[0].hints.size(), 1u);
  click("Predict/Reveal");
  EXPECT_TRUE(predict().isJudged());
  click("Predict/Try again");
  EXPECT_TRUE(predict().isHidden());
  click("Predict/Skip");
  EXPECT_EQ(round(), 6u);
  click("Predict/Reveal");
  click("Predict/Next round");
  EXPECT_EQ(round(), 7u);
  EXPECT_TRUE(predict().isHidden());
}

// Ticks on what is right, crosses on what is wrong, dashes on what was missed; the cells below say which
// lanes were active.
TEST_F(UiPredict, TheRevealedRoundShowsTheMarksOverTheAnswer) {
  drag(laneOf(0), laneOf(6));
  drag(laneOf(8), laneOf(8));
  EXPECT_EQ(ui_.ui().findGrid("lanes"), nullptr);
  press(ImGuiKey_Enter);
  ASSERT_NE(ui_.ui().findGrid("lanes"), nullptr);
  EXPECT_EQ(ui_.ui().findGrid("lanes to mark"), nullptr);
  for (const char* text : {"right", "wrong", "missed"}) EXPECT_TRUE(ui_.shows(text, "Lanes")) << text;
  EXPECT_TRUE(says("1 mark wrong, 1 missed"));
  EXPECT_TRUE(ui_.shows("Stride 16: the first 8 of 256 threads add", "##transport"));
  EXPECT_TRUE(says("Thread 8 has index = 2 * 16 * 8 = 256.")) << said();
  ui_.run("point", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(ui_.cellOf("lanes", 8, 0));
    test->Yield(2);
  });
  EXPECT_TRUE(ui_.shows("marked, but not active", "##transport"));
}

TEST_F(UiPredict, TheScoreStandsBelow) {
  drag(laneOf(0), laneOf(7));
  click(kQuestions + "/W1");
  press(ImGuiKey_Enter);
  EXPECT_TRUE(says("active threads 1 of 1")) << said();
  EXPECT_TRUE(says("partial warps 0 of 1")) << said();
}

// After the last round: what was right, by kind, where it was wrong, and what to step next.
TEST_F(UiPredict, ASumFollowsTheLastRound) {
  drag(laneOf(0), laneOf(7));
  press(ImGuiKey_Enter);
  press(ImGuiKey_RightArrow);
  drag(laneOf(0), laneOf(7));  // of which four add
  click(kQuestions + "/W0");
  press(ImGuiKey_Enter);
  press(ImGuiKey_RightArrow);
  for (int i = 0; i < 4; ++i) press(ImGuiKey_S);
  ASSERT_EQ(round(), 9u);
  EXPECT_FALSE(says("You have predicted"));
  click("Predict/Sum up");
  EXPECT_TRUE(says("You have predicted 2 of 10 rounds: 2 of 3 answers are right.")) << said();
  EXPECT_TRUE(says("active threads: 1 of 2 right; wrong at stride 32.")) << said();
  EXPECT_TRUE(says("partial warps: 1 of 1 right.")) << said();
  EXPECT_FALSE(says("conflict ways: 0 of 0"));
  EXPECT_TRUE(says("Next: active threads. Try this variant again from stride 32")) << said();
  EXPECT_TRUE(says("Ask me in another variant")) << said();
  EXPECT_FALSE(says("Nothing was asked about this round."));
  press(ImGuiKey_LeftArrow);
  EXPECT_FALSE(says("You have predicted"));
  press(ImGuiKey_RightArrow);
  click("Predict/Next variant");
  ui_.settle();
  EXPECT_EQ(ui_.session().workspace().experiment().variant, "sequential");
  EXPECT_EQ(round(), 0u);
  EXPECT_TRUE(predict().isHidden()) << "from its first round on";
}

TEST_F(UiPredict, HasNoOtherPanels) {
  for (const char* panel : {"Ladder", "Lane utilization", "Timings"}) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(panel);
    EXPECT_TRUE(window == nullptr || !window->WasActive) << panel;
  }
}

// A panel that the mode does not have is shown in Explore.
TEST_F(UiPredict, AnotherPanelLeadsToExplore) {
  ui_.apply(session::ShowPanel{"timings"});
  EXPECT_EQ(ui_.session().app().mode(), session::Mode::Explore);
  ui_.apply(session::ShowPanel{"predict"});
  EXPECT_EQ(ui_.session().app().mode(), session::Mode::Predict);
}

// What a person arranged in one mode is there when it comes back.
TEST_F(UiPredict, EachModeKeepsItsPanels) {
  ui_.apply(session::HidePanel{"banks"});
  ui_.apply(session::EnterMode{session::Mode::Explore});
  const auto at = [](const char* name) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(name);
    return ImRect(window->Pos, window->Pos + window->Size);
  };
  const ImRect lanes = at("Lanes"), memory = at("Shared memory");
  ui_.apply(session::EnterMode{session::Mode::Predict});
  EXPECT_NE(at("Lanes").GetWidth(), lanes.GetWidth());
  ui_.apply(session::EnterMode{session::Mode::Explore});
  EXPECT_EQ(at("Lanes").GetWidth(), lanes.GetWidth());
  EXPECT_EQ(at("Lanes").Min.x, lanes.Min.x);
  EXPECT_EQ(at("Shared memory").GetSize().y, memory.GetSize().y);
}

TEST(UiPredictTabs, EnterAndLeave) {
  WorkbenchUi ui;
  ui.run("enter", [](ImGuiTestContext* test) { test->ItemClick("//##bar/##MenuBar/mode Predict"); });
  ui.settle();
  EXPECT_TRUE(ui.session().predict().isHidden());
  EXPECT_TRUE(ui.shows("Next is stride 16. Mark the threads that will add, then reveal."));
  ui.run("leave", [](ImGuiTestContext* test) { test->ItemClick("//##bar/##MenuBar/mode Explore"); });
  ui.settle();
  EXPECT_FALSE(ui.session().predict().isOn());
}

// A round with a race: its values are not asked.
TEST(UiPredictRaces, AreNotAskedAbout) {
  WorkbenchUi ui(
      {.variant = "missing_barrier", .round = 0, .before = {session::EnterMode{session::Mode::Predict}}});
  ASSERT_TRUE(ui.session().predict().isHidden());
  for (const session::AskedQuestion& asked : ui.session().predict().asked())
    EXPECT_NE(asked.question.topic, Topic::CellValues);
  EXPECT_FALSE(ui.shows("race"));
  EXPECT_FALSE(ui.shows("Race"));
  ui.apply(PredictStep{.act = PredictAct::Reveal});
  EXPECT_TRUE(ui.shows("A race shows in pass 2"));
}

// What cannot be undone is asked about; whatever has the keyboard but the button itself, Enter is no.
TEST_F(UiPredict, TheScoreIsDeletedBehindAQuestionAlone) {
  const auto asked = [&] { return predict().score().of(Topic::ActiveThreads).asked; };
  const auto isOpen = [&] { return ui_.session().app().overlay() == session::Overlay::DeleteScore; };
  const auto answer = [&](std::initializer_list<ImGuiKey> keys) {
    ui_.run("delete", [&](ImGuiTestContext* test) {
      test->SetRef("##bar");
      test->MenuClick("Predict/Delete the score...");
      test->Yield(4);
      IM_CHECK(isOpen());
      IM_CHECK(ui_.shows("1 of 1 answer was right.", "Delete the score?"));
      for (const ImGuiKey key : keys) {
        test->KeyPress(key);
        test->Yield(3);
      }
      IM_CHECK(!isOpen());
    });
    ui_.settle();
  };
  ui_.apply(PredictStep{.act = PredictAct::Mark, .question = 0, .first = 0, .last = 7});
  press(ImGuiKey_Enter);
  ASSERT_EQ(asked(), 1u);
  for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_Escape, ImGuiKey_Space}) {
    answer({key});
    EXPECT_EQ(asked(), 1u) << ImGui::GetKeyName(key);
  }
  answer({ImGuiKey_RightArrow, ImGuiKey_Enter});
  EXPECT_EQ(asked(), 0u);
  EXPECT_EQ(ui_.session().app().loneRemark(), "The score is deleted.");
}

}  // namespace
}  // namespace stridescope::views
