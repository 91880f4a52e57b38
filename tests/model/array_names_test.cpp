// How a place in an array is named, and how numbers of CUDA's scalar types are printed.
#include "model/array_names.h"

#include <gtest/gtest.h>

namespace stridescope::model {
namespace {

Array tile() { return {.name = "tile", .elementBytes = 4, .bytes = 4224, .extents = {32, 33}}; }

TEST(ArrayNames, HaveASubscriptForEachDimension) {
  EXPECT_EQ(elementName(tile(), 0), "tile[0][0]");
  EXPECT_EQ(elementName(tile(), 132), "tile[4][0]");
  EXPECT_EQ(elementName(tile(), 33 * 31 + 32), "tile[31][32]");
  EXPECT_EQ(elementName(tile(), 33 * 32), "tile[32][0]") << "one row beyond the end";
  const Array box{.name = "box", .elementBytes = 2, .bytes = 120, .extents = {3, 4, 5}};
  EXPECT_EQ(elementName(box, 59), "box[2][3][4]");
  EXPECT_EQ(elementName(box, 21), "box[1][0][1]");
}

TEST(ArrayNames, OfOneRowHaveOneSubscript) {
  const Array row{.name = "s", .elementBytes = 4, .bytes = 1 << 20};
  EXPECT_EQ(elementName(row, 7), "s[7]");
  EXPECT_EQ(elementName(row, 123456, Digits::Plain), "s[123456]");
  EXPECT_EQ(elementName(row, 123456), "s[123\u202f456]");
}

TEST(ArrayNames, NameTheMemberThatIsAccessed) {
  const Array pairs{.name = "a",
                    .elementBytes = 12,
                    .bytes = 120,
                    .members = {{NumberKind::Signed, 4, 0, "n"},
                                {NumberKind::Floating, 4, 4, "w[0]"},
                                {NumberKind::Floating, 4, 8, "w[1]"}}};
  EXPECT_EQ(placeName(pairs, 24, 4), "a[2].n");
  EXPECT_EQ(placeName(pairs, 32, 4), "a[2].w[1]");
  EXPECT_EQ(placeName(pairs, 33, 1), "a[2].w[1]") << "a byte of it";
  EXPECT_EQ(placeName(pairs, 24, 8), "a[2]") << "two members";
  EXPECT_EQ(placeName(tile(), 4 * 132, 4), "tile[4][0]");
  Array rows{.name = "m", .elementBytes = 8, .bytes = 64};
  rows.members = {{NumberKind::Signed, 4, 0, "[0]"}, {NumberKind::Signed, 4, 4, "[1]"}};
  EXPECT_EQ(placeName(rows, 20, 4), "m[2][1]");
}

struct Printed {
  MemberType type;
  std::uint64_t bits;
  const char* text;
  const char* name;
};

// The bits are worked out by hand.
TEST(Numbers, OfEveryScalarTypeArePrintedInTheirType) {
  using enum NumberKind;
  for (const Printed& each :
       {Printed{{Signed, 1}, 0xfb, "-5", "char"}, Printed{{Unsigned, 1}, 0xfb, "251", "unsigned char"},
        Printed{{Signed, 2}, 0x8000, "-32768", "short"},
        Printed{{Unsigned, 2}, 0x8000, "32768", "unsigned short"},
        Printed{{Signed, 4}, 0xffffffff, "-1", "int"},
        Printed{{Unsigned, 4}, 0xffffffff, "4294967295", "unsigned"},
        Printed{{Signed, 8}, ~0ull, "-1", "long long"},
        Printed{{Unsigned, 8}, ~0ull, "18446744073709551615", "unsigned long long"},
        Printed{{Floating, 4}, 0x3fc00000, "1.5", "float"},
        Printed{{Floating, 8}, 0xbfe0000000000000, "-0.5", "double"},
        Printed{{Half, 2}, 0x3e00, "1.5", "__half"}, Printed{{Half, 2}, 0x0001, "5.9604645e-08", "__half"},
        Printed{{Half, 2}, 0xfc00, "-inf", "__half"}, Printed{{Bfloat, 2}, 0xbfc0, "-1.5", "__nv_bfloat16"},
        Printed{{Bool, 1}, 1, "1", "bool"}}) {
    EXPECT_EQ(printNumber(each.type, each.bits), each.text) << each.name;
    EXPECT_EQ(cppNameOf(each.type), each.name);
  }
  EXPECT_EQ(printNumber({Signed, 2}, 0x12348000), "-32768") << "bits above its own do not count";
}

TEST(Cells, OfAnElementAreItsMembersOrItself) {
  EXPECT_EQ(cellsOf({.name = "x", .elementBytes = 8, .bytes = 8, .type = ElementType::Int64}),
            (std::vector{MemberType{NumberKind::Signed, 8}}));
  EXPECT_EQ(cellsOf({.name = "x", .elementBytes = 4, .bytes = 8, .type = ElementType::Float}),
            (std::vector{MemberType{NumberKind::Floating, 4}}));
  EXPECT_EQ(cellsOf({.name = "x", .elementBytes = 12, .bytes = 24}),
            (std::vector{MemberType{NumberKind::Unsigned, 8}}));
}

}  // namespace
}  // namespace stridescope::model
