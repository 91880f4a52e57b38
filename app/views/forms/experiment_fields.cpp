#include "views/forms/experiment_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "kernels/catalog.h"
#include "model/experiment_fields.h"
#include "shell/key_input.h"
#include "views/forms/field_choices.h"
#include "views/forms/forms.h"

namespace stridescope::views {
namespace {

constexpr float kTypedWidth = 260;  // units

// One entry of a list: greyed out with its reason if there is one.
bool entry(const ViewContext& view, const std::string& text, bool chosen, const std::string& why) {
  ImGui::BeginDisabled(!why.empty());
  const bool picked = ImGui::Selectable(text.c_str(), chosen);
  ImGui::EndDisabled();
  if (!why.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) wideTooltip(view, why);
  return picked;
}

// Typed on the closed list of n, and for its field.
shell::EarlyCharacters& early() {
  static shell::EarlyCharacters characters;
  return characters;
}

// What was chosen, if another stands in its place.
template <class Field, class Print>
std::string ifBorrowed(const session::Parts& parts, Field model::Experiment::*field, Print print) {
  return parts.workspace.borrowed().has(field)
             ? std::string(print(parts.workspace.choices().experiment.*field))
             : std::string();
}

void choiceEntries(ViewContext& view, const std::vector<FieldChoice>& choices) {
  for (const FieldChoice& choice : choices) {
    if (entry(view, choice.text, choice.chosen, choice.why)) view.commands.push_back(choice.command);
    if (choice.note.empty()) continue;
    ImGui::SameLine(view.px(kTypedWidth / 2));
    ImGui::TextDisabled("%s", choice.note.c_str());
  }
}

std::string shownVariant(const session::Parts& parts) {
  const model::Kernel* const kernel = kernels::kernelOf(parts.workspace.experiment());
  return kernel == nullptr ? printable(parts.workspace.experiment().variant) : std::string(kernel->title);
}

// Family by family, each with what changed; the chosen one is in view when the list opens.
void variantEntries(ViewContext& view) {
  float titleWidth = 0;
  for (const kernels::Variant& variant : kernels::catalogAndTimedOnly())
    titleWidth = std::max(titleWidth, ImGui::CalcTextSize(std::string(variant.title).c_str()).x);
  const auto families = kernels::byFamily(kernels::catalogAndTimedOnly());
  for (const auto& family : families) {
    if (families.size() > 1) ImGui::SeparatorText(kernels::titleOf(family.front()->family).data());
    for (const kernels::Variant* variant : family) {
      const bool chosen = view.workspace.experiment().variant == variant->id;
      const float left = ImGui::GetCursorPosX();
      const std::string why =
          variant->onlyTimed.empty() ? view.workspace.whyNotRecorded(variant->id) : variant->onlyTimed;
      if (entry(view, std::string(variant->title), chosen, why))
        view.commands.push_back(session::Choose(&model::Experiment::variant, std::string(variant->id)));
      if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
      ImGui::SameLine(left + titleWidth + view.px(16));
      ImGui::TextDisabled("%s", std::string(variant->changed).c_str());
    }
  }
}

std::string shownType(const session::Parts& parts) {
  return std::string(model::nameOf(parts.workspace.experiment().type));
}
void typeEntries(ViewContext& view) { choiceEntries(view, choicesOf("type", view)); }

constexpr std::size_t kLongestOperator = 9;  // characters that the field holds

std::string shownOperator(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  if (experiment.op != model::Operator::Custom) return operatorLabel(experiment.op);
  return model::experimentField("op").value(experiment, kLongestOperator);
}
void operatorEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  choiceEntries(view, choicesOf("op", view));
  ImGui::Separator();
  if (entry(view, "custom...", experiment.op == model::Operator::Custom, view.workspace.whyNotCustom()))
    view.commands.push_back(session::ShowOverlay{session::Overlay::CustomOperator});
}

std::string shownThreads(const session::Parts& parts) {
  return std::to_string(parts.workspace.experiment().threads);
}
void threadsEntries(ViewContext& view) { choiceEntries(view, choicesOf("threads", view)); }

// Where Dear ImGui shows that it has the keyboard. Requires that nothing else is typed into.
bool isDigitTyped() {
  const auto& typed = ImGui::GetIO().InputQueueCharacters;
  return ImGui::GetCurrentContext()->NavCursorVisible && !typed.empty() && typed.front() >= '0' &&
         typed.front() <= '9';
}

// A field for any n. What is typed stays in it until it can be taken.
void typedElements(ViewContext& view) {
  static struct { std::string text, why; } typed;  // the open list's
  const model::Experiment& experiment = view.workspace.experiment();
  if (ImGui::IsWindowAppearing()) {
    typed = {std::to_string(experiment.elements), {}};
    ImGui::SetKeyboardFocusHere();
  }
  early().keep();
  const float width = view.px(kTypedWidth);
  ImGui::SetNextItemWidth(width);
  const bool enter =
      ImGui::InputTextWithHint("##typed", "33, 1000, 2^20", &typed.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  early().giveTo(ImGui::GetItemID());
  // Dear ImGui would take the keyboard from the field alone, and the next press would go into closing the
  // list.
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
  if (ImGui::IsItemEdited()) typed.why.clear();
  if (enter) {
    const std::optional<std::uint64_t> n = typedNumber(typed.text);
    const std::string advice = adviceOnNumber(typed.text);
    typed.why = n ? whyNotElements(view, *n)
                  : "This is no whole number below 2^64. Type how many elements, such as 33, 1000 or 2^20." +
                        (advice.empty() ? advice : " " + advice);
    if (typed.why.empty()) {
      view.commands.push_back(session::Choose::elements(n));
      ImGui::CloseCurrentPopup();
    }
  }
  if (enter && !typed.why.empty()) ImGui::SetKeyboardFocusHere(-1);
  if (!typed.why.empty()) remark(view, width, printable(typed.why), session::MessageKind::Wrong);
}

void elementsEntries(ViewContext& view) {
  typedElements(view);
  choiceEntries(view, choicesOf("n", view));
}

std::string shownData(const session::Parts& parts) {
  return model::experimentField("data").value(parts.workspace.experiment(), 0);
}
void dataEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  choiceEntries(view, choicesOf("data", view));
  ImGui::Separator();
  if (entry(view, "next seed", false, whyNotNextDataSeed(view)))
    view.commands.push_back(session::Choose(&model::Experiment::seed, experiment.seed + 1));
  ImGui::Separator();
  if (entry(view, "from a file...", experiment.data == model::DataPattern::Given, {}))
    view.commands.push_back(session::ShowOverlay{session::Overlay::OwnData});
}

std::string shownGpus(const session::Parts& parts) {
  return std::to_string(parts.workspace.experiment().gpus);
}
void gpusEntries(ViewContext& view) { choiceEntries(view, choicesOf("gpus", view)); }

std::string shownSchedule(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  if (!isScheduledHere(parts.replay))
    return parts.replay.run()->trace.executor.kind == model::EngineKind::Gpu ? "the GPU's" : "as recorded";
  std::string shown = model::experimentField("schedule").value(experiment, 0);
  if (experiment.blockOrder != model::BlockOrder::InOrder)
    shown += ", blocks " + model::experimentField("block-order").value(experiment, 0);
  return shown;
}
void scheduleEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  choiceEntries(view, choicesOf("schedule", view));
  ImGui::Separator();
  if (entry(view, "next seed", false, whyNotNextScheduleSeed(view)))
    view.commands.push_back(session::Choose::schedule(model::Schedule::Random, experiment.scheduleSeed + 1));
  ImGui::Separator();
  ImGui::TextDisabled("order of the blocks");
  ImGui::PushID("blocks");
  choiceEntries(view, choicesOf("block-order", view));
  if (entry(view, "next seed", false, whyNotNextBlockOrderSeed(view)))
    view.commands.push_back(
        session::Choose::blockOrder(model::BlockOrder::Random, experiment.blockOrderSeed + 1));
  ImGui::PopID();
}

