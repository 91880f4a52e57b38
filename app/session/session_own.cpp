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

// A number's bits depend on the type: one's own are read again.
void Session::chooseType(ElementType type) {
  if (experiment_.given.get() != nullptr && !dataPath_.empty()) return openData(dataPath_, type);
  changeExperiment([&](Experiment& experiment) {
    leaveOwnData(experiment, DataPattern::Ramp);
    experiment.type = type;
  });
}

void Session::openData(const std::string& path, ElementType type) {
  const bool lists = std::filesystem::path(path).extension() == ".json";
  jobs_.start("Reading " + path, [this, path, type, lists](JobControl&) -> Jobs::Delivery {
    auto data = lists ? readLists(path, type) : readNumbers(path, type);
    return [this, path, type, data = std::move(data)]() mutable {
      if (!data) {
        message_ = messageOf(data.error());
        message_->actionLabel = "Open another";
        message_->action = ShowOverlay{Overlay::OwnData};
        return;
      }
      dataPath_ = path;
      elements_ = data->values.size();
      changeExperiment([&](Experiment& experiment) {
        experiment.type = type;
        experiment.data = DataPattern::Given;
        experiment.given = SharedData(std::move(*data));
        experiment.launch = 0, experiment.block = 0;
      });
    };
  });
}

}  // namespace stridescope
