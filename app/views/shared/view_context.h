// What every view gets: the session's parts to read, the tools to draw with, the list that takes its
// commands.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "draw/draw_context.h"
#include "draw/text.h"
#include "imgui.h"
#include "narration/round_at.h"
#include "session/parts.h"
#include "views/shared/ladder_times.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/shown_round.h"
#include "views/shared/tooltip.h"

namespace stridescope::views {

class Explanations;
struct Panel;
class CellWalk;
class ComparedRuns;

// Where a page lays its own link over what is drawn, in Dear ImGui's coordinates.
struct LinkPlaceOnPage {
  ImVec2 min, max;
};

struct ViewContext : session::Parts {
  draw::DrawContext& draw;
  session::Commands& commands;
  const LinkedHighlight& linked;  // for the replay's hover
  const TroubleMarks& trouble;    // for the replay's round
  const ShownTimes& times;
  const std::vector<Panel>& panels;  // all that there are, shown or hidden
  const Explanations& explanations;
  const ComparedRuns* compared = nullptr;                // with Parts::comparison: what is known of both
  std::vector<LinkPlaceOnPage>* programLinks = nullptr;  // to the program for a machine (shared/panel.h)
  CellWalk* walk = nullptr;  // for the arrow keys, while the panel with the keyboard is drawn (cell_walk.h)

  const draw::Palette& colours() const { return draw.colours(); }
  float px(float units) const { return draw.px(units); }

  // Styles of text (draw/text.h): labels unless another size is named.
  draw::TextStyle words(ImU32 colour, float size = draw::kLabelSize) const {
    return draw::wordsStyle(draw, size, colour);
  }
  draw::TextStyle semiBold(ImU32 colour, float size = draw::kLabelSize) const {
    return draw::semiBoldStyle(draw, size, colour);
  }
  draw::TextStyle bold(ImU32 colour, float size) const { return draw::boldStyle(draw, size, colour); }
  draw::TextStyle code(ImU32 colour, float size = draw::kLabelSize) const {
    return draw::codeStyle(draw, size, colour);
  }
  draw::TextStyle codeBold(ImU32 colour, float size = draw::kLabelSize) const {
    return draw::codeBoldStyle(draw, size, colour);
  }

  // draw::drawText, drawTextAt and drawWrapped.
  draw::DrawnText text(ImDrawList& list, ImVec2 min, ImVec2 max, std::string_view what,
                       const draw::TextStyle& style, draw::TextAlign align = draw::TextAlign::Left) const {
    return draw::drawText(draw, list, min, max, what, style, align);
  }
  draw::DrawnText textAt(ImDrawList& list, ImVec2 topLeft, std::string_view what,
                         const draw::TextStyle& style) const {
    return draw::drawTextAt(draw, list, topLeft, what, style);
  }
  draw::DrawnText wrapped(ImDrawList& list, ImVec2 topLeft, float width, float line, std::string_view what,
                          const draw::TextStyle& style, int mostLines = 1000) const {
    return draw::drawWrapped(draw, list, topLeft, width, line, what, style, mostLines);
  }
};

// A part of a map that answers to the pointer. The label names it for tests.
struct HitArea {
  bool hovered = false, clicked = false;
  ImVec2 pointer;        // from the area's upper left corner, pixels
  bool held = false;     // was pressed and has not been let go yet, wherever the pointer is now
  bool byKey = false;    // the keyboard says so (walkArea)
  bool hasKeys = false;  // its panel has the keyboard
};
inline HitArea hitArea(const char* label, ImVec2 min, ImVec2 max) {
  const ImVec2 size{std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)};
  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton(label, size);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {ImGui::IsItemHovered(),
          ImGui::IsItemClicked(),
          {mouse.x - min.x, mouse.y - min.y},
          ImGui::IsItemActive()};
}

inline void hoverOver(ViewContext& view, const session::Hover& hover) {
  if (view.replay.hover() != hover) view.commands.push_back(session::PointAt{hover});
}
// What is under the pointer becomes the hovered thing; a click pins it, and Enter on what is pinned releases
// it. Leaving an area keeps the hover.
inline void pointAt(ViewContext& view, const HitArea& area, const session::Hover& hover) {
  if (!area.hovered) return;
  if (area.clicked && area.byKey && view.replay.pinned() && view.replay.hover() == hover) {
    view.commands.push_back(session::Unpin{});
    view.commands.push_back(session::PointAt{hover});
    return;
  }
  if (area.clicked) view.commands.push_back(session::Pin{hover});
  hoverOver(view, hover);
}
inline void pointAt(ViewContext& view, const HitArea& area, unsigned thread) {
  if (thread < view.replay.launch().block) pointAt(view, area, session::hoverThread(thread));
}
// Hovers the round whose label is pointed at; a click goes to the round.
inline void pointAtRound(ViewContext& view, const HitArea& area, unsigned launch, unsigned round) {
  if (area.clicked) view.commands.push_back(session::GoToRound{launch, round});
  if (area.hovered) hoverOver(view, {session::HoverKind::Round, round, launch});
}

inline ImVec2 operator+(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }

}  // namespace stridescope::views
