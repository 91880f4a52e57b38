#include "views/chrome/experiment_fields.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "engine/engine_limits.h"
#include "imgui_stdlib.h"
#include "kernels/catalog.h"
#include "session/legal_choices.h"
#include "views/chrome/form_text.h"

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

// Why it cannot be chosen: the variant's reason, or else that of the open recording.
template <class Change>
std::string whyNot(const session::Parts& parts, std::string ofVariant, Change change) {
  return ofVariant.empty() ? parts.workspace.whyNotRecorded(change) : ofVariant;
}

const kernels::Variant* variantOf(const session::Parts& parts) {
  return kernels::findVariant(parts.workspace.experiment().variant);
}

// What was chosen, if another stands in its place.
template <class Field, class Print>
std::string ifLent(const session::Parts& parts, Field model::Experiment::*field, Print print) {
  return parts.workspace.lent().has(field) ? std::string(print(parts.workspace.choices().experiment.*field))
                                           : std::string();
}

std::string operatorLabel(model::Operator op) {
  const std::string symbol(model::nameOf(op)), word(model::wordOf(op));
  return symbol == word ? word : symbol + " " + word;
}

std::string shownVariant(const session::Parts& parts) {
  const kernels::Variant* variant = kernels::findVariant(parts.workspace.experiment().variant);
  return variant == nullptr ? std::string() : std::string(variant->title);
}
// Family by family, each with what changed; the chosen one is in view when the list opens.
void variantEntries(ViewContext& view) {
  float titleWidth = 0;
  for (const kernels::Variant& variant : kernels::catalog())
    titleWidth = std::max(titleWidth, ImGui::CalcTextSize(std::string(variant.title).c_str()).x);
  const auto families = kernels::byFamily(kernels::catalog());
  for (const auto& family : families) {
    if (families.size() > 1) ImGui::SeparatorText(kernels::titleOf(family.front()->family).data());
    for (const kernels::Variant* variant : family) {
      const bool chosen = view.workspace.experiment().variant == variant->id;
      const float left = ImGui::GetCursorPosX();
      if (entry(view, std::string(variant->title), chosen, view.workspace.whyNotRecorded(variant->id)))
        view.commands.push_back(session::ChooseVariant{std::string(variant->id)});
      if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
      ImGui::SameLine(left + titleWidth + view.px(16));
      ImGui::TextDisabled("%s", std::string(variant->changed).c_str());
    }
  }
}

std::string shownType(const session::Parts& parts) {
  return std::string(model::nameOf(parts.workspace.experiment().type));
}
void typeEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  if (variantOf(view) == nullptr) return;
  for (const model::ElementType type : model::kElementTypes)
    if (entry(view, std::string(model::nameOf(type)), type == experiment.type, whyNotType(view, type)))
      view.commands.push_back(session::ChooseType{type});
}

constexpr std::size_t kLongestOperator = 9;  // characters that the field holds

std::string shownOperator(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  if (experiment.op != model::Operator::Custom) return operatorLabel(experiment.op);
  return experiment.custom.combine.size() > kLongestOperator ? "custom"
                                                             : printable(experiment.custom.combine);
}
void operatorEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  if (variantOf(view) == nullptr) return;
  for (const model::Operator op : model::kOperators)
    if (entry(view, operatorLabel(op), op == experiment.op, whyNotOperator(view, op)))
      view.commands.push_back(session::ChooseOperator{op});
  ImGui::Separator();
  if (entry(view, "custom...", experiment.op == model::Operator::Custom, view.workspace.whyNotCustom()))
    view.commands.push_back(session::ShowOverlay{session::Overlay::CustomOperator});
}

std::string shownThreads(const session::Parts& parts) {
  return std::to_string(parts.workspace.experiment().threads);
}
void threadsEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  if (variantOf(view) == nullptr) return;
  for (const unsigned threads : session::allBlockSizes())
    if (entry(view, std::to_string(threads), threads == experiment.threads, whyNotThreads(view, threads)))
      view.commands.push_back(session::ChooseThreads{threads});
}

// Whether the size to begin with is another than one block's load.
bool hasOwnSize(const session::Workspace& workspace) {
  const kernels::Variant* const variant = kernels::findVariant(workspace.experiment().variant);
  return variant != nullptr && variant->elementsAtFirst != nullptr;
}

constexpr std::array<unsigned, 2> kSeveralBlocks{2, 4};

std::string blocksLabel(unsigned blocks) { return std::to_string(blocks) + " blocks"; }

std::string shownElements(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  const std::string n = sizeText(experiment.elements);
  if (parts.workspace.oneBlockLoad())
    return n + (hasOwnSize(parts.workspace) ? " (default)" : " (one block)");
  for (const unsigned blocks : kSeveralBlocks)
    if (session::elementsOfBlocks(experiment, blocks) == experiment.elements)
      return n + " (" + blocksLabel(blocks) + ")";
  return n;
}

