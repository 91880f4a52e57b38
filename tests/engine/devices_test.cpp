// Simulated devices on the CPU executor: whose memory an access reaches, who waits for whom, what is out of
// bounds, and which accesses of different devices race.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "analysis/analysis.h"
#include "engine/host/launch_runner.h"
#include "text_kernel.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/handed_over.inc"
#include "instrumented/handed_over_to_all.inc"
}  // namespace texts

}  // namespace

namespace stridescope::engine::host {
namespace {

using testing::HasSubstr;

constexpr unsigned kDevices = 3;

// A buffer of which each device has a copy.
template <class Value>
struct Copies {
  std::vector<std::vector<Value>> of;
  explicit Copies(std::size_t elements) : of(kDevices, std::vector<Value>(elements)) {}

  KernelArgument argument(const char* name, unsigned device, model::ParameterOf which) {
    KernelArgument argument{
        .name = name, .elementBytes = sizeof(Value), .bytes = of[0].size() * sizeof(Value)};
    for (std::vector<Value>& copy : of)
      argument.copies.push_back(reinterpret_cast<std::uintptr_t>(copy.data()));
    argument.of = which;
    argument.value = argument.copies[which == model::ParameterOf::First ? 0 : device];
    return argument;
  }
};

struct HandedOver {
  Copies<int> values{kDevices}, sum{1};
  Copies<unsigned> flags{kDevices};
  model::Trace trace;

  // The values' arrays are those of `whose` device.
  explicit HandedOver(model::BlockOrder order, model::ParameterOf whose = model::ParameterOf::First) {
    using model::ParameterOf;
    const auto text = instrumentText("handed_over");
    EXPECT_TRUE(text);
    std::vector<std::vector<KernelArgument>> arguments;
    for (unsigned device = 0; device < kDevices; ++device)
      arguments.push_back({values.argument("values", device, whose),
                           flags.argument("flags", device, ParameterOf::First),
                           sum.argument("sum", device, ParameterOf::Own),
                           {.name = "device", .value = device, .isBuffer = false},
                           {.name = "devices", .value = kDevices, .isBuffer = false}});
    const HostKernel kernel{.type = model::ElementType::Int,
                            .call = recording::KernelCall<texts::handed_over>::call};
    const kernels::LaunchShape shape{.grid = {1, 1, 1}, .block = {32, 1, 1}};
    recording::BlockRunner runner;
    JobControl job;
    auto launch =
        runLaunch(runner, {kernel, *text, shape, arguments, {}, 1, order, 1}, {}, job, [](double) {});
    EXPECT_TRUE(launch) << launch.error().sentence;
    trace.experiment.threads = 32;
    trace.sites = text->sites;
    trace.kernel = text->model;
    trace.launches.push_back(std::move(launch->trace));
  }

