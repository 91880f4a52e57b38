#include "views/frame/overlays.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include "base/plain_text.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "model/arithmetic.h"
#include "views/forms/forms.h"
#include "views/forms/kernel_launch.h"
#include "views/reading/glossary.h"
#include "views/reading/tour_view.h"
#include "views/transport/round_text.h"

namespace stridescope::views {
namespace {

constexpr float kFormWidth = 560, kMinWidth = 460;  // units
constexpr float kMinReading = 300, kMaxReading = 480, kMinReadingInColumns = 266,
                kFoldedReading = 176;  // units, all of them
constexpr float kOverlayTop = 0.14f, kMaxWidth = 0.9f, kMaxHeight = 0.94f,
                kMinEdge = 0.03f;  // shares of the window

void drawKeys(ViewContext& view, std::span<const CommandEntry> table) {
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingStretchProp)) return;
  for (const KeyLine& line : keyLines(view.panels, table, view.app.mode())) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.what.c_str());
    ImGui::TableNextColumn();
    if (line.isKey) ImGui::PushFont(view.draw.fonts.code, 0);
    ImGui::TextUnformatted(line.how.c_str());
    if (line.isKey) ImGui::PopFont();
  }
  ImGui::EndTable();
}

// Those that come with the program, then those that were opened before.
std::vector<OfferedFile> knownRecordings(const ViewContext& view) {
  const std::vector<std::string>& shipped = view.workspace.shippedRecordings();
  std::vector<OfferedFile> known;
  for (const std::string& path : shipped)
    known.push_back({.label = printable(std::filesystem::path(path).filename().native()),
                     .note = "comes with Stridescope",
                     .path = path});
  for (const std::string& path : view.app.settings().recent)
    if (std::ranges::find(shipped, path) == shipped.end())
      known.push_back({.label = printable(path), .note = "opened before", .path = path});
  return known;
}

void drawOpen(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(view, width,
           "Path of a recording (.stride), or of a kernel of your own (.cu). A file can also be dropped on "
           "the window.",
           view.colours().text);
  const FileForm form{.title = "Open a recording or a kernel",
                      .kinds = {{"Recordings and kernels", "*.stride *.cu"}},
                      .first = knownRecordings(view),
                      .path = view.app.overlaySubject()};
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::OpenRecording{given->path});
}

void drawSave(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(view, width, "Where to save what is shown, as a recording:", view.colours().text);
  const FileForm form{.title = "Save as a recording",
                      .save = true,
                      .kinds = {{"Recordings", "*.stride"}},
                      .path = view.workspace.experiment().variant + ".stride"};
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::SaveRecording{given->path, given->mayOverwrite});
}

void drawRoundText(ViewContext& view, ImVec2 size) {
  if (!view.replay.run()) return;
  std::string text = roundTextOf(view);
  if (ImGui::Button("Copy")) view.commands.push_back(session::CopyText{text, "the text of this round"});
  ImGui::PushFont(view.draw.fonts.code, 0);
  ImGui::InputTextMultiline("##text", &text, {size.x * 0.6f, size.y * 0.6f}, ImGuiInputTextFlags_ReadOnly);
  ImGui::PopFont();
}

void drawAbout() {
  ImGui::TextUnformatted("Stridescope steps through GPU parallel reductions stride by stride.");
  ImGui::TextUnformatted("Licensed under the MIT licence; third parties are listed in THIRD_PARTY.md.");
}

// What an overlay is drawn with.
struct Drawing {
  ViewContext& view;
  OverlayState& state;
  std::span<const CommandEntry> table;
  bool appearing = false;
  float formWidth = 0, textWidth = 0;  // pixels
  ImVec2 windowSize;
};

struct OverlayPart {
  session::Overlay overlay{};
  const char* title = "";
  void (*draw)(const Drawing& d) = nullptr;
};

