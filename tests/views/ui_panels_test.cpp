// Pointing at the panels: one thread lights everywhere, a click pins it, bars and labels go to rounds.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope {
namespace {

using test::UiWish;
using test::WorkbenchUi;

TEST(UiTransport, ButtonsStep) {
  WorkbenchUi w;
  w.run("buttons", [&](ImGuiTestContext* test) {
    const auto round = [&] { return w.session().playhead().round; };
    test->SetRef("##transport");
    test->ItemClick("Step forward");
    IM_CHECK_EQ(round(), 5u);
    test->ItemClick("Step back");
    test->ItemClick("Step back");
    IM_CHECK_EQ(round(), 3u);
    test->ItemClick("Last round");
    IM_CHECK_EQ(round(), 9u);
    test->ItemClick("Step forward");
    IM_CHECK_EQ(round(), 9u);
    test->ItemClick("First round");
    IM_CHECK_EQ(round(), 0u);
    test->ItemClick("Step back");
    IM_CHECK_EQ(round(), 0u);
  });
}

TEST(UiTransport, PlayingReachesTheEndByItself) {
  WorkbenchUi w;
  w.session().apply(SetSpeed{8});
  w.run("play", [](ImGuiTestContext* test) { test->ItemClick("//##transport/Play or pause"); });
  for (int frame = 0; frame < 600 && w.session().playing(); ++frame) w.ui().drawFrames(1);
  EXPECT_FALSE(w.session().playing());
  EXPECT_TRUE(w.session().atLast());
}

TEST(UiTransport, TheScrubBarIsDragged) {
  WorkbenchUi w;
  w.run("scrub", [&](ImGuiTestContext* test) {
    const ImRect bar = test->ItemInfo("//##transport/scrub bar").RectFull;
    const float y = bar.Min.y + 20, inset = 10;
    const auto x = [&](unsigned round) {
      return bar.Min.x + inset + (bar.GetWidth() - 2 * inset) * float(round) / 9;
    };
    test->MouseMoveToPos({x(2), y});
    test->MouseDown();
    test->Yield();
    IM_CHECK_EQ(w.session().playhead().round, 2u);
    for (const unsigned round : {5u, 9u, 0u, 7u}) {
      test->MouseMoveToPos({x(round), y});
      test->Yield();
      IM_CHECK_EQ(w.session().playhead().round, round);
    }
    test->MouseMoveToPos({bar.Max.x + 400, y - 200});  // past its end and off it
    test->Yield();
    IM_CHECK_EQ(w.session().playhead().round, 9u);
    test->MouseUp();
    test->MouseMoveToPos({x(3), y});
    test->Yield();
    IM_CHECK_EQ(w.session().playhead().round, 9u);
  });
}

TEST(UiTransport, TheSpeedIsDragged) {
  WorkbenchUi w;
  w.run("speed", [&](ImGuiTestContext* test) {
    const ImRect slider = test->ItemInfo("//##transport/speed").RectFull;
    const float y = slider.GetCenter().y;
    test->MouseMoveToPos({slider.Min.x + 1, y});
    test->MouseDown();
    test->Yield();
    IM_CHECK_EQ(w.session().settings().speed, kSlowest);
    test->MouseMoveToPos({slider.Max.x - 1, y});
    test->Yield();
    IM_CHECK_EQ(w.session().settings().speed, kFastest);
    test->MouseUp();
  });
}

TEST(UiHover, ALaneLightsItsThreadInTheCaption) {
  WorkbenchUi w;
  w.run("hover a lane", [&](ImGuiTestContext* test) { test->MouseMoveToPos(w.cellOf("lanes", 5, 0)); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().hoveredThread(), 5u);
  EXPECT_TRUE(w.shows("thread 5\n", "##transport")) << w.textsIn("##transport");
  // Sums of eight elements of the ramp each, from 80 and from 88 on.
  EXPECT_TRUE(w.shows("data[80] + data[88] = 668 + 732 = 1400", "##transport")) << w.textsIn("##transport");
  EXPECT_TRUE(w.shows("values of thread 5", "Source")) << w.textsIn("Source");
}

TEST(UiHover, ALaneOfAnIdleWarpIsAThreadToo) {
  WorkbenchUi w;
  w.run("hover", [&](ImGuiTestContext* test) { test->MouseMoveToPos(w.cellOf("lanes", 31, 7)); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().hoveredThread(), 255u);
  EXPECT_TRUE(w.shows("thread 255", "##transport"));
}

// Row r of the punch card is lane r, bank 0 or 16: eight wavefronts of two.
TEST(UiHover, ABankLightsItsThread) {
  WorkbenchUi w;
  const PaintedGrid* card = w.ui().findGrid("punch card");
  ASSERT_NE(card, nullptr);
  EXPECT_EQ(card->rows, 16);
  w.run("hover a row", [&](ImGuiTestContext* test) { test->MouseMoveToPos(w.cellOf("punch card", 16, 11)); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().hoveredThread(), 11u);
  EXPECT_TRUE(w.shows("load A: bank 16, wavefront 6 of 8", "##transport")) << w.textsIn("##transport");
}

TEST(UiHover, TheSharedMemoryBandLightsItsThread) {
  WorkbenchUi w;
  w.apply(ChooseData{DataPattern::Ones});  // figures so short that all 16 columns are in view
  w.run("hover", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/shared memory map").RectFull;
    test->MouseMoveToPos({map.Min.x + map.GetWidth() * 3.5f / 16, map.GetCenter().y});
  });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().hoveredThread(), 3u);
}

TEST(UiHover, AClickPinsAndEscapeFrees) {
  WorkbenchUi w;
  w.run("pin", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("lanes", 7, 0));
    test->MouseClick();
    IM_CHECK(w.session().pinned());
    test->MouseMoveToPos(w.cellOf("lanes", 9, 2));
    IM_CHECK_EQ(w.session().hoveredThread().value_or(0), 7u);
    test->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(w.session().hoveredThread().value_or(0), 7u);
  });
  w.ui().drawFrames(1);
  EXPECT_TRUE(w.shows("thread 7 · pinned", "##transport")) << w.textsIn("##transport");
  w.run("free", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Escape); });
  EXPECT_FALSE(w.session().pinned());
}

