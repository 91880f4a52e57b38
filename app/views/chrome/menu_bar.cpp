#include "views/chrome/menu_bar.h"

#include "base/plain_text.h"
#include "views/chrome/experiment_fields.h"
#include "views/chrome/mode_tabs.h"
#include "views/shared/predicted.h"

namespace stridescope::views {
namespace {

void drawRecent(ViewContext& view) {
  const auto& recent = view.app.settings().recent;
  if (!ImGui::BeginMenu("Open recent", !recent.empty())) return;
  for (const std::string& path : recent)
    if (ImGui::MenuItem(printable(path).c_str())) view.commands.push_back(session::OpenRecording{path});
  ImGui::EndMenu();
}

// The bar's fields again, for windows in which they have no room there.
void drawExperimentFields(ViewContext& view) {
  ImGui::Separator();
  for (const ExperimentField& field : experimentFields()) {
    if (!ImGui::BeginMenu(field.label().c_str())) continue;
    field.entries(view);
    ImGui::EndMenu();
  }
  if (view.replay.run() && ImGui::BeginMenu("block shown")) {
    ImGui::SetNextItemWidth(view.px(180));
    blockInput(view);
    ImGui::EndMenu();
  }
}

// A tick for each that is shown.
void drawPanels(ViewContext& view) {
  if (!ImGui::BeginMenu("Panels")) return;
  for (const Panel& panel : view.panels) {
    if (!panel.isOfferedIn(view.app.mode())) continue;
    const bool shown = view.app.isShown(panel.id);
    if (!ImGui::MenuItem(panel.title.c_str(), nullptr, shown)) continue;
    if (shown)
      view.commands.push_back(session::HidePanel{panel.id});
    else
      view.commands.push_back(session::ShowPanel{panel.id});
  }
  ImGui::EndMenu();
}

// The keys that most need.
std::string hintOf(const ViewContext& view) {
  if (session::isPanelPart(view.app.focused()) && !view.predict.isHidden())
    return "Arrows: point    Enter: pin    Esc: arrows step again    ?: all keys";
  if (!view.predict.isOn()) return "Left Right: step    Space: play    Ctrl+P: any command    ?: all keys";
  return view.predict.isHidden()
             ? std::string(revealKeys(view.app)) + ": reveal    S: skip    H: hint    ?: all keys"
             : std::string(view.replay.atLast() ? "" : "Right: next round    ") +
                   "R: try again    A: another variant    ?: all keys";
}

}  // namespace

void drawMenuBar(ViewContext& view, std::span<const CommandEntry> table, JobLineState& job) {
  if (!ImGui::BeginMenuBar()) return;
  for (const std::string menu : kMenus) {
    if (!ImGui::BeginMenu(menu.c_str())) continue;
    for (const CommandEntry& entry : table) {
      if (entry.menu != menu || !isOffered(entry, view.app.mode())) continue;
      const bool checked = entry.checked && entry.checked(view);
      if (ImGui::MenuItem(entry.name.c_str(), keysOf(entry).c_str(), checked, isEnabled(entry, view)))
        view.commands.push_back(entry.make(view));
      if (menu == "File" && &entry == table.data()) drawRecent(view);
    }
    if (menu == "Experiment") drawExperimentFields(view);
    if (menu == "View") drawPanels(view);
    ImGui::EndMenu();
  }
  const std::string hint = hintOf(view);
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
  const ImVec2 window = ImGui::GetWindowPos();
  const float end = window.x + ImGui::GetWindowWidth() - view.px(16);
  const float right = drawModeTabs(view, ImGui::GetCursorScreenPos().x + view.px(24), end);
  const float width = draw::textSize(style, hint).x;
  const float left = right - width, menusEnd = ImGui::GetCursorScreenPos().x + view.px(24);
  if (!drawJobLine(view, job, menusEnd, right) && left > menusEnd)
    draw::drawText(view.draw, *ImGui::GetWindowDrawList(), {left, window.y},
                   {right + 1, window.y + ImGui::GetFrameHeight()}, hint, style);
  ImGui::EndMenuBar();
}

}  // namespace stridescope::views
