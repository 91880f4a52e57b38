// What a person brings along: an operator, numbers from a file.
#include <filesystem>

#include "base/plain_text.h"
#include "engine/code_trust.h"
#include "engine/custom_operator.h"
#include "engine/own_data.h"
#include "session/legal_choices.h"
#include "session/session.h"

namespace stridescope::session {

void Session::chooseCustom(const ChooseCustom& wish) {
  custom_ = {.combine = wish.combine, .identity = wish.identity};
  const auto custom = engine::readCustomOperator(wish.combine, wish.identity, experiment_.type);
  if (!custom) {
    message_ = messageOf(custom.error());
    return;
  }
  if (const std::string why = whyNotCustom(); !why.empty()) {
    message_ = messageOf({.kind = ErrorKind::Usage, .sentence = why, .details = {}});
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

void Session::askAboutCode(const Error& error) {
  codeQuestion_ = CodeQuestion{.text = error.details, .from = {}, .unconfined = {}};
  if (fileCode_ && fileCode_->text == error.details) codeQuestion_ = fileCode_;
  if (error.cause == ErrorCause::UnconfinedCode) codeQuestion_->unconfined = error.sentence;
  overlay_ = Overlay::TrustCode;
}

void Session::answerCode(bool allow) {
  if (!codeQuestion_) return;
  const CodeQuestion question = *std::exchange(codeQuestion_, std::nullopt);
  overlay_ = Overlay::None;
  if (allow && services_.trust) {
    services_.trust->allow(question.text);
    if (!question.unconfined.empty()) services_.trust->allowUnconfined();
    startRecording();
    return;
  }
  takeBackWish();
  message_ = {.kind = MessageKind::Fine,
              .sentence = "The operator was not compiled, and nothing of it ran.",
              .details = {},
              .actionLabel = {},
              .action = {}};
}

std::string Session::whyNotCustom() const {
  const kernels::Variant* const variant = kernels::findVariant(experiment_.variant);
  return variant == nullptr ? std::string()
                            : whyNotOperator(*variant, experiment_.type, model::Operator::Custom);
}

Message tellLeft(const model::GivenData& numbers, model::ElementType type) {
  return {.kind = MessageKind::Fine,
          .sentence = "The numbers of " + numbers.name + " came with a recording, in another type than " +
                      std::string(model::nameOf(type)) +
                      ": a ramp stands in their place. Open them as a file.",
          .details = {},
          .actionLabel = "Open a file",
          .action = ShowOverlay{Overlay::OwnData}};
}

void Session::openData(const std::string& path, model::Experiment wish) {
  const bool lists = std::filesystem::path(path).extension() == ".json";
  const bool interrupts = jobs_.status().has_value();
  jobs_.start("Reading " + printable(path),
              [=, this, wish = std::move(wish)](engine::JobControl&) -> Jobs::Delivery {
                auto data = lists ? engine::readLists(path, wish.type) : engine::readNumbers(path, wish.type);
                return [=, this, data = std::move(data)]() mutable {
                  if (!data) return tellUnread(data.error(), Overlay::OwnData, interrupts);
                  const bool taken = changeExperiment([&](model::Experiment& experiment) {
                    experiment = wish;
                    experiment.data = model::DataPattern::Given;
                    experiment.given = model::SharedData(std::move(*data));
                    experiment.launch = 0, experiment.block = 0;
                  });
                  if (taken) dataPath_ = path;
                };
              });
}

}  // namespace stridescope::session
