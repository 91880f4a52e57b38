// What may be the text of combine, and what its identity: sentences before any compiler is asked.
#include <gmock/gmock.h>

#include <bit>
#include <string>

#include "engine/experiment_check.h"
#include "engine/own_data.h"
#include "kernels/catalog.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::HasSubstr;

TEST(CombineText, MayBeAnExpressionOrStatements) {
  for (const char* text : {"a > b ? a : b", "a", "min(a, b)", "[](T x) -> T { return x; }(a); return b;",
                           "while (b != 0) { T rest = a % b; a = b; b = rest; } return a;", "a\n  +\tb",
                           "T(a)", "(((a))) + (b)"})
    EXPECT_EQ(faultOfCombine(text), std::nullopt) << text;
}

TEST(CombineText, CannotEndItsFunctionByAccident) {
  const std::pair<const char*, const char*> cases[] = {{"", "empty"},
                                                       {" \n\t", "empty"},
                                                       {"a + (b", "'(' of combine is not closed"},
                                                       {"a) + (b", "')'"},
                                                       {"return a; } int x[] = {1", "'}'"},
                                                       {"a[0)", "')'"},
                                                       {"a // b", "comments"},
                                                       {"a /* b", "comments"},
                                                       {"#define X\na", "no #"},
                                                       {"\"{\"", "no \""},
                                                       {"'('", "no '"},
                                                       {"a \\\n b", "no \\"},
                                                       {"%:define a", "%:"},
                                                       {"a + b;", "no return"},
                                                       {"a; b", "no return"},
                                                       {"a \x01 b", "ASCII"},
                                                       {"a \xc3\xa9 b", "ASCII"}};
  for (const auto& [text, why] : cases) {
    const auto fault = faultOfCombine(text);
    ASSERT_TRUE(fault) << text;
    EXPECT_THAT(*fault, HasSubstr(why)) << text;
    EXPECT_TRUE(fault->ends_with('.')) << *fault;
  }
  EXPECT_EQ(faultOfCombine(std::string(kMaxCombineBytes, 'a')), std::nullopt);
  EXPECT_THAT(faultOfCombine(std::string(kMaxCombineBytes + 1, 'a')).value_or(""), HasSubstr("4097 bytes"));
  EXPECT_TRUE(faultOfCombine(std::string("a\0b", 3)));
}

TEST(CustomOperator, KeepsTheIdentitysBits) {
  EXPECT_EQ(readCustomOperator(" a + b ", " -1 ", model::ElementType::Int)->identityBits, 0xffffffffu);
  EXPECT_EQ(readCustomOperator(" a + b ", " -1 ", model::ElementType::Int)->combine, "a + b");
  EXPECT_EQ(readCustomOperator("a", "0.5", model::ElementType::Float)->identityBits,
            std::bit_cast<std::uint32_t>(0.5f));
  EXPECT_EQ(readCustomOperator("a", "-inf", model::ElementType::Double)->identityBits, 0xfff0000000000000u);
  EXPECT_EQ(readCustomOperator("a", "nan", model::ElementType::Float)->identityBits, 0x7fc00000u);
  EXPECT_EQ(readCustomOperator("a", "-nan", model::ElementType::Double)->identityBits, 0x7ff8000000000000u);
}

TEST(CustomOperator, RefusesAnIdentityThatIsNoneOfTheType) {
  const auto sentence = [](const char* identity, model::ElementType type) {
    const auto read = readCustomOperator("a", identity, type);
    return read ? std::string() : read.error().sentence;
  };
  EXPECT_THAT(sentence("", model::ElementType::Int), HasSubstr("no identity"));
  EXPECT_THAT(sentence("0.5", model::ElementType::Int), HasSubstr("'0.5' is no int"));
  EXPECT_THAT(sentence("2147483648", model::ElementType::Int), HasSubstr("out of the range of int"));
  EXPECT_THAT(sentence("-1", model::ElementType::Unsigned), HasSubstr("out of the range of unsigned"));
  EXPECT_THAT(sentence("1e39", model::ElementType::Float), HasSubstr("out of the range of float"));
  EXPECT_THAT(sentence("nan", model::ElementType::Int), HasSubstr("'nan' is no int"));
  EXPECT_THAT(sentence("x", model::ElementType::Double), HasSubstr("'x' is no double"));
}

