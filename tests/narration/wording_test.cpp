#include "narration/wording.h"

#include <gtest/gtest.h>

namespace stridescope::narration {
namespace {

TEST(Wording, CountsAgreeInNumber) {
  EXPECT_EQ(count(1, "wavefront"), "1 wavefront");
  EXPECT_EQ(count(0, "wavefront"), "0 wavefronts");
  EXPECT_EQ(count(8, "wavefront"), "8 wavefronts");
}

TEST(Wording, ArticleOfAWay) {
  for (unsigned way = 2; way <= 32; ++way) {
    const bool an = way == 8 || way == 11 || way == 18;
    EXPECT_EQ(wayConflict(way), (an ? "an " : "a ") + std::to_string(way) + "-way bank conflict");
  }
}

TEST(Wording, OperatorsAsExpressions) {
  EXPECT_EQ(expression(model::Operator::Add, "34", "22"), "34 + 22");
  EXPECT_EQ(expression(model::Operator::Min, "34", "22"), "min(34, 22)");
}

}  // namespace
}  // namespace stridescope::narration
