// The lesson and the glossary as a person uses them.
#include <gtest/gtest.h>

#include <algorithm>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "views/reading/glossary.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

// The middle of the first place of a text in a window, as it was drawn last.
ImVec2 placeOf(WorkbenchUi& w, const std::string& text, const std::string& window) {
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries()) {
    const std::size_t at = entry.window == window ? entry.text.find(text) : std::string::npos;
    if (at == std::string::npos) continue;
    const auto width = [&](std::string_view words) {
      return draw::textSize(draw::wordsStyle(w.ui().runner().drawContext(), draw::kBodySize, 0), words).x;
    };
    const std::string_view whole = entry.text;
    const float share = (width(whole.substr(0, at)) + width(text) / 2) / width(whole);
    return {entry.min.x + (entry.max.x - entry.min.x) * share, (entry.min.y + entry.max.y) / 2};
  }
  ADD_FAILURE() << "no \"" << text << "\" in " << window << ":\n" << w.textsIn(window);
  return {};
}

// Lanes, which the lesson of the contiguous variant speaks of, stands behind Banks.
TEST(UiLesson, ALinkBringsThePanelToTheFrontAndGoesToTheStride) {
  WorkbenchUi w({.size = {1280, 720}});
  w.apply(session::ShowPanel{"banks"});
  EXPECT_EQ(w.workbench().areaOf("lanes").max.x, 0);
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  w.run("link", [](ImGuiTestContext* test) { test->ItemClick("//Lesson/Look at. Lanes"); });
  w.settle();
  EXPECT_GT(w.workbench().areaOf("lanes").max.x, 0);
  EXPECT_EQ(w.session().replay().round().stride, std::optional<std::uint64_t>(2));
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Lesson);
}

TEST(UiLesson, ALinkLeadsToTheFirstRoundAndToTheLast) {
  WorkbenchUi w({.variant = "grid_stride"});
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  w.run("first", [](ImGuiTestContext* test) { test->ItemClick("//Lesson/Look at. Round 0"); });
  w.settle();
  EXPECT_TRUE(w.session().replay().atFirst());
  w.apply(session::Choose(&model::Experiment::variant, "early_result"));
  w.run("last", [](ImGuiTestContext* test) { test->ItemClick("//Lesson/Look at. The last round"); });
  w.settle();
  EXPECT_TRUE(w.session().replay().atLast());
}

TEST(UiLesson, ALinkLeadsToTheNextVariantsLesson) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  w.run("next", [](ImGuiTestContext* test) { test->ItemClick("//Lesson/Next. sequential"); });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().variant, "sequential");
  EXPECT_TRUE(w.shows("The stride begins at half the block", "Lesson")) << w.textsIn("Lesson");
}

TEST(UiLesson, AWordTellsWhatItMeansAndAClickOpensTheGlossary) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  const ImVec2 word = placeOf(w, "warps drop out", "Lesson");
  w.run("hover and click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({word.x - 30, word.y});  // on "warps"
    test->Yield(3);
    IM_CHECK(test::tooltipIsShown());
    test->MouseClick();
    test->Yield(3);
  });
  w.ui().drawFrames(3);
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Glossary);
  EXPECT_TRUE(w.shows("32 threads with neighbouring numbers", "Glossary")) << w.textsIn("Glossary");
  EXPECT_FALSE(w.shows("Bytes per second", "Glossary")) << "bandwidth was not asked for";
}

// Without a recording of times a figure is a dash that says why.
TEST(UiLesson, AFigureThatNobodyMeasuredIsADash) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  EXPECT_TRUE(w.shows("– (no recording", "Lesson")) << w.textsIn("Lesson");
  EXPECT_FALSE(w.shows("{{", "Lesson"));
}

// A student reads each without scrolling, beside the panels that it speaks of.
TEST(UiLesson, EachFitsOnOneScreen) {
  WorkbenchUi w({.size = {1600, 1000}});
  for (const kernels::Variant& variant : kernels::catalog()) {
    w.apply(session::Choose(&model::Experiment::variant, std::string(variant.id)));
    w.apply(session::ShowOverlay{session::Overlay::Lesson});
    const ImGuiWindow* const window = ImGui::FindWindowByName("Lesson");
    ASSERT_NE(window, nullptr);
    EXPECT_EQ(window->ScrollMax.y, 0) << variant.id;
    EXPECT_GT(window->ContentSize.y, 200) << variant.id;
    w.apply(session::ShowOverlay{session::Overlay::Lesson});
  }
}

