#include "views/chrome/overlays.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "base/plain_text.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "views/chrome/command_table.h"
#include "views/chrome/own_overlays.h"
#include "views/chrome/text_twin.h"
#include "views/lessons/lesson.h"
#include "views/measure/timings_view.h"

namespace stridescope::views {
namespace {

constexpr float kFormWidth = 560, kLeastWidth = 460;                                       // units
constexpr float kTop = 0.14f, kMostWidth = 0.9f, kMostHeight = 0.94f, kLeastEdge = 0.03f;  // of the window

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

void drawKeys(ViewContext& view) {
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingStretchProp)) return;
  for (const CommandEntry& entry : commandTable()) {
    if (entry.keys == 0) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(entry.name);
    ImGui::TableNextColumn();
    ImGui::PushFont(view.draw.fonts.code, 0);
    ImGui::TextUnformatted(keysOf(entry).c_str());
    ImGui::PopFont();
  }
  for (const auto& [what, how] : {std::pair{"Follow one thread", "point at it; click pins it"},
                                  std::pair{"Zoom Shared memory", "wheel"}, std::pair{"Pan it", "drag"},
                                  std::pair{"Fit it", "F over the panel"},
                                  std::pair{"Go to a round", "click its tick, label or column"}}) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(what);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(how);
  }
  ImGui::EndTable();
}

void focusFieldAtFirst(bool appearing) {
  if (appearing) ImGui::SetKeyboardFocusHere();
}

// In the palette's field the arrows go through what was found; Dear ImGui would move its focus out of the
// field.
int chooseByArrows(ImGuiInputTextCallbackData* data) {
  int& chosen = *static_cast<int*>(data->UserData);
  chosen += data->EventKey == ImGuiKey_DownArrow ? 1 : -1;
  return 0;
}

struct PaletteItem {
  std::string name, keys;
  session::Command command;
};

// The commands that are enabled and the variants by their titles, of those the ones that hold the text.
std::vector<PaletteItem> paletteItems(const session::Parts& parts, const std::string& text) {
  std::vector<PaletteItem> items;
  for (const CommandEntry& entry : commandTable())
    if (isEnabled(entry, parts) && lower(entry.name).find(text) != std::string::npos)
      items.push_back({entry.name, keysOf(entry), entry.make(parts)});
  for (const kernels::Variant& variant : kernels::catalog())
    if (const std::string name = "Show " + std::string(variant.title);
        lower(name).find(text) != std::string::npos)
      items.push_back({name, {}, session::ChooseVariant{std::string(variant.id)}});
  return items;
}

void drawPalette(ViewContext& view, OverlayState& state, bool appearing) {
  focusFieldAtFirst(appearing);
  ImGui::SetNextItemWidth(-1);
  const bool enter =
      ImGui::InputTextWithHint("##command", "type a command", &state.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory,
                               chooseByArrows, &state.chosen);
  const std::vector<PaletteItem> found = paletteItems(view, lower(state.text));
  state.chosen = std::clamp(state.chosen, 0, std::max(0, int(found.size()) - 1));
  for (int i = 0; i < int(found.size()); ++i) {
    const PaletteItem& item = found[std::size_t(i)];
    const bool picked = ImGui::Selectable(item.name.c_str(), i == state.chosen);
    ImGui::SameLine(view.px(320));
    ImGui::TextDisabled("%s", item.keys.c_str());
    if (picked || (enter && i == state.chosen)) {
      view.commands.push_back(session::ShowOverlay{session::Overlay::Palette});
      view.commands.push_back(item.command);
    }
  }
  if (found.empty()) ImGui::TextDisabled("No command is called so.");
}

void drawOpen(ViewContext& view, OverlayState& state, bool appearing) {
  ImGui::TextUnformatted("Path of a recording (.stride). A file can also be dropped on the window.");
  if (isPathGiven(state, "Open", appearing)) {
    view.commands.push_back(session::ShowOverlay{session::Overlay::OpenFile});
    view.commands.push_back(session::OpenRecording{state.text});
  }
  for (const std::string& path : view.app.settings().recent)
    if (ImGui::Selectable(printable(path).c_str())) {
      view.commands.push_back(session::ShowOverlay{session::Overlay::OpenFile});
      view.commands.push_back(session::OpenRecording{path});
    }
}

void drawSave(ViewContext& view, OverlayState& state, bool appearing) {
  if (appearing && state.text.empty()) state.text = view.workspace.experiment().variant + ".stride";
  ImGui::TextUnformatted("Where to save what is shown, as a recording:");
  if (isPathGiven(state, "Save", appearing)) {
    view.commands.push_back(session::ShowOverlay{session::Overlay::SaveFile});
    view.commands.push_back(session::SaveRecording{state.text, false});
  }
}

void drawSavePicture(ViewContext& view, OverlayState& state, bool appearing) {
  if (appearing && state.text.empty()) state.text = "timings.png";
  ImGui::TextUnformatted("Where to save the Timings panel, as a PNG:");
  if (isPathGiven(state, "Save", appearing)) {
    view.commands.push_back(session::ShowOverlay{session::Overlay::SavePicture});
    view.commands.push_back(session::SavePicture{state.text, kTimingsPanel});
  }
}

