// The rounds of every variant are those of its idea.
#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "variant_cases.h"

namespace stridescope::kernels {
namespace {

class VariantRounds : public testing::TestWithParam<test::VariantCase> {};

TEST_P(VariantRounds, AreTheIdeas) {
  const auto& expected = GetParam();
  const Variant& variant = *findVariant(expected.id);
  const std::uint64_t blockLoad = std::uint64_t(expected.threads) * variant.launch.elementsPerThread;
  const model::Experiment experiment{.variant = std::string(variant.id),
                                     .op = variant.operators.front(),
                                     .threads = expected.threads,
                                     .elements = expected.elements != 0 ? expected.elements : blockLoad};
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record(experiment, job);
  ASSERT_TRUE(trace.has_value()) << trace.error().sentence;
  const analysis::Analysis analysis = analysis::analyse(*trace);
  const auto& rounds = analysis.launches.at(0).rounds;
  ASSERT_EQ(rounds.size(), expected.rounds.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EXPECT_EQ(rounds[i].stride, expected.rounds[i].stride) << "round " << i;
    EXPECT_EQ(rounds[i].activeLanes, expected.rounds[i].activeLanes) << "round " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, VariantRounds, testing::ValuesIn(test::variantCases()),
                         [](const auto& one) { return std::string(one.param.id); });

// The tutorial's figure: 16 elements, strides 8, 4, 2, 1; and others whose block is less than a warp.
std::vector<test::VariantCase> smallBlocks() {
  using test::growing, test::halving, test::joined, test::without;
  const test::Rounds write{without(1)};
  return {
      {"global_memory", joined({halving(8), write}), 8},
      {"sequential", joined({{without(16)}, halving(8), write}), 16},
      {"interleaved_modulo", joined({{without(8)}, growing(4), write}), 8},
      {"interleaved_contiguous", joined({{without(4)}, growing(2), write}), 4},
      {"first_add_on_load", joined({{{2, 2}}, halving(1), write}), 2},
      {"two_per_thread", joined({{without(8)}, growing(8), write}), 8},
      {"k_way_merge", joined({{without(8)}, halving(4), {without(8)}}), 8, 1},
      {"missing_barrier", {without(4), without(2)}, 4},
  };
}
INSTANTIATE_TEST_SUITE_P(SmallBlocks, VariantRounds, testing::ValuesIn(smallBlocks()),
                         [](const auto& one) { return std::string(one.param.id); });

}  // namespace
}  // namespace stridescope::kernels
