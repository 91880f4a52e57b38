#include "model/counters.h"

#include <gtest/gtest.h>

#include <set>

namespace stridescope::model {
namespace {

TEST(CounterFacts, AreOneForEachCounterAndEachIsAnother) {
  std::set<std::string_view> ids, titles, metrics;
  for (const Counter counter : kCounters) {
    const CounterFacts& facts = factsOf(counter);
    EXPECT_EQ(facts.counter, counter);
    EXPECT_TRUE(ids.insert(facts.id).second) << facts.id;
    EXPECT_TRUE(titles.insert(facts.title).second) << facts.title;
    EXPECT_TRUE(metrics.insert(facts.metric).second) << facts.metric;
    EXPECT_TRUE(facts.meaning.ends_with('.')) << facts.meaning;
  }
  EXPECT_EQ(counterFacts().size(), kCounters.size());
}

TEST(CounterRecord, TellsOfItsOwnExperiment) {
  CounterRecord record;
  record.experiment = {.variant = "sequential", .threads = 64, .elements = 64};
  Experiment same = record.experiment;
  same.block = 3;
  same.launch = 1;
  same.schedule = Schedule::Random;
  same.scheduleSeed = 9;
  EXPECT_TRUE(tellsOf(record, same)) << "which block is shown, and in which order the CPU steps it";
  for (const auto change : std::initializer_list<void (*)(Experiment&)>{
           [](Experiment& each) { each.variant = "interleaved_modulo"; },
           [](Experiment& each) { each.type = ElementType::Float; },
           [](Experiment& each) { each.op = Operator::Max; }, [](Experiment& each) { each.threads = 32; },
           [](Experiment& each) { each.elements = 65; }, [](Experiment& each) { each.lists = 2; },
           [](Experiment& each) { each.data = DataPattern::Ones; }}) {
    Experiment other = record.experiment;
    change(other);
    EXPECT_FALSE(tellsOf(record, other));
  }
}

}  // namespace
}  // namespace stridescope::model