// A form that begins with `appearing`.
template <void (*draw)(ViewContext&, OverlayState&, float, bool)>
void formOf(const Drawing& d) {
  draw(d.view, d.state, d.formWidth, d.appearing);
}
template <void (*draw)(ViewContext&, float, bool)>
void questionOf(const Drawing& d) {
  draw(d.view, d.formWidth, d.appearing);
}

using session::Overlay;

constexpr std::array kOverlays{
    OverlayPart{Overlay::Keys, "All keys", [](const Drawing& d) { drawKeys(d.view, d.table); }},
    OverlayPart{Overlay::Palette, "Command palette",
                [](const Drawing& d) { drawPalette(d.view, d.state, d.table, d.appearing); }},
    OverlayPart{Overlay::OpenFile, "Open a recording or a kernel", formOf<drawOpen>},
    OverlayPart{Overlay::OwnData, "Input data", formOf<drawOwnData>},
    OverlayPart{Overlay::CustomOperator, "Custom operator", formOf<drawCustomOperator>},
    OverlayPart{Overlay::SaveFile, "Save as a recording", formOf<drawSave>},
    OverlayPart{
        Overlay::Export, "Export",
        [](const Drawing& d) { drawExport(d.view, d.state, d.formWidth, d.appearing, d.windowSize); }},
    OverlayPart{Overlay::RoundText, "Text of this round",
                [](const Drawing& d) { drawRoundText(d.view, d.windowSize); }},
    OverlayPart{Overlay::Lesson, "Lesson",
                [](const Drawing& d) { drawLesson(d.view, d.state.lesson, d.textWidth); }},
    OverlayPart{Overlay::Glossary, "Glossary",
                [](const Drawing& d) { drawGlossary(d.view, d.state.text, d.textWidth, d.appearing); }},
    OverlayPart{Overlay::About, "About Stridescope", [](const Drawing&) { drawAbout(); }},
    OverlayPart{Overlay::TrustCode, "Run this code?", questionOf<drawCodeQuestion>},
    OverlayPart{Overlay::Tour, "Tour", [](const Drawing& d) { drawTour(d.view, d.state.stop, d.textWidth); }},
    OverlayPart{Overlay::Welcome, "Welcome", [](const Drawing& d) { drawWelcome(d.view, d.textWidth); }},
    OverlayPart{Overlay::OpenTour, "Open a tour", formOf<drawOpenTour>},
    OverlayPart{Overlay::SaveTour, "Save a copy of the tour", formOf<drawSaveTour>},
    OverlayPart{Overlay::DeleteScore, "Delete the score?", questionOf<drawDeleteScore>},
    OverlayPart{Overlay::CopyVariant, "Edit a copy", formOf<drawCopyVariant>},
    OverlayPart{Overlay::Launches, "Launch of the kernel", formOf<drawLaunchForm>}};
static_assert(kOverlays.size() == std::size_t(Overlay::Launches));  // each but None

// The width of what stands in a form or in a text to read, in pixels: kFormWidth if there is room, else what
// the overlay's frame and its scroll bar leave.
float formWidth(const ViewContext& view, ImVec2 windowSize) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float frame = style.WindowPadding.x * 2 + style.ScrollbarSize + 1;
  return std::min(view.px(kFormWidth), std::floor(windowSize.x * kMaxWidth - frame));
}

// The current window lies over the panels: a click beside it takes the keyboard along for no longer than the
// button or the field there needs it.
void keepKeyboard() {
  const bool isUsed = ImGui::IsAnyMouseDown() || ImGui::GetActiveID() != 0 ||
                      ImGui::GetCurrentContext()->OpenPopupStack.Size > 0;
  if (!isUsed && !ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) ImGui::SetWindowFocus();
}

// High up, where the eye falls first; as far up as a tall one needs. A frame behind its height.
float topOf(const char* title, float windowHeight) {
  const ImGuiWindow* const overlay = ImGui::FindWindowByName(title);
  const float height = overlay == nullptr ? 0 : overlay->Size.y;
  const float highest = windowHeight * kMinEdge;
  return std::clamp(windowHeight - highest - height, highest, windowHeight * kOverlayTop);
}

