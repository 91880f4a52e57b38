#include "views/chrome/own_overlays.h"

#include "base/plain_text.h"
#include "draw/marks.h"
#include "imgui_stdlib.h"

namespace stridescope::views {
namespace {

constexpr float kSentenceLine = 20, kEdge = 4, kEdgeGap = 12, kCrossRoom = 20, kCodeHeight = 160;  // units

// A paragraph, as one item; `indent` pixels from the left.
void sentence(ViewContext& view, float width, const std::string& text, ImU32 colour, float indent = 0) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const draw::DrawnText drawn =
      draw::drawWrapped(view.draw, *ImGui::GetWindowDrawList(), {min.x + indent, min.y}, width - indent,
                        view.px(kSentenceLine), text, draw::wordsStyle(view.draw, draw::kBodySize, colour));
  ImGui::Dummy({width, drawn.max.y - min.y});
}

// What a person should heed, with an edge as messages have: orange is no colour for text on white.
void remark(ViewContext& view, float width, const std::string& text, session::MessageKind kind) {
  const draw::Palette& colours = view.colours();
  const bool wrong = kind == session::MessageKind::Wrong;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float indent = view.px(kEdge + kEdgeGap) + (wrong ? view.px(kCrossRoom) : 0);
  sentence(view, width, text, colours.text, indent);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, {min.x + view.px(kEdge), ImGui::GetItemRectMax().y},
                     wrong ? colours.problem : colours.result);
  if (wrong)
    draw::drawCross(view.draw, list,
                    {min.x + view.px(kEdge + kEdgeGap + 5), min.y + view.px(kSentenceLine / 2)}, view.px(5),
                    colours.problem, 2);
}

// What the trial found of the operator that is on screen.
void drawTrial(ViewContext& view, float width, const model::Trace& trace) {
  const auto warnings = model::warningsOf(trace.trial);
  for (const std::string& warning : warnings) remark(view, width, warning, session::MessageKind::ToDo);
  if (warnings.empty())
    sentence(view, width, "Tried: no counter-example was found to its associativity and its identity.",
             view.colours().text);
}

void drawOutcome(ViewContext& view, float width, const OverlayState& state) {
  if (const auto job = view.workspace.job()) {
    sentence(view, width, job->doing + ": compiling, trying, recording.", view.colours().dim);
    if (ImGui::Button("Cancel")) view.commands.push_back(session::CancelJob{});
    return;
  }
  if (view.app.message() && view.app.message()->kind == session::MessageKind::Wrong) {
    remark(view, width, view.app.message()->sentence, session::MessageKind::Wrong);
    if (!view.app.message()->details.empty() && ImGui::IsItemHovered())
      wideTooltip(view, view.app.message()->details);
    return;
  }
  const session::Run* const run = view.replay.run();
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
  if (appearing) ImGui::SetKeyboardFocusHere();
  ImGui::PushFont(view.draw.fonts.code, 0);
  ImGui::SetNextItemWidth(width);
  const bool enter = ImGui::InputTextWithHint("##combine", "combine, such as a > b ? a : b", &state.text,
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  if (enter && state.identity.empty()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width / 2);
  const bool identityEnter = ImGui::InputTextWithHint("##identity", "identity, such as 0", &state.identity,
                                                      ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  ImGui::SameLine();
  const ImVec2 label = ImGui::GetCursorScreenPos();
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kBodySize, view.colours().dim);
  draw::drawText(view.draw, *ImGui::GetWindowDrawList(), label,
                 {label.x + width / 2 - ImGui::GetStyle().ItemSpacing.x, label.y + ImGui::GetFrameHeight()},
                 "identity", style);
  ImGui::Dummy({draw::textSize(style, "identity").x, ImGui::GetFrameHeight()});
  const std::string why = view.workspace.whyNotCustom();
  ImGui::BeginDisabled(!why.empty());
  const bool clicked = ImGui::Button("Try and step it");
  ImGui::EndDisabled();
  if (!why.empty()) remark(view, width, why, session::MessageKind::ToDo);
  if ((clicked || (enter && !state.identity.empty()) || identityEnter) && why.empty())
    view.commands.push_back(session::ChooseCustom{state.text, state.identity});
  drawOutcome(view, width, state);
}

void drawOwnData(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(
      view, width,
      "Path of a file of numbers, one per line; or for a merge a .json file of sorted lists: [[1, 4], [], "
      "[2, 3]]. A file can also be dropped on the window.",
      view.colours().text);
  if (isPathGiven(state, "Open", appearing)) {
    view.commands.push_back(session::ShowOverlay{session::Overlay::OwnData});
    view.commands.push_back(session::OpenData{state.text});
  }
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
  if (appearing) ImGui::SetKeyboardFocusHere();
  const bool no = ImGui::Button("Do not run it");
  ImGui::SameLine();
  const bool yes = ImGui::Button("Compile and run it");
  // Whatever else has the focus, Enter is no.
  const bool enter = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsItemFocused() &&
                     ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (yes || no || enter) view.commands.push_back(session::AnswerCode{yes});
}

}  // namespace stridescope::views