  std::vector<analysis::DeviceRace> races() const {
    return analysis::analyse(trace).launches.front().traffic.races;
  }
  // As if the operations were others than those of the text.
  HandedOver with(const std::function<void(model::SiteModel&)>& change) const {
    HandedOver other = *this;
    std::ranges::for_each(other.trace.kernel.sites, change);
    return other;
  }
};

TEST(Devices, StoreInEachOthersMemoryAndWaitThere) {
  for (const model::BlockOrder order : model::kBlockOrders) {
    const HandedOver run(order);
    EXPECT_EQ(run.values.of[0], (std::vector<int>{0, 10, 20})) << nameOf(order);
    EXPECT_EQ(run.values.of[1], (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(run.flags.of[0], (std::vector<unsigned>{0, 1, 1}));
    EXPECT_EQ(run.sum.of[0], std::vector<int>{30});
    EXPECT_EQ(run.sum.of[1], std::vector<int>{0});
    const model::LaunchTrace& launch = run.trace.launches.front();
    EXPECT_EQ(launch.grid, kDevices);
    ASSERT_EQ(launch.blocks.size(), kDevices);
    ASSERT_EQ(launch.buffers.size(), 3u);
    EXPECT_EQ(launch.buffers[0].devices, kDevices);
    EXPECT_EQ(launch.buffers[0].bytes, kDevices * kDevices * sizeof(int));
    // Device 2 stores element 2 of the first copy.
    const auto events = launch.blocks[2].eventsOf(0);
    const auto store = std::ranges::find(events, model::EventKind::Store, &model::Event::kind);
    ASSERT_NE(store, events.end());
    EXPECT_EQ(store->offset(), 2 * sizeof(int));
    EXPECT_EQ(launch.buffers[0].deviceAt(store->offset()), 0u);
  }
}

TEST(Devices, HaveCopiesOfTheirOwn) {
  const HandedOver run(model::BlockOrder::InOrder, model::ParameterOf::Own);
  EXPECT_EQ(run.values.of[2], (std::vector<int>{0, 0, 20}));
  EXPECT_EQ(run.sum.of[0], std::vector<int>{0}) << "device 0 looks into its own";
  const auto events = run.trace.launches.front().blocks[2].eventsOf(0);
  const auto store = std::ranges::find(events, model::EventKind::Store, &model::Event::kind);
  EXPECT_EQ(store->offset(), (2 * kDevices + 2) * sizeof(int)) << "the third copy";
}

// What orders a value is a flag that is stored with release order and found with acquire order, both in the
// scope of the system.
const std::pair<const char*, void (*)(model::SiteModel&)> kWithoutOrder[] = {
    {"relaxed stores",
     [](model::SiteModel& site) {
       if (site.order == model::MemoryOrder::Release) site.order = model::MemoryOrder::Relaxed;
     }},
    {"relaxed loads",
     [](model::SiteModel& site) {
       if (site.order == model::MemoryOrder::Acquire) site.order = model::MemoryOrder::Relaxed;
     }},
    {"an order that the text does not name",
     [](model::SiteModel& site) {
       if (site.order == model::MemoryOrder::Acquire) site.order = model::MemoryOrder::Unnamed;
     }},
    {"stores in the scope of the device",
     [](model::SiteModel& site) {
       if (site.order == model::MemoryOrder::Release) site.scope = model::MemoryScope::Device;
     }},
    {"loads in the scope of the device",
     [](model::SiteModel& site) {
       if (site.order == model::MemoryOrder::Acquire) site.scope = model::MemoryScope::Device;
     }},
    {"the scope of the device", [](model::SiteModel& site) {
       if (site.scope == model::MemoryScope::System) site.scope = model::MemoryScope::Device;
     }}};

TEST(Devices, RaceWhereNoMessageOrdersThem) {
  for (const model::BlockOrder order : model::kBlockOrders) {
    const HandedOver run(order);
    EXPECT_TRUE(run.races().empty()) << nameOf(order);
    for (const auto& [what, change] : kWithoutOrder) {
      const std::vector<analysis::DeviceRace> races = run.with(change).races();
      ASSERT_EQ(races.size(), 2u) << what << ": device 0 with each of the others";
      EXPECT_EQ(races[0].buffer, 0u);
      EXPECT_EQ(races[0].device, 0u) << "in whose memory it is";
      EXPECT_EQ(races[0].element, 1u);
      EXPECT_EQ(races[0].first, 0u);
      EXPECT_EQ(races[0].second, 1u);
      EXPECT_EQ(races[1].second, 2u);
    }
  }
}

// Without its flag: as if the stores and the loads of flags were not there.
TEST(Devices, RaceWithoutTheFlag) {
  HandedOver run(model::BlockOrder::InOrder);
  for (model::BlockTrace& block : run.trace.launches.front().blocks) {
    std::vector<model::Event> left;
    std::vector<std::uint32_t> first;
    for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
      first.push_back(std::uint32_t(left.size()));
      for (const model::Event& event : block.eventsOf(thread))
        if (!event.inGlobal() || event.buffer() != 1) left.push_back(event);
    }
    first.push_back(std::uint32_t(left.size()));
    block.events = std::move(left);
    block.first = std::move(first);
  }
  EXPECT_EQ(run.races().size(), 2u);
}

// All threads of a block leave values, and all of another take them: barriers on both sides stand between
// them and the thread that sends or waits.
struct HandedOverToAll {
  static constexpr unsigned kThreads = 32;
  Copies<int> values{kDevices * kThreads}, sum{kThreads};
  Copies<unsigned> flags{kDevices};
  model::Trace trace;

  HandedOverToAll() {
    using model::ParameterOf;
    const auto text = instrumentText("handed_over_to_all");
    EXPECT_TRUE(text);
    std::vector<std::vector<KernelArgument>> arguments;
    for (unsigned device = 0; device < kDevices; ++device)
      arguments.push_back({values.argument("values", device, ParameterOf::First),
                           flags.argument("flags", device, ParameterOf::First),
                           sum.argument("sum", device, ParameterOf::Own),
                           {.name = "device", .value = device, .isBuffer = false},
                           {.name = "devices", .value = kDevices, .isBuffer = false}});
    const HostKernel kernel{.type = model::ElementType::Int,
                            .call = recording::KernelCall<texts::handed_over_to_all>::call};
    recording::BlockRunner runner;
    JobControl job;
    auto launch =
        runLaunch(runner, {kernel, *text, {.grid = {1, 1, 1}, .block = {kThreads, 1, 1}}, arguments}, {}, job,
                  [](double) {});
    EXPECT_TRUE(launch) << launch.error().sentence;
    trace.experiment.threads = kThreads;
    trace.sites = text->sites;
    trace.kernel = text->model;
    trace.launches.push_back(std::move(launch->trace));
  }

  model::BlockTrace& blockOf(unsigned device) { return trace.launches.front().blocks[device]; }
  // The events of that kind in a buffer, in the order of the block's threads.
  std::vector<model::Event*> eventsOf(unsigned device, model::EventKind kind, unsigned buffer) {
    std::vector<model::Event*> found;
    for (model::Event& event : blockOf(device).events)
      if (event.kind() == kind && event.inGlobal() && event.buffer() == buffer) found.push_back(&event);
    return found;
  }
  void removeBarriers(unsigned device) {
    model::BlockTrace& block = blockOf(device);
    std::vector<model::Event> left;
    std::vector<std::uint32_t> first;
    for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
      first.push_back(std::uint32_t(left.size()));
      for (const model::Event& event : block.eventsOf(thread))
        if (event.kind() != model::EventKind::BlockBarrier) left.push_back(event);
    }
    first.push_back(std::uint32_t(left.size()));
    block.events = std::move(left);
    block.first = std::move(first);
    block.barrierCopies.clear();
  }
  // "values[1]: 0 and 1", for each race.
  std::vector<std::string> races() const {
    std::vector<std::string> found;
    const analysis::Analysis analysis = analysis::analyse(trace);
    for (const analysis::DeviceRace& race : analysis.launches.front().traffic.races)
      found.push_back(trace.launches.front().buffers[race.buffer].name + "[" + std::to_string(race.element) +
                      "] of " + std::to_string(race.device) + ": " + std::to_string(race.first) + " and " +
                      std::to_string(race.second));
    return found;
  }
};

constexpr unsigned kValues = 0, kFlags = 1;
using Races = std::vector<std::string>;

model::Event movedTo(const model::Event& event, std::uint64_t offset, unsigned width) {
  return {recording::eventHead(offset, event.site(), event.kind(), event.space(),
                               std::uint32_t(std::countr_zero(width))),
          event.value};
}

TEST(DeviceRaces, AreNoneWhereBarriersAndAMessageStandBetween) {
  HandedOverToAll run;
  EXPECT_EQ(run.sum.of[0], std::vector<int>(32, 30));
  EXPECT_EQ(run.eventsOf(0, model::EventKind::Load, kValues).size(), 2u * 32);
  EXPECT_EQ(run.races(), Races());
}

// Thread 0 of device 1 has sent before the others have stored.
TEST(DeviceRaces, AreThereWithoutTheBarrierOfOneSender) {
  HandedOverToAll run;
  run.removeBarriers(1);
  EXPECT_EQ(run.races(), Races{"values[33] of 0: 0 and 1"}) << "but for thread 0's own value";
}

TEST(DeviceRaces, AreThereWithoutTheBarrierBehindTheWaits) {
  HandedOverToAll run;
  run.removeBarriers(0);
  EXPECT_EQ(run.races(), (Races{"values[33] of 0: 0 and 1", "values[65] of 0: 0 and 2"}));
}

// A thread's own order: what it has loaded before it found the flag is not ordered.
TEST(DeviceRaces, AreThereWhereAValueIsTakenBeforeItsFlagIsFound) {
  HandedOver run(model::BlockOrder::InOrder);
  for (model::Event& event : run.trace.launches.front().blocks[0].events)
    if (event.kind() == model::EventKind::Load && event.buffer() == kValues) {
      // The first value, which is taken behind the first flag, is that of device 2.
      event = movedTo(event, 2 * sizeof(int), sizeof(int));
      break;
    }
  const std::vector<analysis::DeviceRace> races = run.races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].element, 2u);
  EXPECT_EQ(races[0].second, 2u);
}

