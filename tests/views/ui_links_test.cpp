// Whatever is pointed at lights in the other panels and tells its numbers; the source's lines are selected
// and copied.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

// The middle of a piece of the text that a window wrote; the code's characters are all equally wide.
ImVec2 placeOfText(WorkbenchUi& w, const std::string& window, const std::string& text) {
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries()) {
    const auto at = entry.text.find(text);
    if (at == std::string::npos || entry.window.find(window) == std::string::npos) continue;
    const float glyph = (entry.max.x - entry.min.x) / float(entry.text.size());
    return {entry.min.x + glyph * (float(at) + float(text.size()) / 2), (entry.min.y + entry.max.y) / 2};
  }
  ADD_FAILURE() << "no text " << text << " in " << window;
  return {};
}

void pointAt(WorkbenchUi& w, ImVec2 place) {
  w.run("point", [place](ImGuiTestContext* test) { test->MouseMoveToPos(place); });
  w.ui().drawFrames(2);
}

session::Hover hoverOf(WorkbenchUi& w) {
  return w.session().replay().hover().value_or(session::Hover{session::HoverKind::Round, 999});
}

TEST(UiLinks, AWarpsLabelFindsTheWarp) {
  WorkbenchUi w;
  pointAt(w, placeOfText(w, "Lanes", "W0"));
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Warp, 0}));
  EXPECT_TRUE(w.shows("warp 0\n", "##transport"));
  EXPECT_TRUE(w.shows("16 of 32 lanes active", "##transport")) << w.textsIn("##transport");
}

TEST(UiLinks, ACellOfDivergenceFindsItsWarpAndItsHeadTheRound) {
  WorkbenchUi w;
  pointAt(w, w.cellOf("divergence", 3, 2));
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Warp, 2}));
  ImVec2 head = w.cellOf("divergence", 5, 0);
  head.y = w.ui().findGrid("divergence")->min.y - 8;
  pointAt(w, head);
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Round, 6})) << "columns begin with round 1";
  EXPECT_TRUE(w.shows(
      "Stride 32: the first 4 of 256 threads add, 4 of 32 lanes of warp 0; the other 7 warps are idle.",
      "##transport"))
      << w.textsIn("##transport");
}

TEST(UiLinks, ABanksNumberAndItsColumnFindTheBank) {
  WorkbenchUi w;
  ImVec2 head = w.cellOf("punch card", 16, 0);
  head.y = w.ui().findGrid("punch card")->min.y - 8;
  pointAt(w, head);
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Bank, 16}));
  EXPECT_TRUE(w.shows("load A: 8 words for 8 lanes of a warp", "##transport")) << w.textsIn("##transport");
  pointAt(w, w.cellOf("banks by round", 24, 3));
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Bank, 24}));
}

TEST(UiLinks, InDeviceMemoryWarpsAndElementsTellTheirSectors) {
  WorkbenchUi w({.variant = "global_memory", .round = 2});  // stride 64 over 512 ints
  w.apply(session::PointAt{session::Hover{session::HoverKind::Warp, 1}});
  EXPECT_TRUE(w.shows("load A: 4 sectors", "##transport")) << w.textsIn("##transport");
  w.apply(session::PointAt{session::Hover{session::HoverKind::Element, 70}});
  EXPECT_TRUE(w.shows("array[70]\n", "##transport")) << w.textsIn("##transport");
  EXPECT_TRUE(w.shows("sector 8", "##transport")) << "byte 280; " << w.textsIn("##transport");
  EXPECT_TRUE(w.shows("B of thread 6", "##transport")) << w.textsIn("##transport");
}

TEST(UiLinks, AnEarlierRowFindsTheElement) {
  WorkbenchUi w;
  w.apply(
      session::Choose(&model::Experiment::data, model::DataPattern::Ones));  // all 256 elements are in view
  w.run("point", [&](ImGuiTestContext* test) {
    const ImRect row =
        test->ItemInfo("//Shared memory/row 3").RectFull;  // after stride 4: every eighth lives
    test->MouseMoveToPos({row.Min.x + row.GetWidth() * 88.5f / 256, row.GetCenter().y});
  });
  w.ui().drawFrames(2);
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Element, 88}));
  EXPECT_TRUE(w.shows("data[88]\n", "##transport")) << w.textsIn("##transport");
  EXPECT_TRUE(w.shows("B of thread 5", "##transport")) << w.textsIn("##transport");
}

TEST(UiLinks, AnOperandFindsItsElementAndADiscItsThread) {
  WorkbenchUi w;
  w.apply(session::Choose(&model::Experiment::data, model::DataPattern::Ones));
  ImVec2 b;
  w.run("point at B", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/shared memory map").RectFull;
    b = {map.Min.x + map.GetWidth() * 3.75f / 16, map.Min.y + 34};
    test->MouseMoveToPos(b);
  });
  w.ui().drawFrames(2);
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Element, 56}));
}

TEST(UiLinks, AnAccessInTheSourceFindsItsSite) {
  WorkbenchUi w;
  pointAt(w, placeOfText(w, "source text", "data[index + s]"));
  const session::Hover hover = hoverOf(w);
  ASSERT_EQ(hover.kind, session::HoverKind::Site);
  EXPECT_EQ(w.session().replay().run()->trace.sites[hover.index].text, "data[index + s]");
  EXPECT_TRUE(w.shows("16 threads of 1 warp", "##transport")) << w.textsIn("##transport");
}

TEST(UiLinks, ATickAndARowsLabelFindTheirRounds) {
  WorkbenchUi w;
  pointAt(w, placeOfText(w, "##transport", "64"));
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Round, 7}));
  EXPECT_EQ(w.session().replay().playhead().round, 4u) << "pointing goes nowhere";
  w.run("label", [&](ImGuiTestContext* test) { test->MouseMove("//Shared memory/round 2"); });
  w.ui().drawFrames(2);
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Round, 2}));
}

