// What a person brings along: an operator, numbers from a file.
#include <filesystem>

#include "engine/custom_operator.h"
#include "engine/own_data.h"
#include "session/legal_choices.h"
#include "session/session.h"

namespace stridescope {

void Session::chooseCustom(const ChooseCustom& wish) {
  custom_ = {.combine = wish.combine, .identity = wish.identity};
  if (const auto custom = readCustomOperator(wish.combine, wish.identity, experiment_.type); !custom) {
    message_ = messageOf(custom.error());
    return;
  }
  if (const std::string why = whyNotCustom(); !why.empty()) {
    message_ = messageOf({.kind = ErrorKind::Usage, .sentence = why, .details = {}});
    return;
  }
  changeExperiment([&](Experiment& experiment) {
    experiment.op = Operator::Custom;
    experiment.custom = custom_;
  });
}

std::string Session::whyNotCustom() const {
  const Variant* const variant = findVariant(experiment_.variant);
  return variant == nullptr ? std::string() : whyNotOperator(*variant, experiment_.type, Operator::Custom);
}

Message tellLeft(const GivenData& numbers, ElementType type) {
  return {.kind = MessageKind::Fine,
          .sentence = "The numbers of " + numbers.name + " came with a recording, in another type than " +
                      std::string(nameOf(type)) + ": a ramp stands in their place. Open them as a file.",
          .details = {},
          .actionLabel = "Open a file",
          .action = ShowOverlay{Overlay::OwnData}};
}

void Session::openData(const std::string& path, Experiment wish) {
  const bool lists = std::filesystem::path(path).extension() == ".json";
  const bool interrupts = jobs_.status().has_value();
  jobs_.start("Reading " + path, [=, this, wish = std::move(wish)](JobControl&) -> Jobs::Delivery {
    auto data = lists ? readLists(path, wish.type) : readNumbers(path, wish.type);
    return [=, this, data = std::move(data)]() mutable {
      if (!data) return tellUnread(data.error(), Overlay::OwnData, interrupts);
      const bool taken = changeExperiment([&](Experiment& experiment) {
        experiment = wish;
        experiment.data = DataPattern::Given;
        experiment.given = SharedData(std::move(*data));
        experiment.launch = 0, experiment.block = 0;
      });
      if (taken) dataPath_ = path;
    };
  });
}

}  // namespace stridescope
