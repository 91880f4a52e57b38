#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "engine/experiment_check.h"

namespace stridescope::engine {
namespace {

model::Experiment usual() { return {.variant = "sequential", .elements = 512}; }

TEST(ExperimentSummary, LeavesTheUsualOut) {
  EXPECT_EQ(summaryOf(usual()), "sequential int + ramp, 256 threads, 512 elements");
}

TEST(ExperimentSummary, AKernelOfOnesOwnReducesNothing) {
  model::Experiment own = usual();
  own.variant = "tiles.cu";
  EXPECT_EQ(summaryOf(own), "tiles.cu, 256 threads");
}

TEST(ExperimentSummary, GroupsTheDigitsOfItsNumbers) {
  model::Experiment large = usual();
  large.elements = 100'000;
  large.data = model::DataPattern::Digits;
  large.seed = 12'345;
  large.block = 70'000;
  EXPECT_EQ(
      summaryOf(large),
      "sequential int + digits, 256 threads, 100\u202f000 elements, seed 12\u202f345, block 70\u202f000");
}

TEST(ExperimentSummary, NamesWhatIsAPersonsOwn) {
  model::Experiment own = usual();
  own.op = model::Operator::Custom;
  own.custom = {"a > b ? a : b", "0", 0};
  own.data = model::DataPattern::Given;
  own.given = model::SharedData({"numbers.txt", {1, 2}, {}});
  own.elements = 2;
  own.schedule = model::Schedule::Random;
  own.scheduleSeed = 9;
  own.blockOrder = model::BlockOrder::Random;
  own.blockOrderSeed = 8;
  EXPECT_EQ(summaryOf(own),
            "sequential int custom given 'numbers.txt', 256 threads, 2 elements, combine(a, b) 'a > b ? a : "
            "b', identity 0, schedule random, schedule seed 9, block order random, block order seed 8");
}

// What a recording finds its traces by.
TEST(ExperimentSummary, TellsExperimentsApart) {
  const std::function<void(model::Experiment&)> changes[] = {
      [](model::Experiment& e) { e.variant = "warp_shuffle"; },
      [](model::Experiment& e) { e.type = model::ElementType::Unsigned; },
      [](model::Experiment& e) { e.op = model::Operator::Max; },
      [](model::Experiment& e) { e.threads = 64; },
      [](model::Experiment& e) { e.elements = 64; },
      [](model::Experiment& e) { e.data = model::DataPattern::Ones; },
      [](model::Experiment& e) { e.data = model::DataPattern::Random; },
      [](model::Experiment& e) { e.data = model::DataPattern::Random, e.seed = 2; },
      [](model::Experiment& e) { e.launch = 1; },
      [](model::Experiment& e) { e.block = 1; },
      [](model::Experiment& e) { e.schedule = model::Schedule::Lockstep; },
      [](model::Experiment& e) { e.schedule = model::Schedule::Random; },
      [](model::Experiment& e) { e.schedule = model::Schedule::Random, e.scheduleSeed = 2; },
      [](model::Experiment& e) { e.blockOrder = model::BlockOrder::Reversed; },
      [](model::Experiment& e) { e.blockOrder = model::BlockOrder::Random; },
      [](model::Experiment& e) { e.blockOrder = model::BlockOrder::Random, e.blockOrderSeed = 2; },
      [](model::Experiment& e) { e.lists = 5; },
      [](model::Experiment& e) { e.op = model::Operator::Custom, e.custom.combine = "a"; },
      [](model::Experiment& e) { e.op = model::Operator::Custom, e.custom.combine = "b"; },
      [](model::Experiment& e) {
        e.op = model::Operator::Custom, e.custom = {"b", "1", 1};
      },
      [](model::Experiment& e) {
        e.data = model::DataPattern::Given, e.given = model::SharedData({"one", {}, {}});
      },
      [](model::Experiment& e) {
        e.data = model::DataPattern::Given, e.given = model::SharedData({"two", {}, {}});
      }};
  std::set<std::string> lines{summaryOf(usual())};
  for (const auto& change : changes) {
    model::Experiment other = usual();
    change(other);
    EXPECT_TRUE(lines.insert(summaryOf(other)).second) << summaryOf(other);
  }
}

}  // namespace
}  // namespace stridescope::engine
