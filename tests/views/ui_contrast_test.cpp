// What is drawn has the colours whose contrasts palette_test.cpp and theme_test.cpp compute: links, check
// boxes, and the brackets of Source, in both themes.
#include <gtest/gtest.h>

#include <functional>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

class UiContrast : public testing::TestWithParam<session::ThemeName> {
 protected:
  UiContrast() {
    settings_.theme = GetParam();
    w_ = std::make_unique<WorkbenchUi>(test::UiRequest{.settings = settings_});
  }
  const draw::Palette& colours() const {
    return draw::palette(GetParam() == session::ThemeName::Light ? draw::Theme::Light : draw::Theme::Dark);
  }
  // How many corners of this colour are drawn in windows whose names hold `name`, within [min, max).
  static int corners(const std::string& name, ImU32 colour, ImVec2 min = {0, 0}, ImVec2 max = {1e6f, 1e6f}) {
    int count = 0;
    for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
      if (!window->WasActive || std::string(window->Name).find(name) == std::string::npos) continue;
      for (const ImDrawVert& vertex : window->DrawList->VtxBuffer)
        count += vertex.col == colour && vertex.pos.x >= min.x && vertex.pos.x < max.x &&
                 vertex.pos.y >= min.y && vertex.pos.y < max.y;
    }
    return count;
  }

  session::Settings settings_;
  std::unique_ptr<WorkbenchUi> w_;
};

TEST_P(UiContrast, LinksAreUnderlinedInTheirColour) {
  w_->apply(session::ShowOverlay{session::Overlay::Lesson});
  EXPECT_GT(corners("Lesson", colours().operandLine), 0);
  EXPECT_GE(draw::contrastRatio(colours().operandLine, colours().panel), 4.5);
}

// Orange, blue and the greys of rules are no colours for text where the panel is white. Ink stands on fills.
TEST_P(UiContrast, EveryTextHasAColourThatIsReadOnThePanel) {
  WorkbenchUi w({.variant = "sequential", .elements = 3072, .settings = settings_},
                test::hostServicesWithGrids());
  for (const Panel& panel : allPanels()) {
    w.apply(session::ShowPanel{panel.id});
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries()) {
      const ImU32 colour = entry.colour;
      const bool isOnFill = colour == colours().ink || colour == IM_COL32_BLACK || colour == IM_COL32_WHITE;
      if (isOnFill) continue;
      EXPECT_GE(draw::contrastRatio(colour, colours().panel), 4.5)
          << "'" << entry.text << "' in " << entry.window << " with " << panel.id;
    }
  }
}

TEST_P(UiContrast, ACheckBoxHasAFrame) {
  w_->apply(session::ShowOverlay{session::Overlay::Export});
  ImRect box;
  w_->run("where", [&](ImGuiTestContext* test) {
    box = test->ItemInfo("//Export/A question before each round").RectFull;
  });
  ASSERT_GT(box.GetHeight(), 0);
  const ImVec2 max{box.Min.x + box.GetHeight() + 1, box.Max.y + 1};
  EXPECT_GT(corners("Export", colours().frame, {box.Min.x - 1, box.Min.y - 1}, max), 0);
}

TEST_P(UiContrast, BracketsAreDrawnInColoursForLines) {
  EXPECT_GT(corners("source text", colours().operandLine), 0);
  EXPECT_GT(corners("source text", colours().resultLine), 0);
}

INSTANTIATE_TEST_SUITE_P(Themes, UiContrast,
                         testing::Values(session::ThemeName::Light, session::ThemeName::Dark),
                         [](const auto& one) { return std::string(session::nameOf(one.param)); });

}  // namespace
}  // namespace stridescope::views