// No GPU could take what the CPU executor does not.
bool runsOnCpuAlone(const session::Workspace& workspace) {
  if (workspace.recording()) return false;
  return workspace.engineId() == "host" || std::ranges::none_of(workspace.engines(), [](const auto& choice) {
           return choice.id.starts_with("gpu") && choice.why.empty();
         });
}

std::string whyNotTyped(const ViewContext& view, std::uint64_t n) {
  std::string why = session::whyNotElements(view.workspace.experiment(), n);
  if (why.empty() && runsOnCpuAlone(view.workspace)) why = engine::whyNotOnCpu(n);
  return !why.empty() ? why : view.workspace.whyNotRecorded([&](session::ExperimentChoices& choices) {
    chooseElements(choices, n);
  });
}

// A field for any n. What is typed stays in it until it can be taken.
void typedElements(ViewContext& view) {
  static struct { std::string text, why; } typed;  // of the list that is open
  const model::Experiment& experiment = view.workspace.experiment();
  if (ImGui::IsWindowAppearing()) {
    typed = {std::to_string(experiment.elements), {}};
    ImGui::SetKeyboardFocusHere();
  }
  const float width = view.px(kTypedWidth);
  ImGui::SetNextItemWidth(width);
  const bool enter =
      ImGui::InputTextWithHint("##typed", "33, 1000, 2^20", &typed.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemEdited()) typed.why.clear();
  if (enter) {
    const std::optional<std::uint64_t> n = typedNumber(typed.text);
    typed.why = n ? whyNotTyped(view, *n)
                  : "This is no whole number. Type how many elements, such as 33, 1000 or 2^20.";
    if (typed.why.empty()) {
      view.commands.push_back(session::ChooseElements{n});
      ImGui::CloseCurrentPopup();
    }
  }
  if (enter && !typed.why.empty()) ImGui::SetKeyboardFocusHere(-1);
  if (!typed.why.empty()) remark(view, width, printable(typed.why), session::MessageKind::Wrong);
}

void elementsEntries(ViewContext& view) {
  constexpr std::array<std::uint64_t, 9> sizes{0, 1, 33, 1000, 65537, 1u << 16, 1u << 18, 1u << 20, 1u << 24};
  const auto whyNotSize = [&](std::optional<std::uint64_t> elements) {
    return view.workspace.whyNotRecorded(
        [&](session::ExperimentChoices& choices) { chooseElements(choices, elements); });
  };
  const model::Experiment& experiment = view.workspace.experiment();
  typedElements(view);
  const bool byItself = view.workspace.oneBlockLoad();
  if (entry(view, hasOwnSize(view.workspace) ? "the variant's default" : "one block's load", byItself,
            whyNotSize(std::nullopt)))
    view.commands.push_back(session::ChooseElements{std::nullopt});
  for (const unsigned blocks : kSeveralBlocks)
    if (const auto n = session::elementsOfBlocks(experiment, blocks)) {
      if (entry(view, blocksLabel(blocks), !byItself && *n == experiment.elements, whyNotSize(n)))
        view.commands.push_back(session::ChooseElements{*n});
      ImGui::SameLine(view.px(kTypedWidth / 2));
      ImGui::TextDisabled("%s", sizeText(*n).c_str());
    }
  for (const std::uint64_t n : sizes)
    if (entry(view, sizeText(n), !byItself && n == experiment.elements, whyNotSize(n)))
      view.commands.push_back(session::ChooseElements{n});
}

std::string shownData(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  std::string shown(model::nameOf(experiment.data));
  if (model::isSeeded(experiment.data)) shown += ", seed " + std::to_string(experiment.seed);
  if (experiment.given.get() != nullptr) shown = experiment.given.get()->name;
  return shown;
}
void dataEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  for (const model::DataPattern data : model::kDataPatterns)
    if (entry(view, std::string(model::nameOf(data)), data == experiment.data, whyNotData(view, data)))
      view.commands.push_back(session::ChooseData{data});
  ImGui::Separator();
  if (entry(view, "next seed", false,
            whyNot(view, model::isSeeded(experiment.data) ? "" : "Only digits and random data have a seed.",
                   [&](session::ExperimentChoices& choices) { ++choices.experiment.seed; })))
    view.commands.push_back(session::ChooseSeed{experiment.seed + 1});
  ImGui::Separator();
  if (entry(view, "from a file...", experiment.data == model::DataPattern::Given, {}))
    view.commands.push_back(session::ShowOverlay{session::Overlay::OwnData});
}

// Only the CPU executor's threads can be told when to run.
bool isScheduledHere(const session::Replay& replay) {
  return !replay.run() || replay.run()->trace.executor.kind == model::EngineKind::Host;
}

