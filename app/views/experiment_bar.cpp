#include "views/experiment_bar.h"

#include <array>
#include <cmath>

#include "kernels/catalog.h"
#include "session/legal_choices.h"
#include "views/engine_chip.h"

namespace stridescope {
namespace {

constexpr float kLabelHeight = 18, kFieldGap = 12;

struct Bar {
  ViewContext& view;
  float x, top, right;

  // Begins a field with its label above; false if it does not fit.
  bool begin(const char* label, float units) {
    const float width = view.px(units);
    if (x + width > right) return false;
    drawText(view.draw, *ImGui::GetWindowDrawList(), {x + view.px(4), top},
             {x + width, top + view.px(kLabelHeight)}, label,
             wordsStyle(view.draw, kLabelSize, view.colours().dim));
    ImGui::SetCursorScreenPos({x, top + view.px(kLabelHeight)});
    ImGui::SetNextItemWidth(width);
    x += width + view.px(kFieldGap);
    return true;
  }

  // One entry of a combo: greyed out with its reason if there is one.
  bool entry(const std::string& text, bool chosen, const std::string& why) {
    ImGui::BeginDisabled(!why.empty());
    const bool picked = ImGui::Selectable(text.c_str(), chosen);
    ImGui::EndDisabled();
    if (!why.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      ImGui::SetTooltip("%s", why.c_str());
    return picked;
  }
};

std::string operatorLabel(Operator op) {
  const std::string symbol(nameOf(op)), word(wordOf(op));
  return symbol == word ? word : symbol + " " + word;
}

std::string sizeLabel(std::uint64_t n) {
  for (unsigned power = 10; power <= 30; ++power)
    if (n == 1ull << power) return "2^" + std::to_string(power);
  return std::to_string(n);
}

void variantField(Bar& bar) {
  const Experiment& experiment = bar.view.session.experiment();
  const Variant* chosen = findVariant(experiment.variant);
  if (!bar.begin("variant", 220)) return;
  if (!ImGui::BeginCombo("##variant", chosen ? chosen->title.data() : "")) return;
  for (const Variant& variant : catalog())
    if (bar.entry(std::string(variant.title), &variant == chosen, {}))
      bar.view.commands.push_back(ChooseVariant{std::string(variant.id)});
  ImGui::EndCombo();
}

void typeField(Bar& bar, const Variant& variant) {
  const Experiment& experiment = bar.view.session.experiment();
  if (!bar.begin("type", 100)) return;
  if (!ImGui::BeginCombo("##type", nameOf(experiment.type).data())) return;
  for (const ElementType type : kElementTypes)
    if (bar.entry(std::string(nameOf(type)), type == experiment.type,
                  whyNotType(variant, type, experiment.op)))
      bar.view.commands.push_back(ChooseType{type});
  ImGui::EndCombo();
}

void operatorField(Bar& bar, const Variant& variant) {
  const Experiment& experiment = bar.view.session.experiment();
  if (!bar.begin("operator", 96)) return;
  if (!ImGui::BeginCombo("##operator", operatorLabel(experiment.op).c_str())) return;
  for (const Operator op : kOperators)
    if (bar.entry(operatorLabel(op), op == experiment.op, whyNotOperator(variant, experiment.type, op)))
      bar.view.commands.push_back(ChooseOperator{op});
  ImGui::EndCombo();
}

void threadsField(Bar& bar, const Variant& variant) {
  const Experiment& experiment = bar.view.session.experiment();
  if (!bar.begin("block size", 84)) return;
  if (!ImGui::BeginCombo("##block size", std::to_string(experiment.threads).c_str())) return;
  for (const unsigned threads : allBlockSizes())
    if (bar.entry(std::to_string(threads), threads == experiment.threads, whyNotThreads(variant, threads)))
      bar.view.commands.push_back(ChooseThreads{threads});
  ImGui::EndCombo();
}

void elementsField(Bar& bar) {
  constexpr std::array<std::uint64_t, 9> sizes{0, 1, 33, 1000, 65537, 1u << 16, 1u << 18, 1u << 20, 1u << 24};
  const Session& session = bar.view.session;
  if (!bar.begin("n", 150)) return;
  const std::string shown = session.oneBlockLoad() ? sizeLabel(session.experiment().elements) + " (one block)"
                                                   : sizeLabel(session.experiment().elements);
  if (!ImGui::BeginCombo("##n", shown.c_str())) return;
  if (bar.entry("one block's load", session.oneBlockLoad(), {}))
    bar.view.commands.push_back(ChooseElements{std::nullopt});
  for (const std::uint64_t n : sizes)
    if (bar.entry(sizeLabel(n), !session.oneBlockLoad() && n == session.experiment().elements, {}))
      bar.view.commands.push_back(ChooseElements{n});
  ImGui::EndCombo();
}

void dataField(Bar& bar) {
  const Experiment& experiment = bar.view.session.experiment();
  if (!bar.begin("data pattern", 150)) return;
  std::string shown(nameOf(experiment.data));
  if (experiment.data == DataPattern::Random) shown += ", seed " + std::to_string(experiment.seed);
  if (!ImGui::BeginCombo("##data pattern", shown.c_str())) return;
  for (const DataPattern data : kDataPatterns)
    if (bar.entry(std::string(nameOf(data)), data == experiment.data, {}))
      bar.view.commands.push_back(ChooseData{data});
  ImGui::Separator();
  if (bar.entry("next seed", false,
                experiment.data == DataPattern::Random ? "" : "Only random data has a seed."))
    bar.view.commands.push_back(ChooseSeed{experiment.seed + 1});
  ImGui::EndCombo();
}

void blockField(Bar& bar) {
  const Session& session = bar.view.session;
  if (!session.run() || !bar.begin("block shown", 150)) return;
  const LaunchTrace& launch = session.launch();
  const unsigned which = session.playhead().launch;
  std::uint64_t block = launch.inspected;
  const std::uint64_t one = 1;
  const std::string format = "%llu of " + std::to_string(launch.grid);
  ImGui::BeginDisabled(launch.grid <= 1);
  if (ImGui::InputScalar("##block shown", ImGuiDataType_U64, &block, &one, nullptr, format.c_str(),
                         ImGuiInputTextFlags_EnterReturnsTrue) &&
      block < launch.grid)
    bar.view.commands.push_back(ChooseBlock{which, block});
  ImGui::EndDisabled();
  if (launch.grid <= 1 && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("This launch has one block. Choose a larger n for more.");
}

}  // namespace

void drawExperimentBar(ViewContext& view, ImVec2 min, ImVec2 max) {
  const float chip = engineChipWidth(view);
  Bar bar{.view = view, .x = min.x, .top = min.y, .right = max.x - chip - view.px(kFieldGap)};
  variantField(bar);
  if (const Variant* variant = findVariant(view.session.experiment().variant)) {
    typeField(bar, *variant);
    operatorField(bar, *variant);
    threadsField(bar, *variant);
  }
  elementsField(bar);
  dataField(bar);
  blockField(bar);
  drawText(view.draw, *ImGui::GetWindowDrawList(), {max.x - chip + view.px(8), min.y},
           {max.x, min.y + view.px(kLabelHeight)}, "what executes",
           wordsStyle(view.draw, kLabelSize, view.colours().dim));
  const float top = min.y + view.px(kLabelHeight);
  drawEngineChip(view, {max.x - chip, top}, {max.x, top + view.px(kControlHeight)});
}

}  // namespace stridescope
