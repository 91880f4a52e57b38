// Every variant with every type and operator that it offers, at sizes round every border there is, against a
// plain loop. sweepStep() thins the matrix out.
#include <gtest/gtest.h>

#include <array>

#include "analysis/analysis.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "plain_loop.h"
#include "support/whole_sweeps.h"

namespace stridescope::kernels {
namespace {

constexpr std::array<std::uint64_t, 13> kSizes{0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4095, 65536};
constexpr std::uint64_t kLargePrime = 1'000'003;
// An element takes three events, and a thread may make 65,536.
constexpr std::uint64_t kMaxElementsOfOneThread = 20'000;

std::uint64_t mostElements(const Variant& variant) {
  return variant.threads.back() == 1 ? kMaxElementsOfOneThread : kLargePrime;
}

std::vector<model::Experiment> experimentsOf(const Variant& variant) {
  std::vector<model::Experiment> experiments;
  for (model::ElementType type : variant.types)
    for (model::Operator op : variant.operators) {
      if (!variant.offers(type, op)) continue;
      for (std::uint64_t elements : kSizes) {
        if (elements > mostElements(variant)) continue;
        // The sizes take turns, so that each meets several types and operators.
        const std::size_t turn = experiments.size() + std::size_t(type) + std::size_t(op);
        experiments.push_back({.variant = std::string(variant.id),
                               .type = type,
                               .op = op,
                               .threads = variant.threads[turn % variant.threads.size()],
                               .elements = elements});
      }
    }
  return experiments;
}

model::Trace recordOf(engine::Engine& engine, const model::Experiment& experiment) {
  engine::JobControl job;
  auto trace = engine.record(experiment, job);
  EXPECT_TRUE(trace.has_value()) << trace.error().sentence;
  return trace ? std::move(*trace) : model::Trace{};
}

void expectPlainResult(engine::Engine& engine, const model::Experiment& plain) {
  const model::Experiment experiment = test::withPlainData(plain);
  SCOPED_TRACE(std::string(model::nameOf(experiment.type)) + " " + std::string(model::nameOf(experiment.op)) +
               ", " + std::to_string(experiment.elements) + " elements, " +
               std::to_string(experiment.threads) + " threads");
  const model::Trace trace = recordOf(engine, experiment);
  EXPECT_EQ(test::printedNumber(trace.result), test::plainResult(experiment)) << trace.result;
  EXPECT_TRUE(trace.ok) << trace.checkNote;
}

// Arrays that devices combine have tests of their own.
bool isReduction(const Variant& variant) {
  return !variant.isWrong() && !variant.merges() && variant.devices != model::DeviceUse::ArrayEach;
}

std::vector<std::string> reductions() {
  std::vector<std::string> ids;
  for (const Variant& variant : catalog())
    if (isReduction(variant)) ids.emplace_back(variant.id);
  return ids;
}

class VariantResults : public testing::TestWithParam<std::string> {};

TEST_P(VariantResults, AreAPlainLoops) {
  const auto engine = engine::host::makeHostEngine();
  const auto experiments = experimentsOf(*findVariant(GetParam()));
  for (std::size_t i = 0; i < experiments.size(); i += support::sweepStep()) {
    expectPlainResult(*engine, experiments[i]);
    if (HasFailure()) return;
  }
}

TEST_P(VariantResults, AreAPlainLoopsOverAMillion) {
  const Variant& variant = *findVariant(GetParam());
  if (mostElements(variant) < kLargePrime) GTEST_SKIP() << "one thread does not record so many";
  const auto engine = engine::host::makeHostEngine();
  expectPlainResult(*engine, {.variant = GetParam(),
                              .op = model::Operator::Add,
                              .threads = variant.threads.back(),
                              .elements = support::sweepStep() == 1 ? kLargePrime : kLargePrime / 10});
}

INSTANTIATE_TEST_SUITE_P(Catalog, VariantResults, testing::ValuesIn(reductions()),
                         [](const auto& one) { return one.param; });

// What the tree of `subtraction` comes to, worked out step by step: far from the loop's result.
TEST(Subtraction, DependsOnTheBrackets) {
  const auto engine = engine::host::makeHostEngine();
  const model::Experiment experiment{
      .variant = "subtraction", .op = model::Operator::Subtract, .threads = 32, .elements = 32};
  std::array<int, 32> tree{};
  for (int i = 0; i < 32; ++i) tree[std::size_t(i)] = i;
  for (std::size_t s = 16; s > 0; s /= 2)
    for (std::size_t i = 0; i < s; ++i) tree[i] -= tree[i + s];
  const model::Trace trace = recordOf(*engine, experiment);
  EXPECT_EQ(trace.result, std::to_string(tree[0]));
  EXPECT_EQ(trace.expected, std::to_string(0 - 31 * 32 / 2));
  EXPECT_FALSE(trace.ok);
  EXPECT_TRUE(analysis::analyse(trace).launches[0].races.empty());
}

}  // namespace
}  // namespace stridescope::kernels
