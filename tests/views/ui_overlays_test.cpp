// What is laid over the panels, and the bar of choices above them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::clipboard;
using test::WorkbenchUi;

TEST(UiOverlays, ThePaletteRunsWhatIsTyped) {
  WorkbenchUi w;
  w.run("palette", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars("LAST r");
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
    IM_CHECK(w.session().app().overlay() == session::Overlay::None);
    IM_CHECK_EQ(w.session().replay().playhead().round, 9u);
  });
}

TEST(UiOverlays, ThePaletteSaysInFullWhyWhatIsChosenInItCannotBe) {
  WorkbenchUi w;
  w.run("palette", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars("a GPU");
    test->Yield(3);
    IM_CHECK(w.shows("No NVIDIA driver was found."));
    test->KeyPress(ImGuiKey_Escape);
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
    IM_CHECK(w.session().app().settings().theme == session::ThemeName::Dark);
    IM_CHECK_EQ(w.session().replay().playhead().round, 4u);
    IM_CHECK(!w.session().replay().playing());
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(2);
    IM_CHECK(w.session().app().overlay() == session::Overlay::None);
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
    IM_CHECK_EQ(w.session().replay().playhead().round, 3u);
  });
}

TEST(UiOverlays, ThePaletteFindsVariantsByTheirTitles) {
  WorkbenchUi w;
  w.run("variant", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars("add during");
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
    IM_CHECK_STR_EQ(w.session().workspace().experiment().variant.c_str(), "first_add_on_load");
  });
}

TEST(UiOverlays, ThePalettesArrowsStopAtTheEnds) {
  WorkbenchUi w;
  for (const auto& [arrow, round] : {std::pair{ImGuiKey_UpArrow, 0u}, std::pair{ImGuiKey_DownArrow, 9u}})
    w.run("arrows", [&](ImGuiTestContext* test) {
      test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      test->Yield(3);
      test->KeyChars("st round");  // first, last
      test->Yield(2);
      for (int i = 0; i < 4; ++i) test->KeyPress(arrow);
      test->Yield(2);
      test->KeyPress(ImGuiKey_Enter);
      test->Yield(2);
      IM_CHECK_EQ(w.session().replay().playhead().round, round);
    });
}

TEST(UiOverlays, TheTextOfARoundIsCopied) {
  WorkbenchUi w;
  w.run("text of the round", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    test->Yield(3);
    test->ItemClick("//Text of this round/Copy");
    test->Yield(2);
    IM_CHECK(clipboard().find("Stride 8: the first 16 of 256 threads add, ") != std::string::npos);
  });
}

TEST(UiOverlays, AreClosedByTheirButtonAndByEscape) {
  WorkbenchUi w;
  for (const session::Overlay overlay :
       {session::Overlay::Keys, session::Overlay::Palette, session::Overlay::OpenFile,
        session::Overlay::SaveFile, session::Overlay::RoundText, session::Overlay::About}) {
    w.session().apply(session::ShowOverlay{overlay});
    w.ui().drawFrames(3);
    w.run("escape", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Escape); });
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::None) << int(overlay);
  }
  w.session().apply(session::ShowOverlay{session::Overlay::About});
  w.ui().drawFrames(3);
  w.run("close", [&](ImGuiTestContext* test) { test->WindowClose("//About Stridescope"); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
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
  EXPECT_EQ(w.session().app().loneRemark(), "Saved as " + path.string() + ".");
  w.apply(session::OpenRecording{path.string()});
  EXPECT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Recorded);
  EXPECT_TRUE(w.shows("recorded on", "##bar")) << w.textsIn("##bar");
  w.run("by the menu", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/what executes");
    test->ItemClick("//$FOCUSED/CPU executor");
  });
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Host);
  std::filesystem::remove(path);
}

TEST(UiExperimentBar, CombosChoose) {
  WorkbenchUi w;
  w.run("combos", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##variant/last warp unrolled");
    IM_CHECK_EQ(w.session().workspace().experiment().variant, std::string("unrolled_last_warp"));
    test->ComboClick("##type/double");
    IM_CHECK(w.session().workspace().experiment().type == model::ElementType::Double);
    test->ComboClick("##operator/max");
    IM_CHECK(w.session().workspace().experiment().op == model::Operator::Max);
    test->ComboClick("##block size/512");
    IM_CHECK_EQ(w.session().workspace().experiment().threads, 512u);
    test->ComboClick("##data pattern/random");
    IM_CHECK(w.session().workspace().experiment().data == model::DataPattern::Random);
    const std::uint64_t seed = w.session().workspace().experiment().seed;
    test->ComboClick("##data pattern/next seed");
    IM_CHECK_EQ(w.session().workspace().experiment().seed, seed + 1);
    test->ComboClick("##n/2^16");
    IM_CHECK_EQ(w.session().workspace().experiment().elements, std::uint64_t(65536));
    test->ComboClick("##n/one block's load");
    IM_CHECK(w.session().workspace().oneBlockLoad());
  });
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.experiment, w.session().workspace().experiment());
  EXPECT_EQ(w.session().replay().playhead().round, 4u);
  EXPECT_TRUE(w.session().replay().run()->trace.ok);
}

