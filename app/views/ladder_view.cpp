#include "views/ladder_view.h"

#include "draw/panel.h"
#include "kernels/catalog.h"

namespace stridescope {
namespace {

constexpr float kTitleLine = 20, kSentenceLine = 16, kInset = 10, kNumberWidth = 14;

// What a variant's row needs at this width.
struct RowSize {
  int titleLines = 1, sentenceLines = 0;
  float height = 0;
};

RowSize sizeOf(const ViewContext& view, const Variant& variant, float width, bool withSentence) {
  RowSize size;
  size.titleLines = wrappedLineCount(semiBoldStyle(view.draw, kBodySize, 0), variant.title, width);
  if (withSentence)
    size.sentenceLines = wrappedLineCount(wordsStyle(view.draw, kLabelSize, 0), variant.changed, width);
  size.height = view.px(2 * kInset) + view.px(kTitleLine) * float(size.titleLines) +
                view.px(kSentenceLine) * float(size.sentenceLines);
  return size;
}

// The sentences go first where there is too little room for all of them.
bool sentencesFit(const ViewContext& view, float width, float height) {
  float needed = 0;
  for (const Variant& variant : catalog()) needed += sizeOf(view, variant, width, true).height;
  return needed <= height;
}

void drawRow(ViewContext& view, ImDrawList& list, ImVec2 min, float right, const Variant& variant, int number,
             const RowSize& size) {
  const Palette& colours = view.colours();
  const bool chosen = view.session.experiment().variant == variant.id;
  const ImVec2 max{right, min.y + size.height};
  const HitArea area = hitArea(std::string(variant.title).c_str(), min, max);
  if (area.clicked) view.commands.push_back(ChooseVariant{std::string(variant.id)});
  if (chosen || area.hovered) list.AddRectFilled(min, max, chosen ? colours.raised : colours.field);
  if (chosen) list.AddRectFilled(min, {min.x + view.px(3), max.y}, colours.result);

  const float left = min.x + view.px(kPanelInset), textLeft = left + view.px(kNumberWidth);
  const float width = right - view.px(4) - textLeft;
  float y = min.y + view.px(kInset);
  drawText(view.draw, list, {left, y}, {textLeft, y + view.px(kTitleLine)}, std::to_string(number),
           wordsStyle(view.draw, kBodySize, chosen ? colours.text : colours.dim));
  drawWrapped(view.draw, list, {textLeft, y}, width, view.px(kTitleLine), variant.title,
              semiBoldStyle(view.draw, kBodySize, colours.text));
  y += view.px(kTitleLine) * float(size.titleLines);
  if (size.sentenceLines > 0)
    drawWrapped(view.draw, list, {textLeft, y}, width, view.px(kSentenceLine), variant.changed,
                wordsStyle(view.draw, kLabelSize, colours.dim));
}

}  // namespace

void drawLadder(ViewContext& view) {
  Panel panel(view.draw, {.name = kLadderPanel, .leastWidth = 140, .leastHeight = 120});
  if (!panel) return;
  const ImVec2 min{panel.contentMin().x - view.px(kPanelInset), panel.contentMin().y};
  const ImVec2 max{panel.contentMax().x + view.px(kPanelInset), panel.contentMax().y};
  const float width = max.x - min.x - view.px(kPanelInset + kNumberWidth + 4);
  const bool sentences = sentencesFit(view, width, max.y - min.y);

  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  if (ImGui::BeginChild("variants", {max.x - min.x, max.y - min.y})) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    int number = 1;
    for (const Variant& variant : catalog()) {
      const RowSize size = sizeOf(view, variant, width, sentences);
      drawRow(view, *ImGui::GetWindowDrawList(), at, max.x, variant, number++, size);
      at.y += size.height;
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace stridescope
