#include "model/experiment.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/arithmetic.h"
#include "model/operator_table.h"
#include "model/trace.h"

namespace stridescope::model {
namespace {

TEST(ExperimentNames, AreThoseOfTheCommandLine) {
  EXPECT_EQ(nameOf(ElementType::Int), "int");
  EXPECT_EQ(nameOf(ElementType::Unsigned), "unsigned");
  EXPECT_EQ(nameOf(ElementType::Int64), "int64");
  EXPECT_EQ(nameOf(ElementType::Float), "float");
  EXPECT_EQ(nameOf(ElementType::Double), "double");
  EXPECT_EQ(nameOf(Operator::Multiply), "*");
  EXPECT_EQ(wordOf(Operator::Multiply), "mul");
  EXPECT_EQ(nameOf(Operator::Xor), "^");
  EXPECT_EQ(wordOf(Operator::Xor), "xor");
  EXPECT_EQ(nameOf(DataPattern::Alternating), "alternating");
  EXPECT_EQ(nameOf(EngineKind::Recorded), "recorded");
  EXPECT_EQ(nameOf(ProblemKind::OutOfBounds), "out of bounds");
}

TEST(ExperimentNames, ReadBackAsWhatTheyName) {
  for (const ElementType type : kElementTypes) EXPECT_EQ(parseElementType(nameOf(type)), type);
  for (const DataPattern data : kDataPatterns) EXPECT_EQ(parseDataPattern(nameOf(data)), data);
  for (const Operator op : kOperators) {
    EXPECT_EQ(parseOperator(nameOf(op)), op);
    EXPECT_EQ(parseOperator(wordOf(op)), op);
  }
}

TEST(ExperimentNames, OfNothingAreRefused) {
  for (const char* name : {"", "Int", "int ", "longer", "+ ", "plus", "RAMP", "rand"}) {
    EXPECT_FALSE(parseElementType(name)) << name;
    EXPECT_FALSE(parseOperator(name)) << name;
    EXPECT_FALSE(parseDataPattern(name)) << name;
  }
}

TEST(ExperimentTypes, HaveTheirSizesAndOperators) {
  EXPECT_EQ(bytesOf(ElementType::Int), 4u);
  EXPECT_EQ(bytesOf(ElementType::Int64), 8u);
  EXPECT_EQ(bytesOf(ElementType::Float), 4u);
  EXPECT_EQ(bytesOf(ElementType::Double), 8u);
  EXPECT_EQ(cppNameOf(ElementType::Int64), "long long");
  int offered = 0;
  for (const ElementType type : kElementTypes)
    for (const Operator op : kOperators) offered += isOffered(type, op);
  EXPECT_EQ(offered, 5 * 7 - 2 * 3);  // & | ^ on float and double
  EXPECT_FALSE(isOffered(ElementType::Float, Operator::And));
  EXPECT_TRUE(isOffered(ElementType::Unsigned, Operator::And));
  EXPECT_TRUE(isOffered(ElementType::Double, Operator::Min));
}

// The examples of FIPS 180-4's test vectors.
TEST(KernelHash, IsSha256InHexadecimal) {
  EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(OperatorTable, HasALineForEachOperatorInTheirOrder) {
  for (std::size_t i = 0; i < kOperatorTable.size(); ++i) {
    const OperatorFacts& facts = kOperatorTable[i];
    EXPECT_EQ(facts.op, Operator(i));
    const bool custom = facts.op == Operator::Custom;
    EXPECT_EQ(facts.expression.empty(), custom);
    EXPECT_EQ(facts.identity == IdentityKind::Given, custom);
    for (const std::string_view text : {facts.enumerator, facts.symbol, facts.word, facts.verbs, facts.verb,
                                        facts.noun, facts.withRegister})
      EXPECT_FALSE(text.empty()) << facts.enumerator;
    EXPECT_TRUE(facts.verbs.ends_with(facts.after)) << "which sentences cut off";
    EXPECT_EQ(facts.isBitwise, !isOffered(ElementType::Float, facts.op));
  }
}

// The identity leaves every element as it is.
TEST(OperatorTable, HasIdentitiesThatAreSome) {
  for (const OperatorFacts& facts : kOperatorTable) {
    if (facts.op == Operator::Custom) continue;
    const auto identity = [&]() -> std::int32_t {
      switch (facts.identity) {
        case IdentityKind::One:
          return 1;
        case IdentityKind::Largest:
          return std::numeric_limits<std::int32_t>::max();
        case IdentityKind::Smallest:
          return std::numeric_limits<std::int32_t>::min();
        case IdentityKind::AllBits:
          return -1;
        default:
          return 0;
      }
    }();
    for (const std::int32_t value : {0, 1, -7, 2147483647})
      EXPECT_EQ(combineBits(ElementType::Int, facts.op, bitsOfElement(value), bitsOfElement(identity)),
                bitsOfElement(value))
          << facts.enumerator;
  }
}

}  // namespace
}  // namespace stridescope::model
