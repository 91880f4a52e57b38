#include "support/demo_app.h"

#include <algorithm>

#include "draw/marks.h"
#include "draw/metrics.h"
#include "draw/text.h"
#include "shell/default_layout.h"
#include "shell/docking.h"

namespace stridescope {
namespace {

constexpr const char* kCaption =
    "Stride 8: 16 of 256 threads add. 1 of 8 warps works, and half of its lanes are off. Each load and the "
    "store take 8 "
    "wavefronts instead of 1: an 8-way bank conflict.";
constexpr ImGuiWindowFlags kStrip = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBackground;

}  // namespace

void DemoApp::drawFrame(Frame& frame) {
  ++framesDrawn;
  DrawContext& draw = frame.draw;
  drawTop(frame);
  const NamedLayout layout = defaultLayout(frame.size.x / draw.scale, frame.size.y / draw.scale);
  frame.docks.draw(layout.name, layout.layout, draw.px(kTopBarHeight), draw.px(kTransportHeight + kPanelGap),
                   draw.px(kPanelGap), draw.scale);
  drawDemoPanels(draw);
  drawBottom(frame);
}

void DemoApp::drawTop(Frame& frame) {
  DrawContext& draw = frame.draw;
  const Palette& colours = draw.colours();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({frame.size.x, draw.px(kTopBarHeight)});
  ImGui::Begin("##top", nullptr, kStrip | ImGuiWindowFlags_MenuBar);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = draw.px(kPanelGap);
  list.AddRectFilled({gap, draw.px(32)}, {frame.size.x - gap, draw.px(kTopBarHeight)}, colours.panel,
                     draw.px(kPanelRadius));
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
  const TextStyle tag = semiBoldStyle(draw, kBodySize, colours.text);
  drawTag(draw, list, {frame.size.x - draw.px(190), draw.px(46)}, "NVIDIA H200 \xE2\x80\x93 live", tag, 0,
          colours.operand);
  ImGui::End();
}

void DemoApp::drawBottom(Frame& frame) {
  DrawContext& draw = frame.draw;
  const Palette& colours = draw.colours();
  const float gap = draw.px(kPanelGap), top = frame.size.y - draw.px(kTransportHeight) - gap;
  ImGui::SetNextWindowPos({gap, top});
  ImGui::SetNextWindowSize({frame.size.x - 2 * gap, draw.px(kTransportHeight)});
  ImGui::Begin("Transport", nullptr, kStrip);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 max(frame.size.x - gap, frame.size.y - gap);
  list.AddRectFilled({gap, top}, max, colours.panel, draw.px(kPanelRadius));
  const ImVec2 min(gap + draw.px(16), top + draw.px(kPanelInset));
  const bool wide = frame.size.x >= draw.scale * kWideLayoutWidth;
  const TextStyle caption = semiBoldStyle(draw, wide ? kCaptionSize : 16, colours.text);
  drawText(draw, list, min, {max.x - draw.px(16), min.y + draw.px(28)}, kCaption, caption);
  const DrawnText tag = drawTag(draw, list, {min.x, min.y + draw.px(34)}, "thread 5",
                                semiBoldStyle(draw, kLabelSize, colours.ink), colours.hover);
  drawText(draw, list, {tag.max.x + draw.px(12), tag.min.y}, {max.x, tag.max.y},
           "warp 0 lane 5   data[80] + data[88] = 34 + 22 = 56   out[0] = 75\xE2\x80\x89"
           "384",
           codeStyle(draw, kBodySize, colours.text));
  ImGui::SetCursorScreenPos({min.x, min.y + draw.px(70)});
  const ImVec2 size(draw.px(kTransportButtonWidth), draw.px(kTransportButtonHeight));
  if (ImGui::Button("##Play", size)) ++clicks;
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  fillTriangleRight(list, {a.x + draw.px(14), a.y + draw.px(9)}, {b.x - draw.px(14), b.y - draw.px(9)},
                    colours.text);
  ImGui::End();
}

}  // namespace stridescope
