#include "views/ladder_view.h"

#include <cmath>

#include "draw/panel.h"
#include "views/ladder_layout.h"

namespace stridescope {
namespace {

constexpr float kTitleLine = 20, kSentenceLine = 16, kInset = 10, kTightInset = 4, kHeading = 30;  // units
constexpr int kFramesToSettle = 3;

// The list between two edges of the screen.
struct LadderPainter {
  ViewContext& view;
  ImDrawList& list;
  float left, right;  // pixels; rows reach to both
  float numberWidth;  // of the widest
  float inset;        // above and below a variant

  float textLeft() const { return left + view.px(kPanelInset) + numberWidth + view.px(6); }
  float textWidth() const { return right - view.px(6) - textLeft(); }

  void heading(const LadderRow& row, float top, bool first) const {
    const Palette& colours = view.colours();
    const float x = left + view.px(kPanelInset), bottom = top + row.height;
    if (!first)
      list.AddRectFilled({x, top + view.px(5)}, {right - view.px(6), top + view.px(6)}, colours.line);
    drawText(view.draw, list, {x, bottom - view.px(kLabelLineHeight + 4)},
             {right - view.px(6), bottom - view.px(4)}, headingOf(row.family),
             semiBoldStyle(view.draw, kLabelSize, colours.dim));
  }

  void variant(const LadderRow& row, float top) const {
    const Palette& colours = view.colours();
    const Variant& variant = *row.variant;
    const bool chosen = view.session.experiment().variant == variant.id;
    const ImVec2 min{left, top}, max{right, top + row.height};
    const HitArea area = hitArea(std::string(variant.title).c_str(), min, max);
    if (area.clicked) view.commands.push_back(ChooseVariant{std::string(variant.id)});
    if (area.hovered && row.sentenceLines == 0)
      ImGui::SetItemTooltip("%s", std::string(variant.changed).c_str());
    if (chosen || area.hovered) list.AddRectFilled(min, max, chosen ? colours.raised : colours.field);
    if (chosen) list.AddRectFilled(min, {min.x + view.px(3), max.y}, colours.result);

    float y = top + inset;
    const ImVec2 numberMin{left + view.px(kPanelInset), y};
    drawText(view.draw, list, numberMin, {numberMin.x + numberWidth + 1, y + view.px(kTitleLine)},
             std::to_string(row.number),
             wordsStyle(view.draw, kBodySize, chosen ? colours.text : colours.dim), TextAlign::Right);
    drawWrapped(view.draw, list, {textLeft(), y}, textWidth(), view.px(kTitleLine), variant.title,
                semiBoldStyle(view.draw, kBodySize, colours.text));
    y += view.px(kTitleLine) * float(row.titleLines);
    if (row.sentenceLines > 0)
      drawWrapped(view.draw, list, {textLeft(), y}, textWidth(), view.px(kSentenceLine), variant.changed,
                  wordsStyle(view.draw, kLabelSize, chosen ? colours.text : colours.dim));
  }
};

LadderLayout layOutFor(const LadderPainter& painter, const std::string& chosen, float room) {
  const ViewContext& view = painter.view;
  const float width = painter.textWidth();
  return layOutLadder(catalog(), chosen,
                      {.titleLine = view.px(kTitleLine),
                       .sentenceLine = view.px(kSentenceLine),
                       .inset = painter.inset,
                       .heading = view.px(kHeading),
                       .titleLines =
                           [&](std::string_view text) {
                             return wrappedLineCount(semiBoldStyle(view.draw, kBodySize, 0), text, width);
                           },
                       .sentenceLines =
                           [&](std::string_view text) {
                             return wrappedLineCount(wordsStyle(view.draw, kLabelSize, 0), text, width);
                           }},
                      room);
}

void keepChosenInView(const LadderLayout& layout, const std::string& chosen, float room, LadderState& state) {
  if (state.scrolledTo != chosen) state = {.scrolledTo = chosen, .framesToSettle = kFramesToSettle};
  if (state.framesToSettle == 0) return;
  --state.framesToSettle;
  if (const LadderRow* row = layout.find(chosen))
    ImGui::SetScrollY(scrollTo(row->top, row->height, ImGui::GetScrollY(), room, layout.height));
}

}  // namespace

void drawLadder(ViewContext& view, LadderState& state) {
  Panel panel(view.draw, {.name = kLadderPanel, .leastWidth = 140, .leastHeight = 120});
  if (!panel) return;
  const ImVec2 min{panel.contentMin().x - view.px(kPanelInset), panel.contentMin().y};
  const ImVec2 max{panel.contentMax().x + view.px(kPanelInset), panel.contentMax().y};
  const std::string& chosen = view.session.experiment().variant;

  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  if (ImGui::BeginChild("variants", {max.x - min.x, max.y - min.y})) {
    const TextStyle figures = wordsStyle(view.draw, kBodySize, 0);
    LadderPainter painter{.view = view,
                          .list = *ImGui::GetWindowDrawList(),
                          .left = min.x,
                          .right = max.x,
                          .numberWidth = std::ceil(textSize(figures, std::to_string(catalog().size())).x),
                          .inset = view.px(kInset)};
    const float room = max.y - min.y;
    LadderLayout layout = layOutFor(painter, chosen, room);
    if (layout.height > room) {  // a longer list is set closer
      painter.inset = view.px(kTightInset);
      layout = layOutFor(painter, chosen, room);
    }
    if (layout.height > room) {
      painter.right -= ImGui::GetStyle().ScrollbarSize;
      layout = layOutFor(painter, chosen, room);
    }
    keepChosenInView(layout, chosen, room, state);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (const LadderRow& row : layout.rows) {
      if (row.variant != nullptr)
        painter.variant(row, origin.y + row.top);
      else
        painter.heading(row, origin.y + row.top, &row == layout.rows.data());
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({1, layout.height});
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace stridescope
