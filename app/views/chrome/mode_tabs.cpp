#include "views/chrome/mode_tabs.h"

#include <numeric>

#include "draw/text.h"
#include "session/mode.h"

namespace stridescope::views {
namespace {

constexpr float kInset = 10, kGapBefore = 24;  // units

}  // namespace

std::vector<CommandEntry> modeEntries() {
  std::vector<CommandEntry> entries;
  if (session::kModes.size() == 1) return entries;
  for (const session::ModeFacts& facts : session::kModes)
    entries.push_back(
        {.menu = "View",
         .name = std::string(facts.name),
         .also = "mode " + std::string(facts.meaning),
         .keys = ImGuiKeyChord(ImGuiKey_A + (facts.key - 'A')),
         .otherKeys = facts.functionKey == 0 ? 0 : ImGuiKeyChord(ImGuiKey_F1 + int(facts.functionKey) - 1),
         .make = [mode = facts.mode](const session::Parts&) -> session::Command {
           return session::EnterMode{mode};
         },
         .checked = [mode = facts.mode](const session::Parts& parts) { return parts.app.mode() == mode; }});
  return entries;
}

float drawModeTabs(ViewContext& view, float left, float right) {
  if (session::kModes.size() == 1) return right;
  const draw::TextStyle plain = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
  const draw::TextStyle chosen = draw::semiBoldStyle(view.draw, draw::kLabelSize, view.colours().text);
  // As wide as when it is chosen, so that no tab moves.
  const auto widthOf = [&](const session::ModeFacts& facts) {
    return draw::textSize(chosen, std::string(facts.name)).x + 2 * view.px(kInset);
  };
  const float width =
      std::accumulate(session::kModes.begin(), session::kModes.end(), 0.0f,
                      [&](float sum, const session::ModeFacts& facts) { return sum + widthOf(facts); });
  if (right - width < left) return right;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetFrameHeight();
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  float x = right - width;
  for (const session::ModeFacts& facts : session::kModes) {
    const bool isChosen = view.app.mode() == facts.mode;
    const ImVec2 min{x, top + view.px(2)}, max{x + widthOf(facts), bottom - view.px(2)};
    const HitArea area = hitArea(("mode " + std::string(facts.name)).c_str(), min, max);
    if (area.clicked && !isChosen) view.commands.push_back(session::EnterMode{facts.mode});
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view, std::string(facts.meaning));
    if (isChosen || area.hovered) list.AddRectFilled(min, max, view.colours().field, view.px(3));
    if (isChosen)
      list.AddRectFilled({min.x + view.px(kInset), max.y - view.px(2)}, {max.x - view.px(kInset), max.y},
                         view.colours().result);
    draw::drawText(view.draw, list, min, max, std::string(facts.name), isChosen ? chosen : plain,
                   draw::TextAlign::Centre);
    x = max.x;
  }
  ImGui::SetCursorScreenPos(cursor);
  return right - width - view.px(kGapBefore);
}

}  // namespace stridescope::views
