// The CPU executor's results for every variant, type, operator and many sizes, against a plain loop that is
// written here and knows nothing of the program's own reference.
#include "engine/host/host_engine.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "kernels/catalog.h"
#include "plain_loop.h"
#include "trace/value.h"

namespace stridescope {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Integer results, and floating ones that no order changes, must be the plain loop's.
void expectPlainLoopsResult(Engine& engine, const Experiment& experiment) {
  SCOPED_TRACE(experiment.variant + " " + std::string(nameOf(experiment.type)) + " " +
               std::string(nameOf(experiment.op)) + " n=" + std::to_string(experiment.elements) +
               " threads=" + std::to_string(experiment.threads) + " " + std::string(nameOf(experiment.data)));
  JobControl job;
  const auto trace = engine.record(experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_TRUE(trace->ok) << trace->result << " for " << trace->expected << ": " << trace->checkNote;
  for (const LaunchTrace& launch : trace->launches) EXPECT_TRUE(launch.problems.empty());
  if (const auto expected = plainLoop(experiment)) {
    EXPECT_EQ(trace->result, *expected);
    EXPECT_EQ(trace->expected, *expected);
  }
}

class EveryVariant : public testing::TestWithParam<std::string> {};

TEST_P(EveryVariant, GivesThePlainLoopsResult) {
  const Variant& variant = *findVariant(GetParam());
  const auto engine = makeHostEngine();
  int run = 0;
  for (ElementType type : variant.types)
    for (Operator op : variant.operators)
      for (std::uint64_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537})
        for (DataPattern data : kDataPatterns) {
          if (!isOffered(type, op)) continue;
          if (kSanitized && run++ % 10 != 0) continue;
          expectPlainLoopsResult(*engine, {.variant = std::string(variant.id),
                                           .type = type,
                                           .op = op,
                                           .threads = 256,
                                           .elements = n,
                                           .data = data});
        }
}

TEST_P(EveryVariant, RunsWithEveryLegalBlockSize) {
  const Variant& variant = *findVariant(GetParam());
  const auto engine = makeHostEngine();
  for (unsigned threads : variant.threads)
    for (std::uint64_t n : {1u, threads - 1, threads, threads + 1, 3 * threads, 5000u})
      for (ElementType type : {ElementType::Int, ElementType::Double})
        expectPlainLoopsResult(*engine, {.variant = std::string(variant.id),
                                         .type = type,
                                         .threads = threads,
                                         .elements = n,
                                         .data = DataPattern::Random});
}

std::vector<std::string> variantIds() {
  std::vector<std::string> ids;
  for (const Variant& variant : catalog()) ids.emplace_back(variant.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryVariant, testing::ValuesIn(variantIds()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace stridescope
