#include <imgui.h>

#include <string>

#include "base/plain_text.h"
#include "imgui_stdlib.h"
#include "model/arithmetic.h"
#include "views/forms/forms.h"
#include "views/frame/overlays.h"

namespace stridescope::views {
namespace {

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
