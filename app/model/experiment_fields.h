// The fields of an experiment, once: how each is called, how it is typed, and how it is told. The options of
// the command line, the parts of a link, the labels of the experiment bar and of the command palette, an
// experiment's summary and the rows of Compare follow this table.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/operator_table.h"

namespace stridescope::model {

// Some fields of an experiment with their values: what was typed as options, what a link sets, what a person
// chooses in the window.

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

// n at most: so many elements of 8 bytes are what an event's 40 bits of offset reach.
inline constexpr std::uint64_t kMaxElements = 1ull << 37;

// Where a field stands in a summary: in its first words, behind them, or at its end.
enum class SummaryPart : std::uint8_t { Head, Middle, Tail };

struct ExperimentField {
  std::string_view key;    // a link's part: "threads"
  std::string_view title;  // "block size": on its control and in Compare

  // ---- How it is typed: as one of `names`, or, where `readName` is null, as a number.
  std::string_view option = {};     // the command line's, "-n,--elements"; empty: none of its own
  std::string_view valueName = {};  // as the help shows it
  std::string_view help = {};
  std::string_view example = {};           // a value in a link; empty: no link sets it
  std::vector<std::string> names = {};     // as the command line takes them
  std::vector<std::string> ownNames = {};  // as the program writes them, for links; they may have blanks
  std::optional<Named> aliases = {};       // names that are taken, too
  bool (*readName)(std::string_view name, ChosenFields& chosen) = nullptr;  // false: there is no such name
  std::uint64_t least = 0, most = 0;                                        // of a number, as an option
  std::uint64_t mostHeld = 0;  // of a number: what the field can hold
  void (*giveNumber)(std::uint64_t number, ChosenFields& chosen) = nullptr;  // requires that it can be held
  std::string (*typed)(const Experiment& experiment) = nullptr;  // its value as a link has it, but for blanks

  // ---- How it is told.
  bool (*isGiven)(const FieldSet<Experiment>& fields) = nullptr;
  // The choice of a link in words: "block size 512".
  std::string (*words)(const Experiment& experiment) = nullptr;
  // As a value beside its title, with its seed. A text of a person's own that is longer than `room`
  // characters is named instead. Null: it is told with another field.
  std::string (*value)(const Experiment& experiment, std::size_t room) = nullptr;
  bool isOfHost = false;  // it means something on the CPU executor alone
  SummaryPart part = SummaryPart::Middle;
  std::string (*summary)(const Experiment& experiment) = nullptr;  // empty: it is as usual, or means nothing

  // The option's long name: "--elements".
  std::string_view optionName() const { return option.substr(option.find("--")); }
};

// In the order in which they are offered, read and told.
std::span<const ExperimentField> experimentFields();
// Requires that there is one.
const ExperimentField& experimentField(std::string_view key);

}  // namespace stridescope::model
