// Two runs side by side in the window, by keys, by the mouse, and by what is written.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "lab/known/recorded.h"
#include "session/comparison.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using analysis::LockedBy;
using analysis::Side;
using test::UiRequest;
using test::WorkbenchUi;

// The contiguous rung at the left, sequential at the right, in round 4.
class Compared {
 public:
  explicit Compared(UiRequest request = {}, session::SessionServices services = test::hostServices())
      : w(
            [&] {
              request.variant = "sequential";
              return request;
            }(),
            std::move(services)) {
    w.apply(session::EnterMode{session::Mode::Compare});
  }

  const session::Comparison& both() { return *w.session().comparison(); }
  const session::Replay& replay(Side side) { return both().replay(side); }
  std::string rounds() {
    return std::to_string(replay(Side::Left).playhead().round) + " | " +
           std::to_string(replay(Side::Right).playhead().round);
  }
  std::string variants() {
    return both().workspace(Side::Left).experiment().variant + " | " +
           both().workspace(Side::Right).experiment().variant;
  }
  void press(ImGuiKeyChord key) {
    w.run("press", [=](ImGuiTestContext* test) { test->KeyPress(key); });
    w.settle();
  }

  WorkbenchUi w;
};

TEST(UiCompare, IsEnteredByItsKeyAndItsTab) {
  WorkbenchUi w({.variant = "sequential"});
  w.run("by key", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_C); });
  w.settle();
  EXPECT_EQ(w.session().app().mode(), session::Mode::Compare);
  EXPECT_TRUE(w.shows("interleaved, contiguous", "Side##left")) << w.textsIn("Side##left");
  EXPECT_TRUE(w.shows("sequential", "Side##right"));
  EXPECT_TRUE(w.shows("round 4, stride 8", "Side##left"));
  EXPECT_TRUE(w.shows("round 4, stride 16", "Side##right"));
  w.run("by key", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_E); });
  w.settle();
  EXPECT_EQ(w.session().app().mode(), session::Mode::Explore);
  w.run("by tab", [](ImGuiTestContext* test) { test->ItemClick("//##bar/**/mode Compare"); });
  w.settle();
  EXPECT_EQ(w.session().app().mode(), session::Mode::Compare);
}

TEST(UiCompare, TheOneBeforeIsOneKeyAway) {
  WorkbenchUi w({.variant = "unrolled_last_warp"});
  w.run("by key", [](ImGuiTestContext* test) { test->KeyPress(ImGuiMod_Shift | ImGuiKey_C); });
  w.settle();
  EXPECT_TRUE(w.shows("first add during load", "Side##left") ||
              w.shows(std::string(kernels::findVariant("first_add_on_load")->title), "Side##left"))
      << w.textsIn("Side##left");
  EXPECT_TRUE(w.shows("last warp unrolled", "Side##right"));
}

// The oracle of 256 threads: stride 8 of contiguous is 8-way, stride 16 of sequential has no conflict.
TEST(UiCompare, TheMiddleSaysWhatDiffersAndWhatIsTheSame) {
  Compared c;
  const std::string shown = c.w.textsIn("");
  for (const char* text : {"What differs", "this round, modelled", "highest conflict, ways", "8×", "all gone",
                           "3.92×", "141", "36", "the same on both sides", "active threads"})
    EXPECT_NE(shown.find(text), std::string::npos) << text;
  EXPECT_TRUE(c.w.shows("Round 4: both add with 16 threads of 1 warp.", "##transport"));
  EXPECT_TRUE(c.w.shows("8 | 16", "##transport")) << "on the scrub bar";
}

TEST(UiCompare, LabelsAndFiguresSayWhatTheyMean) {
  Compared c;
  for (const char* label : {"left variant", "right variant", "locked by", "set for", "block size"})
    EXPECT_TRUE(c.w.hasTooltip(label, "##bar")) << label;
  for (const char* title :
       {"highest conflict, ways", "wavefronts, 3 requests", "partial warps", "working warps"})
    EXPECT_TRUE(c.w.hasTooltip(title, "What differs")) << title;
}

