// What a person brings along: an operator, numbers from a file.
#include <algorithm>
#include <filesystem>

#include "base/plain_text.h"
#include "engine/code_trust.h"
#include "engine/custom_operator.h"
#include "engine/own_data.h"
#include "session/legal_choices.h"
#include "session/workspace.h"

namespace stridescope::session {
namespace {

// What the numbers of a file might be instead: the other types that the variant and the operator offer.
std::vector<model::ElementType> otherTypes(const model::Experiment& experiment) {
  std::vector<model::ElementType> types;
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return types;
  for (const model::ElementType type : model::kElementTypes)
    if (type != experiment.type && whyNotType(*kernel, type, experiment.op).empty()) types.push_back(type);
  return types;
}

bool isListsFile(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

}  // namespace

void Workspace::chooseCustom(const ChooseCustom& request) {
  custom_ = {.combine = request.combine, .identity = request.identity};
  const auto refuse = [this](const Error& error) {
    Message message = messageOf(error);
    message.form = Overlay::CustomOperator;
    app_.tell(std::move(message));
  };
  const auto custom = engine::readCustomOperator(request.combine, request.identity, asked_.experiment.type);
  if (!custom) return refuse(custom.error());
  if (const std::string why = whyNotCustom(); !why.empty())
    return refuse({.kind = ErrorKind::Usage, .sentence = why});
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
  const model::Kernel* const kernel = kernels::kernelOf(asked_.experiment);
  return kernel == nullptr ? std::string()
                           : whyNotOperator(*kernel, asked_.experiment.type, model::Operator::Custom);
}

Message tellLeft(const model::GivenData& numbers, model::ElementType type) {
  return {.kind = MessageKind::Fine,
          .sentence = "The numbers of " + numbers.name + " came with a recording, in another type than " +
                      std::string(model::nameOf(type)) +
                      ": a data pattern stands in their place. Open them as a file.",
          .actionLabel = "Open a file",
          .action = ShowOverlay{Overlay::OwnData}};
}

void Workspace::openData(const OpenData& request) {
  ExperimentChoices choices = asked_.choices;
  if (!request.variant.empty()) choices.experiment.variant = request.variant;
  choices.experiment.type = request.type.value_or(asked_.experiment.type);  // seen, though perhaps borrowed
  choices.experiment.launch = 0, choices.experiment.block = 0;
  choices.numbersPath = request.path;
  const model::ElementType type = experimentFor(choices).type;
  if (isListsFile(request.path) && refusesLists(request.path, choices.experiment)) return;
  readNumbers(std::move(choices), type);
}

void Workspace::readNumbers(ExperimentChoices choices, model::ElementType type) {
  const std::string path = choices.numbersPath;
  const bool lists = isListsFile(path);
  const bool interrupts = jobs_.status().has_value();
  jobs_.start(
      "Reading " + printable(path),
      [=, this, choices = std::move(choices)](engine::JobControl&) -> Jobs::Delivery {
        auto numbers = lists ? engine::readLists(path, type) : engine::readNumbers(path, type);
        const auto other =
            numbers ? std::nullopt : engine::typeThatReads(path, lists, otherTypes(experimentFor(choices)));
        return [=, this, numbers = std::move(numbers)]() mutable {
          if (!numbers) {
            tellUnread(numbers.error(), Overlay::OwnData, path, interrupts);
            if (other && *other != asked_.experiment.type)
              offer({path, *other, choices.experiment.variant}, model::nameOf(*other));
            return;
          }
          ExperimentChoices read = choices;
          read.experiment.given = model::SharedData(std::move(*numbers));
          read.numbersType = type;
          const bool taken = asked_.recording ? take(read, chosenAnew(asked_.choices, read))
                                              : takeChecked(choices.experiment.type == type ? read : choices,
                                                            experimentFor(read));
          if (taken) app_.closeOverlay(Overlay::OwnData);
        };
      });
}

bool Workspace::refusesLists(const std::string& path, const model::Experiment& request) {
  const model::Kernel* const kernel = kernels::kernelOf(request);
  if (kernel == nullptr || kernel->merges()) return false;
  tellUnread({.kind = ErrorKind::Usage,
              .sentence = path + " is a file of lists, and \"" + kernel->title +
                          "\" reduces numbers: it has no lists. Choose a merge, or open a file of numbers."},
             Overlay::OwnData, path, false);
  const auto merge = std::ranges::find_if(kernels::catalog(), &kernels::Variant::merges);
  if (merge != kernels::catalog().end()) offer({path, std::nullopt, std::string(merge->id)}, merge->title);
  return true;
}

// The message on screen offers to choose `what` and to open the file with it.
void Workspace::offer(const OpenData& request, std::string_view what) {
  Message message = *app_.message();
  message.actionLabel = "Choose " + std::string(what);
  message.action = request;
  app_.tell(std::move(message));
}

}  // namespace stridescope::session
