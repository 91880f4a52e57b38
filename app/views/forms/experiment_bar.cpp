#include "views/forms/experiment_bar.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "narration/outcome.h"
#include "session/own_kernel.h"
#include "views/forms/experiment_fields.h"
#include "views/forms/kernel_launch.h"
#include "views/shared/explanations.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"
#include "views/transport/compare_bar.h"

namespace stridescope::views {
namespace {

// The chip that says what executes: live on a GPU, on the CPU executor, or from a recording. It opens the
// list of what else could, whatever runs meanwhile.

std::string chipText(const ViewContext& view) {
  return view.replay.run() ? executorText(view) : "nothing recorded";
}

float engineChipWidth(const ViewContext& view) {  // pixels
  const draw::TextStyle style = view.semiBold(0, draw::kBodySize);
  return std::max(view.px(180), std::ceil(draw::textSize(style, chipText(view)).x) + view.px(44));
}

void drawEngineChip(ViewContext& view, ImVec2 min, ImVec2 max) {
  const draw::Palette& colours = view.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(min);
  const bool pressed =
      ImGui::InvisibleButton("what executes", {max.x - min.x, max.y - min.y}, ImGuiButtonFlags_EnableNav);
  const bool hovered = ImGui::IsItemHovered();
  if (pressed) ImGui::OpenPopup("engines");
  const float round = (max.y - min.y) / 2;
  list.AddRectFilled(min, max, hovered ? colours.field : colours.panel, round);
  list.AddRect(min, max, colours.operand, round, 0, view.px(2));
  const ImVec2 dot{min.x + view.px(16), (min.y + max.y) / 2};
  const bool live = view.replay.run() && view.replay.run()->trace.executor.kind == model::EngineKind::Gpu;
  if (live)
    list.AddCircleFilled(dot, view.px(5), colours.operand);
  else
    list.AddRectFilled({dot.x - view.px(4), dot.y - view.px(4)}, {dot.x + view.px(4), dot.y + view.px(4)},
                       colours.operand);
  view.text(list, {min.x + view.px(28), min.y}, {max.x - view.px(8), max.y}, chipText(view),
            view.semiBold(colours.text, draw::kBodySize));

  if (hovered && view.replay.run() && model::leavesArrays(view.replay.run()->trace)) {
    const model::Trace& trace = view.replay.run()->trace;
    const std::string why = narration::whyNotBySource(trace);
    std::string recorder = narration::recordedBy(trace);
    recorder.front() = 'R';
    wideTooltip(view, recorder + (why.empty() ? "." : ". " + why));
  }

  // Below the chip, as the lists of the fields are below theirs.
  ImGui::SetNextWindowPos({max.x, max.y}, ImGuiCond_Appearing, {1, 0});
  if (!ImGui::BeginPopup("engines")) return;
  for (const session::EngineChoice& choice : view.workspace.engines()) {
    ImGui::BeginDisabled(!choice.why.empty());
    if (ImGui::MenuItem(choice.label.c_str(), nullptr, choice.id == view.workspace.engineId()))
      view.commands.push_back(session::ChooseEngine{choice.id});
    ImGui::EndDisabled();
    if (!choice.why.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      wideTooltip(view, choice.why);
  }
  if (view.app.areRecordingsOffered() && ImGui::MenuItem(fetchLabel(view).c_str()))
    view.commands.push_back(session::FetchRecordings{});
  if (drawProgramLink(view, *ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos()))
    ImGui::Dummy(programLinkSize(view));
  ImGui::EndPopup();
}

constexpr float kLabelHeight = 18, kLabelInset = 4, kFieldGap = 12;  // units
constexpr float kMaxText = 300;                                      // a file's name may be of any length

// What a field needs besides its text: a combo box its arrow.
float frameOf(const ViewContext& view) {
  return std::ceil(ImGui::GetStyle().FramePadding.x * 2 + view.px(draw::kControlHeight)) + 1;
}

float labelWidth(const ViewContext& view, const char* label) {
  return std::ceil(draw::textSize(view.words(0), label).x) + view.px(kLabelInset) + 1;
}

// Behind the label, where another value stands in the place of the chosen one: "not 512".
std::string borrowedNote(const BarField& field) {
  return field.borrowed.empty() ? field.borrowed : "not " + field.borrowed;
}

float borrowedWidth(const ViewContext& view, const BarField& field) {
  const std::string note = borrowedNote(field);
  return note.empty() ? 0 : labelWidth(view, note.c_str()) + view.px(kLabelInset);
}

FieldRequest requestOf(const ViewContext& view, const BarField& field) {
  const float text = draw::textSize(view.words(0, draw::kBodySize), field.shown).x;
  const float needed = std::min(std::ceil(text), view.px(kMaxText)) + frameOf(view);
  return {.preferred = view.px(field.width),
          .least = std::max(needed, labelWidth(view, field.label.c_str()) + borrowedWidth(view, field)),
          .givesWayLast = field.givesWayLast};
}

FieldRequest requestOfBlock(const ViewContext& view) {
  return {.preferred = 0, .least = std::max(blockInputWidth(view), labelWidth(view, kBlockLabel))};
}

// A label above a field, and what it means.
void drawLabel(ViewContext& view, const char* label, ImVec2 min, float right) {
  const ImVec2 max{right, min.y + view.px(kLabelHeight)};
  view.text(*ImGui::GetWindowDrawList(), min, max, label, view.words(view.colours().dim));
  explain(view, label, min, {std::min(right, min.x + labelWidth(view, label)), max.y});
}

// At `left`; what comes next is as wide.
void beginField(ViewContext& view, const char* label, float left, float top, float width) {
  drawLabel(view, label, {left + view.px(kLabelInset), top}, left + width);
  ImGui::SetCursorScreenPos({left, top + view.px(kLabelHeight)});
  ImGui::SetNextItemWidth(width);
}

void drawBorrowedNote(ViewContext& view, const BarField& field, float left, float top) {
  const std::string note = borrowedNote(field);
  if (note.empty()) return;
  const float begin = left + labelWidth(view, field.label.c_str()) + view.px(kLabelInset);
  const ImVec2 min{begin, top}, max{begin + borrowedWidth(view, field), top + view.px(kLabelHeight)};
  view.text(*ImGui::GetWindowDrawList(), min, max, note, view.words(view.colours().text));
  if (ImGui::IsMouseHoveringRect(min, max))
    wideTooltip(view, "You chose " + field.borrowed +
                          ", which cannot be had here. It comes back with a variant that has it.");
}

void drawField(ViewContext& view, const BarField& field, float left, float top, float width) {
  drawBorrowedNote(view, field, left, top);
  beginField(view, field.label.c_str(), left, top, width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const std::string& shown = field.shown;
  const bool opened = ImGui::BeginCombo(("##" + field.label).c_str(), "", ImGuiComboFlags_HeightLarge);
  const bool hovered = !opened && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal);
  if (opened) {
    field.entries();
    ImGui::EndCombo();
  } else if (field.isTyped) {
    openByTyping();
  }
  const float padding = ImGui::GetStyle().FramePadding.x;
  const ImVec2 textMin{min.x + padding, min.y};
  const ImVec2 textMax{min.x + width - frameOf(view) + padding, min.y + view.px(draw::kControlHeight)};
  const draw::DrawnText drawn =
      view.text(list, textMin, textMax, shown, view.words(view.colours().text, draw::kBodySize));
  if (drawn.shortened && hovered) wideTooltip(view, shown);
}

// The bar's fields if one run is shown.
std::vector<BarField> barFields(ViewContext& view) {
  std::vector<BarField> fields;
  // A person's own kernel is launched as its launch file says: of a variant's fields it has its name alone.
  const bool isOwn = model::isOwnKernel(view.workspace.experiment());
  for (const ExperimentField& field : experimentFields().first(isOwn ? 1 : experimentFields().size())) {
    if (!field.standsIn(view.workspace.experiment())) continue;
    fields.push_back({.label = field.label(),
                      .width = field.width,
                      .shown = field.shown(view),
                      .borrowed = field.chosen(view),
                      .entries = [&view, &field] { field.entries(view); },
                      .isTyped = field.isTyped,
                      .givesWayLast = field.givesWayLast});
  }
  if (isOwn && view.kernel.isOpen())
    for (BarField& field : kernelBarFields(view)) fields.push_back(std::move(field));
  return fields;
}

}  // namespace

void drawExperimentBar(ViewContext& view, ImVec2 min, ImVec2 max) {
  const float chip = engineChipWidth(view), gap = view.px(kFieldGap);
  const std::vector<BarField> fields = view.comparison != nullptr ? comparedBarFields(view) : barFields(view);
  std::vector<FieldRequest> requests;
  for (const BarField& field : fields) requests.push_back(requestOf(view, field));
  if (view.replay.run()) requests.push_back(requestOfBlock(view));
  float left = min.x;
  std::size_t number = 0;
  for (const float width : fieldWidths(requests, max.x - chip - gap - min.x, gap)) {
    const std::size_t field = number++;
    if (width == 0) continue;
    if (field < fields.size()) {
      drawField(view, fields[field], left, min.y, width);
    } else {
      beginField(view, kBlockLabel, left, min.y, width);
      blockInput(view);
    }
    left += width + gap;
  }

  drawLabel(view, "what executes", {max.x - chip + view.px(8), min.y}, max.x);
  const float top = min.y + view.px(kLabelHeight);
  drawEngineChip(view, {max.x - chip, top}, {max.x, top + view.px(draw::kControlHeight)});
}

std::vector<float> fieldWidths(std::span<const FieldRequest> requests, float room, float gap) {
  if (requests.empty()) return {};
  std::vector<bool> stands(requests.size(), true);
  float least = -gap, lacking = 0;
  for (const FieldRequest& request : requests) least += gap + request.least;
  for (const bool last : {false, true})
    for (std::size_t i = requests.size() - 1; i > 0 && least > room; --i)
      if (stands[i] && requests[i].givesWayLast == last) stands[i] = false, least -= gap + requests[i].least;
  std::vector<float> widths(requests.size(), 0);
  if (least > room) {
    widths.front() = std::max(0.0f, room);
    return widths;
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (stands[i]) lacking += std::max(0.0f, requests[i].preferred - requests[i].least);
  const float share = lacking > 0 ? std::min(1.0f, (room - least) / lacking) : 0;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (stands[i])
      widths[i] =
          std::floor(requests[i].least + share * std::max(0.0f, requests[i].preferred - requests[i].least));
  return widths;
}

}  // namespace stridescope::views