// The middle of what a text beside the panels leaves, where there is room, so that the text is not covered;
// else so far left that all of it is seen. `left`: where the text ends, pixels; 0: there is none. A frame
// behind its width.
float middleOf(const char* title, float left, float windowWidth) {
  const ImGuiWindow* const overlay = ImGui::FindWindowByName(title);
  const float half = overlay == nullptr ? 0 : overlay->Size.x / 2;
  return std::max(std::min((left + windowWidth) / 2, windowWidth * (1 - kMinEdge) - half), windowWidth / 2);
}

constexpr float kCodeHeight = 160;  // units
constexpr const char* kWidestLabel = "combine(a, b)";

// The label stands before the field that comes next; `width`: both together.
void beginLabelledField(ViewContext& view, const char* label, float width) {
  const draw::TextStyle style = view.words(view.colours().text, draw::kBodySize);
  const float column = draw::textSize(style, kWidestLabel).x + ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  view.text(*ImGui::GetWindowDrawList(), min, {min.x + column, min.y + ImGui::GetFrameHeight()}, label,
            style);
  ImGui::SetCursorScreenPos({min.x + column, min.y});
  ImGui::SetNextItemWidth(width - column);
}

// What the trial found of the operator that is on screen.
void drawTrial(ViewContext& view, float width, const model::Trace& trace) {
  const auto warnings = model::warningsOf(trace.trial);
  for (const std::string& warning : warnings) remark(view, width, warning, session::MessageKind::ToDo);
  if (warnings.empty())
    sentence(view, width, "Tried: no counter-example was found to its associativity and its identity.",
             view.colours().text);
}

void drawOutcome(ViewContext& view, float width, const OverlayState& state, bool edited) {
  if (const auto job = view.workspace.job()) {
    sentence(view, width, job->doing + ": compiling, trying, recording.", view.colours().dim);
    if (ImGui::Button("Cancel")) view.commands.push_back(session::CancelJob{});
    return;
  }
  if (view.app.isToldInForm()) return drawFormMessage(view, width, edited);
  const lab::Run* const run = view.replay.run();
  if (run == nullptr || run->trace.experiment.op != model::Operator::Custom) return;
  const model::CustomOperator& shown = run->trace.experiment.custom;
  if (shown.combine == state.text && shown.identity == state.identity) drawTrial(view, width, run->trace);
}

}  // namespace

void keepPointerInForm(session::Overlay overlay) {
  if (!isForm(overlay) && overlay != Overlay::CopyVariant && overlay != Overlay::Launches) return;
  const OverlayPart& part = *std::ranges::find(kOverlays, overlay, &OverlayPart::overlay);
  const ImGuiWindow* const form = ImGui::FindWindowByName(part.title);
  ImGuiContext& imgui = *ImGui::GetCurrentContext();
  if (form == nullptr || !form->WasActive) return;
  // The form's own are its children, and the lists that it has opened.
  const ImGuiWindow* over = imgui.HoveredWindow;
  while (over != nullptr && over != form) over = over->ParentWindow;
  if (over == nullptr) imgui.HoveredWindow = imgui.HoveredWindowUnderMovingWindow = nullptr;
}