TEST(UiCompare, TheTextOfTheRoundIsOfBoth) {
  Compared c;
  std::string text;  // the clipboard is the run's own
  c.w.run("copy", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    test->Yield(3);
    test->ItemClick("//Text of this round/Copy");
    test->Yield(2);
    if (const char* const copied = ImGui::GetClipboardText()) text = copied;
  });
  for (const char* part :
       {"left: interleaved, contiguous\nright: sequential\nRound 4: both add with 16 threads",
        "this round, modelled", "highest conflict, ways", "The right side\nStride 16: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(UiCompare, StepsGoToBoth) {
  Compared c;
  c.press(ImGuiKey_RightArrow);
  EXPECT_EQ(c.rounds(), "5 | 5");
  EXPECT_TRUE(c.w.shows("16 | 8", "##transport"));
  c.press(ImGuiKey_End);
  EXPECT_EQ(c.rounds(), "9 | 9");
  c.press(ImGuiKey_Home);
  EXPECT_EQ(c.rounds(), "0 | 0");
  c.w.run("by button", [](ImGuiTestContext* test) { test->ItemClick("//##transport/Step forward"); });
  EXPECT_EQ(c.rounds(), "1 | 1");
  c.w.run("on the scrub bar", [](ImGuiTestContext* test) {
    const ImGuiTestItemInfo bar = test->ItemInfo("//##transport/scrub bar");
    test->MouseMoveToPos({bar.RectFull.Max.x - 11, bar.RectFull.GetCenter().y});
    test->MouseClick();
  });
  EXPECT_EQ(c.rounds(), "9 | 9");
}

TEST(UiCompare, TheKeysOfTheModeDoWhatTheySay) {
  Compared c;
  c.press(ImGuiKey_K);
  EXPECT_EQ(c.both().lockedBy(), LockedBy::Stride);
  EXPECT_EQ(c.rounds(), "4 | 5");
  EXPECT_TRUE(c.w.shows("Stride 8: 16 threads of 1 warp add on the left, 8 threads", "##transport"));
  c.press(ImGuiKey_K);
  EXPECT_EQ(c.rounds(), "4 | 4");
  c.press(ImGuiKey_X);
  EXPECT_EQ(c.variants(), "sequential | interleaved_contiguous");
  const Side chosen = c.both().chosen();
  c.press(ImGuiKey_O);
  EXPECT_EQ(c.both().chosen(), analysis::otherOf(chosen));
  c.press(ImGuiKey_1);
  EXPECT_EQ(c.variants(), "sequential | interleaved_modulo") << "of the chosen side";
}

TEST(UiCompare, InExploreTheyAreGreyedWithAReason) {
  WorkbenchUi w({.variant = "sequential"});
  w.run("by key", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_X); });
  w.settle();
  EXPECT_NE(w.session().app().loneRemark().value_or("").find("press C"), std::string::npos);
}

TEST(UiCompare, EachSideHasItsVariantInTheBar) {
  Compared c;
  const auto choose = [&](const char* field, const char* title) {
    c.w.run("choose", [&](ImGuiTestContext* test) {
      test->ItemClick((std::string("//##bar/##") + field).c_str());
      test->ItemClick((std::string("//$FOCUSED/") + title).c_str());
    });
    c.w.settle();
  };
  choose("left variant", "interleaved, modulo");
  choose("right variant", "warp shuffle");
  EXPECT_EQ(c.variants(), "interleaved_modulo | warp_shuffle");
  choose("locked by", "stride");
  EXPECT_EQ(c.both().lockedBy(), LockedBy::Stride);
}

