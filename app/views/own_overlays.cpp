#include "views/own_overlays.h"

#include "imgui_stdlib.h"

namespace stridescope {
namespace {

constexpr float kTextWidth = 560;  // units

// A paragraph that the tests and a screen reader's twin see as one text.
void sentence(ViewContext& view, const std::string& text, ImU32 colour) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + view.px(kTextWidth));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

// What the trial found of the operator that is on screen.
void drawTrial(ViewContext& view, const Trace& trace) {
  const auto warnings = warningsOf(trace.trial);
  for (const std::string& warning : warnings) sentence(view, warning, view.colours().result);
  if (warnings.empty())
    sentence(view, "Tried: no counter-example was found to its associativity and its identity.",
             view.colours().text);
}

void drawOutcome(ViewContext& view, const OverlayState& state) {
  const Session& session = view.session;
  if (const auto job = session.job()) {
    sentence(view, job->doing + ": compiling, trying, recording.", view.colours().dim);
    if (ImGui::Button("Cancel")) view.commands.push_back(CancelJob{});
    return;
  }
  if (session.message() && session.message()->kind == MessageKind::Wrong) {
    sentence(view, session.message()->sentence, view.colours().problem);
    if (!session.message()->details.empty() && ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", session.message()->details.c_str());
    return;
  }
  const Run* const run = session.run();
  if (run == nullptr || run->trace.experiment.op != Operator::Custom) return;
  const CustomOperator& shown = run->trace.experiment.custom;
  if (shown.combine == state.text && shown.identity == state.identity) drawTrial(view, run->trace);
}

}  // namespace

void drawCustomOperator(ViewContext& view, OverlayState& state, bool appearing) {
  if (appearing) {
    state.text = view.session.customOperator().combine;
    state.identity = view.session.customOperator().identity;
  }
  sentence(view,
           "combine(a, b) as an expression of a and b, elements of the type T, or as statements that return "
           "one; and its identity e: combine(e, a) = a.",
           view.colours().text);
  if (appearing) ImGui::SetKeyboardFocusHere();
  ImGui::PushFont(view.draw.fonts.code, 0);
  ImGui::SetNextItemWidth(view.px(kTextWidth));
  const bool enter = ImGui::InputTextWithHint("##combine", "combine, such as a > b ? a : b", &state.text,
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  if (enter && state.identity.empty()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(view.px(kTextWidth / 2));
  const bool identityEnter = ImGui::InputTextWithHint("##identity", "identity, such as 0", &state.identity,
                                                      ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::TextDisabled("identity");
  const std::string why = view.session.whyNotCustom();
  ImGui::BeginDisabled(!why.empty());
  const bool clicked = ImGui::Button("Try and step it");
  ImGui::EndDisabled();
  if (!why.empty()) sentence(view, why, view.colours().result);
  if ((clicked || (enter && !state.identity.empty()) || identityEnter) && why.empty())
    view.commands.push_back(ChooseCustom{state.text, state.identity});
  drawOutcome(view, state);
}

void drawOwnData(ViewContext& view, OverlayState& state, bool appearing) {
  sentence(view,
           "Path of a file of numbers, one a line; or for a merge a .json file of sorted lists: [[1, 4], [], "
           "[2, 3]]. A file can also be dropped on the window.",
           view.colours().text);
  if (isPathGiven(state, "Open", appearing)) {
    view.commands.push_back(ShowOverlay{Overlay::OwnData});
    view.commands.push_back(OpenData{state.text});
  }
}

}  // namespace stridescope
