// What a person brings along: an operator, numbers from a file.
#include <filesystem>

#include "base/plain_text.h"
#include "engine/code_trust.h"
#include "engine/custom_operator.h"
#include "engine/own_data.h"
#include "session/legal_choices.h"
#include "session/workspace.h"

namespace stridescope::session {

void Workspace::chooseCustom(const ChooseCustom& request) {
  custom_ = {.combine = request.combine, .identity = request.identity};
  const auto custom = engine::readCustomOperator(request.combine, request.identity, asked_.experiment.type);
  if (!custom) {
    app_.tell(messageOf(custom.error()));
    return;
  }
  if (const std::string why = whyNotCustom(); !why.empty()) {
    app_.tell(messageOf({.kind = ErrorKind::Usage, .sentence = why}));
    return;
  }
  // A text that was written here may be compiled. A recording's stands in the field, too, but may be longer
  // than what is seen of it there.
  const bool fromFile = fileCode_ && fileCode_->text == custom->combine;
  if (services_.trust && !fromFile) services_.trust->allow(custom->combine);
  choose([&](ExperimentChoices& choices) {
    choices.experiment.op = model::Operator::Custom;
    choices.experiment.custom = custom_;
  });
}

void Workspace::askAboutCode(const Error& error) {
  codeQuestion_ = CodeQuestion{.text = error.details, .from = {}, .unconfined = {}};
  if (fileCode_ && fileCode_->text == error.details) codeQuestion_ = fileCode_;
  if (error.cause == ErrorCause::UnconfinedCode) codeQuestion_->unconfined = error.sentence;
  app_.openOverlay(Overlay::TrustCode);
}

void Workspace::answerCode(bool allow) {
  if (!codeQuestion_) return;
  const CodeQuestion question = *std::exchange(codeQuestion_, std::nullopt);
  app_.closeOverlay();
  if (allow && services_.trust) {
    services_.trust->allow(question.text);
    if (!question.unconfined.empty()) services_.trust->allowUnconfined();
    startRecording();
    return;
  }
  takeBackRequest();
  app_.tell({.kind = MessageKind::Fine, .sentence = "The operator was not compiled, and nothing of it ran."});
}

std::string Workspace::whyNotCustom() const {
  const kernels::Variant* const variant = kernels::findVariant(asked_.experiment.variant);
  return variant == nullptr ? std::string()
                            : whyNotOperator(*variant, asked_.experiment.type, model::Operator::Custom);
}

Message tellLeft(const model::GivenData& numbers, model::ElementType type) {
  return {.kind = MessageKind::Fine,
          .sentence = "The numbers of " + numbers.name + " came with a recording, in another type than " +
                      std::string(model::nameOf(type)) +
                      ": a data pattern stands in their place. Open them as a file.",
          .actionLabel = "Open a file",
          .action = ShowOverlay{Overlay::OwnData}};
}

void Workspace::openData(const std::string& path) {
  ExperimentChoices choices = asked_.choices;
  choices.experiment.type = asked_.experiment.type;  // the one that is seen, though it may be lent
  choices.experiment.launch = 0, choices.experiment.block = 0;
  choices.numbersPath = path;
  readNumbers(std::move(choices), asked_.experiment.type);
}

void Workspace::readNumbers(ExperimentChoices choices, model::ElementType type) {
  const std::filesystem::path path = choices.numbersPath;
  const bool lists = path.extension() == ".json";
  const bool interrupts = jobs_.status().has_value();
  jobs_.start("Reading " + printable(path.native()),
              [=, this, choices = std::move(choices)](engine::JobControl&) -> Jobs::Delivery {
                auto numbers = lists ? engine::readLists(path, type) : engine::readNumbers(path, type);
                return [=, this, numbers = std::move(numbers)]() mutable {
                  if (!numbers) return tellUnread(numbers.error(), Overlay::OwnData, interrupts);
                  ExperimentChoices read = choices;
                  read.experiment.given = model::SharedData(std::move(*numbers));
                  read.numbersType = type;
                  if (asked_.recording) return take(read, chosenAnew(asked_.choices, read));
                  takeChecked(choices.experiment.type == type ? read : choices, experimentFor(read));
                };
              });
}

}  // namespace stridescope::session