std::string chosenType(const session::Parts& parts) {
  return ifBorrowed(parts, &model::Experiment::type,
                    [](model::ElementType type) { return model::nameOf(type); });
}
std::string chosenOperator(const session::Parts& parts) {
  return ifBorrowed(parts, &model::Experiment::op, [](model::Operator op) { return model::nameOf(op); });
}
std::string chosenThreads(const session::Parts& parts) {
  return ifBorrowed(parts, &model::Experiment::threads, [](unsigned n) { return std::to_string(n); });
}
std::string chosenElements(const session::Parts& parts) {
  return ifBorrowed(parts, &model::Experiment::elements, sizeText);
}
std::string chosenPattern(const session::Parts& parts) {
  if (!parts.workspace.borrowed().has(&model::Experiment::data)) return {};
  const model::Experiment& chosen = parts.workspace.choices().experiment;
  return chosen.given.get() != nullptr ? chosen.given.get()->name : std::string(model::nameOf(chosen.data));
}
std::string nothingElse(const session::Parts&) { return {}; }

constexpr std::array kFields{
    ExperimentField{"variant", 220, shownVariant, variantEntries, nothingElse},
    ExperimentField{"type", 100, shownType, typeEntries, chosenType},
    ExperimentField{"op", 96, shownOperator, operatorEntries, chosenOperator},
    ExperimentField{"threads", 84, shownThreads, threadsEntries, chosenThreads},
    ExperimentField{"n", 150, elementsLabel, elementsEntries, chosenElements, true, true},
    ExperimentField{"data", 150, shownData, dataEntries, chosenPattern},
    ExperimentField{.key = "gpus",
                    .width = 60,
                    .shown = shownGpus,
                    .entries = gpusEntries,
                    .chosen = nothingElse,
                    .ofSeveralGpus = true},
    ExperimentField{"schedule", 130, shownSchedule, scheduleEntries, nothingElse}};