TEST(UiExperimentBar, WhatIsNotOfferedIsGreyedWithItsReason) {
  WorkbenchUi w({.variant = "unrolled_last_warp"});
  w.run("greyed", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/##block size");
    test->MouseMove("//$FOCUSED/32");
    test->Yield(3);
    IM_CHECK(test::tooltipIsShown());
    test->MouseClick();
    test->Yield(2);
    IM_CHECK_EQ(w.session().workspace().experiment().threads, 256u);
    test->PopupCloseAll();
    test->ItemClick("//##bar/##block size");
    test->MouseMove("//$FOCUSED/128");
    test->Yield(3);
    IM_CHECK(!test::tooltipIsShown());
    test->MouseClick();
    test->Yield(2);
    IM_CHECK_EQ(w.session().workspace().experiment().threads, 128u);
  });
}

// Types into the field of the open list of n.
void typeElements(ImGuiTestContext* test, const char* text) {
  test->ItemClick("//##bar/##n");
  test->Yield(2);
  test->KeyCharsReplaceEnter(text);
  test->Yield(3);
}

TEST(UiExperimentBar, AnyNCanBeTyped) {
  WorkbenchUi w;
  for (const auto& [text, n] :
       {std::pair{"33", 33u}, {"1000", 1000u}, {" 65537 ", 65537u}, {"2^16", 65536u}, {"0", 0u}}) {
    w.run("type", [&](ImGuiTestContext* test) {
      typeElements(test, text);
      IM_CHECK_EQ(test->UiContext->OpenPopupStack.Size, 0);
    });
    w.settle();
    EXPECT_EQ(w.session().workspace().experiment().elements, n);
    EXPECT_FALSE(w.session().workspace().oneBlockLoad());
    EXPECT_EQ(w.session().replay().run()->trace.experiment.elements, n);
  }
}

// For windows in which the bar has no room for it.
TEST(UiExperimentBar, AnyNCanBeTypedInTheMenu) {
  WorkbenchUi w;
  w.run("menu", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->MenuAction(ImGuiTestAction_Open, "Experiment/n");
    test->Yield(3);
    test->KeyCharsReplaceEnter("1.5");
    test->Yield(3);
    IM_CHECK(w.shows("no whole"));
    test->KeyCharsReplaceEnter("33");
    test->Yield(3);
    IM_CHECK_EQ(test->UiContext->OpenPopupStack.Size, 0);
  });
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.experiment.elements, 33u);
}

TEST(UiExperimentBar, WhatIsNoNStaysInTheFieldWithASentence) {
  WorkbenchUi w;
  for (const auto& [text, why] : {std::pair{"1.5", "no whole"},
                                  {"many", "2^20"},
                                  {"", "no whole"},
                                  {"2^40", "2^37"},
                                  {"2^30", "2^30"}}) {
    w.run("type", [&](ImGuiTestContext* test) {
      typeElements(test, text);
      IM_CHECK(w.shows(why));
      IM_CHECK(!w.session().workspace().job());
      IM_CHECK_EQ(w.session().workspace().experiment().elements, std::uint64_t(256));
      IM_CHECK(test->UiContext->InputTextState.ID != 0);
      IM_CHECK_STR_EQ(test->UiContext->InputTextState.TextA.Data, text);  // still there
      test->KeyCharsReplace("512");
      test->Yield(2);
      IM_CHECK(!w.shows(why));
      test->PopupCloseAll();
    });
  }
}

TEST(UiExperimentBar, SeveralBlocksAreInTheListOfN) {
  WorkbenchUi w;
  w.run("blocks", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##n/2 blocks");
  });
  w.settle();
  EXPECT_EQ(w.session().replay().launch().grid, 2u);
  EXPECT_TRUE(w.shows("512 (2 blocks)", "##bar"));
  w.apply(session::Choose(&model::Experiment::variant, "grid_stride"));
  w.run("blocks", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##n/4 blocks");
  });
  w.settle();
  EXPECT_EQ(w.session().replay().launch().grid, 4u);
}

