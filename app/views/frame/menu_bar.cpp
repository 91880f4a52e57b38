#include "views/frame/menu_bar.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/compared_sides.h"
#include "base/plain_text.h"
#include "draw/marks.h"
#include "imgui_internal.h"
#include "session/comparison.h"
#include "views/forms/experiment_fields.h"
#include "views/frame/mode_layout.h"
#include "views/shared/panel.h"
#include "views/shared/shown_round.h"

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
    if (!field.standsIn(view.workspace.experiment())) continue;
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

void drawEntries(ViewContext& view, std::span<const CommandEntry> table, std::string_view menu) {
  std::optional<unsigned> group;
  for (const CommandEntry& entry : table) {
    if (entry.menu != menu || !isOffered(entry, view.app.mode())) continue;
    if (group && *group != entry.group) ImGui::Separator();
    group = entry.group;
    const bool checked = entry.checked && entry.checked(view);
    // What it would do changes, and its place in the menu does not.
    const std::string label = entry.what ? titleOf(entry, view) + "###" + entry.name : entry.name;
    if (ImGui::MenuItem(label.c_str(), keysOf(entry).c_str(), checked, isEnabled(entry, view)))
      view.commands.push_back(entry.make(view));
    if (menu == "File" && &entry == table.data()) drawRecent(view);
  }
}

// The keys that most need. On a picture nobody does.
std::string hintOf(const ViewContext& view) {
  if (view.draw.isPicture) return {};
  if (session::isPanelPart(view.app.focused()) && !view.predict.isHidden())
    return "Arrows: point    Enter: pin    Esc: arrows step again    ?: all keys";
  if (!view.predict.isOn()) return "Left Right: step    Space: play    Ctrl+P: any command    ?: all keys";
  return view.predict.isHidden()
             ? std::string(revealKeys(view.app)) + ": reveal    S: skip    H: hint    ?: all keys"
             : std::string(!view.replay.atLast() ? "Right: next round    "
                           : sumsUpNext(view)    ? "Right: sum up    "
                                                 : "") +
                   "R: try again    A: another variant    ?: all keys";
}

constexpr float kSentencesShare = 0.55f;                                  // at least, beside a note
constexpr float kRemarkInset = 14, kRemarkLine = 22, kRemarkPadding = 9;  // units
constexpr int kMaxRemarkLines = 3;
constexpr const char* kCopyPath = "Copy path";

}  // namespace

void drawMenuBar(ViewContext& view, std::span<const CommandEntry> table, JobLineState& job) {
  if (!ImGui::BeginMenuBar()) return;
  for (const std::string_view menu : kMenus) {
    if (!isShownIn(view.app.mode(), menu) || !ImGui::BeginMenu(std::string(menu).c_str())) continue;
    drawEntries(view, table, menu);
    if (menu == "Experiment") drawExperimentFields(view);
    if (menu == "View") drawPanels(view);
    ImGui::EndMenu();
  }
  const std::string hint = hintOf(view);
  const draw::TextStyle style = view.words(view.colours().dim);
  const ImVec2 window = ImGui::GetWindowPos();
  const float end = window.x + ImGui::GetWindowWidth() - view.px(16);
  const float right = drawModeTabs(view, ImGui::GetCursorScreenPos().x + view.px(24), end);
  const float width = draw::textSize(style, hint).x;
  const float left = right - width, menusEnd = ImGui::GetCursorScreenPos().x + view.px(24);
  if (!drawJobLine(view, job, menusEnd, right) && left > menusEnd)
    view.text(*ImGui::GetWindowDrawList(), {left, window.y}, {right + 1, window.y + ImGui::GetFrameHeight()},
              hint, style);
  ImGui::EndMenuBar();
}

namespace {

constexpr double kToldAfter = 0.25;            // seconds: most recordings are done earlier
constexpr float kJobInset = 10, kJobGap = 10;  // units
constexpr const char* kCancel = "Cancel";

struct Running {
  session::JobStatus job;
  session::Command cancel;
};

// What is waited for comes before what goes on beside it; the chosen side comes before the other.
std::optional<Running> findRunning(const ViewContext& view) {
  if (const auto writing = view.exports.job()) return Running{*writing, session::CancelJob{}};
  std::vector<std::pair<const session::Workspace*, session::Command>> all{
      {&view.workspace, session::CancelJob{}}};
  if (view.comparison != nullptr) {
    const analysis::Side other = analysis::otherOf(view.comparison->chosen());
    all.emplace_back(&view.comparison->workspace(other),
                     session::OnSide{other, std::make_shared<const session::Command>(session::CancelJob{})});
  }
  for (const auto& [workspace, cancel] : all)
    if (const auto job = workspace->job()) return Running{*job, cancel};
  for (const auto& [workspace, cancel] : all)
    if (const auto measuring = workspace->measuring()) return Running{*measuring, cancel};
  return std::nullopt;
}

std::string textOf(const session::JobStatus& job) {
  std::string text = job.doing;
  if (job.fraction >= 0) text += " " + std::to_string(int(job.fraction * 100)) + " %";
  return text;
}

}  // namespace