// The load's marks are 0 to 2, those of stride 1 are 2 to 4, those of stride 8 are 8 to 10: 7 (10^2 - 8^2)
// cycles.
TEST(UiLinks, ATickTellsItsRoundsRecordedCycles) {
  WorkbenchUi w({}, test::hostServicesWithCycles());
  EXPECT_TRUE(w.shows("8 · 252 cycles", "##transport")) << w.textsIn("##transport");
  EXPECT_TRUE(w.shows("Bars: cycles of each round, recorded on NVIDIA H100 80GB HBM3", "##transport"));
  pointAt(w, placeOfText(w, "##transport", "64"));
  EXPECT_TRUE(
      w.shows("420 cycles alone, 540 in a full grid, recorded on NVIDIA H100 80GB HBM3.", "##transport"))
      << w.textsIn("##transport");
  w.apply(session::GoToRound{0, 7});
  EXPECT_TRUE(w.shows("64 · 420 cycles", "##transport")) << w.textsIn("##transport");
}

// 16 threads are active in sequential's stride 16, its fourth round, as in the contiguous one's stride 8.
TEST(UiLinks, TheCaptionComparesCyclesWithSequentialsOfAsManyActiveThreads) {
  WorkbenchUi w({}, test::hostServicesWithCycles());
  EXPECT_TRUE(
      w.shows("Recorded: 252 cycles; sequential, with as many active threads, takes 252.", "##transport"))
      << w.textsIn("##transport");
  w.apply(session::GoToRound{0, 0});
  EXPECT_TRUE(w.shows("load · 28 cycles", "##transport")) << w.textsIn("##transport");
  EXPECT_EQ(w.textsIn("##transport").find("sequential, with"), std::string::npos) << "the load is no stride";
  w.apply(session::Choose(&model::Experiment::variant, "sequential"));
  w.apply(session::GoToRound{0, 5});
  EXPECT_TRUE(w.shows("8 · 308 cycles", "##transport")) << w.textsIn("##transport");
  EXPECT_EQ(w.textsIn("##transport").find("sequential, with"), std::string::npos) << "it is itself";
  w.apply(session::Choose(&model::Experiment::variant, "warp_shuffle"));
  w.apply(session::GoToRound{0, 3});
  EXPECT_EQ(w.textsIn("##transport").find("sequential, with"), std::string::npos) << "a shuffle is no stride";
}

TEST(UiLinks, WithoutClocksNoCyclesAreShown) {
  WorkbenchUi w;
  EXPECT_EQ(w.textsIn("##transport").find("cycle"), std::string::npos) << w.textsIn("##transport");
}

TEST(UiLinks, AnythingIsPinnedByAClickAndFreedByEscape) {
  WorkbenchUi w;
  const ImVec2 access = placeOfText(w, "source text", "data[index + s]"),
               warp = placeOfText(w, "Lanes", "W2");
  w.run("pin", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(warp);
    test->MouseClick();
    test->MouseMoveToPos(access);
  });
  w.ui().drawFrames(1);
  EXPECT_TRUE(w.session().replay().pinned());
  EXPECT_EQ(hoverOf(w), (session::Hover{session::HoverKind::Warp, 2}));
  EXPECT_TRUE(w.shows("warp 2 · pinned", "##transport"));
  w.run("free and pin another", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!w.session().replay().pinned());
    test->MouseClick();
  });
  EXPECT_TRUE(w.session().replay().pinned());
  EXPECT_EQ(hoverOf(w).kind, session::HoverKind::Site);
}

TEST(UiSource, LinesAreSelectedByDraggingAndCopied) {
  WorkbenchUi w;
  const ImVec2 from = placeOfText(w, "source text", "unsigned index"),
               to = placeOfText(w, "source text", "if (index");
  const std::string all =
      w.session().replay().run()->trace.preamble + w.session().replay().run()->trace.kernelText;
  // The clipboard only within the steps: the Test Engine keeps that of the person at the machine out of it.
  w.run("select and copy", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({from.x, from.y});
    test->MouseDown();
    test->MouseMoveToPos({from.x, to.y});
    test->MouseUp();
    test->Yield(2);
    IM_CHECK(w.shows("2 lines selected: Ctrl+C copies", "Source"));
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    test->Yield(3);
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(),
                    "        unsigned index = 2 * s * tid;\n        if (index < blockDim.x)\n");
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    test->Yield(3);
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), all.c_str());
  });
}

TEST(UiSource, CtrlAndAClickGoToTheRoundOfTheLine) {
  WorkbenchUi w;
  const ImVec2 write = placeOfText(w, "source text", "if (tid == 0)");
  w.run("go", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(write);
    test->KeyDown(ImGuiMod_Ctrl);
    test->MouseClick();
    test->KeyUp(ImGuiMod_Ctrl);
  });
  EXPECT_EQ(w.session().replay().playhead().round, 9u);
}

TEST(UiSharedMemory, APressInTheOverviewGoesThere) {
  WorkbenchUi w({.round = 1, .threads = 1024});
  w.run("press", [&](ImGuiTestContext* test) {
    const ImRect all = test->ItemInfo("//Shared memory/all elements").RectFull;
    test->MouseMoveToPos({all.Min.x + all.GetWidth() * 0.5f, all.GetCenter().y});
    test->MouseDown();
    test->Yield(2);
    test->MouseUp();
  });
  w.ui().drawFrames(2);
  EXPECT_TRUE(w.shows("512\n", "Shared memory")) << w.textsIn("Shared memory");
}

}  // namespace
}  // namespace stridescope::views
