// Some fields of an experiment with their values: what was typed as options, what a link sets, what a person
// chooses in the window.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "base/field_set.h"
#include "model/experiment.h"

namespace stridescope::model {

struct ChosenFields {
  Experiment experiment{};  // fields that are not given have their defaults
  FieldSet<Experiment> given{};

  template <class Field>
  void give(Field Experiment::*field, std::type_identity_t<Field> value) {
    experiment.*field = std::move(value);
    given.add(field);
  }
  // nullopt: it is not given.
  template <class Field>
  std::optional<Field> get(Field Experiment::*field) const {
    return given.has(field) ? std::optional<Field>(experiment.*field) : std::nullopt;
  }
  friend bool operator==(const ChosenFields&, const ChosenFields&) = default;
};

}  // namespace stridescope::model
