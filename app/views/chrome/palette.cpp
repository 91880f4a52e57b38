#include "views/chrome/palette.h"

#include <algorithm>
#include <utility>

#include "imgui_stdlib.h"
#include "model/operator_table.h"
#include "session/legal_choices.h"
#include "views/chrome/experiment_fields.h"
#include "views/chrome/fuzzy_match.h"
#include "views/chrome/glossary.h"

namespace stridescope::views {
namespace {

constexpr float kWidth = 640, kNoteLeft = 400;  // units
constexpr int kMaxLines = 18;
constexpr int kAsAlias = 10, kNotNow = 40;  // what a score loses

using Items = std::vector<PaletteItem>;

void addCommands(const ViewContext& view, std::span<const CommandEntry> table, Items& items) {
  for (const CommandEntry& entry : table) {
    PaletteItem item{.name = entry.name, .also = entry.also, .note = keysOf(entry)};
    if (isEnabled(entry, view))
      item.commands = {entry.make(view)};
    else if (entry.why)
      item.why = entry.why(view);
    if (!item.commands.empty() || !item.why.empty()) items.push_back(std::move(item));
  }
}

void addPanels(const ViewContext& view, Items& items) {
  for (const Panel& panel : view.panels) {
    items.push_back({.name = "Show the panel " + panel.title, .commands = {session::ShowPanel{panel.id}}});
    if (view.app.isShown(panel.id))
      items.push_back({.name = "Hide the panel " + panel.title, .commands = {session::HidePanel{panel.id}}});
  }
}

void addVariants(const ViewContext& view, Items& items) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    std::string also = std::string(variant.id) + " " + std::string(kernels::titleOf(variant.family)) + " " +
                       kernels::numberOf(variant);
    if (variant.report.kind == kernels::ReportKind::Race) also += " race";
    items.push_back({.name = "Variant: " + std::string(variant.title),
                     .also = also,
                     .note = std::string(variant.id),
                     .why = view.workspace.whyNotRecorded(variant.id),
                     .commands = {session::ChooseVariant{std::string(variant.id)}}});
  }
}

std::string otherNamesOf(model::ElementType type) {
  switch (type) {
    case model::ElementType::Int:
      return "int32 integer";
    case model::ElementType::Unsigned:
      return "uint32 integer";
    case model::ElementType::Int64:
      return "long integer 64-bit";
    case model::ElementType::Float:
      return "float32 single real floating point";
    case model::ElementType::Double:
      return "float64 real floating point 64-bit";
  }
  return {};
}

// What the experiment bar offers for the variant, with the reasons for what it does not.
void addChoices(const ViewContext& view, Items& items) {
  if (kernels::findVariant(view.workspace.experiment().variant) == nullptr) return;
  for (const model::ElementType type : model::kElementTypes)
    items.push_back({.name = "Type: " + std::string(model::nameOf(type)),
                     .also = otherNamesOf(type),
                     .why = whyNotType(view, type),
                     .commands = {session::ChooseType{type}}});
  for (const model::Operator op : model::kOperators) {
    const model::OperatorFacts& facts = model::factsOf(op);
    items.push_back({.name = "Operator: " + std::string(facts.symbol),
                     .also = std::string(facts.word) + " " + std::string(facts.noun),
                     .note = facts.symbol == facts.word ? std::string() : std::string(facts.word),
                     .why = whyNotOperator(view, op),
                     .commands = {session::ChooseOperator{op}}});
  }
  for (const unsigned threads : session::allBlockSizes())
    items.push_back({.name = "Block size: " + std::to_string(threads),
                     .also = "threads per block",
                     .why = whyNotThreads(view, threads),
                     .commands = {session::ChooseThreads{threads}}});
  for (const model::DataPattern data : model::kDataPatterns)
    items.push_back({.name = "Data pattern: " + std::string(model::nameOf(data)),
                     .also = "numbers values",
                     .why = whyNotData(view, data),
                     .commands = {session::ChooseData{data}}});
  for (const session::EngineChoice& choice : view.workspace.engines())
    items.push_back({.name = "What executes: " + choice.label,
                     .also = "engine recording",
                     .why = choice.why,
                     .commands = {session::ChooseEngine{choice.id}}});
}

void addThemes(const ViewContext& view, Items& items) {
  for (const session::ThemeName theme : session::allOf(session::ThemeName{})) {
    session::Settings settings = view.app.settings();
    settings.theme = theme;
    items.push_back({.name = "Theme: " + std::string(session::nameOf(theme)),
                     .also = "mode colours",
                     .commands = {session::ChangeSettings{settings}}});
  }
}

