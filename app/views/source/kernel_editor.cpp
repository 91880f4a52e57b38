#include "views/source/kernel_editor.h"

#include <TextEditor.h>

#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "views/shared/editor_keys.h"
#include "views/source/kernel_marks.h"
#include "views/source/source_painter.h"

namespace stridescope::views {
namespace {

constexpr float kButtonsHeight = 28, kLineSpacing = 1.5f;  // units; of the em
constexpr float kMaxOutputShare = 0.3f;                    // of the height, for what the run printed
constexpr std::size_t kDecoration = 1;                     // columns: what the decorator is called for

TextEditor::Palette paletteOf(const draw::Palette& colours) {
  TextEditor::Palette palette;
  palette.fill(colours.text);
  const auto set = [&](TextEditor::Color colour, ImU32 value) { palette[std::size_t(colour)] = value; };
  using enum TextEditor::Color;
  set(preprocessor, colours.dim);
  set(comment, colours.dim);
  set(background, colours.panel);
  set(cursor, colours.text);
  set(selection, draw::mix(colours.panel, colours.operand, 0.35f));
  set(whitespace, colours.line);
  set(matchingBracketBackground, draw::mix(colours.panel, colours.operand, 0.35f));
  set(matchingBracketActive, colours.text);
  set(matchingBracketError, colours.problem);
  set(lineNumber, colours.dim);
  set(currentLineNumber, colours.text);
  return palette;
}

// The editor's own commands for these chords are not wanted.
void withhold(ImGuiKey key) { ImGui::SetKeyOwner(key, ImHashStr("stridescope editor keys")); }

}  // namespace

KernelEditor::KernelEditor() : editor_(std::make_unique<TextEditor>()) {
  editor_->SetLanguage(TextEditor::Language::Cpp());
  editor_->SetTabSize(kTabColumns);
  editor_->SetInsertSpacesOnTabs(true);
  editor_->SetLineNumberLeftMargin(2);
  editor_->SetDecorationLeftMargin(0);
  editor_->SetTextLeftMargin(0);
  editor_->SetCompletePairedGlyphs(false);
  editor_->SetShowScrollbarMiniMapEnabled(false);
  editor_->SetShowPanScrollIndicatorEnabled(false);
  editor_->SetShowWhitespacesEnabled(false);
}

KernelEditor::~KernelEditor() = default;

void KernelEditor::follow(const ViewContext& view) {
  const session::OwnKernel& kernel = view.kernel;
  if (theme_ != int(view.draw.theme)) {
    theme_ = int(view.draw.theme);
    editor_->SetPalette(paletteOf(view.colours()));
  }
  editor_->SetReadOnlyEnabled(!kernel.whyNotEdited().empty());
  if (path_ != kernel.path()) {
    path_ = kernel.path();
    editor_->SetText(kernel.text());
  } else if (loads_ != kernel.loads() && editor_->GetText() != kernel.text()) {
    // It can be undone. What is replaced is all of it, so that the caret is put back where it was.
    const auto caret = editor_->GetMainCursorPosition();
    const std::size_t last = editor_->GetLineCount() - 1;
    editor_->ReplaceSectionText({0, 0}, {last, editor_->GetLineText(last).size()}, kernel.text());
    editor_->SetCursor(caret);
  }
  if (loads_ != kernel.loads()) undoIndex_ = editor_->GetUndoIndex(), marks_.clear();
  loads_ = kernel.loads();
}

void KernelEditor::giveText(ViewContext& view) {
  if (undoIndex_ == editor_->GetUndoIndex()) return;
  undoIndex_ = editor_->GetUndoIndex();
  std::string text = editor_->GetText();
  if (text != view.kernel.text()) view.commands.push_back(session::EditKernel{std::move(text)});
}

void KernelEditor::drawButtons(ViewContext& view, ImVec2 min, ImVec2 max) {
  ImGui::SetCursorScreenPos({min.x, min.y + view.px(1)});
  const auto button = [&](const char* name, const std::string& what, bool enabled, session::Command command) {
    ImGui::BeginDisabled(!enabled);
    if (ImGui::Button(name)) {
      view.commands.push_back(std::move(command));
      if (hadKeys_) editor_->SetFocus();  // a person who types goes on typing
    }
    ImGui::EndDisabled();
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      if (const Tooltip tooltip(view); tooltip) ImGui::TextUnformatted(what.c_str());
  };
  const session::OwnKernel& kernel = view.kernel;
  button("Run", "Compile the text and step it (Ctrl+Enter).", true, session::RunKernel{});
  ImGui::SameLine();
  button("Save", "Save the text to " + printable(kernel.path()) + " (Ctrl+S).", !kernel.isSaved(),
         session::SaveKernel{});
  ImGui::SameLine();
  button("Launch...", "Grid, block, shared memory, and arguments.", true,
         session::ShowOverlay{session::Overlay::Launches});
  ImGui::SameLine();
  button("Before", "Compare with the run before the last change.", kernel.hasBefore(),
         session::CompareWithBefore{});
  const float x = ImGui::GetItemRectMax().x;
  if (!kernel.isSaved())
    view.text(*ImGui::GetWindowDrawList(), {x + view.px(12), min.y}, max, "not saved",
              view.words(view.colours().dim), draw::TextAlign::Right);
}

void KernelEditor::drawSearch(ViewContext& view, ImVec2 min, ImVec2 max) {
  ImGui::SetCursorScreenPos({min.x, min.y + view.px(1)});
  ImGui::SetNextItemWidth(std::max(view.px(60), max.x - min.x - view.px(140)));
  if (std::exchange(searchAppears_, false)) ImGui::SetKeyboardFocusHere();
  const bool enter =
      ImGui::InputTextWithHint("##find", "find in the text", &sought_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited() && !sought_.empty()) editor_->SelectFirstOccurrenceOf(sought_, false);
  if (enter) ImGui::SetKeyboardFocusHere(-1);
  ImGui::SameLine();
  ImGui::BeginDisabled(sought_.empty());
  const bool next = ImGui::Button("Next");
  ImGui::EndDisabled();
  if ((next || enter) && !sought_.empty()) editor_->SelectNextOccurrenceOf(sought_, false);
  ImGui::SameLine();
  const bool ends = ImGui::Button("Close") || ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (!ends) return;
  searches_ = false;
  editor_->SetFocus();
}

// Before the editor sees them.
void KernelEditor::takeKeys(ViewContext& view) {
  const bool hasKeys = editorHasKeys();
  const bool isFocused = view.app.focused() == "source";
  if (isFocused && !wasFocused_) editor_->SetFocus();
  wasFocused_ = isFocused;
  if (!ImGui::IsAnyMouseDown() && !ImGui::IsMouseReleased(ImGuiMouseButton_Left)) hadKeys_ = hasKeys;
  if (!hasKeys) return;
  const auto pressed = [](ImGuiKeyChord chord) {
    return ImGui::IsKeyChordPressed(chord, ImGuiInputFlags_None, ImGuiKeyOwner_Any);
  };
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_F)) searches_ = searchAppears_ = true;
  if (ImGui::GetIO().KeyCtrl)
    for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_F}) withhold(key);
  if (!pressed(ImGuiKey_Escape) || editor_->GetNumberOfCursors() > 1) return;
  // The keys are the window's again.
  ImGui::FocusWindow(nullptr);
  view.commands.push_back(session::FocusPart{});
}