bool drawJobLine(ViewContext& view, JobLineState& state, float left, float right) {
  const auto running = findRunning(view);
  if (!running) state.since = -1;
  if (!running) return false;
  if (state.since < 0) state.since = ImGui::GetTime();
  if (ImGui::GetTime() - state.since < kToldAfter) return false;
  const draw::TextStyle strong = view.semiBold(view.colours().text);
  const float width = draw::textSize(strong, kCancel).x + 2 * view.px(kJobInset);
  if (right - width < left) return false;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetFrameHeight();
  const ImVec2 min{right - width, top + view.px(2)}, max{right, bottom - view.px(2)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(min);
  const bool pressed =
      ImGui::InvisibleButton("cancel", {max.x - min.x, max.y - min.y}, ImGuiButtonFlags_EnableNav);
  if (pressed) view.commands.push_back(running->cancel);
  list.AddRectFilled(min, max, ImGui::IsItemHovered() ? view.colours().line : view.colours().field,
                     view.px(draw::kFieldRadius));
  view.text(list, min, max, kCancel, strong, draw::TextAlign::Centre);
  ImGui::SetCursorScreenPos(cursor);
  const draw::TextStyle words = view.words(view.colours().text);
  const std::string text = textOf(running->job);
  const float end = min.x - view.px(kJobGap);
  const float begin = std::max(left, end - draw::textSize(words, text).x - 1);
  view.text(list, {begin, top}, {end, bottom}, text, words);
  return true;
}

namespace {

constexpr float kNarrowMessage = 520, kSentenceInset = 20, kSentenceLine = 20, kSentenceTop = 8;  // units
constexpr int kMaxSentenceLines = 5;

// Pixels; 0: it stands beside the buttons.
float heightAboveButtons(const ViewContext& view, float width) {
  if (width >= view.px(kNarrowMessage)) return 0;
  const int lines = draw::wrappedLineCount(view.semiBold(0, draw::kBodySize), view.app.message()->sentence,
                                           width - 2 * view.px(kSentenceInset));
  return view.px(kSentenceTop + kSentenceLine * float(std::min(lines, kMaxSentenceLines)));
}

}  // namespace

float messageHeight(const ViewContext& view, float width) {
  return view.px(kMessageHeight) + heightAboveButtons(view, width);
}

void drawMessageStrip(ViewContext& view, ImVec2 min, ImVec2 max) {
  const session::Message& message = *view.app.message();
  const draw::Palette& colours = view.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 edge = message.kind == session::MessageKind::Fine   ? colours.operand
                     : message.kind == session::MessageKind::ToDo ? colours.result
                                                                  : colours.problem;
  list.AddRectFilled(min, max, colours.panel, view.px(draw::kPanelRadius));
  list.AddRectFilled(min, {min.x + view.px(4), max.y}, edge);
  float left = min.x + view.px(kSentenceInset);
  const float above = heightAboveButtons(view, max.x - min.x);
  if (above > 0) {
    view.wrapped(list, {left, min.y + view.px(kSentenceTop)}, max.x - view.px(kSentenceInset) - left,
                 view.px(kSentenceLine), message.sentence, view.semiBold(colours.text, draw::kBodySize),
                 kMaxSentenceLines);
    min.y += above;
  }
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
  if (above > 0) return;
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
  const bool hasPath = view.app.isRemarkOfSaved() && !view.app.savedPath().empty();
  const float buttonWidth = hasPath ? ImGui::CalcTextSize(kCopyPath).x + view.px(24) : 0;
  const float besideText = 2 * inset + (hasPath ? buttonWidth + inset : 0);
  const float textWidth = std::min(std::ceil(draw::textSize(style, sentence).x) + 1, width - besideText);
  const int mostLines = std::clamp(int(most / line), 1, kMaxRemarkLines);
  const int lines = std::min(mostLines, draw::wrappedLineCount(style, sentence, textWidth));
  const float button = view.px(draw::kControlHeight + 4);
  const float height = std::min(most, std::max(line * float(lines), hasPath ? button : 0) + 2 * padding);
  const ImVec2 min{corner.x, corner.y - height};
  const ImVec2 max{corner.x + textWidth + besideText, corner.y};
  if (beginStrip("##remark", min, max,
                 (hasPath ? 0 : ImGuiWindowFlags_NoInputs) | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBackground)) {
    if (ImGui::GetCurrentContext()->OpenPopupStack.Size == 0)
      ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, view.colours().raised, view.px(draw::kPanelRadius));
    list.AddRect(min, max, view.colours().frame, view.px(draw::kPanelRadius), 0, view.px(1));
    list.AddRectFilled(min, {min.x + view.px(4), max.y}, view.colours().operand);
    view.wrapped(list, {min.x + inset, std::round((min.y + max.y - line * float(lines)) / 2)}, textWidth,
                 line, sentence, style, lines);
    if (hasPath) {
      ImGui::SetCursorScreenPos({max.x - inset - buttonWidth, std::round((min.y + max.y - button) / 2)});
      if (ImGui::Button(kCopyPath, {buttonWidth, button}))
        view.commands.push_back(session::CopyText{view.app.savedPath(), "the path"});
    }
  }
  ImGui::End();
}

}  // namespace stridescope::views