TEST(UiPanels, ClicksGoToRounds) {
  WorkbenchUi w;
  w.run("clicks", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("divergence", 6, 3));  // columns are the strides, from round 1
    test->MouseClick();
    IM_CHECK_EQ(w.session().playhead().round, 7u);
    test->Yield(2);
    test->MouseMoveToPos(w.cellOf("banks by round", 3, 1));
    test->MouseClick();
    IM_CHECK_EQ(w.session().playhead().round, 2u);
    test->Yield(2);
    test->ItemClick("//Shared memory/round 1");
    IM_CHECK_EQ(w.session().playhead().round, 1u);
  });
}

TEST(UiPanels, TabsOfBanksChooseTheRequest) {
  WorkbenchUi w;
  w.run("tabs", [&](ImGuiTestContext* test) {
    test->ItemClick("//Banks/load B");
    IM_CHECK(w.session().requestRole() == RequestRole::LoadB);
    test->ItemClick("//Banks/store");
    IM_CHECK(w.session().requestRole() == RequestRole::Store);
    test->ItemClick("//Banks/load A");
    IM_CHECK(w.session().requestRole() == RequestRole::LoadA);
  });
}

TEST(UiPanels, TheWheelZoomsSharedMemoryAndFFits) {
  WorkbenchUi w({.round = 1});  // 128 columns, of which few fit
  const auto note = [&] { return w.textsIn("Shared memory"); };
  const std::string fitted = note();
  w.run("zoom", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/shared memory map").RectFull;
    test->MouseMoveToPos(map.GetCenter());
    test->MouseWheelY(1);
    test->Yield(2);
  });
  w.ui().drawFrames(2);
  EXPECT_NE(note(), fitted);
  w.run("fit", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_F); });
  w.apply(Unpin{});
  w.run("away", [&](ImGuiTestContext* test) { test->MouseMoveToPos({5, 5}); });
  w.apply(Unpin{});
  EXPECT_EQ(note(), fitted);
}

TEST(UiPanels, TheLadderChoosesAVariant) {
  WorkbenchUi w;
  w.run("ladder", [&](ImGuiTestContext* test) { test->ItemClick("//Ladder/**/sequential"); });
  w.settle();
  EXPECT_EQ(w.session().run()->trace.experiment.variant, "sequential");
  EXPECT_EQ(w.session().playhead().round, 4u) << "the round is kept";
}

// The grids show what the oracle says for stride 8: 16 of 256 lanes, all in warp 0.
TEST(UiPanels, GridsShowTheRound) {
  WorkbenchUi w;
  const PaintedGrid* lanes = w.ui().findGrid("lanes");
  ASSERT_NE(lanes, nullptr);
  for (unsigned t = 0; t < 256; ++t)
    EXPECT_EQ(lanes->cells[t], std::uint8_t(t < 16   ? LaneState::Active
                                            : t < 32 ? LaneState::PredicatedOff
                                                     : LaneState::IdleWarp));
  const PaintedGrid* divergence = w.ui().findGrid("divergence");
  ASSERT_NE(divergence, nullptr);
  const unsigned active[8] = {128, 64, 32, 16, 8, 4, 2, 1};
  for (int column = 0; column < 8; ++column) {
    unsigned sum = 0;
    for (int row = 0; row < 8; ++row) sum += divergence->cells[std::size_t(row * 8 + column)];
    EXPECT_EQ(sum, active[column]);
  }
}