TEST(CustomOperator, IsCheckedWithTheExperiment) {
  model::Experiment experiment{
      .variant = "sequential", .op = model::Operator::Custom, .custom = {"a + b", "7", 0}};
  EXPECT_EQ(checkedExperiment(experiment, false)->custom.identityBits, 7u);
  experiment.custom.combine = "a +";  // for the compiler to say
  EXPECT_TRUE(checkedExperiment(experiment, false));
  experiment.custom.combine = "a }";
  EXPECT_FALSE(checkedExperiment(experiment, false));
  experiment.op = model::Operator::Add;  // which has none
  EXPECT_EQ(checkedExperiment(experiment, false)->custom, model::CustomOperator{});
}

TEST(CustomOperator, IsOfferedWhereOnlyThePreambleSaysWhatIsDone) {
  for (const char* id : {"sequential", "warp_shuffle", "cooperative_groups", "single_pass", "global_memory"})
    EXPECT_TRUE(kernels::findVariant(id)->offers(model::ElementType::Double, model::Operator::Custom)) << id;
  for (const char* id :
       {"warp_redux", "vectorized_atomic", "k_way_merge", "k_way_merge_near", "subtraction"}) {
    EXPECT_FALSE(kernels::findVariant(id)->offers(model::ElementType::Int, model::Operator::Custom)) << id;
    const model::Experiment experiment{
        .variant = id, .op = model::Operator::Custom, .threads = 0, .custom = {"a", "0", 0}};
    const auto checked = checkedExperiment(experiment, false);
    ASSERT_FALSE(checked) << id;
    EXPECT_THAT(checked.error().sentence, HasSubstr(kernels::findVariant(id)->onlyThese)) << id;
  }
}

TEST(CustomOperator, StandsInThePreamble) {
  const auto preamble = [](model::ElementType type, const char* combine, const char* identity) {
    model::Experiment experiment{.variant = "sequential", .type = type, .op = model::Operator::Custom};
    experiment.custom = *readCustomOperator(combine, identity, type);
    return kernels::preambleOf("", experiment);
  };
  EXPECT_EQ(preamble(model::ElementType::Int, "a > b ? a : b", "-2147483648"),
            "using T = int;\nconstexpr T identity = -2147483647 - 1;\n"
            "__device__ T combine(T a, T b) { return a > b ? a : b; }\n");
  EXPECT_EQ(
      preamble(model::ElementType::Int64, "return a;", "5"),
      "using T = long long;\nconstexpr T identity = 5ll;\n__device__ T combine(T a, T b) { return a; }\n");
  EXPECT_THAT(preamble(model::ElementType::Float, "a", "1"), HasSubstr("identity = 1.0f;"));
  EXPECT_THAT(preamble(model::ElementType::Float, "a", "0.1"), HasSubstr("identity = 0.1f;"));
  EXPECT_THAT(preamble(model::ElementType::Double, "a", "1e300"), HasSubstr("identity = 1e+300;"));
  EXPECT_THAT(preamble(model::ElementType::Double, "a", "-inf"), HasSubstr("0xfff0000000000000ull"));
  EXPECT_THAT(preamble(model::ElementType::Float, "a", "nan"), HasSubstr("(float, 0x7fc00000u)"));
  EXPECT_THAT(preamble(model::ElementType::Double, "a", "nan"), HasSubstr("(double, 0x7ff8000000000000ull)"));
  EXPECT_THAT(preamble(model::ElementType::Unsigned, "a", "4294967295"),
              HasSubstr("identity = 4294967295u;"));
}

}  // namespace
}  // namespace stridescope::engine::sandbox
