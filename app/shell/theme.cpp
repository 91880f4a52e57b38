#include "shell/theme.h"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "draw/metrics.h"

namespace stridescope::shell {
namespace {

ImVec4 colour(ImU32 packed, float alpha = 1.0f) {
  return ImGui::ColorConvertU32ToFloat4(draw::withAlpha(packed, alpha));
}

void applyColours(ImGuiStyle& style, draw::Theme theme) {
  const draw::Palette& p = draw::palette(theme);
  const ImU32 hoveredField = draw::mix(p.field, p.text, 0.10f);
  const ImU32 heldField = draw::mix(p.field, p.text, 0.18f);
  const auto set = [&](ImGuiCol which, ImU32 packed, float alpha = 1.0f) {
    style.Colors[which] = colour(packed, alpha);
  };
  const auto three = [&](ImGuiCol idle, ImGuiCol hovered, ImGuiCol held) {
    set(idle, p.field);
    set(hovered, hoveredField);
    set(held, heldField);
  };
  // Whatever is not named below is one of these, never Dear ImGui's blue.
  for (ImVec4& any : style.Colors) any = colour(p.field);

  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.dim);
  set(ImGuiCol_TextLink, p.operandLine);
  set(ImGuiCol_TextSelectedBg, p.operand, 0.35f);
  set(ImGuiCol_InputTextCursor, p.text);
  set(ImGuiCol_WindowBg, p.panel);
  set(ImGuiCol_ChildBg, p.panel, 0.0f);
  set(ImGuiCol_PopupBg, theme == draw::Theme::Dark ? p.raised : p.panel);
  set(ImGuiCol_Border, p.frame);
  set(ImGuiCol_BorderShadow, p.line, 0.0f);
  three(ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive);
  three(ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive);
  three(ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive);
  set(ImGuiCol_MenuBarBg, p.panel);
  set(ImGuiCol_TitleBg, p.window);
  set(ImGuiCol_TitleBgActive, p.window);
  set(ImGuiCol_TitleBgCollapsed, p.window);
  set(ImGuiCol_ScrollbarBg, p.panel, 0.0f);
  set(ImGuiCol_ScrollbarGrab, p.frame);
  set(ImGuiCol_ScrollbarGrabHovered, p.dim);
  set(ImGuiCol_ScrollbarGrabActive, p.text);
  set(ImGuiCol_CheckMark, p.text);
  set(ImGuiCol_SliderGrab, p.frame);
  set(ImGuiCol_SliderGrabActive, p.result);
  set(ImGuiCol_Separator, p.line);
  set(ImGuiCol_SeparatorHovered, p.operand, 0.5f);
  set(ImGuiCol_SeparatorActive, p.operand);
  set(ImGuiCol_ResizeGrip, p.line, 0.0f);
  set(ImGuiCol_ResizeGripHovered, p.operand, 0.5f);
  set(ImGuiCol_ResizeGripActive, p.operand);
  set(ImGuiCol_Tab, p.window);
  set(ImGuiCol_TabHovered, p.field);
  set(ImGuiCol_TabSelected, p.panel);
  set(ImGuiCol_TabSelectedOverline, p.result);
  set(ImGuiCol_TabDimmed, p.window);
  set(ImGuiCol_TabDimmedSelected, p.panel);
  set(ImGuiCol_TabDimmedSelectedOverline, p.result);
  set(ImGuiCol_DockingPreview, p.operand, 0.4f);
  set(ImGuiCol_DockingEmptyBg, p.window);
  set(ImGuiCol_PlotLines, p.dim);
  set(ImGuiCol_PlotLinesHovered, p.hover);
  set(ImGuiCol_PlotHistogram, p.dim);
  set(ImGuiCol_PlotHistogramHovered, p.hover);
  set(ImGuiCol_TableHeaderBg, p.raised);
  set(ImGuiCol_TableBorderStrong, p.line);
  set(ImGuiCol_TableBorderLight, p.grid);
  set(ImGuiCol_TableRowBg, p.panel, 0.0f);
  set(ImGuiCol_TableRowBgAlt, p.raised, 0.5f);
  set(ImGuiCol_TreeLines, p.line);
  set(ImGuiCol_DragDropTarget, p.result);
  set(ImGuiCol_DragDropTargetBg, p.result, 0.15f);
  set(ImGuiCol_UnsavedMarker, p.text);
  set(ImGuiCol_NavCursor, p.text);
  set(ImGuiCol_NavWindowingHighlight, p.text);
  set(ImGuiCol_NavWindowingDimBg, p.window, 0.5f);
  set(ImGuiCol_ModalWindowDimBg, p.window, 0.65f);
}

}  // namespace

