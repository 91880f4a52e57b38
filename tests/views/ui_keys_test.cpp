// The keyboard reaches every part of the window: F6 and Ctrl+Tab go through the parts, arrows through the
// cells of a map, Tab through the fields of the experiment bar.
#include <gtest/gtest.h>

#include <set>

#include "imgui_internal.h"
#include "timings_fixture.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Hover;
using session::HoverKind;
using test::WorkbenchUi;

const std::string& focused(WorkbenchUi& w) { return w.session().app().focused(); }

Hover hoverNow(WorkbenchUi& w) { return w.session().replay().hover().value_or(Hover{HoverKind::Round, 999}); }

// Gives the keyboard to a panel and waits until its cells are there.
void focus(WorkbenchUi& w, const std::string& part) {
  w.session().apply(session::FocusPart{part});
  w.ui().drawFrames(8);
}

void press(WorkbenchUi& w, const std::vector<ImGuiKeyChord>& chords) {
  w.run("keys", [&](ImGuiTestContext* test) {
    for (const ImGuiKeyChord chord : chords) {
      test->KeyPress(chord);
      test->Yield(3);
    }
  });
}

const std::vector<std::string> kStops{
    "ladder",  "shared_memory",  "lanes",    "divergence", "banks", "source",        "machine_code",
    "timings", "block_timeline", "timeline", "counters",   "why",   "experiment bar"};

TEST(UiKeys, F6AndCtrlTabGoThroughThePartsOfTheWindow) {
  WorkbenchUi w;
  for (const ImGuiKeyChord next : {ImGuiKeyChord(ImGuiKey_F6), ImGuiMod_Ctrl | ImGuiKey_Tab}) {
    focus(w, "");
    for (const std::string& stop : kStops) {
      press(w, {next});
      EXPECT_EQ(focused(w), stop);
    }
    press(w, {next});
    EXPECT_EQ(focused(w), kStops.front());
    press(w, {next | ImGuiMod_Shift});
    EXPECT_EQ(focused(w), kStops.back());
    press(w, {next | ImGuiMod_Shift});
    EXPECT_EQ(focused(w), "why");
    press(w, {ImGuiKey_Escape});
    EXPECT_EQ(focused(w), "");
  }
}

TEST(UiKeys, AHiddenPanelIsLeftOutAndAMessageIsAStop) {
  WorkbenchUi w;
  w.apply(session::HidePanel{"ladder"});
  press(w, {ImGuiKey_F6});
  EXPECT_EQ(focused(w), "shared_memory");
  w.apply(session::HidePanel{"shared_memory"});
  EXPECT_EQ(focused(w), "") << "it went with its panel";
  w.workbench().onDrop("/nowhere/none.stride");
  w.settle();
  focus(w, "");
  w.run("dismiss by the keyboard", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Shift | ImGuiKey_F6);
    test->Yield(3);
    IM_CHECK_STR_EQ(focused(w).c_str(), "message");
    IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, test->GetID("//##message/Dismiss"));
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
  });
  EXPECT_FALSE(w.session().app().message());
  EXPECT_EQ(focused(w), "");
}

TEST(UiKeys, APanelBehindATabComesToTheFront) {
  WorkbenchUi w({.size = {1280, 720}});
  const auto isInFront = [&](const char* id) {
    const PanelArea area = w.workbench().areaOf(id);
    return area.max.x > area.min.x;
  };
  ASSERT_FALSE(isInFront("divergence") && isInFront("lanes"));
  for (const char* id : {"lanes", "divergence", "banks", "lanes"}) {
    focus(w, id);
    EXPECT_TRUE(isInFront(id)) << id;
  }
}

