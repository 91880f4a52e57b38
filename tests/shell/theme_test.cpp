// Dear ImGui's widgets in the window's colours: links and parts of controls have WCAG's contrasts.
#include "shell/theme.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "support/function_app.h"

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

// The faces: found, measured in ems, replaced when they are missing or broken.

std::vector<std::byte> bytesOf(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

std::filesystem::path installed(const std::string& file) {
  for (const auto& folder : fontFolders()) {
    if (std::filesystem::exists(folder / file)) return folder / file;
  }
  return {};
}

// JetBrains Mono 2: 1000 units an em, ascent 1020, descent -300. Inter 4: 2048, 1984 and -494.
TEST(Fonts, LineHeightsAreThoseOfTheFiles) {
  const auto mono = installed("JetBrainsMono-Regular.ttf"), inter = installed("Inter-Regular.otf");
  if (mono.empty() || inter.empty()) GTEST_SKIP() << "fonts-inter and fonts-jetbrains-mono are not installed";
  EXPECT_NEAR(lineHeightInEms(bytesOf(mono)).value_or(0), 1.32, 0.001);
  EXPECT_NEAR(lineHeightInEms(bytesOf(inter)).value_or(0), 1.21, 0.005);
}

TEST(Fonts, WhatIsNoFontIsRefused) {
  EXPECT_FALSE(lineHeightInEms({}));
  const std::vector<std::byte> zeros(4096);
  EXPECT_FALSE(lineHeightInEms(zeros));
  std::vector<std::byte> header(12, std::byte{0xFF});
  header[0] = header[2] = header[3] = std::byte{0};
  header[1] = std::byte{1};
  EXPECT_FALSE(lineHeightInEms(header)) << "65535 tables that are not there";
}

TEST(Fonts, ATruncatedFontIsRefusedOrRead) {
  const auto mono = installed("JetBrainsMono-Regular.ttf");
  if (mono.empty()) GTEST_SKIP() << "fonts-jetbrains-mono is not installed";
  const std::vector<std::byte> whole = bytesOf(mono);
  for (std::size_t kept = 0; kept < 2000; kept += 7) {
    EXPECT_FALSE(lineHeightInEms(std::span(whole).first(kept))) << kept;
  }
}

TEST(Fonts, MissingFacesAreNamedAndReplaced) {
  NullContext graphics({200, 100}, 1);
  const auto runner = FrameRunner::create(graphics, {.fontFolders = {"/no/such/folder"}});
  ASSERT_TRUE(runner);
  EXPECT_EQ((*runner)->missingFonts().size(), 5u);
  EXPECT_NE((*runner)->missingFonts()[0].find("Inter Regular"), std::string::npos);
  const draw::Fonts& fonts = (*runner)->drawContext().fonts;
  for (ImFont* font : {fonts.words, fonts.wordsSemiBold, fonts.wordsBold, fonts.code, fonts.codeBold}) {
    EXPECT_NE(font, nullptr);
  }
  support::FunctionApp app([](Frame& frame) {
    draw::drawTextAt(frame.draw, *ImGui::GetForegroundDrawList(), {0, 0}, "words",
                     draw::wordsStyle(frame.draw, 12, 1));
  });
  (*runner)->run(app);
}

// What the captions, tables and controls write.
TEST(Fonts, EveryNeededCharacterIsThere) {
  if (installed("JetBrainsMono-Regular.ttf").empty() || installed("Inter-Regular.otf").empty()) {
    GTEST_SKIP() << "fonts-inter and fonts-jetbrains-mono are not installed";
  }
  NullContext graphics({200, 100}, 1);
  const auto runner = FrameRunner::create(graphics);
  ASSERT_TRUE(runner);
  EXPECT_TRUE((*runner)->missingFonts().empty());
  const draw::Fonts fonts = (*runner)->drawContext().fonts;
  std::vector<ImWchar> needed = {0x00B5, 0x00B7, 0x00D7, 0x2009, 0x202F, 0x2013, 0x2026, 0x2713,
                                 0x2715, 0x2190, 0x2191, 0x2192, 0x2193, 0x2264, 0x2265};
  for (ImWchar c = 0x20; c < 0x7F; ++c) needed.push_back(c);
  for (ImWchar c = 0xA1; c <= 0xFF; ++c) needed.push_back(c);
  support::FunctionApp app([&](Frame&) {
    for (ImFont* font : {fonts.words, fonts.wordsSemiBold, fonts.wordsBold, fonts.code, fonts.codeBold}) {
      for (const ImWchar c : needed) EXPECT_TRUE(font->IsGlyphInFont(c)) << std::hex << c;
    }
  });
  (*runner)->run(app);
}

}  // namespace
}  // namespace stridescope::shell
