// The expressions of whole numbers that the text pass reads, against what C++ makes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

using model::KernelExpressions;
using model::NamedNumber;
using model::NameKind;
using Number = std::optional<std::uint32_t>;

KernelExpressions expressionsOf(const std::string& text) {
  const auto result = instrument(text);
  EXPECT_TRUE(result) << result.error().line << ": " << result.error().reason;
  return result ? readExpressions(text, result->sites) : KernelExpressions{};
}

// The one condition of the text that is not empty.
const model::Expression& conditionOf(const KernelExpressions& read) {
  for (const model::Expression& condition : read.conditions)
    if (!condition.words.empty()) return condition;
  ADD_FAILURE() << "no condition";
  return read.conditions.front();
}

const NamedNumber& nameOf(const KernelExpressions& read, std::string_view name) {
  const auto found = std::ranges::find(read.names, name, &NamedNumber::name);
  EXPECT_NE(found, read.names.end()) << name;
  return *found;
}

// With threadIdx.x = 5, n = 7; other names are not known.
Number known(const model::ExpressionWord& word) {
  if (word.text == "threadIdx.x") return 5;
  return word.text == "n" ? Number(7) : Number();
}

KernelExpressions withCondition(const std::string& condition) {
  return expressionsOf(
      "__device__ unsigned twice(unsigned a) { return 2 * a; }\n"
      "__global__ void k(const unsigned* in, unsigned* out, unsigned n, unsigned m) { if (" +
      condition + ") out[0] = 1; }");
}

Number valueOfCondition(const std::string& condition) {
  return model::valueOf(conditionOf(withCondition(condition)), known);
}

TEST(KernelExpressions, HaveTheValuesOfCpp) {
  const unsigned n = 7, tid = 5;
  const std::map<std::string, unsigned> expected{
      {"threadIdx.x + 2 * n", tid + 2 * n},
      {"(threadIdx.x + 2) * n % 4u", (tid + 2) * n % 4u},
      {"n - 1 - threadIdx.x", n - 1 - tid},
      {"n << 2 >> 1", n << 2 >> 1},
      {"threadIdx.x >> 1 > 1", tid >> 1 > 1},
      {"0xff & ~n | 3 ^ n", (0xff & ~n) | (3 ^ n)},
      {"!n || n == 7 && threadIdx.x != 5", 0},
      {"threadIdx.x >= 5", 1},
      {"threadIdx.x <= 4", 0},
      {"-threadIdx.x + +n", n - tid},
      {"n < 7 ? 1 : threadIdx.x > 9 ? 2 : 3", 3},
      {"n == 7 ? 4 : m", 4},
  };
  for (const auto& [condition, value] : expected) EXPECT_EQ(valueOfCondition(condition), value) << condition;
}

TEST(KernelExpressions, HaveNoValueWhereItIsNotKnown) {
  for (const char* condition : {"m < n", "n / (threadIdx.x - 5)", "n % (n - 7)", "n << 32", "n >> (n + 25)",
                                "in[0] < n", "twice(n) < 3", "(int)n < 3", "n < 2.5f", "m || n"})
    EXPECT_EQ(valueOfCondition(condition), std::nullopt) << condition;
}

TEST(KernelExpressions, ArePrintedAsTheTextHasThem) {
  const auto read = withCondition("threadIdx.x<n /* elements */ &&\n   2 *n> 3u");
  EXPECT_EQ(model::printed(conditionOf(read), [](const auto&) { return std::nullopt; }),
            "threadIdx.x<n && 2 *n> 3u");
  EXPECT_EQ(model::printed(conditionOf(read),
                           [](const model::ExpressionWord& word) -> std::optional<std::string> {
                             if (const auto value = known(word)) return std::to_string(*value);
                             return std::nullopt;
                           }),
            "5<7 && 2 *7> 3u");
}