// No part of a panel is under the lesson, and each is still wide enough to show something; the Ladder, whose
// room it takes, comes back.
TEST(UiLesson, StandsBesideThePanels) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, shell::PixelSize{1600, 1000}}) {
    WorkbenchUi w({.size = size});
    const PanelArea ladder = w.workbench().areaOf("ladder");
    ASSERT_GT(ladder.max.x, 0);
    w.apply(session::ShowOverlay{session::Overlay::Lesson});
    w.ui().drawFrames(8);
    const ImGuiWindow* const lesson = ImGui::FindWindowByName("Lesson");
    ASSERT_NE(lesson, nullptr);
    EXPECT_LT(lesson->Size.x, float(size.width) * 0.3f);
    int shown = 0;
    for (const char* panel : {"shared_memory", "lanes", "divergence", "banks", "source", "timings"}) {
      const PanelArea area = w.workbench().areaOf(panel);
      if (area.max.x <= area.min.x) continue;  // behind another tab
      ++shown;
      EXPECT_GE(area.min.x, lesson->Pos.x + lesson->Size.x) << panel << " at " << size.width;
    }
    EXPECT_GE(shown, 3) << size.width;
    for (const char* panel : {"Shared memory", "Lanes", "Lane utilization", "Banks", "Source", "Timings"})
      EXPECT_TRUE(w.hasRoom(panel)) << panel << " at " << size.width;
    w.apply(session::ShowOverlay{session::Overlay::Lesson});
    w.ui().drawFrames(8);
    EXPECT_EQ(w.workbench().areaOf("ladder").max.x, ladder.max.x) << size.width;
    EXPECT_EQ(w.workbench().areaOf("ladder").min.x, ladder.min.x) << size.width;
  }
}

// In large text one panel at a time stands beside it.
TEST(UiLesson, LeavesAPanelToSeeInLargeText) {
  WorkbenchUi w({.size = {1280, 720}, .scale = 1.5f});
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  w.ui().drawFrames(8);
  const PanelArea banks = w.workbench().areaOf("banks");
  ASSERT_GT(banks.max.x, banks.min.x);
  EXPECT_GE(banks.min.x,
            ImGui::FindWindowByName("Lesson")->Pos.x + ImGui::FindWindowByName("Lesson")->Size.x);
  EXPECT_TRUE(w.hasRoom());
}

TEST(UiGlossary, IsInTheHelpMenuAndIsSearched) {
  WorkbenchUi w;
  w.run("menu", [](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->MenuClick("Help/Glossary");
    test->Yield(3);
  });
  ASSERT_EQ(w.session().app().overlay(), session::Overlay::Glossary);
  EXPECT_TRUE(w.shows("Bytes per second", "Glossary")) << w.textsIn("Glossary");
  w.run("search", [](ImGuiTestContext* test) {
    test->ItemInputValue("//Glossary/##word", "wavef");
    test->Yield(3);
  });
  EXPECT_TRUE(w.shows("One pass of a shared-memory request", "Glossary")) << w.textsIn("Glossary");
  EXPECT_FALSE(w.shows("Bytes per second", "Glossary"));
  const ImVec2 bank = placeOf(w, "banks", "Glossary");
  w.run("another word", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(bank);
    test->MouseClick();
    test->Yield(3);
  });
  EXPECT_TRUE(w.shows("Shared memory has 32 banks of 4 bytes", "Glossary")) << w.textsIn("Glossary");
  EXPECT_FALSE(w.shows("One pass of a shared-memory request", "Glossary"));
}

TEST(UiGlossary, ThePaletteFindsItsWords) {
  WorkbenchUi w;
  w.run("palette", [](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars("glossary: occ");
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
  });
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Glossary);
  EXPECT_TRUE(w.shows("How many warps an SM holds", "Glossary")) << w.textsIn("Glossary");
}

// The caption stays as it is until the pointer is on a word.
TEST(UiCaption, AWordOfTheGlossaryTellsWhatItMeans) {
  WorkbenchUi w;
  const auto words = glossary().wordsIn(w.textsIn("##transport"));
  ASSERT_FALSE(words.empty()) << w.textsIn("##transport");
  const ImVec2 place = placeOf(w, "threads", "##transport");
  w.run("hover and click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(place);
    test->Yield(3);
    IM_CHECK(test::tooltipIsShown());
    test->MouseClick();
    test->Yield(3);
  });
  w.ui().drawFrames(3);
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Glossary);
  EXPECT_TRUE(w.shows("One execution of the kernel's code", "Glossary")) << w.textsIn("Glossary");
}

}  // namespace
}  // namespace stridescope::views