TEST(UiCompare, FieldsAreSetForBothOrForOne) {
  Compared c;
  const auto threads = [&] {
    return std::to_string(c.both().workspace(Side::Left).experiment().threads) + " | " +
           std::to_string(c.both().workspace(Side::Right).experiment().threads);
  };
  const auto choose = [&](const char* field, const char* entry) {
    c.w.run("choose", [&](ImGuiTestContext* test) {
      test->ItemClick((std::string("//##bar/##") + field).c_str());
      test->ItemClick((std::string("//$FOCUSED/") + entry).c_str());
    });
    c.w.settle();
  };
  choose("block size", "128");
  EXPECT_EQ(threads(), "128 | 128");
  choose("set for", "left");
  choose("block size", "64");
  EXPECT_EQ(threads(), "64 | 128");
  EXPECT_TRUE(c.w.shows("64 | 128", "##bar")) << "the field has both";
  EXPECT_TRUE(c.w.shows("block size")) << "and so has the middle";
  choose("set for", "both sides");
  EXPECT_EQ(threads(), "64 | 64") << "as the chosen side had it";
}

// What is measured is of this n: it stands beside the two longest titles.
TEST(UiCompare, NStandsInASmallWindow) {
  Compared c({.size = {1280, 720}});
  std::vector<const kernels::Variant*> byTitle;
  for (const kernels::Variant& variant : kernels::catalog()) byTitle.push_back(&variant);
  std::ranges::stable_sort(byTitle, std::greater(),
                           [](const kernels::Variant* variant) { return variant->title.size(); });
  for (const Side side : analysis::kSides)
    c.w.apply(session::OnSide{
        side, std::make_shared<const session::Command>(session::Choose(
                  &model::Experiment::variant, std::string(byTitle[side == Side::Left ? 0 : 1]->id)))});
  c.w.run("look", [](ImGuiTestContext* test) {
    IM_CHECK(test->ItemExists("//##bar/##left variant"));
    IM_CHECK(test->ItemExists("//##bar/##right variant"));
    IM_CHECK(test->ItemExists("//##bar/##n"));
    IM_CHECK(!test->ItemExists("//##bar/##data pattern"));
  });
}

// The memory, which the lesson is about, and the map that the caption speaks of; below a message, too.
TEST(UiCompare, ALessonLeavesBothSidesTheirMemoryAndTheirMap) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1280, 690}, {1366, 768}}) {
    Compared c({.size = size});
    c.w.apply(session::ShowOverlay{session::Overlay::Lesson});
    for (const bool message : {false, true}) {
      if (message) c.w.apply(session::OpenRecording{"/no/such/file.stride"});
      c.w.ui().drawFrames(3);
      for (const char* window :
           {"Shared memory##left", "Shared memory##right", "Banks##left", "Banks##right"})
        EXPECT_NE(c.w.textsIn(window), "")
            << window << " at " << size.width << " x " << size.height << (message ? ", below a message" : "");
      EXPECT_NE(c.w.textsIn("Lesson"), "");
    }
  }
}

// 64 threads are through after 8 rounds.
TEST(UiCompare, ASideThatIsThroughSaysSo) {
  Compared c;
  c.w.apply(session::ChooseTogether{false});
  c.w.apply(session::Choose(&model::Experiment::threads, 64));  // the right one
  c.w.apply(session::GoToLast{});
  EXPECT_TRUE(c.w.shows("finished", "Side##right"));
  EXPECT_TRUE(c.w.shows("the run on the right has finished", "##transport"));
  EXPECT_TRUE(c.w.shows("write | –", "##transport"));
}

TEST(UiCompare, OneThreadIsPointedAtInBoth) {
  Compared c;
  c.w.apply(session::LockSides{LockedBy::Round});
  c.w.run("a lane of the left map", [&](ImGuiTestContext* test) {
    test->ItemClick("//Maps##left/Lanes");
    test->Yield(3);
    test->MouseMoveToPos(c.w.cellOf("lanes", 5, 0));
    test->Yield(3);
  });
  EXPECT_EQ(c.replay(Side::Left).hoveredThread(), 5u);
  EXPECT_EQ(c.replay(Side::Right).hoveredThread(), 5u);
  EXPECT_TRUE(c.w.shows("data[80] + data[88]", "##transport")) << c.w.textsIn("##transport");
  EXPECT_TRUE(c.w.shows("data[5] + data[21]", "##transport"));
}

