#include "support/demo_app.h"

#include <algorithm>

#include "draw/draw_context.h"
#include "draw/marks.h"
#include "draw/text.h"
#include "shell/default_layout.h"
#include "shell/docking.h"

namespace stridescope::support {
namespace {

constexpr const char* kCaption =
    "Stride 8: 16 of 256 threads add. 1 of 8 warps works, and half of its lanes are off. Each load and the "
    "store take 8 "
    "wavefronts instead of 1: an 8-way bank conflict.";
constexpr ImGuiWindowFlags kStrip = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBackground;

}  // namespace

void DemoApp::drawFrame(shell::Frame& frame) {
  ++framesDrawn;
  draw::DrawContext& draw = frame.draw;
  drawTop(frame);
  const float width = frame.size.x / draw.scale, height = frame.size.y / draw.scale;
  frame.docks.draw(shell::defaultLayoutName(width, height), shell::defaultLayouts(width, height, panels),
                   draw.px(shell::kTopBarHeight + messageUnits),
                   draw.px(shell::kTransportHeight + draw::kPanelGap), draw.px(draw::kPanelGap), draw.scale);
  drawDemoPanels(draw);
  drawBottom(frame);
}

void DemoApp::drawTop(shell::Frame& frame) {
  draw::DrawContext& draw = frame.draw;
  const draw::Palette& colours = draw.colours();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({frame.size.x, draw.px(shell::kTopBarHeight)});
  ImGui::Begin("##top", nullptr, kStrip | ImGuiWindowFlags_MenuBar);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = draw.px(draw::kPanelGap);
  list.AddRectFilled({gap, draw.px(32)}, {frame.size.x - gap, draw.px(shell::kTopBarHeight)}, colours.panel,
                     draw.px(draw::kPanelRadius));
  if (ImGui::BeginMenuBar()) {
    for (const char* menu : {"File", "Experiment", "View", "Run", "Help"}) {
      if (ImGui::BeginMenu(menu)) ImGui::EndMenu();
    }
    ImGui::EndMenuBar();
  }
  ImGui::SetCursorScreenPos({draw.px(16), draw.px(48)});
  int which = 1;
  ImGui::SetNextItemWidth(draw.px(210));
  ImGui::Combo("##variant", &which, "1  interleaved, modulo\0002  interleaved, contiguous\0");
  ImGui::SameLine();
  float speed = 0.4f;
  ImGui::SetNextItemWidth(draw.px(120));
  ImGui::SliderFloat("speed", &speed, 0, 1, "%.1f");
  const draw::TextStyle tag = draw::semiBoldStyle(draw, draw::kBodySize, colours.text);
  draw::drawTag(draw, list, {frame.size.x - draw.px(190), draw.px(46)}, "NVIDIA H200 \xE2\x80\x93 live", tag,
                0, colours.operand);
  ImGui::End();
}

void DemoApp::drawBottom(shell::Frame& frame) {
  draw::DrawContext& draw = frame.draw;
  const draw::Palette& colours = draw.colours();
  const float gap = draw.px(draw::kPanelGap), top = frame.size.y - draw.px(shell::kTransportHeight) - gap;
  ImGui::SetNextWindowPos({gap, top});
  ImGui::SetNextWindowSize({frame.size.x - 2 * gap, draw.px(shell::kTransportHeight)});
  ImGui::Begin("Transport", nullptr, kStrip);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 max(frame.size.x - gap, frame.size.y - gap);
  list.AddRectFilled({gap, top}, max, colours.panel, draw.px(draw::kPanelRadius));
  const ImVec2 min(gap + draw.px(16), top + draw.px(draw::kPanelInset));
  const bool wide = frame.size.x >= draw.scale * shell::kWideLayoutWidth;
  const draw::TextStyle caption = draw::semiBoldStyle(draw, wide ? draw::kCaptionSize : 16, colours.text);
  draw::drawText(draw, list, min, {max.x - draw.px(16), min.y + draw.px(28)}, kCaption, caption);
  const draw::DrawnText tag =
      draw::drawTag(draw, list, {min.x, min.y + draw.px(34)}, "thread 5",
                    draw::semiBoldStyle(draw, draw::kLabelSize, colours.ink), colours.hover);
  draw::drawText(draw, list, {tag.max.x + draw.px(12), tag.min.y}, {max.x, tag.max.y},
                 "warp 0 lane 5   data[80] + data[88] = 34 + 22 = 56   out[0] = 75\xE2\x80\x89"
                 "384",
                 draw::codeStyle(draw, draw::kBodySize, colours.text));
  ImGui::SetCursorScreenPos({min.x, min.y + draw.px(70)});
  const ImVec2 size(draw.px(draw::kTransportButtonWidth), draw.px(draw::kTransportButtonHeight));
  if (ImGui::Button("##Play", size)) ++clicks;
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  draw::fillTriangleRight(list, {a.x + draw.px(14), a.y + draw.px(9)}, {b.x - draw.px(14), b.y - draw.px(9)},
                          colours.text);
  ImGui::End();
}

}  // namespace stridescope::support