// Only within a test's steps: the Test Engine keeps the clipboard of the person at the machine out of it.
std::string clipboard() {
  const char* text = ImGui::GetClipboardText();
  return text == nullptr ? std::string() : text;
}

TEST(UiOverlays, ThePaletteRunsWhatIsTyped) {
  WorkbenchUi w;
  w.run("palette", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars("LAST r");
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
    IM_CHECK(w.session().overlay() == Overlay::None);
    IM_CHECK_EQ(w.session().playhead().round, 9u);
  });
}

// Letters typed into it are no commands; arrows choose among what was found.
TEST(UiOverlays, ThePaletteTakesLettersAndArrowsForItself) {
  WorkbenchUi w;
  w.run("palette", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyPress(ImGuiKey_T);
    test->KeyPress(ImGuiKey_RightArrow);
    test->KeyPress(ImGuiKey_Space);
    test->Yield(2);
    IM_CHECK(w.session().settings().theme == ThemeName::Dark);
    IM_CHECK_EQ(w.session().playhead().round, 4u);
    IM_CHECK(!w.session().playing());
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(2);
    IM_CHECK(w.session().overlay() == Overlay::None);
  });
  w.run("second of what was found", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars("step");  // forward, back
    test->Yield(2);
    test->KeyPress(ImGuiKey_DownArrow);
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
    IM_CHECK_EQ(w.session().playhead().round, 3u);
  });
}

TEST(UiOverlays, ThePalettesArrowsStopAtTheEnds) {
  WorkbenchUi w;
  for (const auto& [arrow, round] : {std::pair{ImGuiKey_UpArrow, 5u}, std::pair{ImGuiKey_DownArrow, 4u}})
    w.run("arrows", [&](ImGuiTestContext* test) {
      test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      test->Yield(3);
      test->KeyChars("step");  // forward, back
      test->Yield(2);
      for (int i = 0; i < 4; ++i) test->KeyPress(arrow);
      test->Yield(2);
      test->KeyPress(ImGuiKey_Enter);
      test->Yield(2);
      IM_CHECK_EQ(w.session().playhead().round, round);
    });
}

TEST(UiOverlays, TheTextOfARoundIsCopied) {
  WorkbenchUi w;
  w.run("text twin", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    test->Yield(3);
    test->ItemClick("//Text of this round/Copy");
    test->Yield(2);
    IM_CHECK(clipboard().find("Stride 8: 16 of 256 threads add.") != std::string::npos);
  });
}

TEST(UiOverlays, AreClosedByTheirButtonAndByEscape) {
  WorkbenchUi w;
  for (const Overlay overlay : {Overlay::Keys, Overlay::Palette, Overlay::OpenFile, Overlay::SaveFile,
                                Overlay::TextTwin, Overlay::About}) {
    w.session().apply(ShowOverlay{overlay});
    w.ui().drawFrames(3);
    w.run("escape", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Escape); });
    EXPECT_EQ(w.session().overlay(), Overlay::None) << int(overlay);
  }
  w.session().apply(ShowOverlay{Overlay::About});
  w.ui().drawFrames(3);
  w.run("close", [&](ImGuiTestContext* test) { test->WindowClose("//About Stridescope"); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().overlay(), Overlay::None);
}

TEST(UiOverlays, ADamagedFileIsASentenceThatCanBeCopied) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("stridescope-damaged-" + std::to_string(getpid()) + ".stride");
  std::ofstream(path) << "This is no recording.";
  WorkbenchUi w;
  w.run("open", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    test->Yield(3);
    test->KeyChars(path.c_str());
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
    IM_CHECK(w.session().overlay() == Overlay::None);
  });
  w.settle();
  ASSERT_TRUE(w.session().message());
  const std::string sentence = w.session().message()->sentence;
  EXPECT_TRUE(w.shows(sentence.substr(0, 20), "##message")) << w.textsIn("##message");
  w.run("copy details", [&](ImGuiTestContext* test) {
    test->ItemClick("//##message/Copy details");
    test->Yield(2);
    IM_CHECK(clipboard().starts_with(sentence));
  });
  w.run("dismiss", [&](ImGuiTestContext* test) { test->ItemClick("//##message/Dismiss"); });
  EXPECT_FALSE(w.session().message());
  std::filesystem::remove(path);
}

