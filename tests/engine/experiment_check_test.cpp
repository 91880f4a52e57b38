#include "engine/experiment_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "engine/engine.h"
#include "engine/host/host_engine.h"

namespace stridescope::engine {
namespace {

std::string sentenceOf(const model::Experiment& experiment) {
  const auto checked = checkedExperiment(experiment, false);
  if (checked) return "";
  EXPECT_EQ(checked.error().kind, ErrorKind::Usage);
  return checked.error().sentence;
}

TEST(ExperimentCheck, FillsInOneBlocksLoad) {
  EXPECT_EQ(checkedExperiment({.variant = "sequential", .threads = 128}, false)->elements, 128u);
  EXPECT_EQ(checkedExperiment({.variant = "first_add_on_load", .threads = 128}, false)->elements, 256u);
  EXPECT_EQ(checkedExperiment({.variant = "sequential", .elements = 0}, true)->elements, 0u);
  EXPECT_EQ(checkedExperiment({.variant = "sequential", .elements = 77}, false)->elements, 77u);
}

// An engine copies input data into buffers for n elements, and a merge's check reads them all.
TEST(ExperimentCheck, HoldsOwnNumbersAgainstTheExperiment) {
  const model::Experiment lists{.variant = "k_way_merge",
                                .op = model::Operator::Min,
                                .threads = 32,
                                .elements = 4,
                                .data = model::DataPattern::Given,
                                .lists = 3,
                                .given = model::SharedData({"lists.json", {1, 4, 2, 3}, {2, 0, 2}})};
  const auto sentenceAfter = [&](auto change) {
    model::Experiment experiment = lists;
    change(experiment);
    return sentenceOf(experiment);
  };
  EXPECT_EQ(sentenceAfter([](model::Experiment&) {}), "");
  EXPECT_EQ(sentenceAfter([](model::Experiment& e) { e.elements = 0; }), "") << "left open";
  EXPECT_EQ(sentenceAfter([](model::Experiment& e) { e.elements = 32; }),
            "The experiment does not hold together: it has 4 numbers of its own for 32 elements.");
  EXPECT_EQ(sentenceAfter([](model::Experiment& e) { e.lists = 4; }),
            "The experiment has 3 lists of its own: it merges as many.");
  EXPECT_EQ(sentenceAfter([](model::Experiment& e) { e.lists = 0; }),
            "The experiment has 3 lists of its own: it merges as many.");
  EXPECT_NE(sentenceAfter([](model::Experiment& e) { e.given = {}; }), "");
  EXPECT_NE(sentenceAfter([](model::Experiment& e) { e.data = model::DataPattern::Ramp; }), "");
  EXPECT_NE(sentenceAfter([](model::Experiment& e) {
              e.given = model::SharedData({"l", {1, 2, 3, 4}, {2, 0, 9}});
            }),
            "");
  EXPECT_EQ(checkedExperiment({.variant = "sequential",
                               .data = model::DataPattern::Given,
                               .given = model::SharedData({"numbers.txt", {1, 2, 3}, {}})},
                              false)
                ->elements,
            3u);
}

TEST(ExperimentCheck, AMergeTakesNoNan) {
  const model::Experiment experiment{.variant = "k_way_merge",
                                     .type = model::ElementType::Float,
                                     .op = model::Operator::Min,
                                     .threads = 32,
                                     .data = model::DataPattern::Given,
                                     .given = model::SharedData({"numbers.txt", {0, 0x7fc00000u}, {}})};
  EXPECT_EQ(sentenceOf(experiment),
            "A merge takes sorted values, and nan is neither less nor greater than a number. Leave it out.");
  model::Experiment sum = experiment;
  sum.variant = "sequential";
  EXPECT_EQ(sentenceOf(sum), "");
}

TEST(ExperimentCheck, NamesTheVariantThatWasMeant) {
  const std::string sentence = sentenceOf({.variant = "sequental"});
  EXPECT_EQ(sentence.find("Unknown variant 'sequental'. Did you mean 'sequential'? The variants are: "), 0u)
      << sentence;
  EXPECT_NE(sentence.find("interleaved_modulo, interleaved_and, interleaved_contiguous"), std::string::npos);
  EXPECT_EQ(sentenceOf({.variant = "xyz"}).find("Unknown variant 'xyz'. The variants are: "), 0u);
}

TEST(ExperimentCheck, AsksForAVariant) {
  EXPECT_EQ(sentenceOf({}).find("No variant is named. The variants are: warm_up, many_blocks, "), 0u);
}

// Neither a sign nor blanks, as strtoul would take them.
TEST(EngineNames, AreThoseOfTheCommandLine) {
  EXPECT_EQ(parseEngineName("auto")->kind, EngineNameKind::Auto);
  EXPECT_EQ(parseEngineName("host")->kind, EngineNameKind::Host);
  EXPECT_EQ(parseEngineName("gpu")->gpu, 0u);
  EXPECT_EQ(parseEngineName("gpu:17")->gpu, 17u);
  EXPECT_EQ(parseEngineName(gpuEngineName(3))->kind, EngineNameKind::Gpu);
  EXPECT_EQ(parseEngineName("lecture.stride")->kind, EngineNameKind::Recording);
  for (const char* wrong : {"gpu:", "gpu:x", "gpu:-1", "gpu: 1", "gpu:1024", "gpu:99999999999"})
    EXPECT_FALSE(parseEngineName(wrong)) << wrong;
}

TEST(ExperimentCheck, NamesTheLegalSizes) {
  EXPECT_EQ(
      sentenceOf({.variant = "unrolled_last_warp", .threads = 32}),
      "The variant 'unrolled_last_warp' does not run with 32 threads per block. Its block sizes are: "
      "64, 128, 256, 512, 1024. Its last warp combines 64 elements without a guard: a block has two warps "
      "or more.");
  EXPECT_EQ(
      sentenceOf({.variant = "sequential", .threads = 48}),
      "The variant 'sequential' does not run with 48 threads per block. Its block sizes are: 2, 4, 8, 16, "
      "32, 64, 128, 256, 512, 1024.");
}

// Interleaved lists lie without gaps.
TEST(ExperimentCheck, InterleavedListsAreOfOneLength) {
  const auto sentence = [](std::vector<std::uint32_t> lengths) {
    std::uint64_t n = 0;
    for (const std::uint32_t length : lengths) n += length;
    const auto lists = unsigned(lengths.size());
    return sentenceOf(
        {.variant = "k_way_merge_interleaved",
         .op = model::Operator::Min,
         .threads = 32,
         .elements = n,
         .data = model::DataPattern::Given,
         .lists = lists,
         .given = model::SharedData({"lists.json", std::vector<std::uint64_t>(n, 1), std::move(lengths)})});
  };
  EXPECT_EQ(sentence({3, 3, 3}), "");
  EXPECT_EQ(sentence({3, 3, 2, 2}), "");
  EXPECT_EQ(sentence({1, 0}), "");
  EXPECT_EQ(
      sentence({2, 2, 3}),
      "The variant 'k_way_merge_interleaved' takes interleaved lists: all must have the same length, or "
      "the last ones one value less; list 2 has 3 values, and list 0 has 2. Merge them with "
      "'k_way_merge'.");
  EXPECT_NE(sentence({3, 1}), "");
  EXPECT_NE(sentence({3, 2, 3}), "");
}

TEST(ExperimentCheck, NamesTheOperatorsOfTheType) {
  EXPECT_EQ(
      sentenceOf({.variant = "sequential", .type = model::ElementType::Float, .op = model::Operator::Xor}),
      "The variant 'sequential' does not offer the operator '^' for float. Its operators are: +, *, min, "
      "max. & | ^ combine the bits of integers.");
}

TEST(NearestName, IsASlipAway) {
  const std::vector<std::string> names{"ramp", "ones", "alternating", "random"};
  EXPECT_EQ(nearestName("rmap", names), "ramp");
  EXPECT_EQ(nearestName("one", names), "ones");
  EXPECT_EQ(nearestName("randon", names), "random");
  EXPECT_EQ(nearestName("altrenating", names), "alternating");
  EXPECT_EQ(nearestName("RANDOM", names), "random");
  EXPECT_EQ(nearestName("zzzz", names), "");
  EXPECT_EQ(nearestName("", names), "");
  EXPECT_EQ(nearestName("a", {}), "");
}

// A merge's trace grows with the values that come out times the threads.
TEST(ExperimentCheck, AMergeOfNoGivenSizeRunsToItsEndInEveryBlock) {
  const auto engine = host::makeHostEngine();
  for (const char* id : {"k_way_merge", "k_way_merge_near", "k_way_merge_interleaved"})
    for (const unsigned threads : kernels::findVariant(id)->threads) {
      const auto experiment =
          checkedExperiment({.variant = id, .op = model::Operator::Min, .threads = threads}, false);
      ASSERT_TRUE(experiment) << experiment.error().sentence;
      EXPECT_LE(experiment->lists == 0 ? threads : experiment->lists, 128u);
      EXPECT_EQ(experiment->elements, defaultElements(*kernels::findVariant(id), threads));
      JobControl job;
      const auto trace = engine->record(*experiment, job);
      ASSERT_TRUE(trace) << trace.error().sentence;
      EXPECT_TRUE(trace->ok) << id << " " << threads << ": " << trace->result;
      for (const model::Problem& problem : trace->launches[0].recorded().problems)
        ADD_FAILURE() << problem.text;
    }
}

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
