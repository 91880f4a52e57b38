#include "views/transport/transport_view.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "draw/marks.h"
#include "views/shared/shown_round.h"
#include "views/transport/compare_bar.h"
#include "views/transport/scrub_bar.h"

namespace stridescope::views {
namespace {

constexpr float kButtonGap = 4, kSpeedWidth = 110, kSpeedLabel = 48;

enum class Glyph { First, Back, Play, Pause, Forward, Last };

void drawGlyph(const ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, Glyph glyph, ImU32 colour) {
  const float unit = view.px(1), middleX = (min.x + max.x) / 2, middleY = (min.y + max.y) / 2,
              half = 6 * unit;
  const auto triangle = [&](float from, float to, bool right) {
    const ImVec2 a{from, middleY - half}, b{to, middleY + half};
    right ? draw::fillTriangleRight(list, a, b, colour) : draw::fillTriangleLeft(list, a, b, colour);
  };
  const auto bar = [&](float at) {
    list.AddRectFilled({at, middleY - half}, {at + 2.5f * unit, middleY + half}, colour);
  };
  switch (glyph) {
    case Glyph::First:
      bar(middleX - 9 * unit), triangle(middleX - 6 * unit, middleX + unit, false),
          triangle(middleX + unit, middleX + 8 * unit, false);
      break;
    case Glyph::Back:
      bar(middleX - 6 * unit), triangle(middleX - 3 * unit, middleX + 6 * unit, false);
      break;
    case Glyph::Play:
      triangle(middleX - 5 * unit, middleX + 6 * unit, true);
      break;
    case Glyph::Pause:
      bar(middleX - 5 * unit), bar(middleX + 2.5f * unit);
      break;
    case Glyph::Forward:
      triangle(middleX - 6 * unit, middleX + 3 * unit, true), bar(middleX + 3.5f * unit);
      break;
    case Glyph::Last:
      triangle(middleX - 8 * unit, middleX - unit, true), triangle(middleX - unit, middleX + 6 * unit, true),
          bar(middleX + 6.5f * unit);
      break;
  }
}

struct Button {
  const char* label;
  Glyph glyph;
  session::Command command;
  bool enabled;
};

Button playButton(const ViewContext& view) {
  return {"Play or pause", isPlaying(view) ? Glyph::Pause : Glyph::Play, session::TogglePlay{}, hasRun(view)};
}

float drawButtons(ViewContext& view, ImDrawList& list, ImVec2 min, std::span<const Button> buttons) {
  const draw::Palette& colours = view.colours();
  float x = min.x;
  for (const Button& button : buttons) {
    const ImVec2 from{x, min.y},
        to{x + view.px(draw::kTransportButtonWidth), min.y + view.px(draw::kTransportButtonHeight)};
    const HitArea area = hitArea(button.label, from, to);
    if (area.clicked && button.enabled) view.commands.push_back(button.command);
    if (area.hovered) wideTooltip(view, button.label);
    const bool play = button.glyph == Glyph::Play || button.glyph == Glyph::Pause;
    const ImU32 ground = play                             ? colours.result
                         : area.hovered && button.enabled ? colours.line
                                                          : colours.field;
    list.AddRectFilled(from, to, ground, view.px(draw::kFieldRadius));
    const ImU32 ink = play ? colours.ink : button.enabled ? colours.text : colours.toCome;
    drawGlyph(view, list, from, to, button.glyph, ink);
    x = to.x + view.px(kButtonGap);
  }
  return x;
}

// A logarithmic slider, for speeds double.
float drawSpeed(ViewContext& view, ImDrawList& list, ImVec2 min) {
  const draw::Palette& colours = view.colours();
  const double speed = view.app.settings().speed;
  char text[16];
  std::snprintf(text, sizeof text, speed < 1 ? "%.2f/s" : "%.1f/s", speed);
  const float half = view.px(draw::kTransportButtonHeight) / 2, left = min.x + view.px(10);
  view.text(list, {left, min.y}, {left + view.px(kSpeedLabel), min.y + half}, "speed",
            view.words(colours.dim));
  view.text(list, {left, min.y + half}, {left + view.px(kSpeedLabel + 8), min.y + 2 * half}, text,
            view.codeBold(colours.text));
  const float from = left + view.px(kSpeedLabel + 8), to = from + view.px(kSpeedWidth - kSpeedLabel),
              y = min.y + half;
  const double octaves = std::log2(session::kFastest / session::kSlowest);
  const HitArea area = hitArea("speed", {from - view.px(6), min.y}, {to + view.px(6), min.y + 2 * half});
  if (ImGui::IsItemActive()) {
    const double part = std::clamp(double((area.pointer.x - view.px(6)) / (to - from)), 0.0, 1.0);
    view.commands.push_back(
        session::SetSpeed{session::kSlowest * std::exp2(std::round(part * octaves * 4) / 4)});
  }
  const float knob = from + (to - from) * float(std::log2(speed / session::kSlowest) / octaves);
  list.AddRectFilled({from, y - view.px(1)}, {to, y + view.px(1)}, colours.line);
  list.AddCircleFilled({knob, y}, view.px(7), colours.text);
  return to + view.px(28);
}

}  // namespace

float drawPlayButton(ViewContext& view, ImDrawList& list, ImVec2 min) {
  return drawButtons(view, list, min, std::array{playButton(view)});
}

void drawTransport(ViewContext& view, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::array buttons{
      Button{"First round", Glyph::First, session::GoToFirst{}, !atFirst(view)},
      Button{"Step back", Glyph::Back, session::StepBack{}, !atFirst(view)}, playButton(view),
      Button{"Step forward", Glyph::Forward, session::StepForward{}, !atLast(view) || sumsUpNext(view)},
      Button{"Last round", Glyph::Last, session::GoToLast{}, !atLast(view)}};
  float x = drawButtons(view, list, min, buttons);
  if (max.x - x > view.px(520))
    x = drawSpeed(view, list, {x, min.y});
  else
    x += view.px(16);
  (view.comparison != nullptr ? drawComparedScrubBar : drawScrubBar)(view, list, {x + view.px(16), min.y},
                                                                     {max.x - view.px(24), max.y});
}

}  // namespace stridescope::views
