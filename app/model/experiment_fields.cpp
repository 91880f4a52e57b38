#include "model/experiment_fields.h"

#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "base/plain_text.h"

namespace stridescope::model {
namespace {

constexpr auto kAnyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxUnsigned = std::numeric_limits<unsigned>::max();

// What of a row follows from the member alone.
template <class Value>
struct MemberOf;
template <class Field>
struct MemberOf<Field Experiment::*> {
  using Type = Field;
};

template <auto Member>
bool isGiven(const FieldSet<Experiment>& fields) {
  return fields.has(Member);
}

template <auto Member>
ExperimentField number(ExperimentField row, std::uint64_t least, std::uint64_t most) {
  using Number = typename MemberOf<decltype(Member)>::Type;
  row.least = least;
  row.most = most;
  row.mostHeld = std::numeric_limits<Number>::max();
  row.giveNumber = [](std::uint64_t number, ChosenFields& chosen) { chosen.give(Member, Number(number)); };
  row.typed = [](const Experiment& experiment) { return std::to_string(experiment.*Member); };
  row.isGiven = isGiven<Member>;
  return row;
}

template <auto Member, auto Parse>
ExperimentField choice(ExperimentField row) {
  row.readName = [](std::string_view name, ChosenFields& chosen) {
    const auto value = Parse(name);
    if (value) chosen.give(Member, *value);
    return value.has_value();
  };
  if (row.typed == nullptr)
    row.typed = [](const Experiment& experiment) { return std::string(nameOf(experiment.*Member)); };
  row.isGiven = isGiven<Member>;
  return row;
}

template <auto Member>
std::string nameIn(const Experiment& experiment) {
  return std::string(nameOf(experiment.*Member));
}
template <auto Member>
std::string shownName(const Experiment& experiment, std::size_t) {
  return nameIn<Member>(experiment);
}
template <auto Member>
std::string shownFigure(const Experiment& experiment, std::size_t) {
  return figure(experiment.*Member);
}

template <class Enum, std::size_t N>
std::vector<std::string> namesOf(const std::array<Enum, N>& values) {
  std::vector<std::string> names;
  for (const Enum value : values) names.emplace_back(nameOf(value));
  return names;
}

std::vector<std::string> operatorNames() {
  std::vector<std::string> names = namesOf(kOperators);
  names.emplace_back(nameOf(Operator::Custom));
  return names;
}
std::vector<std::string> operatorWords() {
  std::vector<std::string> words;
  for (const Operator op : kOperators) words.emplace_back(wordOf(op));
  return words;
}

// "int (default; also int32), unsigned (uint, uint32) or double": each type with its other names.
std::string typeHelp() {
  std::string help;
  for (std::size_t i = 0; i < kElementTypes.size(); ++i) {
    const ElementType type = kElementTypes[i];
    std::string beside = type == Experiment().type ? "default" : "";
    std::string_view before = beside.empty() ? "" : "; also ";
    for (const std::string_view alias : aliasesOf(Named::Type, nameOf(type))) {
      beside.append(before).append(alias);
      before = ", ";
    }
    help += (i == 0 ? "" : i + 1 < kElementTypes.size() ? ", " : " or ") + std::string(nameOf(type));
    if (!beside.empty()) help += " (" + beside + ")";
  }
  return help;
}

std::size_t charactersIn(std::string_view text) {  // of UTF-8
  return std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string withSeed(std::string text, bool isSeeded, std::uint64_t seed) {
  return isSeeded ? text + ", seed " + figure(seed) : text;
}

ExperimentField customRow() {
  return {.key = "custom",
          .title = "operator",
          .isGiven = isGiven<&Experiment::custom>,
          .summary = [](const Experiment& experiment) {
            if (experiment.op != Operator::Custom) return std::string();
            return "combine(a, b) '" + experiment.custom.combine + "', identity " +
                   experiment.custom.identity;
          }};
}

// A row for each field that a person sets; input data have none, as files of their own say them.
std::vector<ExperimentField> makeFields() {
  using E = Experiment;
  static const std::string kTypeHelp = typeHelp();  // the rows have views of it
  return {
      {.key = "variant",
       .title = "variant",
       .isGiven = isGiven<&E::variant>,
       .part = SummaryPart::Head,
       .summary = [](const E& experiment) { return experiment.variant; }},
      choice<&E::type, parseElementType>({.key = "type",
                                          .title = "type",
                                          .option = "--type",
                                          .valueName = "TYPE",
                                          .help = kTypeHelp,
                                          .example = "int64",
                                          .names = namesOf(kElementTypes),
                                          .ownNames = namesOf(kElementTypes),
                                          .aliases = Named::Type,
                                          .words = nameIn<&E::type>,
                                          .value = shownName<&E::type>,
                                          .part = SummaryPart::Head,
                                          .summary = nameIn<&E::type>}),
      choice<&E::op, parseOperator>(
          {.key = "op",
           .title = "operator",
           .option = "--op",
           .valueName = "OPERATOR",
           .help = "+ (default, where it is offered) * min max & | ^, or add (sum) mul (product) and or xor; "
                   "custom: --combine",
           .example = "max",
           .names = operatorNames(),
           .ownNames = operatorWords(),
           .aliases = Named::Operator,
           .typed = [](const E& experiment) { return std::string(wordOf(experiment.op)); },
           .words = [](const E& experiment) { return std::string(wordOf(experiment.op)); },
           .value =
               [](const E& experiment, std::size_t room) {
                 if (experiment.op != Operator::Custom) return std::string(nameOf(experiment.op));
                 const std::string text = printable(experiment.custom.combine);
                 return charactersIn(text) > room ? std::string(nameOf(Operator::Custom)) : text;
               },
           .part = SummaryPart::Head,
           .summary = nameIn<&E::op>}),
      number<&E::threads>(
          {.key = "threads",
           .title = "block size",
           .option = "--threads",
           .valueName = "THREADS",
           .help = "of a block: the variant's default size, 256 for most, unless given",
           .example = "512",
           .words = [](const E& experiment) { return "block size " + figure(experiment.threads); },
           .value = shownFigure<&E::threads>,
           .summary = [](const E& experiment) { return figure(experiment.threads) + " threads"; }},
          1, kMaxUnsigned),
      number<&E::elements>(
          {.key = "n",
           .title = "n",
           .option = "-n,--elements",
           .valueName = "N",
           .help = "1000, 65,537, 2^24, 1<<20, 1e6; one block's load unless given",
           .example = "2^20",
           .words = [](const E& experiment) { return "n = " + sizeText(experiment.elements); },
           .value = [](const E& experiment, std::size_t) { return sizeText(experiment.elements); },
           .summary = [](const E& experiment) { return figure(experiment.elements) + " elements"; }},
          0, kMaxElements),
      choice<&E::data, parseDataPattern>(
          {.key = "data",
           .title = "data pattern",
           .option = "--data",
           .valueName = "PATTERN",
           .help = "digits (0 to 9; default, but ones with * and &, and random in a merge), random (0 to "
                   "100), ramp, ones or alternating",
           .example = "ramp",
           .names = namesOf(kDataPatterns),
           .ownNames = namesOf(kDataPatterns),
           .words = nameIn<&E::data>,
           .value =
               [](const E& experiment, std::size_t) {
                 if (experiment.given.get() != nullptr) return printable(experiment.given.get()->name);
                 return withSeed(nameIn<&E::data>(experiment), isSeeded(experiment.data), experiment.seed);
               },
           .part = SummaryPart::Head,
           .summary =
               [](const E& experiment) {
                 const GivenData* const given = experiment.given.get();
                 return nameIn<&E::data>(experiment) + (given != nullptr ? " '" + given->name + "'" : "");
               }}),
      number<&E::seed>({.key = "seed",
                        .title = "seed",
                        .option = "--seed",
                        .valueName = "SEED",
                        .help = "of digits and random: 1 unless given",
                        .example = "3",
                        .words = [](const E& experiment) { return "seed " + figure(experiment.seed); },
                        .summary =
                            [](const E& experiment) {
                              return isSeeded(experiment.data) ? "seed " + figure(experiment.seed) : "";
                            }},
                       0, kAnyNumber),
      number<&E::lists>({.key = "lists",
                         .title = "lists",
                         .value = shownFigure<&E::lists>,
                         .summary =
                             [](const E& experiment) {
                               return experiment.lists != 0 ? figure(experiment.lists) + " lists" : "";
                             }},
                        1, kMaxUnsigned),
      number<&E::gpus>({.key = "gpus",
                        .title = "GPUs",
                        .option = "--gpus",
                        .valueName = "D",
                        .help = "how many take part, 2 to 8, of a variant of several GPUs: 2 unless given",
                        .example = "4",
                        .words = [](const E& experiment) { return figure(experiment.gpus) + " GPUs"; },
                        .value = shownFigure<&E::gpus>,
                        .summary =
                            [](const E& experiment) {
                              return experiment.gpus != 1 ? figure(experiment.gpus) + " GPUs" : "";
                            }},
                       2, kMaxGpus),
      customRow(),
      number<&E::launch>({.key = "launch",
                          .title = "launch shown",
                          .option = "--launch",
                          .valueName = "LAUNCH",
                          .help = "which launch's block is inspected, from 0",
                          .value = shownFigure<&E::launch>,
                          .part = SummaryPart::Tail,
                          .summary =
                              [](const E& experiment) {
                                return experiment.launch != 0 ? "launch " + figure(experiment.launch) : "";
                              }},
                         0, kMaxUnsigned),
      number<&E::block>({.key = "block",
                         .title = "block shown",
                         .option = "--block",
                         .valueName = "BLOCK",
                         .help = "which block of it, from 0",
                         .example = "3",
                         .words = [](const E& experiment) { return "block " + figure(experiment.block); },
                         .value = shownFigure<&E::block>,
                         .part = SummaryPart::Tail,
                         .summary =
                             [](const E& experiment) {
                               return experiment.block != 0 ? "block " + figure(experiment.block) : "";
                             }},
                        0, kAnyNumber),
      choice<&E::schedule, parseSchedule>(
          {.key = "schedule",
           .title = "schedule",
           .option = "--schedule",
           .valueName = "SCHEDULE",
           .help = "of the CPU executor: lanes (one lane after another; default), warps, lockstep or random",
           .example = "lockstep",
           .names = {"lanes", "warps", "lockstep", "random"},
           .ownNames = namesOf(kSchedules),
           .words = nameIn<&E::schedule>,
           .value =
               [](const E& experiment, std::size_t) {
                 return withSeed(nameIn<&E::schedule>(experiment), experiment.schedule == Schedule::Random,
                                 experiment.scheduleSeed);
               },
           .isOfHost = true,
           .summary =
               [](const E& experiment) {
                 return experiment.schedule != Schedule::LaneByLane
                            ? "schedule " + nameIn<&E::schedule>(experiment)
                            : "";
               }}),
      number<&E::scheduleSeed>(
          {.key = "schedule-seed",
           .title = "seed",
           .option = "--schedule-seed",
           .valueName = "SEED",
           .help = "of the random schedule: 1 unless given",
           .example = "3",
           .words = [](const E& experiment) { return "its seed " + figure(experiment.scheduleSeed); },
           .isOfHost = true,
           .summary =
               [](const E& experiment) {
                 return experiment.schedule == Schedule::Random
                            ? "schedule seed " + figure(experiment.scheduleSeed)
                            : "";
               }},
          0, kAnyNumber),
      // As an option it takes its seed with it, random:SEED.
      choice<&E::blockOrder, parseBlockOrder>(
          {.key = "block-order",
           .title = "block order",
           .option = "--block-order",
           .valueName = "ORDER",
           .help = "of the CPU executor's blocks: in-order (default), reversed, random:SEED or interleaved",
           .example = "reversed",
           .names = {"in-order", "reversed", "random", "random:SEED", "interleaved"},
           .ownNames = namesOf(kBlockOrders),
           .words = [](const E& experiment) { return "blocks " + nameIn<&E::blockOrder>(experiment); },
           .value =
               [](const E& experiment, std::size_t) {
                 return withSeed(nameIn<&E::blockOrder>(experiment),
                                 experiment.blockOrder == BlockOrder::Random, experiment.blockOrderSeed);
               },
           .isOfHost = true,
           .summary =
               [](const E& experiment) {
                 return experiment.blockOrder != BlockOrder::InOrder
                            ? "block order " + nameIn<&E::blockOrder>(experiment)
                            : "";
               }}),
      number<&E::blockOrderSeed>(
          {.key = "block-order-seed",
           .title = "seed",
           .example = "3",
           .words = [](const E& experiment) { return "their seed " + figure(experiment.blockOrderSeed); },
           .isOfHost = true,
           .summary =
               [](const E& experiment) {
                 return experiment.blockOrder == BlockOrder::Random
                            ? "block order seed " + figure(experiment.blockOrderSeed)
                            : "";
               }},
          0, kAnyNumber),
  };
}

}  // namespace

std::span<const ExperimentField> experimentFields() {
  static const std::vector<ExperimentField> fields = makeFields();
  return fields;
}

const ExperimentField& experimentField(std::string_view key) {
  return *std::ranges::find(experimentFields(), key, &ExperimentField::key);
}

}  // namespace stridescope::model
