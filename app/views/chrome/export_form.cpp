#include "views/chrome/export_form.h"

#include <algorithm>
#include <array>

#include "base/plain_text.h"
#include "imgui_stdlib.h"
#include "kernels/catalog.h"
#include "views/chrome/file_form.h"
#include "views/chrome/form_text.h"

namespace stridescope::views {
namespace {

using session::ExportAs;

struct Kind {
  ExportAs as{};
  const char* name;
  const char* about;   // a sentence
  const char* ending;  // the file's; a folder has none
};
constexpr std::array kKinds{
    Kind{ExportAs::Png, "Picture (PNG)", "What is on the screen now, as it is.", ".png"},
    Kind{ExportAs::Pictures, "Pictures of the rounds (PNG)", "A folder with a picture of each round.", ""},
    Kind{ExportAs::Gif, "Film of the rounds (GIF)", "The rounds at the speed at which they play.", ".gif"},
    Kind{ExportAs::Html, "Page (HTML)",
         "One file for a browser, on a phone, too, without a network: a reader steps through the rounds.",
         ".html"},
    Kind{ExportAs::Csv, "Table (CSV)", "A row for each round, for programs.", ".csv"},
    Kind{ExportAs::Markdown, "Table (Markdown)", "A table of the rounds, for people.", ".md"},
};
constexpr unsigned kMaxDensity = 3;
constexpr const char* kBothSides = "the other side of Compare";
constexpr float kLabelWidth = 120;               // units
constexpr float kSmallest = 0.5f, kLargest = 3;  // what `export --scale` takes

const Kind& kindOf(const session::ExportFile& file) { return *std::ranges::find(kKinds, file.as, &Kind::as); }

bool isPictures(ExportAs as) {
  return as == ExportAs::Png || as == ExportAs::Pictures || as == ExportAs::Gif;
}

// "sequential.html", "timings.png"
std::string pathFor(const ViewContext& view, const session::ExportFile& file) {
  const bool ofPanel = file.as == ExportAs::Png && !file.panel.empty();
  return (ofPanel ? file.panel : printable(view.workspace.experiment().variant)) + kindOf(file).ending;
}

// A field with its name at the left.
void label(ViewContext& view, const char* text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kBodySize, view.colours().dim);
  draw::drawText(view.draw, *ImGui::GetWindowDrawList(), at,
                 {at.x + view.px(kLabelWidth), at.y + ImGui::GetFrameHeight()}, text, style);
  ImGui::Dummy({view.px(kLabelWidth), ImGui::GetFrameHeight()});
  ImGui::SameLine();
}

void chooseKind(ViewContext& view, session::ExportFile& file, float width) {
  label(view, "as");
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##as", kindOf(file).name, ImGuiComboFlags_HeightLarge)) return;
  for (const Kind& kind : kKinds)
    if (ImGui::Selectable(kind.name, kind.as == file.as)) file.as = kind.as;
  ImGui::EndCombo();
}

// A panel comes to the front, so that what is on the screen is what is saved.
void choosePanel(ViewContext& view, session::ExportFile& file, float width) {
  constexpr const char* kWindow = "The whole window";
  const Panel* const chosen = findPanel(view.panels, file.panel);
  label(view, "of");
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##of", chosen == nullptr ? kWindow : chosen->title.c_str(),
                         ImGuiComboFlags_HeightLarge))
    return;
  if (ImGui::Selectable(kWindow, chosen == nullptr)) file.panel.clear();
  for (const Panel& panel : view.panels)
    if (ImGui::Selectable(panel.title.c_str(), &panel == chosen)) {
      file.panel = panel.id;
      view.commands.push_back(session::ShowPanel{panel.id});
    }
  ImGui::EndCombo();
}

void chooseDensity(ViewContext& view, session::ExportFile& file, float width) {
  const auto nameOf = [](unsigned density) {
    return density == 1 ? std::string("as on the screen") : std::to_string(density) + " times as fine";
  };
  label(view, "scale");
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##scale", nameOf(file.density).c_str())) return;
  for (unsigned density = 1; density <= kMaxDensity; ++density)
    if (ImGui::Selectable(nameOf(density).c_str(), density == file.density)) file.density = density;
  ImGui::EndCombo();
}

