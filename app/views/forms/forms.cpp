#include "views/forms/forms.h"

#include <algorithm>
#include <array>
#include <variant>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "draw/marks.h"
#include "imgui_stdlib.h"
#include "kernels/catalog.h"
#include "narration/wording.h"
#include "teaching/score.h"

namespace stridescope::views {
namespace {

constexpr int kLinesToOpen = 8, kLinesToSave = 5;  // lines in the list of files

// The dialog's answer, once.
std::optional<GivenPath> takeAnswer(OverlayState& state, const FileForm& form) {
  if (!state.dialog || !state.dialog->answer()) return std::nullopt;
  const auto answer = *state.dialog->answer();
  state.dialog.reset();
  if (!answer) state.note = answer.error().sentence;
  if (!answer || answer->empty()) return std::nullopt;
  state.text = *answer;
  return GivenPath{state.text, form.save};
}

}  // namespace

bool hasAnswer(const OverlayState& state) {
  return (state.dialog && state.dialog->answer()) || hasListing(state.path);
}

bool awaitsAnswer(const OverlayState& state) { return state.dialog != nullptr || awaitsListing(state.path); }

std::optional<GivenPath> drawFileForm(ViewContext& view, OverlayState& state, const FileForm& form,
                                      float width, bool appearing) {
  if (appearing) {
    state.text = form.path;
    ImGui::SetKeyboardFocusHere();
  }
  // What is typed after a refusal goes on into the field.
  const bool told = view.app.isToldInForm();
  if (told && !state.told) ImGui::SetKeyboardFocusHere();
  state.told = told;
  std::optional<GivenPath> given = takeAnswer(state, form);
  const bool isOfPage = !view.app.pageAddress().empty();
  const PathFieldSpec spec{
      .kinds = form.kinds, .first = form.first, .save = form.save, .listsFolders = !isOfPage};
  const std::string before = state.text;
  const auto take = [&](const std::optional<std::string>& path) {
    if (path) given = GivenPath{*path};
  };
  take(drawPathField(view, state.path, state.text, spec, width));
  if (ImGui::Button(form.save ? "Save" : "Open")) take(takePath(view, state.path, state.text, spec));
  if (!isOfPage || !form.save) {  // what a page saves goes to the browser's downloads
    ImGui::SameLine();
    ImGui::BeginDisabled(bool(state.dialog));
    if (ImGui::Button("Browse...")) {
      state.note.clear();
      state.dialog = std::make_unique<shell::FileDialog>(shell::FileDialogRequest{
          .save = form.save, .title = form.title, .path = state.text, .kinds = form.kinds});
    }
    ImGui::EndDisabled();
  }
  if (state.dialog) sentence(view, width, "The file dialog is open.", view.colours().dim);
  if (!state.note.empty()) remark(view, width, state.note, session::MessageKind::ToDo);
  if (const auto job = form.job ? form.job : view.workspace.job()) {
    sentence(view, width, printable(job->doing) + ".", view.colours().dim);
    if (ImGui::Button("Cancel")) view.commands.push_back(session::CancelJob{});
  } else {
    drawFormMessage(view, width, state.text != before);
  }
  if (!isOfPage || !form.first.empty())
    take(drawFileList(view, state.path, state.text, spec, width, form.save ? kLinesToSave : kLinesToOpen));
  if (given && form.save) {
    std::string whole = withEnding(given->path, form.kinds);
    given->mayOverwrite &= whole == given->path;  // the dialog asked about another file
    given->path = std::move(whole);
  }
  return given;
}

void drawFormMessage(ViewContext& view, float width, bool edited) {
  if (!view.app.isToldInForm()) return;
  if (edited) view.commands.push_back(session::DismissMessage{});
  const session::Message& message = *view.app.message();
  remark(view, width, message.sentence, message.kind);
  if (!message.details.empty() && ImGui::IsItemHovered()) wideTooltip(view, message.details);
  // To open the form is no action within it.
  if (message.action && !std::holds_alternative<session::ShowOverlay>(message.action->any())) {
    if (ImGui::Button(message.actionLabel.c_str())) {
      view.commands.push_back(session::DismissMessage{});
      view.commands.push_back(*message.action);
    }
    ImGui::SameLine();
  }
  if (ImGui::Button("Copy details"))
    view.commands.push_back(session::CopyText{message.sentence + "\n" + message.details, "the message"});
}

namespace {

constexpr float kMessageLine = 20, kMessageEdge = 4, kMessageEdgeGap = 12, kMessageCross = 20;  // units

}  // namespace

void sentence(ViewContext& view, float width, const std::string& text, ImU32 colour, float indent) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const draw::DrawnText drawn =
      view.wrapped(*ImGui::GetWindowDrawList(), {min.x + indent, min.y}, width - indent,
                   view.px(kMessageLine), text, view.words(colour, draw::kBodySize));
  ImGui::Dummy({width, drawn.max.y - min.y});
}

