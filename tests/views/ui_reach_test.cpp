// The keyboard alone reaches every control: in forms and texts by Tab, in panels by F6 and Tab; and what has
// the keyboard can be seen.
#include <gtest/gtest.h>

#include <set>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Overlay;
using test::WorkbenchUi;

constexpr int kMaxStops = 80;  // per window

struct Form {
  const char* title;
  session::Commands opened;
};

// Presses Tab until it has gone round, and names the controls of the window that it did not come to. `entry`
// goes there first: the Test Engine gives the focus back after a run.
void expectReached(WorkbenchUi& w, const std::string& title, std::size_t least,
                   ImGuiKey entry = ImGuiKey_None) {
  w.run("tab through " + title, [&](ImGuiTestContext* test) {
    if (entry != ImGuiKey_None) {
      test->KeyPress(entry);
      test->Yield(4);
    }
    ImGuiTestItemList items;
    test->GatherItems(&items, ("//" + title).c_str());
    std::set<ImGuiID> reached;
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    for (int i = 0; i < kMaxStops; ++i) {
      if (imgui.NavWindow != nullptr && imgui.NavWindow->RootWindow->Name == title) {
        reached.insert(imgui.NavId);
        if (i > 0) {
          IM_CHECK(imgui.NavCursorVisible);
        }
      }
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(2);
    }
    std::size_t controls = 0;
    for (const ImGuiTestItemInfo& item : items) {
      const bool isFrame = item.ID == test->GetID(("//" + title + "/#CLOSE").c_str());
      // Lines of a list are no stops: arrows go through them (ui_files_test.cpp).
      constexpr ImGuiItemFlags kNoStop = ImGuiItemFlags_Disabled | ImGuiItemFlags_NoTabStop;
      if (isFrame || (item.ItemFlags & kNoStop) != 0 || item.DebugLabel[0] == '\0') continue;
      ++controls;
      EXPECT_TRUE(reached.contains(item.ID)) << item.DebugLabel << " in " << title;
    }
    EXPECT_GE(controls, least) << title;
  });
}

class EachForm : public testing::TestWithParam<Form> {};

TEST_P(EachForm, IsReachedControlByControl) {
  WorkbenchUi w;
  for (const session::Command& command : GetParam().opened) w.apply(command);
  w.ui().drawFrames(4);
  expectReached(w, GetParam().title, 1);
  w.run("close", [](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
  });
  EXPECT_EQ(w.session().app().overlay(), Overlay::None) << GetParam().title;
}

Form formOf(const char* title, Overlay overlay, const std::string& subject = {}) {
  return {title, {session::ShowOverlay{overlay, subject}}};
}

INSTANTIATE_TEST_SUITE_P(
    Forms, EachForm,
    testing::Values(formOf("Open a recording or a kernel", Overlay::OpenFile),
                    formOf("Save as a recording", Overlay::SaveFile), formOf("Export", Overlay::Export),
                    formOf("Input data", Overlay::OwnData),
                    formOf("Custom operator", Overlay::CustomOperator),
                    formOf("Text of this round", Overlay::RoundText),
                    formOf("Open a tour", Overlay::OpenTour),
                    formOf("Delete the score?", Overlay::DeleteScore),
                    Form{"Save a copy of the tour",
                         {session::StartTour{"first"}, session::ShowOverlay{Overlay::Tour},
                          session::ShowOverlay{Overlay::SaveTour}}}),
    [](const auto& one) {
      std::string name = one.param.title;
      std::erase(name, ' ');
      std::erase(name, '?');
      return name;
    });

// Texts beside the panels are parts of the window: F6 goes to them.
class EachText : public testing::TestWithParam<Form> {};

TEST_P(EachText, IsReachedLinkByLink) {
  WorkbenchUi w;
  for (const session::Command& command : GetParam().opened) w.apply(command);
  w.ui().drawFrames(4);
  // Tours to choose from have the keyboard at once.
  const bool hasKeys = w.session().app().focused() == session::kReadingPart;
  expectReached(w, GetParam().title, 2, hasKeys ? ImGuiKey_None : ImGuiKey_F6);
  EXPECT_EQ(w.session().app().focused(), session::kReadingPart);
}

INSTANTIATE_TEST_SUITE_P(Texts, EachText,
                         testing::Values(formOf("Welcome", Overlay::Welcome), formOf("Tour", Overlay::Tour),
                                         Form{"Tour", {session::StartTour{"lecture"}}},
                                         formOf("Lesson", Overlay::Lesson)),
                         [](const auto& one) { return one.param.title + std::to_string(one.index); });

// The controls of a panel without cells, by Tab.
TEST(EachPanel, OfControlsIsReachedControlByControl) {
  WorkbenchUi w{{.variant = "sequential", .elements = 3072, .size = {1920, 1080}},
                test::hostServicesWithGrids()};
  for (const auto& [id, title, controls] :
       {std::tuple("timings", "Timings", std::vector{"live", "by size", "by block"}),
        std::tuple("why", "Why", std::vector{"its time", "what changed"})}) {
    w.session().apply(session::FocusPart{id});
    w.ui().drawFrames(8);
    for (const char* control : controls)
      w.run("tab", [&](ImGuiTestContext* test) {
        const ImGuiID wanted = test->ItemInfo((std::string("//") + title + "/" + control).c_str()).ID;
        const ImGuiID& reached = ImGui::GetCurrentContext()->NavId;
        for (int i = 0; reached != wanted && i < kMaxStops; ++i) {
          test->KeyPress(ImGuiKey_Tab);
          test->Yield(2);
        }
        IM_CHECK_EQ(reached, wanted);
      });
  }
}

// The tabs beside a map, by arrows, as its cells.
TEST(EachPanel, OfAMapHasItsTabsOnTheWay) {
  WorkbenchUi w{{.variant = "sequential", .elements = 3072, .size = {1920, 1080}},
                test::hostServicesWithGrids()};
  const auto press = [&](std::initializer_list<ImGuiKey> keys) {
    w.run("press", [&](ImGuiTestContext* test) {
      for (const ImGuiKey key : keys) {
        test->KeyPress(key);
        test->Yield(3);
      }
    });
    w.settle();
  };
  w.session().apply(session::FocusPart{"timeline"});
  w.ui().drawFrames(8);
  ASSERT_EQ(w.ui().findGrid("timeline")->rows, 4);
  press({ImGuiKey_UpArrow, ImGuiKey_UpArrow, ImGuiKey_UpArrow, ImGuiKey_UpArrow, ImGuiKey_UpArrow,
         ImGuiKey_RightArrow, ImGuiKey_Enter});
  EXPECT_EQ(w.ui().findGrid("timeline")->rows, 2) << "one SM";
  w.session().apply(session::FocusPart{"banks"});
  w.ui().drawFrames(8);
  const session::Replay& replay = w.session().replay();
  const auto* const before = replay.shownRequest();
  for (int i = 0; i < 40; ++i) press({ImGuiKey_UpArrow});
  press({ImGuiKey_LeftArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Enter});
  EXPECT_NE(replay.shownRequest(), before) << "its second tab";
}

}  // namespace
}  // namespace stridescope::views
