#include "views/chrome/form_text.h"

#include "draw/marks.h"

namespace stridescope::views {
namespace {

constexpr float kSentenceLine = 20, kEdge = 4, kEdgeGap = 12, kCrossRoom = 20;  // units

}  // namespace

void sentence(ViewContext& view, float width, const std::string& text, ImU32 colour, float indent) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const draw::DrawnText drawn =
      draw::drawWrapped(view.draw, *ImGui::GetWindowDrawList(), {min.x + indent, min.y}, width - indent,
                        view.px(kSentenceLine), text, draw::wordsStyle(view.draw, draw::kBodySize, colour));
  ImGui::Dummy({width, drawn.max.y - min.y});
}

void remark(ViewContext& view, float width, const std::string& text, session::MessageKind kind) {
  const draw::Palette& colours = view.colours();
  const bool wrong = kind == session::MessageKind::Wrong;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float indent = view.px(kEdge + kEdgeGap) + (wrong ? view.px(kCrossRoom) : 0);
  sentence(view, width, text, colours.text, indent);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, {min.x + view.px(kEdge), ImGui::GetItemRectMax().y},
                     wrong ? colours.problem : colours.result);
  if (wrong)
    draw::drawCross(view.draw, list,
                    {min.x + view.px(kEdge + kEdgeGap + 5), min.y + view.px(kSentenceLine / 2)}, view.px(5),
                    colours.problem, 2);
}

std::optional<bool> askYesOrNo(const char* no, const char* yes, bool appearing) {
  if (appearing) {
    ImGui::SetKeyboardFocusHere();
    ImGui::SetNavCursorVisible(true);  // what Enter does is seen, though the mouse has opened it
  }
  const bool isNo = ImGui::Button(no);
  ImGui::SameLine();
  const bool isYes = ImGui::Button(yes);
  const bool enter = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsItemFocused() &&
                     ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (isYes) return true;
  return isNo || enter ? std::optional(false) : std::nullopt;
}

}  // namespace stridescope::views
