// The widths of a bar's fields, by hand.
#include <gtest/gtest.h>

#include "views/forms/experiment_bar.h"

namespace stridescope::views {
namespace {

const std::vector<FieldRequest> kThree{
    {.preferred = 200, .least = 100}, {.preferred = 100, .least = 50}, {.preferred = 60, .least = 80}};
using Widths = std::vector<float>;

TEST(FieldWidths, AreTheUsualOnesWhereThereIsRoomAndMoreForALongText) {
  EXPECT_EQ(fieldWidths(kThree, 1000, 10), (Widths{200, 100, 80}));
  EXPECT_EQ(fieldWidths(kThree, 400, 10), (Widths{200, 100, 80})) << "just";
}

TEST(FieldWidths, ShrinkTogetherToWhatTheirTextsNeed) {
  EXPECT_EQ(fieldWidths(kThree, 325, 10), (Widths{150, 75, 80})) << "half of what they could give";
  EXPECT_EQ(fieldWidths(kThree, 250, 10), (Widths{100, 50, 80}));
}

TEST(FieldWidths, GiveWayFromTheRight) {
  EXPECT_EQ(fieldWidths(kThree, 249, 10).back(), 0);
  EXPECT_GT(fieldWidths(kThree, 249, 10)[1], 50);
  EXPECT_EQ(fieldWidths(kThree, 160, 10), (Widths{100, 50, 0}));
  EXPECT_EQ(fieldWidths(kThree, 159, 10), (Widths{159, 0, 0}));
}

TEST(FieldWidths, SomeGiveWayWhenNoOtherIsLeft) {
  std::vector<FieldRequest> four = kThree;
  four.push_back({.preferred = 70, .least = 40, .givesWayLast = true});
  EXPECT_EQ(fieldWidths(four, 300, 10), (Widths{100, 50, 80, 40}));
  EXPECT_EQ(fieldWidths(four, 210, 10), (Widths{100, 50, 0, 40}));
  EXPECT_EQ(fieldWidths(four, 150, 10), (Widths{100, 0, 0, 40}));
  EXPECT_EQ(fieldWidths(four, 149, 10), (Widths{149, 0, 0, 0}));
}

TEST(FieldWidths, TheFirstStandsInAnyCase) {
  EXPECT_EQ(fieldWidths(kThree, 70, 10), (Widths{70, 0, 0}));
  EXPECT_EQ(fieldWidths(kThree, -5, 10), (Widths{0, 0, 0}));
  EXPECT_TRUE(fieldWidths({}, 100, 10).empty());
}

}  // namespace
}  // namespace stridescope::views