// An element belongs to one thread; in the other run that is another element.
TEST(UiCompare, AnElementIsFoundByItsThread) {
  Compared c;
  const auto beside = [&](session::Hover hover) {
    c.w.session().apply(session::PointAtSides{.hover = {hover, {}}});
    return c.replay(Side::Left).hover();
  };
  EXPECT_EQ(beside({session::HoverKind::Element, 80})->kind, session::HoverKind::Element);
  c.w.run("an element of the left memory", [&](ImGuiTestContext* test) {
    const ImGuiTestItemInfo map = test->ItemInfo("//Shared memory##left/shared memory map");
    test->MouseMoveToPos({map.RectFull.Min.x + 12, map.RectFull.Min.y + 34});  // operand A of thread 0
    test->Yield(3);
  });
  ASSERT_TRUE(c.replay(Side::Left).hover());
  EXPECT_EQ(c.replay(Side::Left).hover()->kind, session::HoverKind::Element);
  // Stride 8: thread t of the left run works on 16 elements from 16 t on.
  EXPECT_EQ(c.replay(Side::Right).hoveredThread(), unsigned(c.replay(Side::Left).hover()->index / 16));
}

// Element 32 of the contiguous run is thread 2's at stride 8, thread 1's at stride 16, nobody's at stride 64.
TEST(UiCompare, AfterAStepThePointedElementIsAnotherThreads) {
  for (const bool pin : {false, true}) {
    Compared c;
    c.w.apply(session::PointAtSides{
        .hover = {session::Hover{session::HoverKind::Element, 32}, session::hoverThread(2)}, .pin = pin});
    const auto right = [&] {
      c.w.settle();
      return c.replay(Side::Right).hoveredThread();
    };
    EXPECT_EQ(right(), 2u);
    c.w.apply(session::StepForward{});
    EXPECT_EQ(right(), 1u);
    c.w.apply(session::StepForward{});
    c.w.apply(session::StepForward{});
    EXPECT_EQ(right(), std::nullopt);
    c.w.apply(session::StepBack{});
    c.w.apply(session::StepBack{});
    EXPECT_EQ(right(), 1u);
    EXPECT_EQ(c.replay(Side::Left).hover()->index, 32u);
  }
}

TEST(UiCompare, AClickChoosesTheSideAndPinsInBoth) {
  Compared c;
  EXPECT_EQ(c.both().chosen(), Side::Right);
  c.w.run("click", [&](ImGuiTestContext* test) { test->ItemClick("//Side##left/left side"); });
  EXPECT_EQ(c.both().chosen(), Side::Left);
  c.press(ImGuiMod_Ctrl | ImGuiKey_T);
  c.w.run("over the right side", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({test->ItemInfo("//Side##right/right side").RectFull.Min.x + 40, 500});
    test->MouseClick();
    test->KeyPress(ImGuiKey_Escape);
  });
  EXPECT_EQ(c.both().chosen(), Side::Left) << "what lies over the side was clicked";
  c.w.run("pin", [&](ImGuiTestContext* test) {
    test->ItemClick("//Maps##left/Lanes");
    test->Yield(3);
    test->MouseMoveToPos(c.w.cellOf("lanes", 3, 0));
    test->MouseClick();
    test->Yield(3);
  });
  EXPECT_TRUE(c.replay(Side::Left).pinned());
  EXPECT_TRUE(c.replay(Side::Right).pinned());
  c.press(ImGuiKey_Escape);
  EXPECT_FALSE(c.replay(Side::Left).pinned() || c.replay(Side::Right).pinned());
}

