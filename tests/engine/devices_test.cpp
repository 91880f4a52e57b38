// Simulated devices on the CPU executor: whose memory an access reaches, who waits for whom, what is out of
// bounds, and which accesses of different devices race.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "analysis/analysis.h"
#include "engine/host/launch_runner.h"
#include "text_kernel.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/handed_over.inc"
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
