// Which blocks the strip of arrivals shows, and what it says of each.
#include "views/memory/arrival_strip.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

using analysis::RoundArrivals;

model::LaunchTrace launchOf(std::uint64_t blocks) {
  model::LaunchTrace launch;
  launch.grid = blocks;
  for (std::uint64_t block = blocks; block-- > 0;) launch.arrivals.push_back({block});
  return launch;
}

std::vector<std::uint64_t> blocksOf(const std::vector<ArrivalCell>& cells) {
  std::vector<std::uint64_t> blocks;
  for (const ArrivalCell& cell : cells) blocks.push_back(cell.block);
  return blocks;
}

TEST(ArrivalCells, AreInTheOrderOfArrivalAndKnowTheirReaders) {
  const RoundArrivals arrivals{.reads = {{7, 1}, {9, 1}, {3, 2}}, .waits = true};
  const auto cells = arrivalCells(launchOf(4), arrivals, 10, std::nullopt);
  EXPECT_EQ(blocksOf(cells), (std::vector<std::uint64_t>{3, 2, 1, 0}));
  EXPECT_EQ(cells[2].readers, (std::vector<std::uint32_t>{7, 9}));
  EXPECT_EQ(cells[1].readers, (std::vector<std::uint32_t>{3}));
  EXPECT_TRUE(cells[0].readers.empty() && cells[3].readers.empty());
  for (const ArrivalCell& cell : cells) EXPECT_FALSE(cell.isOwn || cell.isToCome);
}

TEST(ArrivalCells, TellWhoComesAfterTheRecordedBlock) {
  const auto cells = arrivalCells(launchOf(4), {.own = 1}, 10, 1);
  for (const ArrivalCell& cell : cells) {
    EXPECT_EQ(cell.isOwn, cell.place == 1);
    EXPECT_EQ(cell.isToCome, cell.place > 1);
  }
}

TEST(ArrivalCells, OfManyBlocksHaveTheHeldOneInView) {
  const model::LaunchTrace launch = launchOf(1000);
  for (const std::size_t held : {0u, 9u, 10u, 500u, 994u, 999u}) {
    const auto cells = arrivalCells(launch, {.own = held}, 10, held);
    ASSERT_EQ(cells.size(), 10u);
    EXPECT_EQ(std::ranges::count(cells, held, &ArrivalCell::place), 1) << held;
    for (std::size_t i = 1; i < cells.size(); ++i) EXPECT_EQ(cells[i].place, cells[i - 1].place + 1);
  }
  EXPECT_EQ(arrivalCells(launch, {}, 10, std::nullopt).front().place, 0u);
}

}  // namespace
}  // namespace stridescope::views
