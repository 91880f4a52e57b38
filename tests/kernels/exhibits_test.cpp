// What the variants beside the ladder are there to show: their wavefronts, their lost elements, their
// rounding. The numbers were worked out by hand, from the kernels' ideas and the rule of the banks.
#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"

namespace stridescope::kernels {
namespace {

struct Recorded {
  model::Trace trace;
  analysis::Analysis analysis;
  const std::vector<analysis::Round>& rounds() const { return analysis.launches.at(0).rounds; }
};

Recorded runOf(const model::Experiment& experiment) {
  engine::JobControl job;
  auto trace = engine::host::makeHostEngine()->record(experiment, job);
  EXPECT_TRUE(trace.has_value()) << trace.error().sentence;
  if (!trace) return {};
  Recorded run{std::move(*trace), {}};
  run.analysis = analysis::analyse(run.trace);
  return run;
}

// One block's load of the ramp 0, 1, 2, ...
Recorded oneBlock(const std::string& variant, unsigned threads,
                  model::ElementType type = model::ElementType::Int) {
  return runOf({.variant = variant,
                .type = type,
                .threads = threads,
                .elements = std::uint64_t(threads) * findVariant(variant)->launch.elementsPerThread,
                .data = model::DataPattern::Ramp});
}

struct Wavefronts {
  unsigned all = 0, ideal = 0, way = 0;
  friend bool operator==(const Wavefronts&, const Wavefronts&) = default;
};
std::ostream& operator<<(std::ostream& out, const Wavefronts& w) {
  return out << w.all << " of " << w.ideal << ", " << w.way << "-way";
}

// The wavefronts of the rounds that have a stride.
Wavefronts overStrides(const Recorded& run) {
  Wavefronts sum;
  for (const analysis::Round& round : run.rounds())
    if (round.stride)
      for (const analysis::Request& request : round.requests) {
        if (!request.hasWavefronts()) continue;
        sum.all += request.wavefronts, sum.ideal += request.ideal;
        sum.way = std::max(sum.way, request.way);
      }
  return sum;
}

TEST(WarmUp, HasFiveSteps) {
  const Recorded run = oneBlock("warm_up", 8);
  EXPECT_EQ(run.trace.result, "28");
  ASSERT_EQ(run.rounds().size(), 5u);
  const unsigned active[] = {8, 4, 2, 1, 1};
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(run.rounds()[i].activeLanes, active[i]) << i;
    EXPECT_EQ(run.rounds()[i].activeWarps, 1u);
  }
  EXPECT_EQ(overStrides(run), (Wavefronts{9, 9, 1})) << "two loads and a store in each of three strides";
}

TEST(ManyBlocks, LeaveOneValueEachToASecondLaunch) {
  const Variant& variant = *findVariant("many_blocks");
  EXPECT_EQ(variant.firstElements(8), 64u);
  const Recorded run =
      runOf({.variant = "many_blocks", .threads = 8, .elements = 64, .data = model::DataPattern::Ramp});
  ASSERT_EQ(run.trace.launches.size(), 2u);
  EXPECT_EQ(run.trace.launches[0].grid, 8u);
  EXPECT_EQ(run.trace.launches[1].grid, 1u);
  EXPECT_EQ(run.trace.launches[1].elements, 8u);
  EXPECT_EQ(run.trace.result, "2016");  // 0 + ... + 63
  std::vector<std::uint64_t> grids;
  for (const LaunchShape& launch :
       planRun(variant, {.variant = "many_blocks", .threads = 256, .elements = 1u << 24}).launches)
    grids.push_back(launch.grid.count());
  EXPECT_EQ(grids, (std::vector<std::uint64_t>{65536, 256, 1}));
}

TEST(InterleavedAnd, DrawsThePictureOfTheModulo) {
  const Recorded modulo = oneBlock("interleaved_modulo", 256), bits = oneBlock("interleaved_and", 256);
  EXPECT_EQ(overStrides(bits), (Wavefronts{141, 141, 1}));
  ASSERT_EQ(bits.rounds().size(), modulo.rounds().size());
  for (std::size_t i = 0; i < bits.rounds().size(); ++i) {
    EXPECT_EQ(bits.rounds()[i].lanes, modulo.rounds()[i].lanes) << i;
    EXPECT_EQ(bits.rounds()[i].snapshot, modulo.rounds()[i].snapshot) << i;
  }
  EXPECT_EQ(bits.rounds()[5].activeWarps, 8u) << "at stride 16";
}

// There is a free word behind every 32. If elements have 4 bytes, row r of 32 elements begins in bank r. If
// they have 8 bytes, an element takes two banks, and the lanes of a group, 2s elements apart, come round to
// the same ones before the free word.
TEST(PaddedTree, HasNoConflictInIntAndSomeInDouble) {
  EXPECT_EQ(overStrides(oneBlock("interleaved_contiguous", 256)), (Wavefronts{141, 36, 8}));
  EXPECT_EQ(overStrides(oneBlock("padded_tree", 256)), (Wavefronts{36, 36, 1}));
  EXPECT_EQ(overStrides(oneBlock("sequential", 256)), (Wavefronts{36, 36, 1}));
  EXPECT_EQ(overStrides(oneBlock("padded_tree", 1024)), (Wavefronts{108, 108, 1}));
  EXPECT_EQ(overStrides(oneBlock("interleaved_contiguous", 256, model::ElementType::Double)).all, 237u);
  EXPECT_EQ(overStrides(oneBlock("padded_tree", 256, model::ElementType::Double)), (Wavefronts{102, 57, 2}));
  const auto run = oneBlock("padded_tree", 256);
  EXPECT_EQ(run.trace.launches[0].recorded().shared[0].bytes, (256 + 8) * 4u);
}

// The wavefronts of the 32 requests that read the tile, or of the 32 that fill it, by kind.
Wavefronts ofTile(const Recorded& run, model::EventKind kind) {
  Wavefronts sum;
  for (const analysis::Round& round : run.rounds())
    for (const analysis::Request& request : round.requests)
      if (request.hasWavefronts() && request.kind == kind) {
        sum.all += request.wavefronts, sum.ideal += request.ideal;
        sum.way = std::max(sum.way, request.way);
      }
  return sum;
}

TEST(Columns, AreInOneBankUnlessRowsArePadded) {
  const Recorded plain = oneBlock("tile_columns", 32), padded = oneBlock("padded_columns", 32);
  EXPECT_EQ(ofTile(plain, model::EventKind::Store), (Wavefronts{32, 32, 1}));
  EXPECT_EQ(ofTile(plain, model::EventKind::Load), (Wavefronts{1024, 32, 32}));
  EXPECT_EQ(ofTile(padded, model::EventKind::Store), (Wavefronts{32, 32, 1}));
  EXPECT_EQ(ofTile(padded, model::EventKind::Load), (Wavefronts{32, 32, 1}));
  EXPECT_EQ(padded.trace.result, plain.trace.result);
  EXPECT_EQ(padded.trace.result, "523776");  // 0 + ... + 1023
}

// 96 threads: strides 48 24 12 6 3 1. Elements 0, 1, 2 hold the sums of every third element, and the third is
// lost.
TEST(LostElements, IsEveryThirdOf96) {
  const Recorded run = oneBlock("lost_elements", 96);
  EXPECT_EQ(run.trace.expected, "4560");  // 0 + ... + 95
  EXPECT_EQ(run.trace.result, "3008");    // without 2 + 5 + ... + 95 = 32 * (2 + 95) / 2 = 1552
  EXPECT_FALSE(run.trace.ok);
  for (const unsigned threads : findVariant("lost_elements")->threads)
    EXPECT_FALSE(oneBlock("lost_elements", threads).trace.ok) << threads;
}

TEST(AnyBlockSize, LosesNothing) {
  const Recorded run = oneBlock("any_block_size", 96);
  EXPECT_EQ(run.trace.result, "4560");
  for (const unsigned threads : findVariant("any_block_size")->threads)
    EXPECT_TRUE(oneBlock("any_block_size", threads).trace.ok) << threads;
  // With a power of two it is the sequential one.
  const Recorded power = oneBlock("any_block_size", 128), sequential = oneBlock("sequential", 128);
  ASSERT_EQ(power.rounds().size(), sequential.rounds().size());
  for (std::size_t i = 0; i < power.rounds().size(); ++i)
    EXPECT_EQ(power.rounds()[i].snapshot, sequential.rounds()[i].snapshot) << i;
}

TEST(MissingBoundCheck, ReadsPastTheEndOnlyWhereABlockIsNotFull) {
  const Variant& variant = *findVariant("missing_bound_check");
  EXPECT_EQ(variant.firstElements(256), 224u);
  const Recorded past = runOf({.variant = "missing_bound_check", .threads = 256, .elements = 224});
  ASSERT_FALSE(past.analysis.launches[0].problems.empty());
  EXPECT_EQ(past.analysis.launches[0].problems[0].kind, model::ProblemKind::OutOfBounds);
  EXPECT_EQ(past.analysis.launches[0].problems[0].thread, 224u);
  const Recorded full = runOf({.variant = "missing_bound_check", .threads = 256, .elements = 256});
  EXPECT_TRUE(full.analysis.launches[0].problems.empty());
  EXPECT_TRUE(full.trace.ok);
  EXPECT_TRUE(runOf({.variant = "many_blocks", .threads = 256, .elements = 224}).trace.ok);
}

TEST(Butterfly, LeavesTheResultInAllLanes) {
  const Recorded run = oneBlock("butterfly", 32);
  const auto& last = run.rounds().back().exchanges;
  ASSERT_EQ(last.size(), 32u);
  for (const auto& exchange : last) {
    ASSERT_TRUE(exchange);
    EXPECT_EQ(exchange->after, 496u);  // 0 + ... + 31
  }
}

std::vector<std::string> resultsOfOrders(std::uint64_t n) {
  std::vector<std::string> results;
  for (const char* id : {"left_to_right", "interleaved_modulo", "sequential", "grid_stride"}) {
    const Variant& variant = *findVariant(id);
    const Recorded run = runOf({.variant = id,
                                .type = model::ElementType::Float,
                                .threads = variant.defaultThreads,
                                .elements = n,
                                .data = model::DataPattern::Ramp});
    EXPECT_TRUE(run.trace.ok) << id << ": " << run.trace.checkNote;
    results.push_back(run.trace.result + " for " + run.trace.expected);
  }
  return results;
}

// Above 2^24 a float is a multiple of 2, above 2^25 of 4. The loop sums up to there early, the trees late.
TEST(OrderOfAdditions, DecidesHowFarAFloatSumIsOff) {
  EXPECT_EQ(resultsOfOrders(10000),
            (std::vector<std::string>{"49992896 for 49995000", "49995000 for 49995000",
                                      "49995000 for 49995000", "49995000 for 49995000"}));
}

TEST(OrderOfAdditions, LosesOnesBesideALargeNumber) {
  model::GivenData given{.name = "large"};
  given.values.assign(32, model::bitsOfElement(1.0f));
  given.values[0] = model::bitsOfElement(16777216.0f);
  model::Experiment experiment{.variant = "left_to_right",
                               .type = model::ElementType::Float,
                               .threads = 1,
                               .elements = 32,
                               .data = model::DataPattern::Given,
                               .given = model::SharedData(std::move(given))};
  EXPECT_EQ(runOf(experiment).trace.result, "16777216");
  experiment.variant = "interleaved_modulo";
  experiment.threads = 32;
  EXPECT_EQ(runOf(experiment).trace.result, "16777246") << "exact: 16777247, which no float is";
}

// As its lesson says: a stride of s makes 2s loads and s stores; one load more takes the result out.
TEST(GlobalMemory, ReadsTwiceWhatItHas) {
  const Recorded run = oneBlock("global_memory", 256);
  std::size_t loads = 0, stores = 0;
  for (const model::Event& event : run.trace.launches[0].recorded().events) {
    if (!event.inGlobal()) continue;
    loads += event.kind() == model::EventKind::Load;
    stores += event.kind() == model::EventKind::Store;
  }
  EXPECT_EQ(loads, 2u * 511 + 1);
  EXPECT_EQ(stores, 511u + 1);
}

}  // namespace
}  // namespace stridescope::kernels
