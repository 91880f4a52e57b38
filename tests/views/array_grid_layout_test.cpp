// The geometry of arrays as grids, without a window. A character of a label is 7 pixels wide here.
#include "views/memory/array_grid_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace stridescope::views {
namespace {

using model::Array;
using model::NumberKind;

ArrayGridInput input(float width, float height, float valueWidth) {
  return {.width = width,
          .height = height,
          .unit = 1,
          .valueWidth = valueWidth,
          .textWidth = [](const std::string& text) { return 7 * float(text.size()); }};
}

Array tile() {
  return {.name = "tile",
          .elementBytes = 4,
          .bytes = 32 * 33 * 4,
          .type = model::ElementType::Float,
          .extents = {32, 33}};
}

// Each element has its cell, and no two have the same.
void expectEveryCell(const std::vector<Array>& arrays, const ArrayGrids& grids) {
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>> found;
  for (const ArrayPlane& plane : grids.planes)
    for (std::uint64_t row = 0; row < plane.rows; ++row)
      for (std::uint64_t column = 0; column < plane.cellsAcross(); ++column) {
        const auto cell = arrayCellAt(grids, plane.gridLeft + (float(column) + 0.5f) * grids.cellWidth,
                                      plane.gridTop + (float(row) + 0.5f) * grids.cellHeight);
        if (cell) found.insert({grids.planes[cell->plane].array, cell->element, cell->cell});
      }
  std::size_t wanted = 0;
  for (const Array& array : arrays)
    wanted += std::size_t(array.bytes / array.elementBytes) * std::max<std::size_t>(1, array.members.size());
  EXPECT_EQ(found.size(), wanted);
}

// What stands under a place stays there, and labels do not grow.
TEST(ArrayGrids, MayBeZoomedAboutAPlace) {
  const std::vector<Array> arrays{tile()};
  const ArrayGrids fitting = layOutArrays(arrays, input(1200, 700, 24));
  const ArrayGrids large = zoomed(fitting, {.times = 4, .left = 300, .top = 100});
  EXPECT_EQ(arrayCellAt(large, (500 - 300) * 4, (200 - 100) * 4), arrayCellAt(fitting, 500, 200));
  EXPECT_EQ(large.cellWidth, 4 * fitting.cellWidth);
  EXPECT_EQ(large.planes[0].gridTop - large.planes[0].top, fitting.planes[0].gridTop - fitting.planes[0].top);
  EXPECT_EQ(large.planes[0].gridLeft - large.planes[0].left,
            fitting.planes[0].gridLeft - fitting.planes[0].left);

  const PlaneInView all = inView(fitting, fitting.planes[0], 1200, 700);
  EXPECT_EQ(all.count(), 32u * 33);
  const PlaneInView part = inView(large, large.planes[0], 1200, 700);
  const auto first = arrayCellAt(large, 0.5f, 0.5f), last = arrayCellAt(large, 1199.5f, 699.5f);
  ASSERT_TRUE(first && last);
  EXPECT_EQ(first->element, part.firstRow * 33 + part.firstColumn);
  EXPECT_EQ(last->element, (part.rows - 1) * 33 + part.columns - 1);
}

TEST(ArrayGrids, APaddedTileHasItsRowsAndColumns) {
  const std::vector<Array> arrays{tile()};
  const ArrayGrids grids = layOutArrays(arrays, input(1200, 700, 24));
  ASSERT_EQ(grids.planes.size(), 1u);
  EXPECT_EQ(grids.planes[0].rows, 32u);
  EXPECT_EQ(grids.planes[0].columns, 33u);
  EXPECT_EQ(grids.planes[0].title, "float tile[32][33]");
  EXPECT_EQ(grids.values, CellValues::Exact);
  EXPECT_GE(grids.cellWidth, 24);
  EXPECT_LE(grids.planes[0].gridTop + 32 * grids.cellHeight, 700);
  expectEveryCell(arrays, grids);
  const auto corner = arrayCellAt(grids, grids.planes[0].gridLeft + 32.5f * grids.cellWidth,
                                  grids.planes[0].gridTop + 4.5f * grids.cellHeight);
  EXPECT_EQ(corner, (ArrayCell{0, 4 * 33 + 32, 0}));
  EXPECT_EQ(rowLabel(arrays[0], grids.planes[0], 4), "4");
}

TEST(ArrayGrids, WhereValuesHaveNoRoomCellsAreSmaller) {
  const std::vector<Array> arrays{tile()};
  const ArrayGrids grids = layOutArrays(arrays, input(600, 300, 24));
  EXPECT_EQ(grids.values, CellValues::None);
  EXPECT_TRUE(grids.everythingFits);
  EXPECT_LE(grids.planes[0].gridTop + 32 * grids.cellHeight, 300);
  EXPECT_LE(grids.planes[0].gridLeft + 33 * grids.cellWidth, 600);
  expectEveryCell(arrays, grids);
}

TEST(ArrayGrids, OfThreeDimensionsHaveAPlaneForEachOuterIndex) {
  const std::vector<Array> arrays{{.name = "box", .elementBytes = 4, .bytes = 240, .extents = {3, 4, 5}}};
  const ArrayGrids grids = layOutArrays(arrays, input(900, 400, 20));
  ASSERT_EQ(grids.planes.size(), 3u);
  EXPECT_EQ(grids.planes[1].title, "box[1]");
  EXPECT_EQ(grids.planes[1].first, 20u);
  EXPECT_EQ(grids.planes[1].rows, 4u);
  EXPECT_EQ(grids.planes[1].columns, 5u);
  EXPECT_EQ(grids.planes[0].top, grids.planes[1].top) << "beside one another";
  EXPECT_LT(grids.planes[0].gridLeft + 5 * grids.cellWidth, grids.planes[1].left + 1);
  expectEveryCell(arrays, grids);
}

TEST(ArrayGrids, VeryManyPlanesAreOne) {
  const std::vector<Array> arrays{{.name = "a", .elementBytes = 1, .bytes = 3000, .extents = {500, 2, 3}}};
  const ArrayGrids grids = layOutArrays(arrays, input(900, 4000, 0));
  ASSERT_EQ(grids.planes.size(), 1u);
  EXPECT_EQ(grids.planes[0].rows, 1000u);
  EXPECT_EQ(rowLabel(arrays[0], grids.planes[0], 7), "[3][1]");
  expectEveryCell(arrays, grids);
}

TEST(ArrayGrids, StructsHaveACellForEachMember) {
  const std::vector<Array> arrays{{.name = "stats",
                                   .elementBytes = 12,
                                   .bytes = 64 * 12,
                                   .members = {{NumberKind::Signed, 4, 0, "n"},
                                               {NumberKind::Floating, 4, 4, "mean"},
                                               {NumberKind::Floating, 4, 8, "m2"}}}};
  const ArrayGrids grids = layOutArrays(arrays, input(1000, 500, 40));
  ASSERT_EQ(grids.planes.size(), 1u);
  EXPECT_EQ(grids.planes[0].columns, 8u) << "24 cells across";
  EXPECT_EQ(grids.planes[0].rows, 8u);
  EXPECT_EQ(grids.planes[0].title, "stats[64]: n, mean, m2");
  const auto mean = arrayCellAt(grids, grids.planes[0].gridLeft + 4.5f * grids.cellWidth,
                                grids.planes[0].gridTop + 1.5f * grids.cellHeight);
  EXPECT_EQ(mean, (ArrayCell{0, 9, 1}));
  EXPECT_EQ(rowLabel(arrays[0], grids.planes[0], 1), "8");
  expectEveryCell(arrays, grids);
}

// A struct that holds arrays, of which there is one.
TEST(ArrayGrids, ArraysInASingleStructStandByThemselves) {
  std::vector<Array> arrays{{.name = "soa", .elementBytes = 244, .bytes = 244}};
  for (unsigned i = 0; i < 40; ++i)
    arrays[0].members.push_back({NumberKind::Signed, 4, 4 * i, "place[" + std::to_string(i) + "]"});
  for (unsigned i = 0; i < 20; ++i)
    arrays[0].members.push_back({NumberKind::Floating, 4, 160 + 4 * i, "mass[" + std::to_string(i) + "]"});
  arrays[0].members.push_back({NumberKind::Unsigned, 4, 240, "count"});
  const ArrayGrids grids = layOutArrays(arrays, input(1200, 400, 20));
  ASSERT_EQ(grids.planes.size(), 3u);
  EXPECT_EQ(grids.planes[0].title, "int soa.place[40]");
  EXPECT_EQ(grids.planes[1].title, "float soa.mass[20]");
  EXPECT_EQ(grids.planes[2].title, "unsigned soa.count");
  EXPECT_EQ(grids.planes[0].rows, 2u);
  EXPECT_EQ(
      arrayCellAt(grids, grids.planes[1].gridLeft + 2.5f * grids.cellWidth, grids.planes[1].gridTop + 1),
      (ArrayCell{1, 0, 42}));
  EXPECT_EQ(declarationOf(arrays[0]), "soa: place[40], mass[20], count");
  expectEveryCell(arrays, grids);
}

TEST(ArrayGrids, SeveralArraysStandBesideOneAnother) {
  const std::vector<Array> arrays{
      {.name = "a", .elementBytes = 4, .bytes = 64, .type = model::ElementType::Int, .extents = {4, 4}},
      {.name = "b", .elementBytes = 4, .bytes = 64, .type = model::ElementType::Int, .extents = {4, 4}},
      {.name = "c", .elementBytes = 1, .bytes = 100, .members = {{NumberKind::Signed, 1, 0, ""}}}};
  const ArrayGrids grids = layOutArrays(arrays, input(1000, 400, 20));
  ASSERT_EQ(grids.planes.size(), 3u);
  EXPECT_EQ(grids.planes[0].top, grids.planes[1].top);
  EXPECT_GT(grids.planes[1].left, grids.planes[0].gridLeft + 4 * grids.cellWidth);
  EXPECT_EQ(grids.planes[2].title, "char c[100]");
  EXPECT_EQ(grids.planes[2].rows, 4u) << "rows of 32, the last of 4";
  expectEveryCell(arrays, grids);
}

// 9 digits have no room, 5 have, in shorter rows.
TEST(ArrayGrids, LongValuesAreRounded) {
  const std::vector<Array> arrays{
      {.name = "s", .elementBytes = 4, .bytes = 256, .type = model::ElementType::Float}};
  ArrayGridInput narrow = input(400, 200, 70);
  narrow.roundedWidth = 40;
  const ArrayGrids grids = layOutArrays(arrays, narrow);
  EXPECT_EQ(grids.values, CellValues::Rounded);
  EXPECT_EQ(grids.planes[0].columns, 8u);
  EXPECT_EQ(grids.planes[0].rows, 8u);
  expectEveryCell(arrays, grids);
}

// 48 KiB of chars in a low panel.
TEST(ArrayGrids, LargeArraysHaveLongerRows) {
  const std::vector<Array> arrays{
      {.name = "c", .elementBytes = 1, .bytes = 49152, .members = {{NumberKind::Signed, 1, 0, ""}}}};
  const ArrayGrids grids = layOutArrays(arrays, input(1100, 300, 0));
  EXPECT_TRUE(grids.everythingFits);
  EXPECT_GT(grids.planes[0].columns, 32u);
  expectEveryCell(arrays, grids);
}

}  // namespace
}  // namespace stridescope::views
