// Dear ImGui's widgets in the window's colours: links and parts of controls have WCAG's contrasts.
#include "shell/theme.h"

#include <gtest/gtest.h>

namespace stridescope::shell {
namespace {

constexpr double kMinTextContrast = 4.5, kMinControlContrast = 3;  // WCAG 2.1, 1.4.3 and 1.4.11

class ThemeContrast : public testing::TestWithParam<draw::Theme> {
 protected:
  void SetUp() override { applyTheme(style_, GetParam(), 1); }
  ImU32 of(ImGuiCol which) const { return ImGui::ColorConvertFloat4ToU32(style_.Colors[which]); }
  // What controls and links stand on: panels, forms and lists.
  std::vector<ImU32> grounds() const {
    return {of(ImGuiCol_WindowBg), of(ImGuiCol_PopupBg), of(ImGuiCol_MenuBarBg), of(ImGuiCol_DockingEmptyBg)};
  }

  ImGuiStyle style_;
};

TEST_P(ThemeContrast, LinksAreReadAsTextIs) {
  for (const ImU32 ground : grounds()) {
    EXPECT_GE(draw::contrastRatio(of(ImGuiCol_TextLink), ground), kMinTextContrast);
    EXPECT_GE(draw::contrastRatio(of(ImGuiCol_Text), ground), kMinTextContrast);
    EXPECT_GE(draw::contrastRatio(of(ImGuiCol_TextDisabled), ground), kMinTextContrast);
  }
}

// A check box is its frame and its mark; a field is its frame.
TEST_P(ThemeContrast, FramesOfControlsStandOutFromTheirGround) {
  EXPECT_GE(style_.FrameBorderSize, 1);
  EXPECT_EQ(style_.Colors[ImGuiCol_Border].w, 1);
  for (const ImU32 ground : grounds())
    EXPECT_GE(draw::contrastRatio(of(ImGuiCol_Border), ground), kMinControlContrast);
  for (const ImGuiCol within : {ImGuiCol_FrameBg, ImGuiCol_Button})
    EXPECT_GE(draw::contrastRatio(of(ImGuiCol_Border), of(within)), kMinControlContrast);
}

TEST_P(ThemeContrast, AMarkStandsOutFromItsBoxAndFromItsFrame) {
  for (const ImGuiCol box : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
    EXPECT_GE(draw::contrastRatio(of(ImGuiCol_CheckMark), of(box)), kMinControlContrast);
  EXPECT_GE(draw::contrastRatio(of(ImGuiCol_CheckMark), of(ImGuiCol_Border)), kMinControlContrast);
}

TEST_P(ThemeContrast, ScrollBarsAndSlidersAreSeen) {
  EXPECT_GE(draw::contrastRatio(of(ImGuiCol_ScrollbarGrab), of(ImGuiCol_WindowBg)), kMinControlContrast);
  EXPECT_GE(draw::contrastRatio(of(ImGuiCol_SliderGrab), of(ImGuiCol_FrameBg)), kMinControlContrast);
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeContrast, testing::Values(draw::Theme::Dark, draw::Theme::Light),
                         [](const auto& one) {
                           return std::string(one.param == draw::Theme::Dark ? "Dark" : "Light");
                         });

}  // namespace
}  // namespace stridescope::shell