// Dear ImGui's own list calls some windows (Untitled).
TEST(UiKeys, CtrlTabListsThePartsByName) {
  WorkbenchUi w;
  w.run("held", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_Tab);  // in the bar, where Dear ImGui has the keys
    test->Yield(3);
    test->KeyDown(ImGuiMod_Ctrl);
    test->KeyPress(ImGuiKey_Tab);
    test->Yield(3);
    IM_CHECK(ImGui::GetCurrentContext()->NavWindowingTarget == nullptr);
    IM_CHECK_STR_EQ(
        w.textsIn("Parts of the window").c_str(),
        "Ladder\nShared memory\nLanes\nLane utilization\nBanks\nSource\nMachine code\nTimings\nBlock "
        "timeline\nTimeline\nCounters\nWhy\nExperiment bar\n");
    IM_CHECK(!w.shows("Untitled"));
    test->KeyUp(ImGuiMod_Ctrl);
    test->Yield(3);
    IM_CHECK_STR_EQ(w.textsIn("Parts of the window").c_str(), "");
  });
  EXPECT_EQ(focused(w), "ladder");
}

// Vertices of a window's list outside of a rectangle, in a colour.
bool drawsOutside(const ImGuiWindow& window, ImVec2 min, ImU32 colour) {
  for (const ImDrawVert& vertex : window.DrawList->VtxBuffer)
    if (vertex.col == colour && vertex.pos.x < min.x - 1) return true;
  return false;
}

TEST(UiKeys, TheFocusIsSeenRoundThePanel) {
  for (const session::ThemeName theme : {session::ThemeName::Dark, session::ThemeName::Light}) {
    session::Settings settings;
    settings.theme = theme;
    WorkbenchUi w({.settings = settings});
    const ImU32 text = w.ui().runner().drawContext().colours().text;
    for (const auto& [id, name] : {std::pair{"lanes", "Lanes"}, std::pair{"shared_memory", "Shared memory"},
                                   std::pair{"source", "Source"}, std::pair{"machine_code", "Machine code"},
                                   std::pair{"timings", "Timings"}}) {
      const ImGuiWindow& window = *ImGui::FindWindowByName(name);
      focus(w, "");
      EXPECT_FALSE(drawsOutside(window, window.Pos, text)) << name;
      focus(w, id);
      EXPECT_TRUE(drawsOutside(window, window.Pos, text)) << name;
    }
  }
}