std::vector<KeyLine> keyLines(std::span<const Panel> panels, std::span<const CommandEntry> table,
                              session::Mode mode) {
  std::vector<KeyLine> lines;
  const auto add = [&](const CommandEntry& entry, const std::string& before) {
    const std::string keys = keysOf(entry);
    if (!keys.empty()) lines.push_back({before + entry.name, keys, true});
  };
  for (const CommandEntry& entry : table)
    if (entry.mode == mode) add(entry, "");
  for (const CommandEntry& entry : table)
    if (!entry.mode && isOffered(entry, mode) && !isTakenByMode(table, mode, entry)) add(entry, "");
  for (const session::ModeFacts& other : session::kModes)
    for (const CommandEntry& entry : table)
      if (other.mode != mode && entry.mode == other.mode) add(entry, "In " + std::string(other.name) + ": ");
  lines.push_back({"In the panel that has the keyboard: point at the next cell", "arrow keys"});
  lines.push_back({"Pin it or release it there, or do what else a click does", "Enter"});
  lines.push_back({"Give the arrow keys back to stepping", "Esc, or a click"});
  lines.push_back({"In the experiment bar: next field, previous field", "Tab, Shift+Tab"});
  lines.push_back({"From the experiment bar to the menus", "Alt"});
  lines.push_back({"Follow one thread", "point at it; click pins it"});
  for (const Panel& panel : panels)
    for (const auto& [what, how] : panel.gestures) lines.push_back({what, how});
  lines.push_back({"Go to a round", "click its tick, label or column"});
  return lines;
}

float readingWidth(const ViewContext& view, const OverlayState& state, float windowWidth, bool takesColumns) {
  if (view.app.textBeside() == session::Overlay::Lesson && isFolded(view, state.lesson))
    return view.px(kFoldedReading);
  const float own = std::clamp(windowWidth * kReadingShare, view.px(kMinReading), view.px(kMaxReading));
  const float most = windowWidth - view.px(shell::kNarrowLayoutWidth);
  return std::floor(takesColumns && most >= view.px(kMinReadingInColumns) ? std::min(own, most) : own);
}

void drawOverlay(session::Overlay overlay, ViewContext& view, OverlayState& state, KeyFocus& focus,
                 std::span<const CommandEntry> table, ImVec2 windowSize, ImVec2 readingMin,
                 ImVec2 readingMax) {
  const bool appearing = overlay != state.shown;
  if (appearing) state = {.shown = overlay};
  if (overlay == session::Overlay::None) return;
  const OverlayPart& part = *std::ranges::find(kOverlays, overlay, &OverlayPart::overlay);

  const bool beside = session::isReadBeside(overlay);
  if (beside) {
    ImGui::SetNextWindowPos(readingMin);
    ImGui::SetNextWindowSize({readingMax.x - readingMin.x, readingMax.y - readingMin.y});
  } else {
    const float left = view.app.seenText() != session::Overlay::None ? readingMax.x : 0;
    ImGui::SetNextWindowPos({middleOf(part.title, left, windowSize.x), topOf(part.title, windowSize.y)},
                            ImGuiCond_Always, {0.5f, 0});
    ImGui::SetNextWindowSizeConstraints({std::min(view.px(kMinWidth), windowSize.x * kMaxWidth), 0},
                                        {windowSize.x * kMaxWidth, windowSize.y * kMaxHeight});
  }
  const float textWidth =
      readingMax.x - readingMin.x - ImGui::GetStyle().WindowPadding.x * 2 - ImGui::GetStyle().ScrollbarSize;
  const bool isUnder = overlay != view.app.overlay();  // a text under what lies over the panels
  if (appearing && !isUnder) ImGui::SetNextWindowFocus();
  bool open = true;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, view.px(1));
  const bool shown = ImGui::Begin(
      part.title, isUnder ? nullptr : &open,
      ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
          ImGuiWindowFlags_NoSavedSettings |
          (beside ? ImGuiWindowFlags_NoResize : ImGuiWindowFlags_AlwaysAutoResize) |
          (isUnder ? ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus : 0));
  ImGui::PopStyleVar();
  if (beside) focus.enterHere(view.app, session::kReadingPart);
  if (isCovered(view.app) && !isUnder) keepKeyboard();
  if (appearing)
    state.early.begin();
  else
    state.early.keep();
  // Forms want air between their parts; the others are lists.
  if (isForm(overlay)) ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {view.px(8), view.px(10)});
  if (shown) part.draw({view, state, table, appearing, formWidth(view, windowSize), textWidth, windowSize});
  state.early.giveTo(ImGui::GetCurrentContext()->InputTextState.ID);
  if (isForm(overlay)) ImGui::PopStyleVar();
  if (beside && !isUnder && view.app.focused() == session::kReadingPart)
    focus.drawRing(view, *ImGui::GetWindowDrawList(), readingMin, readingMax);
  ImGui::End();
  if (!open) view.commands.push_back(session::ShowOverlay{overlay});
}

