// The table of an experiment's fields.
#include "model/experiment_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace stridescope::model {
namespace {

bool isTyped(const ExperimentField& field) {
  return field.readName != nullptr || field.giveNumber != nullptr;
}

// Gives the field a value that is not its default, if it can be typed.
void giveOther(const ExperimentField& field, ChosenFields& chosen) {
  if (field.readName != nullptr)
    EXPECT_TRUE(field.readName(field.ownNames.back(), chosen)) << field.key;
  else if (field.giveNumber != nullptr)
    field.giveNumber(3, chosen);
}

// A person's input data come from a file alone.
TEST(ExperimentFields, HasARowForEachButTheInputDataAndAnOwnKernel) {
  EXPECT_EQ(experimentFields().size(), kFieldCount<Experiment> - 2);
  std::set<std::string_view> keys;
  for (const ExperimentField& field : experimentFields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
    EXPECT_FALSE(field.title.empty()) << field.key;
    EXPECT_NE(field.isGiven, nullptr) << field.key;
    EXPECT_NE(field.summary, nullptr) << field.key;
    EXPECT_EQ(&experimentField(field.key), &field);
  }
}

TEST(ExperimentFields, EachGivesItselfAlone) {
  for (const ExperimentField& field : experimentFields()) {
    if (!isTyped(field)) continue;
    ChosenFields chosen;
    giveOther(field, chosen);
    EXPECT_EQ(chosen.given.count(), 1u) << field.key;
    EXPECT_NE(chosen.experiment, Experiment()) << field.key;
    for (const ExperimentField& other : experimentFields())
      EXPECT_EQ(other.isGiven(chosen.given), &other == &field) << field.key << " and " << other.key;
  }
}

TEST(ExperimentFields, TakesTheNamesThatItListsAndNoOthers) {
  for (const ExperimentField& field : experimentFields()) {
    if (field.readName == nullptr) continue;
    for (const std::vector<std::string>& names : {field.names, field.ownNames})
      for (const std::string& name : names) {
        if (name == "custom" || name.find(':') != name.npos) continue;  // they need more than a name
        ChosenFields chosen;
        EXPECT_TRUE(field.readName(name, chosen)) << field.key << " " << name;
      }
    ChosenFields chosen;
    EXPECT_FALSE(field.readName("nothing of the kind", chosen)) << field.key;
    EXPECT_EQ(chosen, ChosenFields()) << field.key;
  }
}

TEST(ExperimentFields, WritesForALinkWhatItReads) {
  for (const ExperimentField& field : experimentFields()) {
    if (field.example.empty()) continue;
    ChosenFields chosen, read;
    giveOther(field, chosen);
    const std::string typed = field.typed(chosen.experiment);
    if (field.readName != nullptr)
      EXPECT_TRUE(field.readName(typed, read)) << field.key << "=" << typed;
    else
      field.giveNumber(std::stoull(typed), read);
    EXPECT_EQ(read, chosen) << field.key << "=" << typed;
  }
}

TEST(ExperimentFields, TellsAChoiceOfALinkInWords) {
  ChosenFields chosen;
  std::string words;
  for (const ExperimentField& field : experimentFields()) {
    EXPECT_EQ(field.words != nullptr, !field.example.empty()) << field.key;
    if (field.words == nullptr) continue;
    giveOther(field, chosen);
    words += field.words(chosen.experiment) + " · ";
  }
  EXPECT_EQ(
      words,
      "double · xor · block size 3 · n = 3 · alternating · seed 3 · 3 GPUs · block 3 · random · its seed 3 · "
      "blocks interleaved · their seed 3 · ");
}

TEST(ExperimentFields, TheHelpOfATypeHasAllTypesWithTheirOtherNames) {
  EXPECT_EQ(experimentField("type").help,
            "int (default; also int32), unsigned (uint, uint32), int64 (long), float (float32) or double "
            "(float64)");
}

TEST(ExperimentFields, NamesALongOperatorOfAPersonsOwn) {
  Experiment own;
  own.op = Operator::Custom;
  own.custom.combine = "a > b ? a : b";
  EXPECT_EQ(experimentField("op").value(own, 13), "a > b ? a : b");
  EXPECT_EQ(experimentField("op").value(own, 12), "custom");
}

TEST(ExperimentFields, TellsASeedWithWhatHasIt) {
  Experiment seeded{.variant = "sequential",
                    .data = DataPattern::Random,
                    .seed = 7,
                    .schedule = Schedule::Random,
                    .scheduleSeed = 8};
  EXPECT_EQ(experimentField("data").value(seeded, 0), "random, seed 7");
  EXPECT_EQ(experimentField("schedule").value(seeded, 0), "random, seed 8");
  EXPECT_EQ(experimentField("data").value({.variant = "sequential", .data = DataPattern::Ones}, 0), "ones");
}

TEST(ChosenFields, HasWhatWasGiven) {
  ChosenFields chosen;
  EXPECT_EQ(chosen.get(&Experiment::threads), std::nullopt);
  chosen.give(&Experiment::threads, 64);
  EXPECT_EQ(chosen.get(&Experiment::threads), 64u);
  Experiment experiment{.variant = "sequential", .seed = 5};
  chosen.given.copy(chosen.experiment, experiment);
  EXPECT_EQ(experiment.threads, 64u);
  EXPECT_EQ(experiment.seed, 5u) << "what is not given stays";
  EXPECT_EQ(experiment.variant, "sequential");
}

}  // namespace
}  // namespace stridescope::model
