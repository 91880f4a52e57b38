// What the picture of several GPUs shows: whose elements each part combines, what goes over a link, what is
// stored.
#include "views/memory/device_map.h"

#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "engine/host/host_engine.h"

namespace stridescope::views {
namespace {

TEST(DeviceMap, OfARingsThirdStepHasOnePartFinishedOnEachGpu) {
  constexpr unsigned kGpus = 4;
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record(
      {.variant = "ring", .threads = 256, .elements = 1024, .gpus = kGpus}, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  const analysis::Analysis analysis = analysis::analyse(*trace);
  const analysis::DeviceTraffic &before = analysis.launches[1].traffic, &now = analysis.launches[2].traffic;
  const auto cells = [&](unsigned buffer, unsigned device) {
    return deviceCells(now.partsAfter[0], &before.partsAfter[0], &now.rounds[0], buffer, device);
  };
  // GPU 0 has taken part 1 from GPU 3 and finished it; GPU 1 takes part 2 of it.
  const std::vector<DeviceCell> expected{
      {.first = 0, .end = 256, .of = 0, .label = "-"},
      {.first = 256, .end = 512, .of = 0b1111, .isStored = true, .label = "all"},
      {.first = 512, .end = 768, .of = 0b1101, .isTaken = true, .label = "0+2+3"},
      {.first = 768, .end = 1024, .of = 0b1001, .label = "0+3"}};
  EXPECT_EQ(cells(1, 0), expected);
  EXPECT_EQ(cells(0, 2), (std::vector<DeviceCell>{{.first = 0, .end = 1024, .of = 0b100, .label = "2"}}));
  for (const DeviceCell& cell : deviceCells(now.partsAfter[0], nullptr, nullptr, 1, 0))
    EXPECT_FALSE(cell.isTaken || cell.isStored) << "nothing is told of the round";
}

TEST(DeviceMap, ShowsTheBlockInTheSamePlaceOfAnotherGpusGrid) {
  model::LaunchTrace launch;
  launch.devices = 3;
  launch.grid = 3 * 10;
  launch.recorded().block = 10 + 4;
  EXPECT_EQ(blockOnDevice(launch, 0), 4u);
  EXPECT_EQ(blockOnDevice(launch, 1), 14u);
  EXPECT_EQ(blockOnDevice(launch, 2), 24u);
}

TEST(DeviceMap, SaysWhoWaits) {
  analysis::DeviceRound round;
  round.waits = {{.device = 0, .of = 2, .thread = 0}};
  EXPECT_TRUE(waitsIn(&round, 0));
  EXPECT_FALSE(waitsIn(&round, 2)) << "it has sent";
  EXPECT_FALSE(waitsIn(nullptr, 0));
}

// An array that goes whole and in part: a bar is cut where one of them begins.
TEST(DeviceMap, CutsAPartWhereATransferBegins) {
  const DeviceParts now{{{{0, 100, 1}}, {{0, 100, 2}}}};
  analysis::DeviceRound round;
  round.transfers = {{.from = 0, .to = 1, .by = 1, .buffer = 0, .runs = {{30, 40}, {60, 70}}, .bytes = 80}};
  const std::vector<DeviceCell> expected{{.first = 0, .end = 30, .of = 1, .label = "0"},
                                         {.first = 30, .end = 40, .of = 1, .isTaken = true, .label = "0"},
                                         {.first = 40, .end = 60, .of = 1, .label = "0"},
                                         {.first = 60, .end = 70, .of = 1, .isTaken = true, .label = "0"},
                                         {.first = 70, .end = 100, .of = 1, .label = "0"}};
  EXPECT_EQ(deviceCells(now, nullptr, &round, 0, 0), expected);
  EXPECT_EQ(deviceCells(now, nullptr, &round, 0, 1).size(), 1u);
}

}  // namespace
}  // namespace stridescope::views