void remark(ViewContext& view, float width, const std::string& text, session::MessageKind kind) {
  const draw::Palette& colours = view.colours();
  const bool wrong = kind == session::MessageKind::Wrong;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float indent = view.px(kMessageEdge + kMessageEdgeGap) + (wrong ? view.px(kMessageCross) : 0);
  sentence(view, width, text, colours.text, indent);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, {min.x + view.px(kMessageEdge), ImGui::GetItemRectMax().y},
                     wrong ? colours.problem : colours.result);
  if (wrong)
    draw::drawCross(view.draw, list,
                    {min.x + view.px(kMessageEdge + kMessageEdgeGap + 5), min.y + view.px(kMessageLine / 2)},
                    view.px(5), colours.problem, 2);
}

std::optional<bool> askYesOrNo(const char* no, const char* yes, bool appearing) {
  if (appearing) {
    ImGui::SetKeyboardFocusHere();
    ImGui::SetNavCursorVisible(true);  // what Enter does is seen, though the mouse has opened it
  }
  const bool isNo = ImGui::Button(no);
  ImGui::SameLine();
  const bool isYes = ImGui::Button(yes);
  const bool enter = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsItemFocused() &&
                     ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (isYes) return true;
  return isNo || enter ? std::optional(false) : std::nullopt;
}

namespace {

// "12 of 15 answers were right. ", as far as the score is known; empty: it is not read before Predict is.
std::string standing(const teaching::Score& score) {
  std::uint64_t asked = 0, right = 0;
  for (const teaching::Topic topic : teaching::kTopics) {
    asked += score.of(topic).asked;
    right += score.of(topic).right;
  }
  if (asked == 0) return {};
  return figure(right) + " of " + narration::count(asked, "answer") + (asked == 1 ? " was" : " were") +
         " right. ";
}

}  // namespace

void drawDeleteScore(ViewContext& view, float width, bool appearing) {
  sentence(view, width,
           standing(view.predict.score()) +
               "The answers of all concepts are deleted, those of earlier sessions, too, and the questions "
               "become easy again. This cannot be undone.",
           view.colours().text);
  const auto answer = askYesOrNo("Keep it", "Delete the score", appearing);
  if (!answer) return;
  view.commands.push_back(session::ShowOverlay{session::Overlay::DeleteScore});
  if (*answer) view.commands.push_back(session::PredictStep{.act = session::PredictAct::DeleteScore});
}

namespace {

const std::vector<shell::FileKind> kTourFiles{{"Tours", "*.md"}};

}  // namespace

void drawOpenTour(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(view, width, "Path of a tour, a Markdown file (.md). A file can also be dropped on the window.",
           view.colours().text);
  FileForm form{.title = "Open a tour", .kinds = kTourFiles, .path = view.app.overlaySubject()};
  for (const session::ShippedTour& tour : session::kShippedTours)
    form.first.push_back({.label = std::string(tour.title),
                          .note = "comes with Stridescope",
                          .command = session::StartTour{std::string(tour.id)}});
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::OpenTour{given->path});
}