TEST(UiKeys, ArrowsMoveTheHoverInLanesAndEnterPinsIt) {
  WorkbenchUi w;
  const unsigned round = w.session().replay().playhead().round;
  w.apply(session::PointAt{session::hoverThread(5)});
  focus(w, "lanes");
  press(w, {ImGuiKey_RightArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(6)) << "it goes on from what is hovered";
  press(w, {ImGuiKey_DownArrow, ImGuiKey_LeftArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(37));
  press(w, {ImGuiKey_Enter});
  EXPECT_TRUE(w.session().replay().pinned());
  press(w, {ImGuiKey_Enter});
  EXPECT_FALSE(w.session().replay().pinned());
  EXPECT_EQ(hoverNow(w), session::hoverThread(37)) << "released, and still pointed at";
  press(w, {ImGuiKey_Enter, ImGuiKey_Escape});
  EXPECT_FALSE(w.session().replay().pinned());
  EXPECT_EQ(focused(w), "lanes");
  EXPECT_EQ(w.session().replay().playhead().round, round) << "no arrow stepped";
  press(w, {ImGuiKey_PageDown});
  EXPECT_EQ(w.session().replay().playhead().round, round + 1);
  press(w, {ImGuiKey_Escape, ImGuiKey_LeftArrow});
  EXPECT_EQ(w.session().replay().playhead().round, round) << "the arrows step again";
}

TEST(UiKeys, AHeldArrowGoesOnAndStopsAtTheEdge) {
  WorkbenchUi w;
  w.apply(session::PointAt{session::hoverThread(64)});
  focus(w, "lanes");
  w.run("hold", [&](ImGuiTestContext* test) { test->KeyHold(ImGuiKey_RightArrow, 4); });
  EXPECT_EQ(hoverNow(w), session::hoverThread(95));
}

// Left of a map stand the labels of its rows, above it those of its columns, below it the next map.
TEST(UiKeys, ArrowsGoFromMapToMapOfAPanel) {
  WorkbenchUi w;
  w.apply(session::PointAt{session::hoverThread(32)});
  focus(w, "lanes");
  press(w, {ImGuiKey_LeftArrow});
  EXPECT_EQ(hoverNow(w), (Hover{HoverKind::Warp, 1}));
  press(w, {ImGuiKey_DownArrow, ImGuiKey_RightArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(64));

  w.apply(session::PointAt{session::hoverThread(1)});
  focus(w, "banks");
  press(w, {ImGuiKey_DownArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(2)) << "16 lanes, of which these two ask bank 0 and 16";
  press(w, {ImGuiKey_UpArrow, ImGuiKey_UpArrow, ImGuiKey_UpArrow});
  EXPECT_EQ(hoverNow(w), (Hover{HoverKind::Bank, 0})) << "the bank numbers stand above";
  press(w, {ImGuiKey_RightArrow});
  EXPECT_EQ(hoverNow(w), (Hover{HoverKind::Bank, 1}));
}

TEST(UiKeys, ArrowsMoveTheHoverInSharedMemory) {
  WorkbenchUi w;
  w.apply(session::PointAt{session::hoverThread(3)});
  focus(w, "shared_memory");
  press(w, {ImGuiKey_RightArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(4));
  press(w, {ImGuiKey_UpArrow});
  EXPECT_EQ(hoverNow(w).kind, HoverKind::Element);
  const std::uint64_t element = hoverNow(w).index;
  EXPECT_TRUE(element == 64 || element == 72) << element << ": thread 4 adds data[72] to data[64]";
  press(w, {ImGuiKey_DownArrow, ImGuiKey_DownArrow});
  EXPECT_EQ(hoverNow(w), (Hover{HoverKind::Element, 64})) << "its result";
  press(w, {ImGuiKey_UpArrow, ImGuiKey_UpArrow, ImGuiKey_UpArrow});
  EXPECT_EQ(hoverNow(w).kind, HoverKind::Element) << "the row of the round before";
  EXPECT_EQ(w.session().replay().playhead().round, 4u);
}

TEST(UiKeys, ArrowsMoveTheHoverInLaneUtilizationAndEnterGoesToTheRound) {
  WorkbenchUi w;
  w.apply(session::PointAt{Hover{HoverKind::Warp, 0}});
  focus(w, "divergence");
  press(w, {ImGuiKey_DownArrow});
  EXPECT_EQ(hoverNow(w), (Hover{HoverKind::Warp, 1}));
  press(w, {ImGuiKey_RightArrow, ImGuiKey_Enter});
  EXPECT_EQ(w.session().replay().playhead().round, 5u) << "as a click on the cell does";
  press(w, {ImGuiKey_UpArrow, ImGuiKey_UpArrow});
  EXPECT_EQ(hoverNow(w), (Hover{HoverKind::Round, 5}));
}

TEST(UiKeys, ArrowsMoveTheHoverInTheStridesMap) {
  WorkbenchUi w;
  focus(w, "banks");
  w.run("down to the strides", [&](ImGuiTestContext* test) {
    for (int i = 0; i < 18; ++i) test->KeyPress(ImGuiKey_DownArrow);
    test->Yield(2);
    IM_CHECK(hoverNow(w).kind == HoverKind::Bank);
    const std::uint64_t bank = hoverNow(w).index;
    test->KeyPress(ImGuiKey_RightArrow);
    test->Yield(2);
    IM_CHECK_EQ(hoverNow(w).index, bank + 1);
    test->KeyPress(ImGuiKey_DownArrow, 20);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
  });
  EXPECT_EQ(w.session().replay().playhead().round, 8u) << "the lowest row is the last stride";
}

TEST(UiKeys, ArrowsGoThroughTheLadderAndEnterChooses) {
  WorkbenchUi w;
  focus(w, "ladder");
  press(w, {ImGuiKey_DownArrow, ImGuiKey_DownArrow});
  EXPECT_EQ(w.session().workspace().experiment().variant, "interleaved_contiguous");
  press(w, {ImGuiKey_Enter});
  EXPECT_EQ(w.session().workspace().experiment().variant, "sequential") << "two rows further";
}

TEST(UiKeys, ArrowsGoThroughTheAccessesInSource) {
  WorkbenchUi w;
  focus(w, "source");
  press(w, {ImGuiKey_DownArrow});
  ASSERT_EQ(hoverNow(w).kind, HoverKind::Site);
  const std::uint64_t first = hoverNow(w).index;
  press(w, {ImGuiKey_DownArrow, ImGuiKey_RightArrow});
  ASSERT_EQ(hoverNow(w).kind, HoverKind::Site);
  EXPECT_NE(hoverNow(w).index, first);
  press(w, {ImGuiKey_Enter});
  EXPECT_TRUE(w.session().replay().pinned());
}

TEST(UiKeys, ArrowsGoThroughTheLanesOfAShuffle) {
  WorkbenchUi w({.variant = "warp_shuffle", .round = 2});
  ASSERT_FALSE(w.session().replay().round().exchanges.empty());
  w.apply(session::PointAt{session::hoverThread(4)});
  focus(w, "shared_memory");
  press(w, {ImGuiKey_RightArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(5));
}

// A pointer that rests on a map says nothing until it moves.
TEST(UiKeys, AnArrowCountsThoughThePointerRestsOnTheMap) {
  WorkbenchUi w;
  const ImVec2 cell = w.cellOf("lanes", 3, 2), other = w.cellOf("lanes", 9, 5);
  w.run("rest", [&](ImGuiTestContext* test) { test->MouseMoveToPos(cell); });
  focus(w, "lanes");
  EXPECT_EQ(hoverNow(w), session::hoverThread(2 * 32 + 3));
  press(w, {ImGuiKey_RightArrow, ImGuiKey_RightArrow});
  w.ui().drawFrames(5);
  EXPECT_EQ(hoverNow(w), session::hoverThread(2 * 32 + 5));
  w.run("move", [&](ImGuiTestContext* test) { test->MouseMoveToPos(other); });
  w.ui().drawFrames(2);
  EXPECT_EQ(hoverNow(w), session::hoverThread(5 * 32 + 9));
}

TEST(UiKeys, AClickGivesTheArrowsBackToStepping) {
  WorkbenchUi w;
  focus(w, "lanes");
  w.run("click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("lanes", 3, 2));
    test->MouseClick();
    test->Yield(2);
    test->KeyPress(ImGuiKey_RightArrow);
  });
  EXPECT_EQ(focused(w), "");
  EXPECT_EQ(w.session().replay().playhead().round, 5u);
}

TEST(UiKeys, TabGoesThroughTheFieldsOfTheBar) {
  WorkbenchUi w;
  w.run("tab", [&](ImGuiTestContext* test) {
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    for (const char* field : {"##variant", "##type", "##operator", "##block size"}) {
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(3);
      IM_CHECK_STR_EQ(focused(w).c_str(), "experiment bar");
      IM_CHECK(imgui.NavCursorVisible);
      IM_CHECK_EQ(imgui.NavId, test->GetID((std::string("//##bar/") + field).c_str()));
      IM_CHECK_EQ(imgui.OpenPopupStack.Size, 0);
    }
    test->KeyPress(ImGuiMod_Shift | ImGuiKey_Tab);
    test->Yield(3);
    IM_CHECK_EQ(imgui.NavId, test->GetID("//##bar/##operator"));
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
    IM_CHECK_EQ(imgui.OpenPopupStack.Size, 1);
    test->KeyPress(ImGuiKey_DownArrow);
    test->KeyPress(ImGuiKey_DownArrow);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
    IM_CHECK_EQ(imgui.OpenPopupStack.Size, 0);
  });
  w.settle();
  EXPECT_NE(w.session().workspace().experiment().op, model::Operator::Add);
  EXPECT_EQ(w.session().replay().playhead().round, 4u) << "no arrow stepped";
  EXPECT_FALSE(w.session().replay().playing());
  press(w, {ImGuiKey_Escape, ImGuiKey_RightArrow});
  EXPECT_EQ(w.session().replay().playhead().round, 5u);
}

TEST(UiKeys, AltGoesFromTheBarToTheMenus) {
  WorkbenchUi w;
  w.run("menus", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_Tab);
    test->Yield(3);
    test->KeyPress(ImGuiMod_Alt);
    test->Yield(3);
    for (int i = 0; i < 3; ++i) test->KeyPress(ImGuiKey_RightArrow);
    for (int i = 0; i < 6; ++i) test->KeyPress(ImGuiKey_DownArrow);
    test->Yield(3);
    test->KeyPress(ImGuiKey_Enter);  // View: Switch theme, behind the modes and Compare with the one before
    test->Yield(3);
  });
  EXPECT_EQ(w.session().app().settings().theme, session::ThemeName::Light);
  EXPECT_EQ(w.session().replay().playhead().round, 4u) << "no arrow stepped";
}

TEST(UiKeys, TheLastFieldIsWhatExecutes) {
  WorkbenchUi w;
  focus(w, "experiment bar");
  w.run("to the engines", [&](ImGuiTestContext* test) {
    const ImGuiID chip = test->GetID("//##bar/what executes");
    for (int i = 0; i < 12 && ImGui::GetCurrentContext()->NavId != chip; ++i) {
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(3);
    }
    IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, chip);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
    IM_CHECK_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1);
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
    IM_CHECK_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 0);
  });
  EXPECT_EQ(focused(w), "experiment bar") << "Escape closed the list alone";
}