void chooseOther(ViewContext& view, session::ExportFile& file, float width) {
  constexpr const char* kNone = "no other variant";
  file.bothSides = file.bothSides && view.comparison != nullptr;
  label(view, "beside");
  ImGui::SetNextItemWidth(width);
  const std::string shown = file.bothSides       ? kBothSides
                            : file.other.empty() ? kNone
                                                 : kernels::titleOf(file.other);
  if (!ImGui::BeginCombo("##beside", shown.c_str(), ImGuiComboFlags_HeightLarge)) return;
  const auto choose = [&](bool both, std::string_view other) {
    file.bothSides = both;
    file.other = other;
  };
  if (view.comparison != nullptr && ImGui::Selectable(kBothSides, file.bothSides)) choose(true, "");
  if (ImGui::Selectable(kNone, !file.bothSides && file.other.empty())) choose(false, "");
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.id == view.workspace.experiment().variant) continue;
    const bool missing = !view.workspace.whyNotRecorded(variant.id).empty();
    const std::string title(variant.title);
    if (ImGui::Selectable(title.c_str(), variant.id == file.other,
                          missing ? ImGuiSelectableFlags_Disabled : 0))
      choose(false, variant.id);
  }
  ImGui::EndCombo();
}

void chooseRounds(ViewContext& view, session::ExportFile& file, float width) {
  label(view, "rounds");
  ImGui::SetNextItemWidth(width);
  ImGui::InputTextWithHint("##rounds", "all; or such as 4 or 2..5", &file.rounds);
}

}  // namespace

void drawExport(ViewContext& view, OverlayState& state, float width, bool appearing, ImVec2 windowSize) {
  session::ExportFile& file = state.file;
  if (appearing) {
    const bool isPanel = findPanel(view.panels, view.app.overlaySubject()) != nullptr;
    file = {.as = isPanel ? ExportAs::Png : ExportAs::Html,
            .panel = isPanel ? view.app.overlaySubject() : "",
            .bothSides = view.comparison != nullptr};
  }
  const std::string proposed = pathFor(view, file);
  const float fieldWidth = width - view.px(kLabelWidth) - ImGui::GetStyle().ItemSpacing.x;
  chooseKind(view, file, fieldWidth);
  sentence(view, width, kindOf(file).about, view.colours().dim);
  if (isPictures(file.as)) choosePanel(view, file, fieldWidth);
  if (file.as == ExportAs::Png)
    chooseDensity(view, file, fieldWidth);
  else
    chooseRounds(view, file, fieldWidth);
  if (file.as == ExportAs::Html) {
    chooseOther(view, file, fieldWidth);
    ImGui::Checkbox("A question before each round is revealed", &file.questions);
  }
  if (file.as == ExportAs::Csv || file.as == ExportAs::Markdown)
    ImGui::Checkbox("The values of shared memory, too", &file.values);
  if (state.text == proposed) state.text = pathFor(view, file);  // nobody chose another
  const FileForm form{.title = "Export",
                      .save = true,
                      .kinds = *kindOf(file).ending == '\0'
                                   ? std::vector<shell::FileKind>()
                                   : std::vector<shell::FileKind>{{kindOf(file).name,
                                                                   std::string("*") + kindOf(file).ending}},
                      .path = pathFor(view, file),
                      .job = view.exports.job()};
  const auto given = drawFileForm(view, state, form, width, appearing);
  if (!given) return;
  session::ExportFile request = file;
  request.path = given->path;
  request.overwrite = given->mayOverwrite;
  request.width = unsigned(windowSize.x);
  request.height = unsigned(windowSize.y);
  request.scale = std::clamp(view.draw.scale, kSmallest, kLargest);
  view.commands.push_back(std::move(request));
}

}  // namespace stridescope::views
