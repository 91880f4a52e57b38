#include "views/chrome/file_form.h"

#include <variant>

#include "base/plain_text.h"
#include "imgui_stdlib.h"
#include "views/chrome/form_text.h"

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
  const PathFieldSpec spec{.kinds = form.kinds, .first = form.first, .save = form.save};
  const std::string before = state.text;
  const auto take = [&](const std::optional<std::string>& path) {
    if (path) given = GivenPath{*path};
  };
  take(drawPathField(view, state.path, state.text, spec, width));
  if (ImGui::Button(form.save ? "Save" : "Open")) take(takePath(view, state.path, state.text, spec));
  ImGui::SameLine();
  ImGui::BeginDisabled(bool(state.dialog));
  if (ImGui::Button("Browse...")) {
    state.note.clear();
    state.dialog = std::make_unique<shell::FileDialog>(shell::FileDialogRequest{
        .save = form.save, .title = form.title, .path = state.text, .kinds = form.kinds});
  }
  ImGui::EndDisabled();
  if (state.dialog) sentence(view, width, "The file dialog is open.", view.colours().dim);
  if (!state.note.empty()) remark(view, width, state.note, session::MessageKind::ToDo);
  if (const auto job = form.job ? form.job : view.workspace.job()) {
    sentence(view, width, printable(job->doing) + ".", view.colours().dim);
    if (ImGui::Button("Cancel")) view.commands.push_back(session::CancelJob{});
  } else {
    drawFormMessage(view, width, state.text != before);
  }
  take(drawFileList(view, state.path, state.text, spec, width, form.save ? kLinesToSave : kLinesToOpen));
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

}  // namespace stridescope::views