TEST(UiCompare, OneSetOfTabsIsForBothMaps) {
  Compared c;
  const auto isOpen = [](const char* window) {
    const ImGuiWindow* const found = ImGui::FindWindowByName(window);
    return found != nullptr && found->WasActive && !found->Hidden;
  };
  EXPECT_TRUE(isOpen("Banks##left") && isOpen("Banks##right")) << "there are conflicts";
  c.w.run("tab", [](ImGuiTestContext* test) { test->ItemClick("//Maps##right/Lane utilization"); });
  c.w.settle();
  EXPECT_TRUE(isOpen("Lane utilization##left") && isOpen("Lane utilization##right"));
  EXPECT_FALSE(isOpen("Banks##left") || isOpen("Banks##right"));
  c.press(ImGuiKey_RightArrow);
  EXPECT_TRUE(isOpen("Lane utilization##left")) << "a person's choice stays";
  c.w.apply(session::ShowPanel{"banks"});
  EXPECT_TRUE(isOpen("Banks##left")) << "as a lesson's link asks";
}

// Where nobody chose: modulo has partial warps and no conflict.
// A message takes the height of a strip, in the smallest of common windows, too.
TEST(UiCompare, AMessageHidesNoMap) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1280, 680}, {1366, 768}, {1366, 700}}) {
    Compared c({.size = size});
    const auto expectMaps = [&](const char* when) {
      for (const char* map : {"Banks##left", "Banks##right"})
        EXPECT_NE(c.w.textsIn(map), "") << map << " at " << size.width << "x" << size.height << " " << when;
    };
    expectMaps("without a message");
    c.w.apply(session::OpenRecording{"/no/such/file.stride"});
    ASSERT_NE(c.w.textsIn("##message"), "");
    expectMaps("with one");
    EXPECT_TRUE(c.w.hasRoom("Banks")) << size.height;
  }
}

TEST(UiCompare, TheMapFollowsWhatDiffers) {
  Compared c;
  c.w.apply(session::OnSide{Side::Left, std::make_shared<const session::Command>(session::Choose(
                                            &model::Experiment::variant, "interleaved_modulo"))});
  const ImGuiWindow* const lanes = ImGui::FindWindowByName("Lanes##left");
  ASSERT_NE(lanes, nullptr);
  EXPECT_TRUE(lanes->WasActive);
}

TEST(UiCompare, TheLinesThatDifferStandRowBesideRow) {
  Compared c;
  EXPECT_TRUE(c.w.shows("Source, the 4 lines that differ", "Source lines##left"));
  EXPECT_TRUE(c.w.shows("Source, the 3 lines that differ", "Source lines##right"));
  EXPECT_TRUE(c.w.shows("unsigned index = 2 * s * tid;", "Source lines##left"));
  const auto topOf = [&](const std::string& text, const std::string& window) {
    for (const draw::TextLog::Entry& entry : c.w.ui().texts().entries())
      if (entry.window == window && entry.text.find(text) != std::string::npos) return entry.min.y;
    ADD_FAILURE() << text;
    return 0.0f;
  };
  EXPECT_EQ(topOf("if (index < blockDim.x)", "Source lines##left"),
            topOf("if (tid < s)", "Source lines##right"));
  c.w.run("whole text", [](ImGuiTestContext* test) { test->ItemClick("//Source lines##right/whole text"); });
  c.w.settle();
  for (const char* window : {"Source##left", "Source##right"}) {
    ASSERT_NE(ImGui::FindWindowByName(window), nullptr);
    EXPECT_TRUE(ImGui::FindWindowByName(window)->WasActive) << window;
  }
}

TEST(UiCompare, ARequestIsChosenForBoth) {
  Compared c;
  c.w.run("tab", [](ImGuiTestContext* test) { test->ItemClick("//Banks##left/store"); });
  for (const Side side : analysis::kSides)
    EXPECT_EQ(c.replay(side).shownRequest()->kind, model::EventKind::Store);
  c.press(ImGuiKey_B);
  for (const Side side : analysis::kSides)
    EXPECT_EQ(c.replay(side).shownRequest()->kind, model::EventKind::Load);
}