// "0 of 1" would be as if it were none.
std::string ofAllBlocks(const model::LaunchTrace& launch) {
  return launch.grid <= 1 ? ", the only one" : " of " + figure(launch.grid);
}

}  // namespace

std::span<const ExperimentField> experimentFields() { return kFields; }

bool ExperimentField::standsIn(const model::Experiment& experiment) const {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  return !ofSeveralGpus || (kernel != nullptr && kernel->isOfSeveralGpus());
}

void openByTyping() {
  if (!ImGui::IsItemFocused() || !isDigitTyped()) return;
  early().begin();
  ImGui::ActivateItemByID(ImGui::GetItemID());
}

float blockInputWidth(const ViewContext& view) {
  const model::LaunchTrace& launch = view.replay.launch();
  const std::string longest = std::to_string(std::max<std::uint64_t>(launch.grid, 1) - 1);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float buttons = 2 * (ImGui::GetFrameHeight() + style.ItemInnerSpacing.x);
  return std::ceil(ImGui::CalcTextSize((longest + ofAllBlocks(launch)).c_str()).x + style.FramePadding.x * 2 +
                   buttons) +
         1;
}

void blockInput(ViewContext& view) {
  static struct {
    std::uint64_t block = 0, grid = 0;
  } refused;  // what was typed and is not there, which stays in the field; grid 0: nothing
  static shell::EarlyCharacters earlyInBlock;
  const model::LaunchTrace& launch = view.replay.launch();
  if (refused.grid != launch.grid) refused = {};
  std::uint64_t block = refused.grid == 0 ? launch.recorded().block : refused.block;
  const std::uint64_t one = 1;
  const std::string format = "%llu" + ofAllBlocks(launch);
  ImGui::BeginDisabled(launch.grid <= 1);
  const ImGuiID field = ImGui::GetID(("##" + std::string(kBlockLabel)).c_str());
  if (launch.grid > 1 && ImGui::GetCurrentContext()->NavId == field && ImGui::GetActiveID() == 0 &&
      isDigitTyped()) {
    earlyInBlock.begin();
    ImGui::ActivateItemByID(field);
  }
  earlyInBlock.keep();
  if (ImGui::InputScalar(("##" + std::string(kBlockLabel)).c_str(), ImGuiDataType_U64, &block, &one, nullptr,
                         format.c_str(), ImGuiInputTextFlags_EnterReturnsTrue)) {
    refused = {};
    if (block < launch.grid)
      view.commands.push_back(session::Choose::block(view.replay.playhead().launch, block));
    else
      refused = {block, launch.grid};
  }
  earlyInBlock.giveTo(field);
  if (refused.grid != 0 && ImGui::IsItemHovered())
    wideTooltip(view, "There is no block " + figure(refused.block) + ". The blocks of this launch are 0 to " +
                          figure(launch.grid - 1) + ".");
  ImGui::EndDisabled();
  if (launch.grid <= 1 && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    wideTooltip(view, "This launch has one block. Choose a larger n for more.");
}

}  // namespace stridescope::views