TEST(UiKeys, TabGoesThroughTheControlsOfTimings) {
  WorkbenchUi w({},
                test::timedServices(test::handMadeBoard({.gpu = false, .repetitions = 1'000'000}), false));
  w.apply(session::StartTiming{});
  w.run("timings", [&](ImGuiTestContext* test) {
    for (int i = 0; i < 6; ++i) test->KeyPress(ImGuiMod_Shift | ImGuiKey_F6);
    test->Yield(8);
    IM_CHECK_STR_EQ(focused(w).c_str(), "timings");
    ImGuiID before = 0;
    for (int i = 0; i < 3; ++i) {
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(3);
      const ImGuiContext& imgui = *ImGui::GetCurrentContext();
      IM_CHECK(imgui.NavCursorVisible);
      IM_CHECK_NE(imgui.NavId, before);
      IM_CHECK_STR_EQ(imgui.NavWindow->RootWindow->Name, "Timings");
      before = imgui.NavId;
    }
    test->KeyPress(ImGuiKey_RightArrow);
  });
  EXPECT_EQ(focused(w), "timings");
  EXPECT_EQ(w.session().replay().playhead().round, 4u);
}

// An open list takes the keys; none of them is a command of the window as well.
TEST(UiKeys, KeysInAnOpenListAreNotTheWindows) {
  WorkbenchUi w;
  w.run("list", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/##type");
    test->Yield(3);
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_T, ImGuiKey_F6})
      test->KeyPress(key);
    test->Yield(2);
    test->KeyPress(ImGuiKey_Escape);
  });
  EXPECT_EQ(w.session().replay().playhead().round, 4u);
  EXPECT_EQ(w.session().app().settings().theme, session::ThemeName::Dark);
  EXPECT_EQ(focused(w), "");
}

