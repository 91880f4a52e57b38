#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "imgui_stdlib.h"
#include "model/experiment_fields.h"
#include "model/operator_table.h"
#include "views/forms/field_choices.h"
#include "views/forms/forms.h"
#include "views/frame/overlays.h"
#include "views/reading/glossary.h"
#include "views/shared/fuzzy_match.h"

namespace stridescope::views {
namespace {

constexpr float kPaletteWidth = 640, kMaxNoteLeft = 400, kNoteGap = 24;  // units
constexpr int kMaxLines = 18;
constexpr int kAsAlias = 10, kNotNow = 40;  // what a score loses
constexpr int kAbout = 5;                   // and gains

using Items = std::vector<PaletteItem>;

void addCommands(const ViewContext& view, std::span<const CommandEntry> table, Items& items) {
  for (const CommandEntry& entry : table) {
    if (!isOffered(entry, view.app.mode())) continue;
    PaletteItem item{.name = titleOf(entry, view), .also = entry.also, .note = keysOf(entry)};
    if (isEnabled(entry, view))
      item.commands = {entry.make(view)};
    else if (entry.why)
      item.why = entry.why(view);
    if (!item.commands.empty() || !item.why.empty()) items.push_back(std::move(item));
  }
}

void addPanels(const ViewContext& view, Items& items) {
  // Short titles first: who types "timeline" does not mean the block timeline.
  std::vector<const Panel*> panels;
  for (const Panel& panel : view.panels) panels.push_back(&panel);
  std::ranges::stable_sort(panels, {}, [](const Panel* panel) { return panel->title.size(); });
  for (const Panel* const panel : panels) {
    items.push_back({.name = "Show the panel " + panel->title, .commands = {session::ShowPanel{panel->id}}});
    if (view.app.isShown(panel->id))
      items.push_back(
          {.name = "Hide the panel " + panel->title, .commands = {session::HidePanel{panel->id}}});
    for (const PanelTab& tab : panel->tabs)
      items.push_back({.name = panel->title + ": " + tab.title,
                       .also = tab.also,
                       .commands = {session::ShowPanel{panel->id}, tab.bring(view)}});
  }
}

void addVariants(const ViewContext& view, Items& items) {
  for (const kernels::Variant& variant : kernels::catalogAndTimedOnly()) {
    std::string also = std::string(variant.id) + " " + model::aliasWords(model::Named::Variant, variant.id) +
                       std::string(kernels::titleOf(variant.family)) + " " + kernels::numberOf(variant.id);
    if (variant.report.kind == model::ReportKind::Race) also += " race";
    const session::Choose choose(&model::Experiment::variant, std::string(variant.id));
    // A rung of the ladder is there by its command.
    const auto rung = std::ranges::find_if(items, [&](const PaletteItem& item) {
      if (item.commands.size() != 1) return false;
      const auto* const made = std::get_if<session::Choose>(&item.commands.front().any());
      return made != nullptr && made->fields == choose.fields;
    });
    if (rung != items.end()) {
      rung->also += " " + also;
      continue;
    }
    items.push_back(
        {.name = "Variant: " + std::string(variant.title),
         .also = also,
         .note = std::string(variant.id),
         .why = variant.onlyTimed.empty() ? view.workspace.whyNotRecorded(variant.id) : variant.onlyTimed,
         .commands = {choose}});
  }
}

// A line for each choice of a field: "Block size: 512". What is chosen comes first, so that who asks for the
// field changes nothing unasked.
void addField(std::string name, std::vector<FieldChoice> choices, Items& items) {
  if (name.size() > 1) name[0] = char(std::toupper(name[0]));  // "n" stays
  std::stable_partition(choices.begin(), choices.end(),
                        [](const FieldChoice& choice) { return choice.chosen; });
  for (const FieldChoice& choice : choices)
    items.push_back({.name = name + ": " + choice.text,
                     .also = choice.also,
                     .note = choice.note.empty() && choice.chosen ? "chosen now" : choice.note,
                     .why = choice.why,
                     .commands = {choice.command}});
}

// What the experiment bar offers for the variant, with the reasons for what it does not.
void addChoices(const ViewContext& view, Items& items) {
  for (const OfferedField& field : offeredFields())
    addField(std::string(model::experimentField(field.key).title), field.choices(view), items);
  for (const session::EngineChoice& choice : view.workspace.engines())
    items.push_back({.name = "What executes: " + choice.label,
                     .also = "engine recording",
                     .why = choice.why,
                     .commands = {session::ChooseEngine{choice.id}}});
}

void addThemes(const ViewContext& view, Items& items) {
  for (const session::ThemeName theme : session::allOf(session::ThemeName{})) {
    items.push_back({.name = "Theme: " + std::string(session::nameOf(theme)),
                     .also = "mode colours",
                     .commands = {session::ChangeSettings{view.app.withTheme(theme)}}});
  }
}

void addTexts(const ViewContext& view, Items& items) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    PaletteItem item{.name = "Lesson: " + std::string(variant.title), .also = std::string(variant.id)};
    if (view.workspace.experiment().variant != variant.id) {
      item.why = view.workspace.whyNotRecorded(variant.id);
      item.commands = {session::Choose(&model::Experiment::variant, std::string(variant.id))};
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

// What people look for and this version does not have: each with what comes nearest.
void addAbsent(Items& items) {
  items.push_back({.name = "Settings",
                   .also = "preferences options configuration",
                   .why = "No page of its own: themes, text size and motion are set here and in View."});
  items.push_back(
      {.name = "Language", .also = "translation locale", .why = "The program is in English only."});
}

// Gives the items the words that people look for them by, from furtherWords().
void addFurtherWords(Items& items) {
  for (PaletteItem& item : items)
    for (const FurtherWords& further : furtherWords())
      if (further.name.ends_with(' ') ? item.name.starts_with(further.name) : item.name == further.name)
        item.also += " " + std::string(further.words);
}

void addTypedSize(const ViewContext& view, std::string_view query, Items& items) {
  std::string_view typed = query;
  if (typed.starts_with("n ") || typed.starts_with("n:") || typed.starts_with("n=")) typed.remove_prefix(1);
  typed.remove_prefix(std::min(typed.find_first_not_of(" :="), typed.size()));
  const std::optional<std::uint64_t> n = typedNumber(typed);
  if (!n) return;
  const std::string name = "n: " + sizeText(*n);
  // One that is offered already is found by what was typed, too.
  if (const auto offered = std::ranges::find(items, name, &PaletteItem::name); offered != items.end()) {
    offered->also += " " + std::string(query);
    return;
  }
  items.push_back({.name = name,
                   .also = std::string(query),
                   .why = whyNotElements(view, *n),
                   .commands = {session::Choose::elements(*n)}});
}

// The callback of the palette's field. Arrows go through what was found, where Dear ImGui would move its
// focus out of the field; another text begins at its best match.
int chooseByArrows(ImGuiInputTextCallbackData* data) {
  int& chosen = *static_cast<int*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit)
    chosen = 0;
  else
    chosen += data->EventKey == ImGuiKey_DownArrow ? 1 : -1;
  return 0;
}

}  // namespace

std::span<const FurtherWords> furtherWords() {
  static constexpr std::array kFurther{
      FurtherWords{"Block size: ", "thread count number of threads per block"},
      FurtherWords{"Export...",
                   "screenshot screen shot image film movie animation quiz exam questions sheet print"},
      FurtherWords{"Show the panel Timings", "cub thrust library baseline compare"},
      FurtherWords{"Start timing", "cub thrust library baseline compare"},
      FurtherWords{"Custom operator...", "own kernel own operator combine"},
      FurtherWords{"Reset experiment", "undo defaults start over"},
      FurtherWords{"Step back", "undo"},
      FurtherWords{"Theme: ", "settings"},
      FurtherWords{"Switch theme", "settings"},
      FurtherWords{"Larger text", "settings"},
      FurtherWords{"Smaller text", "settings"},
      FurtherWords{"Text at 100 %", "settings font size zoom"},
      FurtherWords{"Reduced motion", "settings animation"},
      FurtherWords{"Full screen", "settings"},
      FurtherWords{"Reset layout", "settings undo"},
      FurtherWords{"Lesson of this variant", "help explain"},
      FurtherWords{"Glossary", "help"},
      FurtherWords{"Welcome", "help"},
      FurtherWords{"About Stridescope", "help version"}};
  return kFurther;
}

std::vector<PaletteItem> paletteItems(const ViewContext& view, std::span<const CommandEntry> table,
                                      std::string_view query) {
  Items items;
  addCommands(view, table, items);
  addPanels(view, items);
  addThemes(view, items);
  addVariants(view, items);
  addChoices(view, items);
  addTypedSize(view, query, items);
  addTexts(view, items);
  addFurtherWords(items);
  addAbsent(items);
  return items;
}

std::vector<PaletteItem> findItems(std::vector<PaletteItem> items, std::string_view query) {
  std::vector<std::pair<int, PaletteItem>> found;
  for (PaletteItem& item : items) {
    const int byName = matchScore(query, item.name), byAll = matchScore(query, item.name + " " + item.also);
    if (byAll == 0) continue;
    const int score = std::max(byName, byAll - kAsAlias) +
                      (lowerCase(item.name).ends_with(lowerCase(query)) ? kAbout : 0) -
                      (item.why.empty() ? 0 : kNotNow);
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
  const float width = std::min(view.px(kPaletteWidth), ImGui::GetMainViewport()->Size.x * 0.85f);
  ImGui::SetNextItemWidth(width);
  const int before = state.chosen;
  const bool enter =
      ImGui::InputTextWithHint("##command", "type a command, a variant, a type, a size ...", &state.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory |
                                   ImGuiInputTextFlags_CallbackEdit,
                               chooseByArrows, &state.chosen);
  const std::vector<PaletteItem> found = findItems(paletteItems(view, table, state.text), state.text);
  state.chosen = std::clamp(state.chosen, 0, std::max(0, int(found.size()) - 1));
  if (found.empty()) {
    ImGui::TextDisabled("No matching command");
    return;
  }
  ImGui::Spacing();
  const float lines = float(std::min(kMaxLines, int(found.size())));
  if (!ImGui::BeginChild("found", {width, lines * ImGui::GetTextLineHeightWithSpacing()}))
    return ImGui::EndChild();
  // Behind the longest name, so that a reason has as much room as there is.
  float noteLeft = 0;
  for (const PaletteItem& item : found)
    noteLeft = std::max(noteLeft, ImGui::CalcTextSize(item.name.c_str()).x);
  noteLeft = std::min(noteLeft + view.px(kNoteGap), view.px(kMaxNoteLeft));
  for (int i = 0; i < int(found.size()); ++i) {
    const PaletteItem& item = found[std::size_t(i)];
    ImGui::BeginDisabled(!item.why.empty());
    const bool picked = ImGui::Selectable(item.name.c_str(), i == state.chosen);
    ImGui::EndDisabled();
    if (i == state.chosen && before != state.chosen) ImGui::SetScrollHereY();
    ImGui::SameLine(noteLeft);
    ImGui::TextDisabled("%s", (item.why.empty() ? item.note : item.why).c_str());
    if ((!picked && !(enter && i == state.chosen)) || !item.why.empty()) continue;
    view.commands.push_back(session::ShowOverlay{session::Overlay::Palette});
    for (const session::Command& command : item.commands) view.commands.push_back(command);
  }
  ImGui::EndChild();
  // Beside its name a reason may be cut short.
  if (const std::string& why = found[std::size_t(state.chosen)].why; !why.empty())
    sentence(view, width, why, view.colours().dim);
}

}  // namespace stridescope::views