void KernelEditor::scrollToRound(const ViewContext& view) {
  const bool isOther = run_ != view.replay.run() || scrolledTo_ != view.replay.playhead();
  run_ = view.replay.run();
  scrolledTo_ = view.replay.playhead();
  const KernelMarks marks = marksOf(view);
  std::string key = std::to_string(theme_);
  for (const auto& [line, executing] : marks.executing) key += " " + std::to_string(line);
  for (const session::TextFault& fault : marks.faults)
    key += " " + std::to_string(fault.line) + ":" + std::to_string(fault.column) + fault.what;
  if (key == marks_) return;
  const bool hasFaults = !marks.faults.empty();
  marks_ = std::move(key);
  editor_->ClearMarkers();
  editor_->ClearSquiggles();
  const auto lines = editor_->GetLineCount();
  for (const auto& [line, executing] : marks.executing)
    if (line >= 1 && std::size_t(line) <= lines)
      editor_->AddMarker(std::size_t(line - 1), 0, view.colours().raised, "", "");
  for (const session::TextFault& fault : marks.faults) {
    const std::size_t line = std::min(lines - 1, std::size_t(std::max(1, fault.line) - 1));
    editor_->AddMarker(line, 0, draw::mix(view.colours().panel, view.colours().problem, 0.18f), "",
                       fault.what);
    const std::string text = editor_->GetLineText(line);
    const std::size_t from = std::min(text.size(), std::size_t(std::max(1, fault.column) - 1));
    std::size_t to = from;
    while (to < text.size() && (std::isalnum(static_cast<unsigned char>(text[to])) != 0 || text[to] == '_'))
      ++to;
    if (from < text.size())
      editor_->AddSquiggle({line, from}, {line, std::max(to, from + 1)}, 0, view.colours().problem,
                           fault.what);
  }
  if (editorHasKeys()) return;
  if (hasFaults)
    editor_->ScrollToLine(std::size_t(std::max(1, marks.faults.front().line) - 1),
                          TextEditor::Scroll::alignMiddle);
  else if (isOther && !marks.executing.empty())
    editor_->ScrollToLine(std::size_t(marks.executing.begin()->first - 1), TextEditor::Scroll::alignMiddle);
}