TEST(UiCompare, ExploreIsAsItWas) {
  WorkbenchUi w({.variant = "sequential"});
  const auto places = [&] {
    std::string text;
    for (const Panel& panel : allPanels()) {
      const PanelArea area = w.workbench().areaOf(panel.id);
      text += panel.id + " " + std::to_string(int(area.min.x)) + "," + std::to_string(int(area.min.y)) + " " +
              std::to_string(int(area.max.x)) + "," + std::to_string(int(area.max.y)) + "\n";
    }
    return text;
  };
  const std::string before = places();
  w.apply(session::EnterMode{session::Mode::Compare});
  EXPECT_FALSE(w.shows("Ladder", "Ladder"));
  w.apply(session::StepForward{});
  w.apply(session::EnterMode{session::Mode::Explore});
  w.settle();
  EXPECT_EQ(places(), before);
  EXPECT_EQ(w.session().replay().playhead().round, 5u);
}

TEST(UiCompare, TheKeyboardReachesBothSides) {
  Compared c;
  std::vector<std::string> parts;
  for (int i = 0; i < 6; ++i) {
    c.press(ImGuiKey_F6);
    parts.push_back(c.w.session().app().focused());
  }
  EXPECT_EQ(parts, (std::vector<std::string>{"left.memory", "right.memory", "left.map", "right.map",
                                             "differences", "experiment bar"}));
  c.w.apply(session::FocusPart{"right.map"});
  c.press(ImGuiKey_DownArrow);
  ASSERT_TRUE(c.replay(Side::Right).hover());
  EXPECT_EQ(c.replay(Side::Left).hover(), c.replay(Side::Right).hover());
  EXPECT_EQ(c.rounds(), "4 | 4") << "the arrows do not step";
}

TEST(UiCompare, TheArrowsScrollWhatDiffers) {
  Compared c({.size = {1280, 640}});
  c.w.apply(session::FocusPart{"differences"});
  const auto scrolled = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->Active && std::string_view(window->Name).find("/differences_") != std::string_view::npos)
        return window->Scroll.y;
    return -1.0f;
  };
  ASSERT_EQ(scrolled(), 0);
  c.press(ImGuiKey_DownArrow);
  c.w.ui().drawFrames(2);
  EXPECT_GT(scrolled(), 0);
  EXPECT_EQ(c.rounds(), "4 | 4") << "the arrows do not step";
  c.press(ImGuiKey_UpArrow);
  c.w.ui().drawFrames(2);
  EXPECT_EQ(scrolled(), 0);
}

TEST(UiCompare, RecordedFiguresNameTheirGpu) {
  lab::Recorded recorded = test::someCycles();
  recorded.of<model::ClockRecord>() =
      [all = recorded.of<model::ClockRecord>()](const model::Experiment& experiment) {
        std::vector<model::ClockRecord> records = *all(experiment);
        if (experiment.variant == "sequential")
          for (model::ClockRecord& record : records)
            for (model::WarpMarks& run : record.firstWarp)
              for (model::Mark& mark : run) mark.clock *= 2;
        return records;
      };
  Compared c({}, test::hostServicesWith(std::move(recorded)));
  std::string shown = c.w.textsIn("");
  std::ranges::replace(shown, '\n', ' ');
  EXPECT_NE(shown.find("cycles of one block, recorded on NVIDIA H100 80GB HBM3"), std::string::npos) << shown;
  EXPECT_NE(shown.find("this round alone"), std::string::npos);
  EXPECT_NE(shown.find("2×"), std::string::npos);
  EXPECT_NE(shown.find("Bars: cycles, left and right, recorded on"), std::string::npos);
}

TEST(UiCompare, ThePaletteFindsItsCommands) {
  Compared c;
  c.w.run("palette", [](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->KeyCharsReplaceEnter("swap the sides");
  });
  c.w.settle();
  EXPECT_EQ(c.variants(), "sequential | interleaved_contiguous");
}

