#include <algorithm>
#include <cmath>
#include <variant>

#include "draw/marks.h"
#include "imgui_internal.h"
#include "views/frame/menu_bar.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kSentencesShare = 0.55f;                                  // at least, beside a note
constexpr float kRemarkInset = 14, kRemarkLine = 22, kRemarkPadding = 9;  // units
constexpr int kMaxRemarkLines = 3;
constexpr const char* kCopyPath = "Copy path";

}  // namespace

void drawMessageStrip(ViewContext& view, ImVec2 min, ImVec2 max) {
  const session::Message& message = *view.app.message();
  const draw::Palette& colours = view.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 edge = message.kind == session::MessageKind::Fine   ? colours.operand
                     : message.kind == session::MessageKind::ToDo ? colours.result
                                                                  : colours.problem;
  list.AddRectFilled(min, max, colours.panel, view.px(draw::kPanelRadius));
  list.AddRectFilled(min, {min.x + view.px(4), max.y}, edge);
  float left = min.x + view.px(20);
  if (message.kind == session::MessageKind::Wrong) {
    draw::drawCross(view.draw, list, {left + view.px(6), (min.y + max.y) / 2}, view.px(6), colours.problem,
                    2);
    left += view.px(24);
  }

  // Buttons from the right: dismiss, copy details, the action.
  float right = max.x - view.px(12);
  const auto button = [&](const char* label) {
    const float width = ImGui::CalcTextSize(label).x + view.px(24);
    right -= width;
    ImGui::SetCursorScreenPos({right, (min.y + max.y - view.px(draw::kControlHeight + 4)) / 2});
    const bool clicked = ImGui::Button(label, {width, view.px(draw::kControlHeight + 4)});
    right -= view.px(8);
    return clicked;
  };
  if (button("Dismiss")) view.commands.push_back(session::DismissMessage{});
  if (button("Copy details"))
    view.commands.push_back(session::CopyText{message.sentence + "\n" + message.details, "the message"});
  if (message.action && button(message.actionLabel.c_str())) {
    // The form that it opens goes on telling it.
    const bool opensForm = message.form != session::Overlay::None &&
                           std::holds_alternative<session::ShowOverlay>(message.action->any());
    if (!opensForm) view.commands.push_back(session::DismissMessage{});
    view.commands.push_back(*message.action);
  }
  const draw::TextStyle note = view.words(colours.dim);
  if (!message.note.empty()) {
    const float noteLeft =
        std::max(right - draw::textSize(note, message.note).x, left + (right - left) * kSentencesShare);
    view.text(list, {noteLeft, min.y}, {right + 1, max.y}, message.note, note);
    right = noteLeft - view.px(12);
  }
  const draw::DrawnText drawn = view.text(list, {left, min.y}, {right, max.y}, message.sentence,
                                          view.semiBold(colours.text, draw::kBodySize));
  if ((drawn.shortened || !message.details.empty()) && ImGui::IsMouseHoveringRect(drawn.min, drawn.max))
    wideTooltip(view, message.details.empty() ? message.sentence : message.sentence + "\n" + message.details);
}

void drawRemark(ViewContext& view, ImVec2 corner, float width, float most) {
  if (!view.app.loneRemark()) return;
  const draw::TextStyle style = view.semiBold(view.colours().text, draw::kBodySize);
  const std::string& sentence = *view.app.loneRemark();
  const float inset = view.px(kRemarkInset), line = view.px(kRemarkLine), padding = view.px(kRemarkPadding);
  const bool isOfSaved = view.app.isRemarkOfSaved();
  const float buttonWidth = isOfSaved ? ImGui::CalcTextSize(kCopyPath).x + view.px(24) : 0;
  const float besideText = 2 * inset + (isOfSaved ? buttonWidth + inset : 0);
  const float textWidth = std::min(std::ceil(draw::textSize(style, sentence).x) + 1, width - besideText);
  const int mostLines = std::clamp(int(most / line), 1, kMaxRemarkLines);
  const int lines = std::min(mostLines, draw::wrappedLineCount(style, sentence, textWidth));
  const float button = view.px(draw::kControlHeight + 4);
  const float height = std::min(most, std::max(line * float(lines), isOfSaved ? button : 0) + 2 * padding);
  const ImVec2 min{corner.x, corner.y - height};
  const ImVec2 max{corner.x + textWidth + besideText, corner.y};
  if (beginStrip("##remark", min, max,
                 (isOfSaved ? 0 : ImGuiWindowFlags_NoInputs) | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBackground)) {
    if (ImGui::GetCurrentContext()->OpenPopupStack.Size == 0)
      ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, view.colours().raised, view.px(draw::kPanelRadius));
    list.AddRect(min, max, view.colours().frame, view.px(draw::kPanelRadius), 0, view.px(1));
    list.AddRectFilled(min, {min.x + view.px(4), max.y}, view.colours().operand);
    view.wrapped(list, {min.x + inset, std::round((min.y + max.y - line * float(lines)) / 2)}, textWidth,
                 line, sentence, style, lines);
    if (isOfSaved) {
      ImGui::SetCursorScreenPos({max.x - inset - buttonWidth, std::round((min.y + max.y - button) / 2)});
      if (ImGui::Button(kCopyPath, {buttonWidth, button}))
        view.commands.push_back(session::CopyText{view.app.savedPath(), "the path"});
    }
  }
  ImGui::End();
}

}  // namespace stridescope::views