void KernelEditor::drawText(ViewContext& view, ImVec2 min, ImVec2 max) {
  const KernelMarks marks = marksOf(view);
  scrollToRound(view);
  ImGui::PushFont(view.draw.fonts.code, draw::kLabelSize);
  const float em = ImGui::GetFontSize();
  editor_->SetLineSpacing(std::round(em * kLineSpacing) / em);
  const bool hasKeys = editorHasKeys();
  const auto caret = editor_->GetMainCursorPosition();
  const float bar = ImGui::GetStyle().ScrollbarSize;
  float textLeft = 0, rowHeight = em, glyphWidth = 1;
  editor_->SetLineDecorator(kDecoration, [&](TextEditor::Decorator& at) {
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const ImGuiWindow* const window = ImGui::GetCurrentWindow();
    const float edge = place.x + at.width;  // where the text's area begins
    KernelRow row{.line = int(at.line) + 1,
                  .top = place.y,
                  .textLeft = std::round(edge - ImGui::GetScrollX()),
                  .glyph = at.glyphSize.x,
                  .height = at.glyphSize.y,
                  .viewLeft = edge,
                  .viewRight = max.x - (window->ScrollbarY ? bar : 0),
                  .windowLeft = window->Pos.x,
                  .hasCaret = hasKeys && caret.line == at.line};
    textLeft = row.textLeft, rowHeight = row.height, glyphWidth = row.glyph;
    drawKernelRow(view, *ImGui::GetWindowDrawList(), marks, row, editor_->GetLineText(at.line));
  });
  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleColor(ImGuiCol_NavCursor, 0);  // it has a ring of its own
  editor_->Render(kEditorName, {max.x - min.x, max.y - min.y});
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (hasKeys) ImGui::GetWindowDrawList()->AddRect(min, max, view.colours().operandLine, 0, 0, view.px(1));
  editor_->ClearLineDecorator();  // what it draws with is gone
  const bool hovered = ImGui::IsItemHovered() || ImGui::IsMouseHoveringRect(min, max);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (hovered && marks.stand && !ImGui::IsAnyMouseDown() && editor_->IsMousePosOverGlyph(mouse)) {
    const auto at = editor_->GetDocPosAtMousePos(mouse);
    const int column = int((mouse.x - textLeft) / glyphWidth);
    const auto site = siteAtColumn(marks, int(at.line) + 1, editor_->GetLineText(at.line), column);
    if (site && mouse.x >= textLeft) {
      hoverOver(view, session::Hover{session::HoverKind::Site, *site});
      showValuesAt(view, *site, false);
    }
  }
}

void KernelEditor::draw(ViewContext& view, ImVec2 min, ImVec2 max) {
  follow(view);
  takeKeys(view);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float buttons = view.px(kButtonsHeight);
  drawButtons(view, min, {max.x, min.y + buttons});
  float top = min.y + buttons + view.px(4);
  if (searches_) {
    drawSearch(view, {min.x, top}, {max.x, top + buttons});
    top += buttons;
  }
  const KernelNote note = noteOf(view, marksOf(view));
  const draw::TextStyle style = view.words(note.isFault ? view.colours().text : view.colours().dim);
  const float line = view.px(draw::kCodeLineHeight), cross = note.isFault ? view.px(16) : 0;
  const int lines = std::min(3, draw::wrappedLineCount(style, note.text, max.x - min.x - cross));
  const float noteTop = max.y - view.px(kSourceNoteHeight) - line * float(lines - 1);
  const float outputHeight = output_.height(view, max.x - min.x, (noteTop - top) * kMaxOutputShare);
  drawText(view, {min.x, top}, {max.x, noteTop - outputHeight});
  giveText(view);
  output_.draw(view, {min.x, noteTop - outputHeight}, {max.x, noteTop});
  if (note.isFault)
    draw::drawCross(view.draw, list, {min.x + view.px(6), noteTop + view.px(12)}, view.px(4),
                    view.colours().problem, 2);
  view.wrapped(list, {min.x + cross, noteTop + view.px(5)}, max.x - min.x - cross, line, note.text, style,
               lines);
}

}  // namespace stridescope::views