void drawSaveTour(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(view, width, "Where to save a copy of the tour, to edit it and to change the order of its stops:",
           view.colours().text);
  const FileForm form{
      .title = "Save a copy of the tour", .save = true, .kinds = kTourFiles, .path = "tour.md"};
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::SaveTour{given->path, given->mayOverwrite});
}

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
    Kind{ExportAs::Quiz, "Sheet of questions (HTML)",
         "Twelve questions about the rounds, to be printed; their answers begin on a page of their own.",
         ".html"},
};
constexpr unsigned kMaxDensity = 3;
constexpr const char* kBothSides = "the other side of Compare";
constexpr float kFieldLabelWidth = 120;          // units
constexpr float kSmallest = 0.5f, kLargest = 3;  // what `export --scale` takes

const Kind& kindOf(const session::ExportFile& file) { return *std::ranges::find(kKinds, file.as, &Kind::as); }

bool isPictures(ExportAs as) {
  return as == ExportAs::Png || as == ExportAs::Pictures || as == ExportAs::Gif;
}

// "sequential.html", "timings.png"
std::string pathFor(const ViewContext& view, const session::ExportFile& file) {
  if (file.as == ExportAs::Quiz) return printable(view.workspace.experiment().variant) + "-questions.html";
  const bool ofPanel = file.as == ExportAs::Png && !file.panel.empty();
  return (ofPanel ? file.panel : printable(view.workspace.experiment().variant)) + kindOf(file).ending;
}

// The path that a person typed, for a file of another kind.
void changeEnding(std::string& path, std::string_view before, std::string_view now) {
  if (!before.empty() && path.ends_with(before))
    path.replace(path.size() - before.size(), before.size(), now);
}

// A field with its name at the left.
void label(ViewContext& view, const char* text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const draw::TextStyle style = view.words(view.colours().dim, draw::kBodySize);
  view.text(*ImGui::GetWindowDrawList(), at,
            {at.x + view.px(kFieldLabelWidth), at.y + ImGui::GetFrameHeight()}, text, style);
  ImGui::Dummy({view.px(kFieldLabelWidth), ImGui::GetFrameHeight()});
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
            .bothSides = view.comparison != nullptr,
            .presented = view.app.isPresenting()};
  }
  const std::string proposed = pathFor(view, file), ending = kindOf(file).ending;
  const float fieldWidth = width - view.px(kFieldLabelWidth) - ImGui::GetStyle().ItemSpacing.x;
  chooseKind(view, file, fieldWidth);
  sentence(view, width, kindOf(file).about, view.colours().dim);
  if (isPictures(file.as)) choosePanel(view, file, fieldWidth);
  if (file.as == ExportAs::Png)
    chooseDensity(view, file, fieldWidth);
  else if (file.as != ExportAs::Quiz)
    chooseRounds(view, file, fieldWidth);
  if (file.as == ExportAs::Html) {
    chooseOther(view, file, fieldWidth);
    ImGui::Checkbox("A question before each round", &file.questions);
  }
  const bool hasPresentsStyle =
      file.as == ExportAs::Pictures || file.as == ExportAs::Gif || file.as == ExportAs::Html;
  if (hasPresentsStyle) ImGui::Checkbox("Large, as Present shows it", &file.presented);
  if (file.as == ExportAs::Csv || file.as == ExportAs::Markdown)
    ImGui::Checkbox("The values of shared memory, too", &file.values);
  if (state.text == proposed)
    state.text = pathFor(view, file);  // nobody chose another
  else
    changeEnding(state.text, ending, kindOf(file).ending);
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
  request.presented = file.presented && hasPresentsStyle;
  request.path = given->path;
  request.overwrite = given->mayOverwrite;
  request.width = unsigned(windowSize.x);
  request.height = unsigned(windowSize.y);
  request.scale = std::clamp(view.draw.scale, kSmallest, kLargest);
  view.commands.push_back(std::move(request));
}

}  // namespace stridescope::views