TEST(KernelExpressions, TellWhatNamesStandFor) {
  const KernelExpressions read = expressionsOf(R"(constexpr unsigned rows = 33;
__device__ void add(T* data, unsigned i, unsigned far) { if (i < far) data[i] += data[i + 1]; }
__global__ void kernel(const T* in, T* out, unsigned n)
{
    unsigned tid = threadIdx.x, again = tid;
    const bool first = tid == 0;
    T sum = in[0];
    for (unsigned s = rows / 2; s > 0; s >>= 1) {
        unsigned s2 = 2 * s;
        if (tid < s2) add(out, tid, n - 1);
        again += 1;
    }
    {
        unsigned tid = 3;
        add(out, tid, 4);
    }
    if (first && n > 3) out[0] = sum;
}
)");
  const NamedNumber& tid = nameOf(read, "tid");
  EXPECT_EQ(tid.kind, NameKind::Declared);
  EXPECT_FALSE(tid.reassigned) << "that of the inner block is another";
  EXPECT_EQ(model::valueOf(tid.value, known), 5u);
  EXPECT_TRUE(nameOf(read, "again").reassigned);
  EXPECT_TRUE(nameOf(read, "first").isBool);
  EXPECT_FALSE(tid.isBool);
  EXPECT_EQ(std::ranges::count(read.names, "sum", &NamedNumber::name), 0) << "it is no whole number";
  EXPECT_EQ(std::ranges::count(read.names, "in", &NamedNumber::name), 0) << "it is a pointer";

  const NamedNumber& s = nameOf(read, "s");
  EXPECT_EQ(s.kind, NameKind::Stepped);
  EXPECT_FALSE(s.reassigned);
  ASSERT_GE(s.loop, 0);
  EXPECT_EQ(read.conditions[std::size_t(s.loop)].words.front().text, "s");
  const model::ExpressionWord& rows = s.value.words.front();
  ASSERT_GE(rows.name, 0);
  EXPECT_EQ(read.names[std::size_t(rows.name)].name, "rows");

  const NamedNumber& n = nameOf(read, "n");
  EXPECT_EQ(n.kind, NameKind::Parameter);
  EXPECT_TRUE(n.ofKernel);
  const NamedNumber& far = nameOf(read, "far");
  EXPECT_FALSE(far.ofKernel);
  ASSERT_EQ(far.arguments.size(), 2u);
  EXPECT_EQ(model::valueOf(far.arguments[0], known), 6u);
  EXPECT_EQ(model::valueOf(far.arguments[1], known), 4u);
  const model::ExpressionWord& inner = nameOf(read, "i").arguments[1].words.front();
  ASSERT_GE(inner.name, 0);
  EXPECT_EQ(model::valueOf(read.names[std::size_t(inner.name)].value, known), 3u) << "the inner block's tid";
}

// What a for's step makes of 6.
Number stepped(const std::string& step) {
  const auto read = expressionsOf("__global__ void k(T* out, unsigned n) { for (unsigned s = 1; s < n; " +
                                  step + ") out[s] = 1; }");
  return model::valueOf(nameOf(read, "s").next, [](const model::ExpressionWord& word) {
    return word.text == "s" ? Number(6) : word.text == "n" ? Number(7) : Number();
  });
}

TEST(KernelExpressions, TellWhatAStepMakesOfALoopsVariable) {
  const std::map<std::string, Number> expected{{"++s", 7},
                                               {"s++", 7},
                                               {"--s", 5},
                                               {"s += n - 1", 12},
                                               {"s *= 2", 12},
                                               {"s /= 4", 1},
                                               {"s >>= 1", 3},
                                               {"s <<= 1", 12},
                                               {"s = 2 * s + 1", 13},
                                               {"s = n", 7},
                                               {"s /= 0", Number()},
                                               {"s *= 2, ++s", Number()},
                                               {"++n", Number()},
                                               {"s *= gridDim.x", Number()}};
  for (const auto& [step, value] : expected) EXPECT_EQ(stepped(step), value) << step;
}

TEST(KernelExpressions, AreNoneOfATextThatIsRefused) {
  EXPECT_TRUE(readExpressions("no kernel", {}).conditions.empty());
  EXPECT_TRUE(readExpressions("no kernel", {}).names.empty());
}

}  // namespace
}  // namespace stridescope::instrument
