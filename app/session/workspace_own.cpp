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
  changeExperiment([&](model::Experiment& experiment) {
    experiment.op = model::Operator::Custom;
    experiment.custom = custom_;
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

void Workspace::openData(const std::string& path, model::Experiment request) {
  const bool lists = std::filesystem::path(path).extension() == ".json";
  const bool interrupts = jobs_.status().has_value();
  jobs_.start("Reading " + printable(path),
              [=, this, request = std::move(request)](engine::JobControl&) -> Jobs::Delivery {
                auto data =
                    lists ? engine::readLists(path, request.type) : engine::readNumbers(path, request.type);
                return [=, this, data = std::move(data)]() mutable {
                  if (!data) return tellUnread(data.error(), Overlay::OwnData, interrupts);
                  const bool taken = changeExperiment([&](model::Experiment& experiment) {
                    experiment = request;
                    experiment.data = model::DataPattern::Given;
                    experiment.given = model::SharedData(std::move(*data));
                    experiment.launch = 0, experiment.block = 0;
                  });
                  if (taken) asked_.dataPath = path;
                };
              });
}

}  // namespace stridescope::session