void addTexts(const ViewContext& view, Items& items) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    PaletteItem item{.name = "Lesson: " + std::string(variant.title), .also = std::string(variant.id)};
    if (view.workspace.experiment().variant != variant.id) {
      item.why = view.workspace.whyNotRecorded(variant.id);
      item.commands = {session::ChooseVariant{std::string(variant.id)}};
    }
    item.commands.push_back(session::ShowOverlay{session::Overlay::Lesson});
    items.push_back(std::move(item));
  }
  for (const GlossaryEntry& entry : glossary().entries()) {
    PaletteItem item{.name = "Glossary: " + entry.term,
                     .commands = {session::ShowOverlay{session::Overlay::Glossary, entry.term}}};
    for (const std::string& form : entry.forms) item.also += form + " ";
    items.push_back(std::move(item));
  }
}

// Of the palette's field: arrows go through what was found, where Dear ImGui would move its focus out of the
// field; another text begins at its best.
int chooseByArrows(ImGuiInputTextCallbackData* data) {
  int& chosen = *static_cast<int*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit)
    chosen = 0;
  else
    chosen += data->EventKey == ImGuiKey_DownArrow ? 1 : -1;
  return 0;
}

}  // namespace

std::vector<PaletteItem> paletteItems(const ViewContext& view, std::span<const CommandEntry> table) {
  Items items;
  addCommands(view, table, items);
  addPanels(view, items);
  addThemes(view, items);
  addVariants(view, items);
  addChoices(view, items);
  addTexts(view, items);
  return items;
}

std::vector<PaletteItem> findItems(std::vector<PaletteItem> items, std::string_view query) {
  std::vector<std::pair<int, PaletteItem>> found;
  for (PaletteItem& item : items) {
    const int byName = matchScore(query, item.name), byAll = matchScore(query, item.name + " " + item.also);
    if (byAll == 0) continue;
    const int score = std::max(byName, byAll - kAsAlias) - (item.why.empty() ? 0 : kNotNow);
    found.emplace_back(score, std::move(item));
  }
  std::ranges::stable_sort(found, std::greater(), [](const auto& each) { return each.first; });
  std::vector<PaletteItem> best;
  for (auto& [score, item] : found) best.push_back(std::move(item));
  return best;
}

void drawPalette(ViewContext& view, OverlayState& state, std::span<const CommandEntry> table,
                 bool appearing) {
  if (appearing) ImGui::SetKeyboardFocusHere();
  const float width = std::min(view.px(kWidth), ImGui::GetMainViewport()->Size.x * 0.85f);
  ImGui::SetNextItemWidth(width);
  const int before = state.chosen;
  const bool enter =
      ImGui::InputTextWithHint("##command", "type a command, a variant, a type, a size ...", &state.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory |
                                   ImGuiInputTextFlags_CallbackEdit,
                               chooseByArrows, &state.chosen);
  const std::vector<PaletteItem> found = findItems(paletteItems(view, table), state.text);
  state.chosen = std::clamp(state.chosen, 0, std::max(0, int(found.size()) - 1));
  if (found.empty()) {
    ImGui::TextDisabled("No matching command");
    return;
  }
  ImGui::Spacing();
  const float lines = float(std::min(kMaxLines, int(found.size())));
  if (!ImGui::BeginChild("found", {width, lines * ImGui::GetTextLineHeightWithSpacing()}))
    return ImGui::EndChild();
  for (int i = 0; i < int(found.size()); ++i) {
    const PaletteItem& item = found[std::size_t(i)];
    ImGui::BeginDisabled(!item.why.empty());
    const bool picked = ImGui::Selectable(item.name.c_str(), i == state.chosen);
    ImGui::EndDisabled();
    if (i == state.chosen && before != state.chosen) ImGui::SetScrollHereY();
    ImGui::SameLine(view.px(kNoteLeft));
    ImGui::TextDisabled("%s", (item.why.empty() ? item.note : item.why).c_str());
    if ((!picked && !(enter && i == state.chosen)) || !item.why.empty()) continue;
    view.commands.push_back(session::ShowOverlay{session::Overlay::Palette});
    for (const session::Command& command : item.commands) view.commands.push_back(command);
  }
  ImGui::EndChild();
}

}  // namespace stridescope::views
