#include "views/chrome/menu_bar.h"

#include <cstring>

#include "base/plain_text.h"
#include "views/chrome/command_table.h"
#include "views/chrome/experiment_fields.h"

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
    if (!ImGui::BeginMenu(field.label)) continue;
    field.entries(view);
    ImGui::EndMenu();
  }
  if (view.replay.run() && ImGui::BeginMenu("block shown")) {
    ImGui::SetNextItemWidth(view.px(180));
    blockInput(view);
    ImGui::EndMenu();
  }
}

}  // namespace

void drawMenuBar(ViewContext& view) {
  if (!ImGui::BeginMenuBar()) return;
  for (const char* menu : kMenus) {
    if (!ImGui::BeginMenu(menu)) continue;
    for (const CommandEntry& entry : commandTable()) {
      if (std::strcmp(entry.menu, menu) != 0) continue;
      const bool checked = entry.checked != nullptr && entry.checked(view);
      if (ImGui::MenuItem(entry.name, keysOf(entry).c_str(), checked, isEnabled(entry, view)))
        view.commands.push_back(entry.make(view));
      if (std::strcmp(menu, "File") == 0 && &entry == commandTable().data()) drawRecent(view);
    }
    if (std::strcmp(menu, "Experiment") == 0) drawExperimentFields(view);
    ImGui::EndMenu();
  }
  const char* hint = "Left Right: step    Space: play    Ctrl+P: any command    ?: all keys";
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
  const ImVec2 window = ImGui::GetWindowPos();
  const float width = draw::textSize(style, hint).x, right = window.x + ImGui::GetWindowWidth() - view.px(16);
  const float left = right - width;
  if (left > ImGui::GetCursorScreenPos().x + view.px(24))
    draw::drawText(view.draw, *ImGui::GetWindowDrawList(), {left, window.y},
                   {right + 1, window.y + ImGui::GetFrameHeight()}, hint, style);
  ImGui::EndMenuBar();
}

}  // namespace stridescope::views