TEST(UiOverlays, WhatIsShownIsSavedAndOpenedAgain) {
  const auto path =
      std::filesystem::temp_directory_path() / ("stridescope-saved-" + std::to_string(getpid()) + ".stride");
  WorkbenchUi w;
  w.run("save", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    test->Yield(3);
    test->KeyCharsReplace(path.c_str());
    test->ItemClick("//Save as a recording/Save");
    test->Yield(2);
  });
  w.settle();
  ASSERT_TRUE(w.session().message());
  EXPECT_EQ(w.session().message()->kind, MessageKind::Fine) << w.session().message()->sentence;
  w.apply(OpenRecording{path.string()});
  EXPECT_EQ(w.session().run()->trace.executor.kind, EngineKind::Recorded);
  EXPECT_TRUE(w.shows("recorded on", "##bar")) << w.textsIn("##bar");
  w.run("by the menu", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/what executes");
    test->ItemClick("//$FOCUSED/CPU executor");
  });
  w.settle();
  EXPECT_EQ(w.session().run()->trace.executor.kind, EngineKind::Host);
  std::filesystem::remove(path);
}

bool tooltipIsShown() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if ((window->Flags & ImGuiWindowFlags_Tooltip) && window->WasActive && !window->Hidden) return true;
  return false;
}

TEST(UiExperimentBar, CombosChoose) {
  WorkbenchUi w;
  w.run("combos", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##variant/last warp unrolled");
    IM_CHECK_EQ(w.session().experiment().variant, std::string("unrolled_last_warp"));
    test->ComboClick("##type/double");
    IM_CHECK(w.session().experiment().type == ElementType::Double);
    test->ComboClick("##operator/max");
    IM_CHECK(w.session().experiment().op == Operator::Max);
    test->ComboClick("##block size/512");
    IM_CHECK_EQ(w.session().experiment().threads, 512u);
    test->ComboClick("##data pattern/random");
    IM_CHECK(w.session().experiment().data == DataPattern::Random);
    const std::uint64_t seed = w.session().experiment().seed;
    test->ComboClick("##data pattern/next seed");
    IM_CHECK_EQ(w.session().experiment().seed, seed + 1);
    test->ComboClick("##n/2^16");
    IM_CHECK_EQ(w.session().experiment().elements, std::uint64_t(65536));
    test->ComboClick("##n/one block's load");
    IM_CHECK(w.session().oneBlockLoad());
  });
  w.settle();
  EXPECT_EQ(w.session().run()->trace.experiment, w.session().experiment());
  EXPECT_EQ(w.session().playhead().round, 4u);
  EXPECT_TRUE(w.session().run()->trace.ok);
}

TEST(UiExperimentBar, WhatIsNotOfferedIsGreyedWithItsReason) {
  WorkbenchUi w({.variant = "unrolled_last_warp"});
  w.run("greyed", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/##block size");
    test->MouseMove("//$FOCUSED/32");
    test->Yield(3);
    IM_CHECK(tooltipIsShown());
    test->MouseClick();
    test->Yield(2);
    IM_CHECK_EQ(w.session().experiment().threads, 256u);
    test->PopupCloseAll();
    test->ItemClick("//##bar/##block size");
    test->MouseMove("//$FOCUSED/128");
    test->Yield(3);
    IM_CHECK(!tooltipIsShown());
    test->MouseClick();
    test->Yield(2);
    IM_CHECK_EQ(w.session().experiment().threads, 128u);
  });
}

TEST(UiExperimentBar, ABlockOfALargerRunIsShown) {
  WorkbenchUi w;
  w.apply(ChooseElements{1000});
  ASSERT_EQ(w.session().launch().grid, 4u);
  w.run("block shown", [&](ImGuiTestContext* test) { test->ItemInputValue("//##bar/##block shown", 2); });
  w.settle();
  EXPECT_EQ(w.session().experiment().block, 2u);
  EXPECT_EQ(w.session().launch().inspected, 2u);
}

TEST(UiExperimentBar, AnEngineThatCannotBeUsedIsGreyed) {
  WorkbenchUi w;
  w.run("engines", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/what executes");
    test->MouseMove("//$FOCUSED/a GPU");
    test->Yield(3);
    IM_CHECK(tooltipIsShown());
    test->MouseClick();
    test->Yield(2);
    IM_CHECK_EQ(w.session().engineId(), std::string("host"));
  });
}

TEST(UiWindow, ADroppedFileIsOpened) {
  WorkbenchUi w;
  w.session().apply(OpenRecording{"/nowhere/none.stride"});
  w.settle();
  EXPECT_TRUE(w.shows("none.stride", "##message"));
}

TEST(UiWindow, WithoutARunSaysSo) {
  SessionServices services = test::hostServices();
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<Engine>> {
    return unavailable("No NVIDIA driver was found. Install one, or step on the CPU.",
                       "libcuda.so.1: not found");
  };
  WorkbenchUi w({}, services);
  EXPECT_TRUE(w.shows("Nothing is recorded yet.", "##transport"));
  EXPECT_TRUE(w.shows("No NVIDIA driver was found.", "##message"));
  EXPECT_TRUE(w.shows("nothing recorded", "##bar"));
}

}  // namespace
}  // namespace stridescope