void applyTheme(ImGuiStyle& style, draw::Theme theme, float scale) {
  style = ImGuiStyle();
  applyColours(style, theme);

  style.FontSizeBase = draw::kBodySize;
  style.FontScaleMain = 1.0f;
  style.FontScaleDpi = scale;

  style.WindowPadding = {draw::kPanelInset, draw::kPanelInset};
  style.WindowRounding = draw::kPanelRadius;
  style.ChildRounding = draw::kPanelRadius;
  style.PopupRounding = draw::kPanelRadius;
  style.FrameRounding = draw::kFieldRadius;
  style.GrabRounding = draw::kFieldRadius;
  style.TabRounding = draw::kFieldRadius;
  style.ScrollbarRounding = draw::kFieldRadius;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.FrameBorderSize = 1;
  style.TabBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FramePadding = {draw::kBaseUnit * 2, (draw::kControlHeight - draw::kBodySize) / 2};
  style.ItemSpacing = {draw::kBaseUnit * 2, draw::kBaseUnit};
  style.ItemInnerSpacing = {draw::kBaseUnit + 2, draw::kBaseUnit};
  style.CellPadding = {draw::kBaseUnit, draw::kBaseUnit / 2};
  style.IndentSpacing = draw::kBaseUnit * 4;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.TabBarOverlineSize = 2;
  style.TabBarBorderSize = 0;
  style.DockingSeparatorSize = draw::kPanelGap;
  style.DockingNodeHasCloseButton = false;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.WindowTitleAlign = {0, 0.5f};
  style.SeparatorTextBorderSize = 1;
  style.HoverStationaryDelay = 0.15f;
  style.ScaleAllSizes(scale);
  // Hairlines stay visible below 100 %.
  style.PopupBorderSize = std::max(1.0f, style.PopupBorderSize);
  style.FrameBorderSize = std::max(1.0f, std::round(scale));
}

void applyPlotTheme(draw::Theme theme, float scale) {
  const draw::Palette& p = draw::palette(theme);
  if (ImPlot::GetColormapIndex(kCategoriesColormap) < 0) {
    // Without their black, which the dark theme's ground would swallow.
    ImPlot::AddColormap(kCategoriesColormap, draw::kOkabeIto.data() + 1,
                        static_cast<int>(draw::kOkabeIto.size() - 1));
  }
  ImPlotStyle& style = ImPlot::GetStyle();
  style = ImPlotStyle();
  style.Colormap = ImPlot::GetColormapIndex(kCategoriesColormap);
  style.Colors[ImPlotCol_FrameBg] = colour(p.panel, 0.0f);
  style.Colors[ImPlotCol_PlotBg] = colour(p.panel, 0.0f);
  style.Colors[ImPlotCol_PlotBorder] = colour(p.line, 0.0f);
  style.Colors[ImPlotCol_LegendBg] = colour(p.panel, 0.8f);
  style.Colors[ImPlotCol_LegendBorder] = colour(p.line, 0.0f);
  style.Colors[ImPlotCol_LegendText] = colour(p.dim);
  style.Colors[ImPlotCol_TitleText] = colour(p.text);
  style.Colors[ImPlotCol_InlayText] = colour(p.text);
  style.Colors[ImPlotCol_AxisText] = colour(p.dim);
  style.Colors[ImPlotCol_AxisGrid] = colour(p.grid);
  style.Colors[ImPlotCol_AxisTick] = colour(p.line);
  style.Colors[ImPlotCol_AxisBg] = colour(p.panel, 0.0f);
  style.Colors[ImPlotCol_AxisBgHovered] = colour(p.field);
  style.Colors[ImPlotCol_AxisBgActive] = colour(p.field);
  style.Colors[ImPlotCol_Selection] = colour(p.operand);
  style.Colors[ImPlotCol_Crosshairs] = colour(p.dim);
  style.PlotBorderSize = 0;
  style.PlotPadding = {0, draw::kBaseUnit * scale};
  style.LabelPadding = {draw::kBaseUnit * scale, draw::kBaseUnit * scale};
  style.LegendPadding = {draw::kBaseUnit * 2 * scale, draw::kBaseUnit * scale};
  style.MousePosPadding = {draw::kBaseUnit * 2 * scale, draw::kBaseUnit * 2 * scale};
  style.MajorTickLen = {0, 0};
  style.MinorTickLen = {0, 0};
  style.MinorAlpha = 0;
  style.PlotDefaultSize = {0, 0};
  style.PlotMinSize = {40 * scale, 40 * scale};
}

}  // namespace stridescope::shell