TEST(UiKeys, TheNextRaceIsAKey) {
  WorkbenchUi w({.variant = "warp_without_sync", .round = 0});
  std::set<std::pair<unsigned, unsigned>> places;  // round and pass
  for (const analysis::Race& race : w.session().replay().run()->analysis.launches[0].races)
    places.emplace(race.round, race.pass);
  ASSERT_GT(places.size(), 1u);
  const auto here = [&] {
    const session::Playhead at = w.session().replay().playhead();
    return std::pair(at.round, at.pass);
  };
  ASSERT_FALSE(places.contains(here()));
  for (const auto& place : places) {
    press(w, {ImGuiKey_R});
    EXPECT_EQ(here(), place) << "one after the other";
    EXPECT_TRUE(w.shows("race", "##transport")) << w.textsIn("##transport");
  }
  press(w, {ImGuiKey_R});
  EXPECT_EQ(here(), *places.begin()) << "round and round";
  press(w, {ImGuiMod_Shift | ImGuiKey_R});
  EXPECT_EQ(here(), *places.rbegin());
  press(w, {ImGuiMod_Shift | ImGuiKey_R});
  EXPECT_EQ(here(), *std::prev(places.end(), 2));
}

TEST(UiKeys, WhereThereIsNoRaceItsKeySaysSo) {
  WorkbenchUi w;
  press(w, {ImGuiKey_R});
  EXPECT_EQ(w.session().app().loneRemark(), "This run has no race.");
  w.apply(session::Choose(&model::Experiment::variant, "missing_barrier"));
  press(w, {ImGuiKey_R});
  EXPECT_FALSE(w.session().app().loneRemark());
}