TEST(UiExperimentBar, ItsLabelsSayWhatTheyMean) {
  WorkbenchUi w;
  for (const char* label : {"variant", "type", "operator", "block size", "n", "data pattern", "schedule",
                            "block shown", "what executes"})
    EXPECT_TRUE(w.hasTooltip(label, "##bar")) << label;
  EXPECT_FALSE(w.hasTooltip("speed", "##transport")) << "it says it itself";
}

TEST(UiExperimentBar, ABlockOfALargerRunIsShown) {
  WorkbenchUi w;
  w.apply(session::Choose::elements(1000));
  ASSERT_EQ(w.session().replay().launch().grid, 4u);
  w.run("block shown", [&](ImGuiTestContext* test) { test->ItemInputValue("//##bar/##block shown", 2); });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().block, 2u);
  EXPECT_EQ(w.session().replay().launch().recorded().block, 2u);
}

TEST(UiExperimentBar, ABlockThatIsNotThereStaysInTheFieldWithASentence) {
  WorkbenchUi w;
  w.apply(session::Choose::elements(1000));
  w.run("block shown", [&](ImGuiTestContext* test) {
    test->ItemInputValue("//##bar/##block shown", 9);
    test->Yield(3);
    IM_CHECK(test::tooltipIsShown());
    int kept = 0;
    test->ItemReadAsScalar("//##bar/##block shown", ImGuiDataType_S32, &kept);
    IM_CHECK_EQ(kept, 9);
    test->ItemInputValue("//##bar/##block shown", 2);
    test->Yield(3);
    IM_CHECK(!test::tooltipIsShown());
  });
  w.settle();
  EXPECT_EQ(w.session().replay().launch().recorded().block, 2u);
}

TEST(UiExperimentBar, AnEngineThatCannotBeUsedIsGreyed) {
  WorkbenchUi w;
  w.run("engines", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/what executes");
    test->MouseMove("//$FOCUSED/a GPU");
    test->Yield(3);
    IM_CHECK(test::tooltipIsShown());
    test->MouseClick();
    test->Yield(2);
    IM_CHECK_EQ(w.session().workspace().engineId(), std::string("host"));
  });
}

TEST(UiWindow, ADroppedFileIsOpened) {
  WorkbenchUi w;
  w.workbench().onDrop("/nowhere/none.stride");
  w.settle();
  EXPECT_TRUE(w.shows("none.stride", "##message"));
}

TEST(UiWindow, SaysWhatItShowsAndKeepsItsSettings) {
  WorkbenchUi w;
  EXPECT_EQ(w.workbench().title(), "Stridescope · interleaved, contiguous");
  w.apply(session::Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(w.workbench().title(), "Stridescope · sequential");
  w.apply(session::SetSpeed{4});
  w.workbench().saveState();
  EXPECT_EQ(w.saved().speed, 4);
  EXPECT_EQ(w.saved().lastExperiment.variant, "sequential");
  EXPECT_FALSE(w.workbench().wantsToClose());
  w.apply(session::Quit{});
  EXPECT_TRUE(w.workbench().wantsToClose());
}

TEST(UiWindow, WithoutARunSaysSo) {
  session::SessionServices services = test::hostServices();
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
    return unavailable("No NVIDIA driver was found. Install one, or step on the CPU.",
                       "libcuda.so.1: not found");
  };
  WorkbenchUi w({}, services);
  EXPECT_TRUE(w.shows("Nothing is recorded yet.", "##transport"));
  EXPECT_TRUE(w.shows("No NVIDIA driver was found.", "##message"));
  EXPECT_TRUE(w.shows("nothing recorded", "##bar"));
}

// What the shell has to tell comes when nothing else is told, and stays until it was read.
TEST(UiMessages, ANoticeOfTheWindowIsTold) {
  WorkbenchUi w;
  w.apply(session::OpenRecording{"/no/such/file.stride"});
  w.workbench().onNotice("The layout was damaged.");
  w.ui().drawFrames(2);
  EXPECT_FALSE(w.shows("The layout was damaged.")) << "another message is on screen";
  w.apply(session::DismissMessage{});
  EXPECT_TRUE(w.shows("The layout was damaged.", "##message"));
  w.apply(session::StepForward{});
  EXPECT_TRUE(w.shows("The layout was damaged."));
  w.apply(session::DismissMessage{});
  EXPECT_FALSE(w.shows("The layout was damaged.")) << "once";
}

}  // namespace
}  // namespace stridescope::views
