#include <gtest/gtest.h>

#include "model/machine_code.h"

namespace stridescope::model {
namespace {

struct Words {
  std::string predicate, operation;
  Flow flow;
};

Words split(const std::string& text) {
  const CodeWords words = wordsOf(text);
  return {text.substr(0, words.predicateEnd),
          text.substr(words.operation, words.operationEnd - words.operation), words.flow};
}

TEST(CodeWords, TellPredicateOperationAndFlow) {
  const Words branch = split("@!P1 BRA `(.L_x_0)");
  EXPECT_EQ(branch.predicate, "@!P1");
  EXPECT_EQ(branch.operation, "BRA");
  EXPECT_EQ(branch.flow, Flow::Branch);
  const Words barrier = split("BAR.SYNC.DEFER_BLOCKING 0x0");
  EXPECT_EQ(barrier.predicate, "");
  EXPECT_EQ(barrier.operation, "BAR.SYNC.DEFER_BLOCKING");
  EXPECT_EQ(barrier.flow, Flow::Barrier);
  const Words ptx = split("@%p1 bra $L__BB0_4");
  EXPECT_EQ(ptx.predicate, "@%p1");
  EXPECT_EQ(ptx.flow, Flow::Branch);
  EXPECT_EQ(split("IADD3 R0, R0, R3, RZ").flow, Flow::None);
  EXPECT_EQ(split("EXIT").operation, "EXIT");
  EXPECT_EQ(split("BRANCHLESS R1").flow, Flow::None) << "the whole name counts";
  EXPECT_TRUE(wordsOf(".L_x_1:").isLabel);
  EXPECT_FALSE(wordsOf("EXIT").isLabel);
}

// Whatever a file says.
TEST(CodeWords, StayWithinTheText) {
  for (const std::string text : {"", "@", "@P0", "@P0 ", " ", ":", "@P0  X", "X "}) {
    const CodeWords words = wordsOf(text);
    EXPECT_LE(words.predicateEnd, text.size()) << text;
    EXPECT_LE(words.operation, words.operationEnd) << text;
    EXPECT_LE(words.operationEnd, text.size()) << text;
  }
}

TEST(CodeWords, CountOfInstructions) {
  const std::vector<model::CodeLine> lines{
      {11, "@!P1 BRA `(.L_x_0)"}, {11, ".L_x_1:"},       {13, "@!P1 IADD3 R0, R0, R3, RZ"},
      {13, "@P0 EXIT"},           {14, "BRA `(.L_x_1)"}, {15, "NOP"}};
  const CodeCounts counts = countsOf(lines);
  EXPECT_EQ(counts.instructions, 5u);
  EXPECT_EQ(counts.predicated, 1u);
  EXPECT_EQ(counts.branches, 2u);
}

}  // namespace
}  // namespace stridescope::model
