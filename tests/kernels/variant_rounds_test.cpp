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
  const std::uint64_t blockLoad = std::uint64_t(expected.threads) * variant.elementsPerThread;
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

}  // namespace
}  // namespace stridescope::kernels
