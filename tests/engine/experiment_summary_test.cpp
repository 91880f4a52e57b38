#include "engine/experiment_summary.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace stridescope {
namespace {

Experiment usual() { return {.variant = "sequential", .elements = 512}; }

TEST(ExperimentSummary, LeavesTheUsualOut) {
  EXPECT_EQ(summaryOf(usual()), "sequential int + ramp, 256 threads, 512 elements");
}

TEST(ExperimentSummary, NamesWhatIsAPersonsOwn) {
  Experiment own = usual();
  own.op = Operator::Custom;
  own.custom = {"a > b ? a : b", "0", 0};
  own.data = DataPattern::Given;
  own.given = SharedData({"numbers.txt", {1, 2}, {}});
  own.elements = 2;
  own.schedule = Schedule::Random;
  own.scheduleSeed = 9;
  EXPECT_EQ(summaryOf(own),
            "sequential int custom given 'numbers.txt', 256 threads, 2 elements, combine(a, b) 'a > b ? a : "
            "b', identity 0, schedule random, schedule seed 9");
}

// What a recording finds its traces by.
TEST(ExperimentSummary, TellsExperimentsApart) {
  const std::function<void(Experiment&)> changes[] = {
      [](Experiment& e) { e.variant = "warp_shuffle"; },
      [](Experiment& e) { e.type = ElementType::Unsigned; },
      [](Experiment& e) { e.op = Operator::Max; },
      [](Experiment& e) { e.threads = 64; },
      [](Experiment& e) { e.elements = 64; },
      [](Experiment& e) { e.data = DataPattern::Ones; },
      [](Experiment& e) { e.data = DataPattern::Random; },
      [](Experiment& e) { e.data = DataPattern::Random, e.seed = 2; },
      [](Experiment& e) { e.launch = 1; },
      [](Experiment& e) { e.block = 1; },
      [](Experiment& e) { e.schedule = Schedule::Lockstep; },
      [](Experiment& e) { e.schedule = Schedule::Random; },
      [](Experiment& e) { e.schedule = Schedule::Random, e.scheduleSeed = 2; },
      [](Experiment& e) { e.lists = 5; },
      [](Experiment& e) { e.op = Operator::Custom, e.custom.combine = "a"; },
      [](Experiment& e) { e.op = Operator::Custom, e.custom.combine = "b"; },
      [](Experiment& e) {
        e.op = Operator::Custom, e.custom = {"b", "1", 1};
      },
      [](Experiment& e) {
        e.data = DataPattern::Given, e.given = SharedData({"one", {}, {}});
      },
      [](Experiment& e) {
        e.data = DataPattern::Given, e.given = SharedData({"two", {}, {}});
      }};
  std::set<std::string> lines{summaryOf(usual())};
  for (const auto& change : changes) {
    Experiment other = usual();
    change(other);
    EXPECT_TRUE(lines.insert(summaryOf(other)).second) << summaryOf(other);
  }
}

}  // namespace
}  // namespace stridescope