void drawCustomOperator(ViewContext& view, OverlayState& state, float width, bool appearing) {
  if (appearing) {
    state.text = view.workspace.customOperator().combine;
    state.identity = view.workspace.customOperator().identity;
  }
  sentence(view, width,
           "combine(a, b) as an expression of a and b, elements of the type T, or as statements that return "
           "one; and its identity e: combine(e, a) = a.",
           view.colours().text);
  beginLabelledField(view, kWidestLabel, width);
  if (appearing) ImGui::SetKeyboardFocusHere();
  ImGui::PushFont(view.draw.fonts.code, 0);
  const bool enter = ImGui::InputTextWithHint("##combine", "such as a > b ? a : b", &state.text,
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  bool edited = ImGui::IsItemEdited();
  // The field keeps the keyboard, for the next try; without an identity that is what is asked for next.
  if (enter) ImGui::SetKeyboardFocusHere(state.identity.empty() ? 0 : -1);
  ImGui::PopFont();
  beginLabelledField(view, "identity e", width);
  ImGui::PushFont(view.draw.fonts.code, 0);
  const model::ElementType type = view.workspace.experiment().type;
  const std::string example =
      "such as " + model::printElement(type, model::identityBits(type, model::Operator::Max));
  const bool identityEnter = ImGui::InputTextWithHint("##identity", example.c_str(), &state.identity,
                                                      ImGuiInputTextFlags_EnterReturnsTrue);
  edited = edited || ImGui::IsItemEdited();
  if (identityEnter) ImGui::SetKeyboardFocusHere(-1);
  ImGui::PopFont();
  const std::string why = view.workspace.whyNotCustom();
  ImGui::BeginDisabled(!why.empty());
  const bool clicked = ImGui::Button("Try and step it");
  ImGui::EndDisabled();
  if (!why.empty()) remark(view, width, why, session::MessageKind::ToDo);
  if ((clicked || (enter && !state.identity.empty()) || identityEnter) && why.empty())
    view.commands.push_back(session::ChooseCustom{state.text, state.identity});
  drawOutcome(view, width, state, edited);
}

void drawOwnData(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(
      view, width,
      "Path of a file of numbers, one per line; or for a merge a .json file of sorted lists: [[1, 4], [], "
      "[2, 3]]. A file can also be dropped on the window.",
      view.colours().text);
  const FileForm form{.title = "Open input data",
                      .kinds = {{"Numbers and lists", "*.txt *.csv *.json"}},
                      .path = view.app.overlaySubject()};
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::OpenData{given->path});
}

void drawCodeQuestion(ViewContext& view, float width, bool appearing) {
  if (!view.workspace.codeQuestion()) return;
  const session::CodeQuestion& question = *view.workspace.codeQuestion();
  const std::string from = question.from.empty() ? "a file" : printable(question.from);
  sentence(
      view, width,
      (question.unconfined.empty()
           ? "This operator came with " + from +
                 ". To step it here, its text is compiled and run on this machine. Allow that only if you "
                 "trust whoever wrote it."
           : printable(question.unconfined)) +
          " All of its text:",
      view.colours().text);
  std::string text = printable(question.text, Lines::Many);  // the field does not change it
  ImGui::PushFont(view.draw.fonts.code, 0);
  ImGui::InputTextMultiline("##code", &text, {width, view.px(kCodeHeight)},
                            ImGuiInputTextFlags_ReadOnly | ImGuiInputTextFlags_WordWrap);
  ImGui::PopFont();
  if (const auto answer = askYesOrNo("Do not run it", "Compile and run it", appearing))
    view.commands.push_back(session::AnswerCode{*answer});
}

}  // namespace stridescope::views