std::string shownSchedule(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  if (!isScheduledHere(parts.replay))
    return parts.replay.run()->trace.executor.kind == model::EngineKind::Gpu ? "the GPU's" : "as recorded";
  std::string shown(model::nameOf(experiment.schedule));
  if (experiment.schedule == model::Schedule::Random)
    shown += ", seed " + std::to_string(experiment.scheduleSeed);
  return shown;
}
void scheduleEntries(ViewContext& view) {
  const model::Experiment& experiment = view.workspace.experiment();
  const std::string why = isScheduledHere(view.replay)
                              ? ""
                              : "A GPU schedules its warps itself, and a recording was made already. "
                                "Choose the CPU executor.";
  for (const model::Schedule schedule : model::kSchedules)
    if (entry(view, std::string(model::nameOf(schedule)), schedule == experiment.schedule, why))
      view.commands.push_back(session::ChooseSchedule{schedule, 1});
  ImGui::Separator();
  if (entry(view, "next seed", false,
            experiment.schedule == model::Schedule::Random ? "" : "Only the random schedule has a seed."))
    view.commands.push_back(session::ChooseSchedule{model::Schedule::Random, experiment.scheduleSeed + 1});
}

std::string chosenType(const session::Parts& parts) {
  return ifLent(parts, &model::Experiment::type, [](model::ElementType type) { return model::nameOf(type); });
}
std::string chosenOperator(const session::Parts& parts) {
  return ifLent(parts, &model::Experiment::op, [](model::Operator op) { return model::nameOf(op); });
}
std::string chosenThreads(const session::Parts& parts) {
  return ifLent(parts, &model::Experiment::threads, [](unsigned n) { return std::to_string(n); });
}
std::string chosenElements(const session::Parts& parts) {
  return ifLent(parts, &model::Experiment::elements, sizeText);
}
std::string chosenPattern(const session::Parts& parts) {
  if (!parts.workspace.lent().has(&model::Experiment::data)) return {};
  const model::Experiment& chosen = parts.workspace.choices().experiment;
  return chosen.given.get() != nullptr ? chosen.given.get()->name : std::string(model::nameOf(chosen.data));
}
std::string nothingElse(const session::Parts&) { return {}; }

constexpr std::array kFields{ExperimentField{"variant", 220, shownVariant, variantEntries, nothingElse},
                             ExperimentField{"type", 100, shownType, typeEntries, chosenType},
                             ExperimentField{"operator", 96, shownOperator, operatorEntries, chosenOperator},
                             ExperimentField{"block size", 84, shownThreads, threadsEntries, chosenThreads},
                             ExperimentField{"n", 150, shownElements, elementsEntries, chosenElements},
                             ExperimentField{"data pattern", 150, shownData, dataEntries, chosenPattern},
                             ExperimentField{"schedule", 130, shownSchedule, scheduleEntries, nothingElse}};

std::string ofAllBlocks(const model::LaunchTrace& launch) { return " of " + figure(launch.grid); }

}  // namespace

std::span<const ExperimentField> experimentFields() { return kFields; }

std::string whyNotType(const session::Parts& parts, model::ElementType type) {
  return whyNot(parts, session::whyNotType(*variantOf(parts), type, parts.workspace.experiment().op),
                [&](session::ExperimentChoices& choices) { choices.experiment.type = type; });
}
std::string whyNotOperator(const session::Parts& parts, model::Operator op) {
  return whyNot(parts, session::whyNotOperator(*variantOf(parts), parts.workspace.experiment().type, op),
                [&](session::ExperimentChoices& choices) { choices.experiment.op = op; });
}
std::string whyNotThreads(const session::Parts& parts, unsigned threads) {
  return whyNot(parts, session::whyNotThreads(*variantOf(parts), threads),
                [&](session::ExperimentChoices& choices) { chooseThreads(choices, threads); });
}
std::string whyNotData(const session::Parts& parts, model::DataPattern data) {
  return parts.workspace.whyNotRecorded(
      [&](session::ExperimentChoices& choices) { chooseData(choices, data); });
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
  const model::LaunchTrace& launch = view.replay.launch();
  if (refused.grid != launch.grid) refused = {};
  std::uint64_t block = refused.grid == 0 ? launch.inspected : refused.block;
  const std::uint64_t one = 1;
  const std::string format = "%llu" + ofAllBlocks(launch);
  ImGui::BeginDisabled(launch.grid <= 1);
  if (ImGui::InputScalar(("##" + std::string(kBlockLabel)).c_str(), ImGuiDataType_U64, &block, &one, nullptr,
                         format.c_str(), ImGuiInputTextFlags_EnterReturnsTrue)) {
    refused = {};
    if (block < launch.grid)
      view.commands.push_back(session::ChooseBlock{view.replay.playhead().launch, block});
    else
      refused = {block, launch.grid};
  }
  if (refused.grid != 0 && ImGui::IsItemHovered())
    wideTooltip(view, "There is no block " + figure(refused.block) + ". The blocks of this launch are 0 to " +
                          figure(launch.grid - 1) + ".");
  ImGui::EndDisabled();
  if (launch.grid <= 1 && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    wideTooltip(view, "This launch has one block. Choose a larger n for more.");
}

}  // namespace stridescope::views