TEST(UiKeys, AnOverlayLeavesNoFocusFrameBehind) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{session::Overlay::OpenFile});
  press(w, {ImGuiKey_Tab, ImGuiKey_Tab});
  ASSERT_TRUE(ImGui::GetCurrentContext()->NavCursorVisible);
  w.apply(session::ShowOverlay{session::Overlay::OpenFile});
  w.ui().drawFrames(3);
  ASSERT_EQ(w.session().app().overlay(), session::Overlay::None);
  EXPECT_FALSE(ImGui::GetCurrentContext()->NavCursorVisible);
}

TEST(UiKeys, APanelHasTheKeyboardWhileALessonIsReadBesideIt) {
  WorkbenchUi w;
  press(w, {ImGuiKey_F2});
  w.settle();
  ASSERT_EQ(w.session().app().overlay(), session::Overlay::Lesson);
  press(w, {ImGuiKey_F6});
  EXPECT_EQ(focused(w), session::kReadingPart) << "it comes first";
  press(w, {ImGuiKey_F6});
  EXPECT_EQ(focused(w), "shared_memory") << "the Ladder has given way to the lesson";
  w.ui().drawFrames(8);
  w.apply(session::PointAt{session::hoverThread(3)});
  press(w, {ImGuiKey_RightArrow});
  EXPECT_EQ(hoverNow(w), session::hoverThread(4));
  EXPECT_EQ(w.session().replay().playhead().round, 4u);
  press(w, {ImGuiMod_Shift | ImGuiKey_F6});
  EXPECT_EQ(focused(w), session::kReadingPart) << "over the Ladder's place";
  press(w, {ImGuiMod_Shift | ImGuiKey_F6});
  EXPECT_EQ(focused(w), "experiment bar");
  press(w, {ImGuiKey_F6, ImGuiKey_F6});
  EXPECT_EQ(focused(w), "shared_memory");
  press(w, {ImGuiKey_F1, ImGuiKey_F6});
  EXPECT_EQ(focused(w), "shared_memory") << "what lies over the panels has the keyboard";
}