// A flag with another value is not the one that was sent.
TEST(DeviceRaces, AreThereWhereAnotherValueIsFoundInTheFlag) {
  HandedOverToAll run;
  for (model::Event* const load : run.eventsOf(0, model::EventKind::Load, kFlags))
    if (load->offset() == sizeof(unsigned)) load->value = 7;
  EXPECT_EQ(run.races(), Races{"values[32] of 0: 0 and 1"});
}

// Whichever of two devices has the lower number.
TEST(DeviceRaces, AreNoneWhereTheHigherDeviceWaitsForTheLower) {
  HandedOverToAll run;
  std::vector<model::BlockTrace>& blocks = run.trace.launches.front().blocks;
  std::ranges::reverse(blocks);
  for (unsigned device = 0; device < kDevices; ++device)
    blocks[device].device = device, blocks[device].block = device;
  EXPECT_EQ(run.races(), Races());
  run.removeBarriers(2);  // the one that waits
  EXPECT_EQ(run.races(), (Races{"values[33] of 0: 1 and 2", "values[65] of 0: 0 and 2"}));
}

// Two that store race, two that load do not; and so it is with atomic operations on one word.
TEST(DeviceRaces, TakeTwoStoresButNoTwoAtomicOperations) {
  HandedOverToAll run;
  model::Event& store = *run.eventsOf(2, model::EventKind::Store, kValues)[5];
  store = movedTo(store, (kDevices - 2) * 32 * sizeof(int) + 9 * sizeof(int), sizeof(int));
  EXPECT_EQ(run.races(), Races{"values[41] of 0: 1 and 2"});
  HandedOverToAll flags;
  model::Event& flag = *flags.eventsOf(2, model::EventKind::Store, kFlags)[0];
  flag = movedTo(flag, sizeof(unsigned), sizeof(unsigned));
  for (const std::string& race : flags.races()) EXPECT_THAT(race, testing::Not(HasSubstr("flags")));
}

