// A panel that is only in the register: all that the window makes of it.
#include <gtest/gtest.h>

#include "draw/panel.h"
#include "draw/text.h"
#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::UiRequest;
using test::WorkbenchUi;

Panel histogramPanel() {
  return {
      .id = "histogram",
      .title = "Histogram",
      .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Below, .width = 200}}},
      .draw =
          [](ViewContext& view) {
            draw::Panel panel(view.draw, {.name = "Histogram"});
            if (!panel) return;
            draw::drawText(view.draw, panel.list(), panel.contentMin(), panel.contentMax(), "bars",
                           draw::wordsStyle(view.draw, draw::kBodySize, view.colours().text));
          },
      .text = [](const ViewContext&) { return std::string("bars in characters\n"); },
      .commands = {{.menu = "View",
                    .name = "Count in Histogram",
                    .make = [](const session::Parts&) -> session::Command { return session::GoToLast{}; }}},
      .gestures = {{"Grow a bar", "pull it"}}};
}

class PanelOfTheRegister : public testing::Test {
 protected:
  void open(const UiRequest& request = {}) {
    ui_.reset();  // one at a time is Dear ImGui's
    ui_ = std::make_unique<WorkbenchUi>(request, test::hostServices(), histogramPanel());
  }
  WorkbenchUi& w() { return *ui_; }
  bool isDrawn() { return w().shows("bars\n", "Histogram"); }
  bool isShown() { return w().session().app().isShown("histogram"); }
  ImGuiDockNode* nodeOf(const char* panel) { return ImGui::FindWindowByName(panel)->DockNode; }
  void choose(const std::string& item) {
    w().run(item, [&](ImGuiTestContext* test) {
      test->SetRef("##bar");
      test->MenuClick(item.c_str());
    });
    w().settle();
  }
  void type(const std::string& command) {
    w().run(command, [&](ImGuiTestContext* test) {
      test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      test->Yield(3);
      test->KeyChars(command.c_str());
      test->Yield(2);
      test->KeyPress(ImGuiKey_Enter);
      test->Yield(2);
    });
    w().settle();
  }

 private:
  std::unique_ptr<WorkbenchUi> ui_;
};

TEST_F(PanelOfTheRegister, HasItsPlaceInTheWideLayout) {
  open();
  EXPECT_TRUE(isDrawn());
  const ImGuiWindow *histogram = ImGui::FindWindowByName("Histogram"),
                    *banks = ImGui::FindWindowByName("Banks"), *lanes = ImGui::FindWindowByName("Lanes");
  ASSERT_NE(nodeOf("Histogram"), nullptr);
  EXPECT_EQ(histogram->Pos.y, banks->Pos.y);
  EXPECT_GT(histogram->Pos.x, banks->Pos.x);
  EXPECT_NEAR(histogram->Size.x / lanes->Size.x, 200. / 272, 0.02);
  EXPECT_FALSE(w().ui().runner().docks().wasRearranged());
}

TEST_F(PanelOfTheRegister, HasItsTabInTheOthers) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {900, 900}, {900, 600}}) {
    open({.size = size});
    ASSERT_NE(nodeOf("Histogram"), nullptr);
    EXPECT_EQ(nodeOf("Histogram"), nodeOf("Lanes")) << size.width;
    EXPECT_FALSE(isDrawn());
    w().apply(session::ShowPanel{"histogram"});
    EXPECT_TRUE(isDrawn()) << "in front of the others";
  }
}

TEST_F(PanelOfTheRegister, TheMenuHidesAndShowsIt) {
  open();
  const float before = ImGui::FindWindowByName("Banks")->Size.x;
  choose("View/Panels/Histogram");
  EXPECT_FALSE(isShown());
  EXPECT_FALSE(isDrawn());
  EXPECT_GT(ImGui::FindWindowByName("Banks")->Size.x, before) << "its neighbour has its room";
  EXPECT_FALSE(w().ui().runner().docks().wasRearranged()) << "no panel was moved";
  choose("View/Panels/Histogram");
  EXPECT_TRUE(isShown());
  EXPECT_TRUE(isDrawn());
  EXPECT_NEAR(ImGui::FindWindowByName("Banks")->Size.x, before, 1);
}

TEST_F(PanelOfTheRegister, ThePaletteHidesAndShowsIt) {
  open({.size = {1280, 720}});
  type("show the panel histogram");
  EXPECT_TRUE(isDrawn()) << "in front of the others";
  type("hide the panel histogram");
  EXPECT_FALSE(isDrawn() || isShown());
  type("show the panel histogram");
  EXPECT_TRUE(isDrawn());
}

TEST_F(PanelOfTheRegister, ResetLayoutShowsIt) {
  open();
  w().apply(session::HidePanel{"histogram"});
  EXPECT_FALSE(isDrawn());
  choose("View/Reset layout");
  EXPECT_TRUE(isDrawn());
}

TEST_F(PanelOfTheRegister, StaysHiddenAfterANewStart) {
  session::Settings settings;
  settings.hiddenPanels = {"histogram", "a panel of another version"};
  open({.settings = settings});
  EXPECT_FALSE(isDrawn());
  EXPECT_TRUE(w().shows("Lanes", "Lanes"));
}

TEST_F(PanelOfTheRegister, ItsCommandsAndItsTextAreThere) {
  open();
  choose("View/Count in Histogram");
  EXPECT_TRUE(w().session().replay().atLast());
  w().run("text of the round", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    test->Yield(3);
    test->ItemClick("//Text of this round/Copy");
    test->Yield(2);
    IM_CHECK(std::string(ImGui::GetClipboardText()).find("\nHistogram\nbars in characters\n") !=
             std::string::npos);
  });
}

TEST_F(PanelOfTheRegister, ItsGestureIsALineOfTheOverlayOfKeys) {
  const auto height = [](WorkbenchUi& w) {
    w.apply(session::ShowOverlay{session::Overlay::Keys});
    return ImGui::FindWindowByName("All keys")->ContentSize.y;
  };
  float without = 0;
  {
    WorkbenchUi plain;
    without = height(plain);
  }
  open();
  EXPECT_GT(height(w()), without);
}

TEST_F(PanelOfTheRegister, ShotKnowsIt) {
  std::vector<Panel> panels = allPanels();
  panels.push_back(histogramPanel());
  EXPECT_EQ(idsOf(panels).back(), "histogram");
  open({.size = {1280, 720}});
  EXPECT_EQ(w().workbench().areaOf("histogram").max.x, 0) << "behind a tab";
  w().apply(session::ShowPanel{"histogram"});
  const PanelArea area = w().workbench().areaOf("histogram");
  const ImGuiWindow* window = ImGui::FindWindowByName("Histogram");
  EXPECT_EQ(area.min.x, window->Pos.x);
  EXPECT_EQ(area.max.y, window->Pos.y + window->Size.y);
  EXPECT_EQ(w().workbench().areaOf("no such panel").max.x, 0);
}

}  // namespace
}  // namespace stridescope::views