TEST(UiKeys, AllOfThemAreInTheList) {
  const std::vector<Panel> panels = allPanels();
  const std::vector<CommandEntry> table = commandTable(panels);
  std::string all;
  for (const KeyLine& line : keyLines(panels, table, session::Mode::Explore))
    all += line.how + ": " + line.what + "\n";
  for (const char* line :
       {"F6 / Ctrl+Tab: Next panel", "Shift+F6 / Ctrl+Shift+Tab: Previous panel",
        "Tab: Go to the experiment bar", "R: Next race", "Shift+R: Previous race", ",: Slower", ".: Faster",
        "Ctrl++: Larger text", "arrow keys: In the panel that has the keyboard: point at the next cell",
        "Enter: Pin it or release it there", "Esc, or a click: Give the arrow keys back to stepping",
        "Alt: From the experiment bar to the menus", "Tab, Shift+Tab: In the experiment bar: next field"})
    EXPECT_NE(all.find(line), all.npos) << line << "\n" << all;
}

// What the wheel does, where the panel has the keyboard.
TEST(UiKeys, PlusAndMinusZoomTheMemory) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 0, .size = {1600, 1000}});
  w.apply(session::FocusPart{"shared_memory"});
  w.ui().drawFrames(4);
  const auto type = [&](const char* text) {
    w.run("type", [&](ImGuiTestContext* test) { test->KeyChars(text); });
    w.ui().drawFrames(4);
  };
  EXPECT_TRUE(w.shows("16 of 256 elements in view", "Shared memory")) << w.textsIn("Shared memory");
  type("+");
  EXPECT_TRUE(w.shows("8 of 256 elements in view", "Shared memory")) << w.textsIn("Shared memory");
  type("-");
  type("-");
  EXPECT_TRUE(w.shows("32 of 256 elements in view", "Shared memory")) << w.textsIn("Shared memory");
}

// What cannot be done is told beside what stands there, until the next thing is done, or for some seconds.
TEST(UiKeys, WhatCannotBeDoneIsToldInPassing) {
  WorkbenchUi w;
  w.session().app().tell({.sentence = "This stays."});
  const auto redo = [&] {
    press(w, {ImGuiMod_Ctrl | ImGuiKey_Y});
    EXPECT_TRUE(w.shows("Nothing was undone.")) << w.textsIn("");
    EXPECT_TRUE(w.shows("This stays."));
  };
  redo();
  press(w, {ImGuiKey_RightArrow});
  EXPECT_FALSE(w.shows("Nothing was undone."));
  redo();
  w.ui().drawFrames(int(60 * session::kRemarkSeconds) + 10);
  EXPECT_FALSE(w.shows("Nothing was undone."));
  EXPECT_TRUE(w.shows("This stays."));
}

// Where no message stands it is told over the panels: none of them moves for it, and none gives way.
TEST(UiKeys, WhatIsToldInPassingMovesNoPanel) {
  for (const char* mode : {"explore", "present"}) {
    WorkbenchUi w;
    if (mode == std::string("present")) press(w, {ImGuiKey_P});
    const auto areas = [&] {
      std::string all;
      for (const Panel& panel : allPanels()) {
        const PanelArea area = w.workbench().areaOf(panel.id);
        all += panel.id + " " + std::to_string(area.min.x) + "," + std::to_string(area.min.y) + " to " +
               std::to_string(area.max.x) + "," + std::to_string(area.max.y) + "\n";
      }
      return all;
    };
    const std::string before = areas();
    w.apply(session::CopyText{"one"});
    EXPECT_TRUE(w.shows("Copied 1 line.", "##remark")) << mode;
    EXPECT_EQ(areas(), before) << mode;
    EXPECT_EQ(w.textsIn("##message"), "") << mode;
    // A click reaches what lies under it.
    bool hovers = false;
    w.run("the pointer on it", [&](ImGuiTestContext* test) {
      const ImGuiWindow* const remark = ImGui::FindWindowByName("##remark");
      test->MouseMoveToPos({remark->Pos.x + 8, remark->Pos.y + remark->Size.y / 2});
      test->Yield(2);
      const ImGuiWindow* const hovered = ImGui::GetCurrentContext()->HoveredWindow;
      hovers = hovered != nullptr && hovered != remark;
    });
    EXPECT_TRUE(hovers) << mode;
  }
}

}  // namespace
}  // namespace stridescope::views