// The element at which they meet, however wide the accesses are.
TEST(DeviceRaces, AreWhereTheAccessesMeet) {
  HandedOverToAll run;
  run.removeBarriers(1);
  for (model::Event* const store : run.eventsOf(1, model::EventKind::Store, kValues))
    *store = movedTo(*store, 40 * sizeof(int), 8);
  for (model::Event* const load : run.eventsOf(0, model::EventKind::Load, kValues))
    if (load->offset() != 41 * sizeof(int)) *load = movedTo(*load, 0, sizeof(int));
  EXPECT_EQ(run.races(), Races{"values[41] of 0: 0 and 1"});
}

// Bytes are those of all accesses, elements are counted once; what several threads store is told in runs.
TEST(DeviceTransfers, CountBytesOfAllAccessesAndEachElementOnce) {
  HandedOverToAll run;
  std::vector<model::Event*> stores = run.eventsOf(1, model::EventKind::Store, kValues);
  for (std::size_t i = 0; i < stores.size(); ++i)
    *stores[i] = movedTo(*stores[i], (i % 2 == 0 ? 40 : 50 + i % 4) * sizeof(int), sizeof(int));
  const analysis::Analysis analysis = analysis::analyse(run.trace);
  std::vector<analysis::DeviceTransfer> found;
  for (const analysis::DeviceRound& round : analysis.launches.front().traffic.rounds)
    for (const analysis::DeviceTransfer& transfer : round.transfers)
      if (transfer.by == 1 && transfer.buffer == kValues) found.push_back(transfer);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].from, 1u);
  EXPECT_EQ(found[0].to, 0u);
  EXPECT_EQ(found[0].runs, (std::vector<analysis::ElementRun>{{40, 41}, {51, 52}, {53, 54}}));
  EXPECT_EQ(found[0].elements(), 3u);
  EXPECT_EQ(found[0].bytes, 32 * sizeof(int));
  EXPECT_FALSE(found[0].isMessage);
}

TEST(Devices, AreNamedWhereAnAccessIsOutOfBounds) {
  using model::ParameterOf;
  Copies<int> values(1), sum(1);
  Copies<unsigned> flags(kDevices);
  const auto text = instrumentText("handed_over");
  std::vector<std::vector<KernelArgument>> arguments;
  for (unsigned device = 0; device < kDevices; ++device)
    arguments.push_back({values.argument("values", device, ParameterOf::Own),
                         flags.argument("flags", device, ParameterOf::First),
                         sum.argument("sum", device, ParameterOf::Own),
                         {.name = "device", .value = device, .isBuffer = false},
                         {.name = "devices", .value = kDevices, .isBuffer = false}});
  const HostKernel kernel{.type = model::ElementType::Int,
                          .call = recording::KernelCall<texts::handed_over>::call};
  recording::BlockRunner runner;
  JobControl job;
  const auto launch =
      runLaunch(runner, {kernel, *text, {.grid = {1, 1, 1}, .block = {32, 1, 1}, .inspected = 2}, arguments},
                {}, job, [](double) {});
  ASSERT_TRUE(launch) << launch.error().sentence;
  EXPECT_FALSE(launch->finished);
  ASSERT_FALSE(launch->trace.recorded().problems.empty());
  EXPECT_THAT(launch->trace.recorded().problems.front().text,
              testing::MatchesRegex(
                  ".*Thread 0 of GPU [12].* accesses values of GPU [12]\\[[12]\\], but values of GPU "
                  "[12] has 1 element of 4 bytes.*"));
}

}  // namespace
}  // namespace stridescope::engine::host