void drawTextTwin(ViewContext& view, const LadderTimes& times, ImVec2 size) {
  if (!view.replay.run()) return;
  std::string text = textTwinOf(roundAt(view.replay));
  if (const std::string ladder = ladderTimesText(times); !ladder.empty()) text += "\nLadder\n" + ladder;
  if (ImGui::Button("Copy")) view.commands.push_back(session::CopyText{text});
  ImGui::PushFont(view.draw.fonts.code, 0);
  ImGui::InputTextMultiline("##text", &text, {size.x * 0.6f, size.y * 0.6f}, ImGuiInputTextFlags_ReadOnly);
  ImGui::PopFont();
}

void drawAbout() {
  ImGui::TextUnformatted("Stridescope steps through GPU parallel reductions stride by stride.");
  ImGui::TextUnformatted("Licensed under the MIT licence; third parties are listed in THIRD_PARTY.md.");
}

const char* titleOf(session::Overlay overlay) {
  switch (overlay) {
    case session::Overlay::Keys:
      return "All keys";
    case session::Overlay::Palette:
      return "Command palette";
    case session::Overlay::OpenFile:
      return "Open a recording";
    case session::Overlay::OwnData:
      return "Own numbers";
    case session::Overlay::CustomOperator:
      return "Custom operator";
    case session::Overlay::SaveFile:
      return "Save as a recording";
    case session::Overlay::SavePicture:
      return "Save a picture of Timings";
    case session::Overlay::TextTwin:
      return "Text of this round";
    case session::Overlay::Lesson:
      return "Lesson";
    case session::Overlay::About:
      return "About Stridescope";
    case session::Overlay::TrustCode:
      return "Run this code?";
    case session::Overlay::None:
      break;
  }
  return "";
}

// Sentences, fields and buttons, which want air between them; the others are lists.
bool isForm(session::Overlay overlay) {
  return overlay == session::Overlay::OpenFile || overlay == session::Overlay::OwnData ||
         overlay == session::Overlay::CustomOperator || overlay == session::Overlay::SaveFile ||
         overlay == session::Overlay::SavePicture || overlay == session::Overlay::TrustCode;
}

// Of what stands in a form: pixels that the overlay's frame and its scroll bar leave.
float formWidth(const ViewContext& view, ImVec2 windowSize) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float frame = style.WindowPadding.x * 2 + style.ScrollbarSize + 1;
  return std::min(view.px(kFormWidth), std::floor(windowSize.x * kMostWidth - frame));
}

// High up, where the eye falls first; as far up as a tall one needs. A frame behind its height.
float topOf(const char* title, float windowHeight) {
  const ImGuiWindow* const overlay = ImGui::FindWindowByName(title);
  const float height = overlay == nullptr ? 0 : overlay->Size.y;
  const float highest = windowHeight * kLeastEdge;
  return std::clamp(windowHeight - highest - height, highest, windowHeight * kTop);
}

}  // namespace

bool isPathGiven(OverlayState& state, const char* button, bool appearing) {
  focusFieldAtFirst(appearing);
  ImGui::SetNextItemWidth(-1);
  const bool enter = ImGui::InputText("##path", &state.text, ImGuiInputTextFlags_EnterReturnsTrue);
  return (ImGui::Button(button) || enter) && !state.text.empty();
}

void drawOverlay(ViewContext& view, OverlayState& state, const LadderTimes& times, ImVec2 windowSize) {
  const session::Overlay overlay = view.app.overlay();
  const bool appearing = overlay != state.shown;
  if (appearing) state = {.shown = overlay, .text = {}, .identity = {}, .chosen = 0};
  if (overlay == session::Overlay::None) return;

  ImGui::SetNextWindowPos({windowSize.x / 2, topOf(titleOf(overlay), windowSize.y)}, ImGuiCond_Always,
                          {0.5f, 0});
  ImGui::SetNextWindowSizeConstraints({std::min(view.px(kLeastWidth), windowSize.x * kMostWidth), 0},
                                      {windowSize.x * kMostWidth, windowSize.y * kMostHeight});
  if (appearing) ImGui::SetNextWindowFocus();
  bool open = true;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, view.px(1));
  const bool shown =
      ImGui::Begin(titleOf(overlay), &open,
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  if (isForm(overlay)) ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {view.px(8), view.px(10)});
  if (shown) switch (overlay) {
      case session::Overlay::Keys:
        drawKeys(view);
        break;
      case session::Overlay::Palette:
        drawPalette(view, state, appearing);
        break;
      case session::Overlay::OpenFile:
        drawOpen(view, state, appearing);
        break;
      case session::Overlay::OwnData:
        drawOwnData(view, state, formWidth(view, windowSize), appearing);
        break;
      case session::Overlay::CustomOperator:
        drawCustomOperator(view, state, formWidth(view, windowSize), appearing);
        break;
      case session::Overlay::SaveFile:
        drawSave(view, state, appearing);
        break;
      case session::Overlay::SavePicture:
        drawSavePicture(view, state, appearing);
        break;
      case session::Overlay::TextTwin:
        drawTextTwin(view, times, windowSize);
        break;
      case session::Overlay::Lesson:
        drawLesson(view, formWidth(view, windowSize));
        break;
      case session::Overlay::About:
        drawAbout();
        break;
      case session::Overlay::TrustCode:
        drawCodeQuestion(view, formWidth(view, windowSize), appearing);
        break;
      case session::Overlay::None:
        break;
    }
  if (isForm(overlay)) ImGui::PopStyleVar();
  ImGui::End();
  if (!open) view.commands.push_back(session::ShowOverlay{overlay});
}

}  // namespace stridescope::views