// ---- Every text is whole, visible, and over no other.

class CompareText : public testing::TestWithParam<test::Ground> {};

TEST_P(CompareText, EveryTextIsWholeVisibleAndAlone) {
  const test::Ground& ground = GetParam();
  Compared c({.size = ground.size, .scale = ground.scale, .settings = ground.settings()},
             test::hostServicesWithCycles());
  const auto look = [&](const std::string& where) {
    c.w.settle();
    test::expectWellSet(c.w.ui().texts().entries(), ground.widthUnits(), where);
  };
  for (const auto& [left, right] : {std::pair{"interleaved_contiguous", "sequential"},
                                    {"interleaved_modulo", "warp_shuffle"},
                                    {"missing_barrier", "unrolled_last_warp"},
                                    {"k_way_merge", "global_memory"}}) {
    for (const auto& [side, variant] : {std::pair{Side::Left, left}, {Side::Right, right}})
      c.w.session().apply(session::OnSide{side, std::make_shared<const session::Command>(
                                                    session::Choose(&model::Experiment::variant, variant))});
    c.w.session().waitForJobs();
    for (const unsigned round : {0u, 1u, 4u, 9u}) {
      c.w.session().apply(session::GoToRound{0, round});
      c.w.session().apply(session::Unpin{});
      look(std::string(left) + " | " + right + " round " + std::to_string(round));
      c.w.session().apply(session::Pin{session::hoverThread(5)});
      look(std::string(left) + " | " + right + " pinned, round " + std::to_string(round));
    }
  }
  c.w.session().apply(session::ChooseTogether{false});
  c.w.session().apply(session::Choose(&model::Experiment::threads, 64));
  c.w.session().apply(session::Choose(&model::Experiment::type, model::ElementType::Double));
  c.w.session().waitForJobs();
  c.w.session().apply(session::GoToLast{});
  look("apart");
}

INSTANTIATE_TEST_SUITE_P(Everywhere, CompareText, testing::ValuesIn(test::allGrounds()),
                         [](const auto& ground) { return ground.param.name; });

// Both sides have the legend of their memory, or neither has, in windows of all sizes: also where one side's
// rows leave room and the other's do not, and where one shows registers.
TEST(UiCompare, BothSidesHaveALegendOrNeither) {
  const auto hasLegend = [](WorkbenchUi& w, Side side) {
    const std::string window = "Shared memory##" + std::string(nameOf(side));
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      for (const char* item : {"operand", "A, in a register", "thread that", "in its register", "input, used",
                               "result, still needed", "still needed"})
        if (entry.window.starts_with(window) && entry.text.starts_with(item)) return true;
    return false;
  };
  int with = 0, without = 0;
  for (const auto size :
       {shell::PixelSize{1280, 720}, shell::PixelSize{1366, 768}, shell::PixelSize{1600, 820},
        shell::PixelSize{1600, 1000}, shell::PixelSize{3840, 2160}})
    for (const char* left : {"interleaved_modulo", "warp_shuffle"}) {
      Compared c({.size = size});
      c.w.apply(session::OnSide{Side::Left, std::make_shared<const session::Command>(session::Choose(
                                                &model::Experiment::variant, std::string(left)))});
      c.w.settle();
      c.w.apply(session::GoToFirst{});
      for (int round = 0; round < 9; ++round) {
        c.w.ui().drawFrames(4);
        if (c.both().hasRound(Side::Left) && c.both().hasRound(Side::Right)) {
          const bool isLeft = hasLegend(c.w, Side::Left);
          EXPECT_EQ(isLeft, hasLegend(c.w, Side::Right))
              << left << " in round " << c.rounds() << " at " << size.width << " x " << size.height;
          ++(isLeft ? with : without);
        }
        c.w.apply(session::StepForward{});
      }
    }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace stridescope::views
