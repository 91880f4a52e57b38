// What devices send each other in traces made by hand, of which the catalogue's kernels have no like.
#include "analysis/device_traffic.h"

#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "model/array_names.h"

namespace stridescope::analysis {
namespace {

using model::EventKind;

constexpr unsigned kIn = 0, kOut = 1;
constexpr std::uint64_t kElements = 4;  // of each array of each device
constexpr std::uint32_t kLoad = 0, kStore = 1, kBarrier = 2;

// One thread of each device accesses elements of 4 bytes.
struct Act {
  EventKind kind{};
  unsigned array = 0, device = 0;
  std::uint64_t element = 0;
};
Act load(unsigned array, unsigned device, std::uint64_t element) {
  return {EventKind::Load, array, device, element};
}
Act store(unsigned array, unsigned device, std::uint64_t element) {
  return {EventKind::Store, array, device, element};
}
const Act kWait{EventKind::BlockBarrier};

model::Event eventOf(const Act& act) {
  if (act.kind == EventKind::BlockBarrier) return {recording::eventHead(0, kBarrier, act.kind, 0, 0), 0};
  return {recording::eventHead((act.device * kElements + act.element) * 4,
                               act.kind == EventKind::Load ? kLoad : kStore, act.kind,
                               std::uint32_t(recording::kGlobalSpace) + act.array, 2),
          0};
}

using ByDevice = std::vector<std::vector<Act>>;

model::LaunchTrace launchOf(const ByDevice& devices) {
  model::LaunchTrace launch;
  launch.setShape({1, 1, 1}, {1, 1, 1});
  launch.devices = unsigned(devices.size());
  launch.grid = devices.size();
  launch.elements = kElements;
  for (const auto& [name, role] :
       {std::pair("in", model::ParameterRole::Input), std::pair("out", model::ParameterRole::Output)}) {
    model::Array& array = launch.buffers.emplace_back();
    array.name = name;
    array.elementBytes = 4;
    array.devices = launch.devices;
    array.bytes = launch.devices * kElements * 4;
    array.type = model::ElementType::Int;
    array.role = role;
  }
  launch.blocks.clear();
  for (const std::vector<Act>& acts : devices) {
    model::BlockTrace& block = launch.blocks.emplace_back();
    block.device = unsigned(launch.blocks.size()) - 1;
    block.block = block.device;
    block.first = {0, std::uint32_t(acts.size())};
    for (const Act& act : acts) block.events.push_back(eventOf(act));
  }
  return launch;
}

model::Trace traceOf(const std::vector<ByDevice>& launches) {
  model::Trace trace;
  trace.experiment.threads = 1;
  for (const auto& [kind, text] :
       {std::pair(model::SiteKind::Load, "in[i]"), std::pair(model::SiteKind::Store, "out[i]"),
        std::pair(model::SiteKind::BlockBarrier, "__syncthreads()")}) {
    model::Site& site = trace.sites.emplace_back();
    site.id = int(trace.sites.size()) - 1;
    site.kind = kind;
    site.line = int(trace.sites.size());
    site.column = 1;
    site.text = text;
  }
  for (const ByDevice& each : launches) trace.launches.push_back(launchOf(each));
  return trace;
}

// Whose elements the result of a device holds after the last round of a launch, element by element.
std::vector<std::uint32_t> heldIn(const LaunchAnalysis& launch, unsigned device) {
  std::vector<std::uint32_t> held;
  for (const DevicePart& part : launch.traffic.partsAfter.back()[kOut][device])
    held.resize(part.end, part.of);
  return held;
}
using Held = std::vector<std::uint32_t>;

TEST(DeviceParts, AreOfWhatAThreadLoadedSinceItStoredLast) {
  const Analysis analysis =
      analyse(traceOf({{{load(kIn, 1, 0), store(kOut, 0, 0), load(kIn, 0, 1), store(kOut, 0, 1),
                         load(kIn, 0, 2), load(kIn, 1, 2), store(kOut, 0, 2)},
                        {}}}));
  EXPECT_EQ(heldIn(analysis.launches[0], 0), (Held{2, 1, 3, 0}));
  EXPECT_EQ(heldIn(analysis.launches[0], 1), (Held{0, 0, 0, 0}));
}

TEST(DeviceParts, GoOnInTheNextLaunchAndWhatThreadsHeldDoesNot) {
  const Analysis analysis =
      analyse(traceOf({{{load(kIn, 0, 0), store(kOut, 0, 0), load(kIn, 1, 1)}, {}},
                       {{load(kIn, 0, 1), store(kOut, 0, 1)}, {load(kOut, 0, 0), store(kOut, 1, 3)}}}));
  EXPECT_EQ(heldIn(analysis.launches[1], 0), (Held{1, 1, 0, 0}));
  EXPECT_EQ(heldIn(analysis.launches[1], 1), (Held{0, 0, 0, 1}));
}

// What a device stores in a round, others find in the next one.
TEST(DeviceParts, AreThereAfterTheRoundInWhichTheyAreStored) {
  const Analysis analysis =
      analyse(traceOf({{{load(kIn, 0, 0), store(kOut, 0, 0), kWait, load(kIn, 0, 3)},
                        {load(kOut, 0, 0), store(kOut, 1, 0), kWait, load(kOut, 0, 0), store(kOut, 1, 1)}}}));
  ASSERT_EQ(analysis.launches[0].traffic.partsAfter.size(), 2u);
  EXPECT_EQ(heldIn(analysis.launches[0], 0), (Held{1, 0, 0, 0}));
  EXPECT_EQ(heldIn(analysis.launches[0], 1), (Held{0, 1, 0, 0}));
}

// A device whose block has more rounds than the shown one's.
TEST(DeviceRounds, AreThoseOfTheBlockThatHasMost) {
  const Analysis analysis =
      analyse(traceOf({{{load(kIn, 0, 0)}, {load(kIn, 1, 0), kWait, load(kIn, 0, 0), store(kOut, 1, 0)}}}));
  ASSERT_EQ(analysis.launches[0].traffic.rounds.size(), 2u);
  EXPECT_TRUE(analysis.launches[0].traffic.rounds[0].transfers.empty());
  EXPECT_EQ(analysis.launches[0].traffic.rounds[1].transfers,
            (std::vector<DeviceTransfer>{
                {.from = 0, .to = 1, .by = 1, .buffer = kIn, .runs = {{0, 1}}, .bytes = 4}}));
}

TEST(DeviceRaces, TakeAStoreOfOneOfThem) {
  const auto races = [](const std::vector<Act>& one, const std::vector<Act>& other) {
    return analyse(traceOf({{one, other}})).launches[0].traffic.races.size();
  };
  EXPECT_EQ(races({load(kIn, 0, 1)}, {load(kIn, 0, 1)}), 0u);
  EXPECT_EQ(races({load(kOut, 0, 1)}, {store(kOut, 0, 1)}), 1u);
  EXPECT_EQ(races({store(kOut, 0, 1)}, {load(kOut, 0, 1)}), 1u);
  EXPECT_EQ(races({store(kOut, 1, 1)}, {store(kOut, 1, 1)}), 1u);
  EXPECT_EQ(races({store(kOut, 0, 1)}, {store(kOut, 0, 2)}), 0u) << "another element";
  EXPECT_EQ(races({store(kOut, 0, 1)}, {store(kOut, 1, 1)}), 0u) << "the memory of another device";
}

TEST(DeviceNames, AreOfElementsWithinACopy) {
  const model::LaunchTrace launch = launchOf({{}, {}});
  EXPECT_EQ(model::elementName(launch.buffers[kOut], 1), "out[1] of GPU 0");
  EXPECT_EQ(model::elementName(launch.buffers[kOut], kElements + 1), "out[1] of GPU 1");
}

// The sums of links, and of no links at all.
TEST(DeviceLinks, AreSummedAndTheHighestIsFound) {
  const DeviceLinks one{2, {0, 8, 3, 0}}, other{2, {0, 1, 2, 0}};
  EXPECT_EQ((one + other).bytes, (std::vector<std::uint64_t>{0, 9, 5, 0}));
  EXPECT_EQ(DeviceLinks() + one, one);
  EXPECT_EQ((one + other).all(), 14u);
  EXPECT_EQ((one + other).highest(), 9u);
  EXPECT_EQ(DeviceLinks().highest(), 0u);
}

}  // namespace
}  // namespace stridescope::analysis
