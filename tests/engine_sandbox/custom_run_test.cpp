// Every variant that takes a person's operator runs it: against built-in operators that say the same, and
// against folds written here.
#include <gmock/gmock.h>

#include <limits>
#include <numeric>
#include <string>

#include "custom_support.h"
#include "kernels/catalog.h"

namespace stridescope::engine::sandbox {
namespace {

std::vector<const kernels::Variant*> takers() {
  std::vector<const kernels::Variant*> all;
  for (const kernels::Variant& variant : kernels::catalog())
    if (variant.takesCustom()) all.push_back(&variant);
  return all;
}

TEST(CustomRun, DoesWhatTheBuiltInMaximumDoes) {
  const auto engine = customOnCpu();
  const auto builtIn = host::makeHostEngine();
  for (model::ElementType type : {model::ElementType::Int, model::ElementType::Int64})
    for (const kernels::Variant* variant : takers()) {
      if (variant->isWrong()) continue;
      const std::string lowest = type == model::ElementType::Int ? "-2147483648" : "-9223372036854775808";
      model::Experiment experiment = custom("a < b ? b : a", lowest, type, std::string(variant->id));
      experiment.threads = variant->defaultThreads;
      experiment.elements = 1000;
      experiment.data = model::DataPattern::Random;
      const auto own = record(*engine, experiment);
      ASSERT_TRUE(own) << variant->id << ": " << own.error().sentence << own.error().details;
      experiment.op = model::Operator::Max;
      const auto same = record(*builtIn, experiment);
      ASSERT_TRUE(same) << same.error().sentence;
      EXPECT_TRUE(own->ok) << variant->id;
      EXPECT_EQ(own->result, same->result) << variant->id;
      EXPECT_EQ(own->expected, same->expected) << variant->id;
      EXPECT_TRUE(own->launches == same->launches) << variant->id;
      EXPECT_THAT(model::warningsOf(own->trial), testing::IsEmpty());
    }
}

// x -> m x + c modulo 2^16, m and c in the two halves: applied one after another. Associative, and as far
// from commutative as can be. The fold is over the numbers 0, 1, 2, ... as such pairs.
constexpr const char* kAfter =
    "((a >> 16) * (b >> 16) & 0xffff) << 16 | ((b >> 16) * (a & 0xffff) + (b & 0xffff) & 0xffff)";
unsigned after(unsigned a, unsigned b) {
  const unsigned m = (a >> 16) * (b >> 16) & 0xffffu, c = (b >> 16) * (a & 0xffffu) + (b & 0xffffu);
  return m << 16 | (c & 0xffffu);
}

model::GivenData pairs(unsigned count) {
  model::GivenData data{.name = "pairs"};
  for (unsigned i = 0; i < count; ++i) data.values.push_back((2 * i + 3) << 16 | (7 * i + 1));
  return data;
}

TEST(CustomRun, VariantsThatKeepTheOrderDo) {
  const auto engine = customOnCpu();
  for (const kernels::Variant* variant : takers()) {
    if (variant->isWrong()) continue;
    model::Experiment experiment =
        custom(kAfter, "65536", model::ElementType::Unsigned, std::string(variant->id));
    experiment.threads = variant->defaultThreads;
    experiment.elements = 3000;  // they fill several blocks
    experiment.data = model::DataPattern::Given;
    experiment.given = model::SharedData(pairs(3000));
    const auto trace = record(*engine, experiment);
    ASSERT_TRUE(trace) << variant->id << ": " << trace.error().sentence << trace.error().details;
    const auto& values = experiment.given.get()->values;
    const unsigned expected =
        std::accumulate(values.begin(), values.end(), 65536u,
                        [](unsigned a, std::uint64_t b) { return after(a, unsigned(b)); });
    EXPECT_EQ(trace->expected, std::to_string(expected)) << variant->id;
    EXPECT_EQ(trace->ok, variant->keepsOrder) << variant->id << ": " << trace->result;
    EXPECT_EQ(findingOf(*trace, model::TrialProperty::Associative).verdict, model::TrialVerdict::Holds);
    EXPECT_EQ(trace->checkNote.find("not commutative") != std::string::npos, !trace->ok) << variant->id;
  }
}

TEST(CustomRun, TakesStatements) {
  model::Experiment experiment = custom("while (b != 0) { T rest = a % b; a = b; b = rest; } return a;", "0",
                                        model::ElementType::Unsigned);
  model::GivenData data{.name = "numbers"};
  for (unsigned i = 1; i <= 64; ++i) data.values.push_back(i * 84);
  experiment.data = model::DataPattern::Given;
  experiment.given = model::SharedData(std::move(data));
  const auto trace = record(*customOnCpu(), experiment);
  ASSERT_TRUE(trace) << trace.error().sentence << trace.error().details;
  EXPECT_EQ(trace->result, "84");
  EXPECT_TRUE(trace->ok);
}

TEST(CustomRun, OfNothingGivesTheIdentity) {
  model::Experiment experiment = custom("a * b", "1");
  experiment.elements = 0;
  const auto trace = record(*customOnCpu(), experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->result, "1");
  EXPECT_TRUE(trace->ok);
}

TEST(CustomRun, AWrongIdentityShowsWhereItFillsUp) {
  model::Experiment experiment = custom("a + b", "1");
  experiment.elements = 60;  // of 64 that fill the block
  const auto trace = record(*customOnCpu(), experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->expected, "1770");
  EXPECT_EQ(trace->result, "1774");
  EXPECT_THAT(trace->checkNote, testing::HasSubstr("1 is not the operator's identity"));
}

TEST(CustomRun, AWrongIdentityThatIsNotUsedDoesNoHarm) {
  const auto trace = record(*customOnCpu(), custom("a + b", "1"));  // 64 elements for 64 threads
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_TRUE(trace->ok);
  EXPECT_EQ(trace->checkNote, "");
  EXPECT_THAT(model::warningsOf(trace->trial),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("combine(1, 4) = 5, not 4"),
                                                  testing::HasSubstr("does no harm"))));
}

TEST(CustomRun, OneEngineTakesOneTextAfterAnother) {
  const auto engine = customOnCpu();
  EXPECT_EQ(record(*engine, custom("a + b", "0"))->result, "2016");
  EXPECT_EQ(record(*engine, custom("a > b ? a : b", "0"))->result, "63");
  EXPECT_EQ(record(*engine, custom("a + b", "0", model::ElementType::Double))->result, "2016");
  model::Experiment builtIn{.variant = "sequential", .threads = 64, .elements = 64};
  EXPECT_EQ(record(*engine, builtIn)->result, "2016");
}

}  // namespace
}  // namespace stridescope::engine::sandbox
