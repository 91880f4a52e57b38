// Each step of the variants of several GPUs: what goes over which link, what each device's arrays hold after
// it, and who waits for whom, against what the algorithms say (docs/variants.md), worked out here anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "analysis/analysis.h"
#include "analysis/arrivals.h"
#include "analysis/device_traffic.h"
#include "engine/host/host_engine.h"
#include "model/arithmetic.h"

namespace stridescope::kernels {
namespace {

using analysis::DevicePart, analysis::DeviceTransfer;
using model::ElementType;

model::Trace stepped(const model::Experiment& experiment) {
  static const auto engine = engine::host::makeHostEngine();
  engine::JobControl job;
  auto trace = engine->record(experiment, job);
  EXPECT_TRUE(trace.has_value()) << trace.error().sentence;
  return trace ? std::move(*trace) : model::Trace{};
}

// ---- The algorithms: in each step, what each device makes of which elements.

constexpr unsigned kIn = 0, kOut = 1;  // the arrays of each device

struct Source {
  unsigned array, device;
};
// A device combines elements [first, end) of the sources, and stores them in the results of some devices.
struct Act {
  unsigned device;
  std::uint64_t first, end;
  std::vector<Source> from;
  std::vector<unsigned> to;
};
using Step = std::vector<Act>;

struct Part {
  std::uint64_t first, end;
};
// The parts of n elements, one for each device: the last ones may be shorter, or empty.
Part partOf(std::uint64_t n, unsigned gpus, unsigned part) {
  const std::uint64_t size = n / gpus + (n % gpus > 0 ? 1 : 0);
  return {std::min(n, size * part), std::min(n, size * (part + 1))};
}

std::vector<Step> peerLoads(unsigned gpus, std::uint64_t n) {
  Step step;
  for (unsigned device = 0; device < gpus; ++device) {
    const Part part = partOf(n, gpus, device);
    Act act{device, part.first, part.end, {}, {}};
    for (unsigned other = 0; other < gpus; ++other) act.from.push_back({kIn, other}), act.to.push_back(other);
    step.push_back(act);
  }
  return {step};
}

// Part p begins at device p, is combined by each device to the right of it, and is whole at the one to the
// left of p, from where it goes on to the right.
std::vector<Step> ring(unsigned gpus, std::uint64_t n) {
  std::vector<Step> steps(2 * (gpus - 1));
  for (unsigned p = 0; p < gpus; ++p) {
    const Part part = partOf(n, gpus, p);
    for (unsigned step = 0; step < steps.size(); ++step) {
      const unsigned from = (p + step) % gpus, device = (p + step + 1) % gpus;
      Act act{device, part.first, part.end, {{step == 0 ? kIn : kOut, from}}, {device}};
      if (step + 1 < gpus) act.from.push_back({kIn, device});
      steps[step].push_back(act);
    }
  }
  return steps;
}

// Up by strides 1, 2, 4: the lower of two devices combines the arrays of both; in the first step, one that
// has no partner takes its own. Down by the same strides: the upper one copies the lower one's.
std::vector<Step> tree(unsigned gpus, std::uint64_t n) {
  std::vector<Step> up, down;
  for (unsigned stride = 1; stride < gpus; stride *= 2) {
    Step combine, copy;
    const unsigned array = stride == 1 ? kIn : kOut;
    for (unsigned low = 0; low < gpus; low += 2 * stride) {
      const unsigned high = low + stride;
      if (high < gpus) {
        combine.push_back({low, 0, n, {{array, low}, {array, high}}, {low}});
        copy.push_back({high, 0, n, {{kOut, low}}, {high}});
      } else if (stride == 1) {
        combine.push_back({low, 0, n, {{kIn, low}}, {low}});
      }
    }
    up.push_back(combine);
    down.insert(down.begin(), copy);
  }
  up.insert(up.end(), down.begin(), down.end());
  return up;
}

std::vector<DeviceTransfer> transfersOf(const Step& step, unsigned bytes) {
  std::vector<DeviceTransfer> transfers;
  for (const Act& act : step) {
    if (act.first == act.end) continue;
    const std::uint64_t elements = act.end - act.first;
    for (const Source& source : act.from)
      if (source.device != act.device)
        transfers.push_back({source.device,
                             act.device,
                             act.device,
                             source.array,
                             {{act.first, act.end}},
                             elements * bytes,
                             false});
    for (const unsigned to : act.to)
      if (to != act.device)
        transfers.push_back(
            {act.device, to, act.device, kOut, {{act.first, act.end}}, elements * bytes, false});
  }
  std::ranges::sort(transfers, {}, [](const DeviceTransfer& each) {
    return std::tuple(each.from, each.to, each.by, each.buffer);
  });
  return transfers;
}

// By array, device and element: a bit for each device whose elements it is made of.
using Made = std::vector<std::vector<std::vector<std::uint32_t>>>;

Made begun(unsigned gpus, std::uint64_t n) {
  Made made(2, std::vector(gpus, std::vector<std::uint32_t>(n, 0)));
  for (unsigned device = 0; device < gpus; ++device) made[kIn][device].assign(n, std::uint32_t(1) << device);
  return made;
}
Made after(const Made& before, const Step& step) {
  Made made = before;
  for (const Act& act : step)
    for (std::uint64_t i = act.first; i < act.end; ++i) {
      std::uint32_t of = 0;
      for (const Source& source : act.from) of |= before[source.array][source.device][i];
      for (const unsigned to : act.to) made[kOut][to][i] = of;
    }
  return made;
}

// Element by element; and neighbours that hold the same are one part.
std::vector<std::uint32_t> elementsOf(const std::vector<DevicePart>& parts) {
  std::vector<std::uint32_t> elements;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].first, elements.size());
    EXPECT_LT(parts[i].first, parts[i].end);
    if (i > 0) {
      EXPECT_NE(parts[i].of, parts[i - 1].of) << "two parts that are one";
    }
    elements.resize(parts[i].end, parts[i].of);
  }
  return elements;
}

std::string printed(const std::vector<DeviceTransfer>& transfers) {
  std::string text;
  for (const DeviceTransfer& each : transfers) {
    text += std::to_string(each.from) + " to " + std::to_string(each.to) + " by " + std::to_string(each.by) +
            ": array " + std::to_string(each.buffer) + ",";
    for (const analysis::ElementRun& run : each.runs)
      text += " " + std::to_string(run.first) + " to below " + std::to_string(run.end) + ",";
    text += " " + std::to_string(each.bytes) + " bytes" + (each.isMessage ? ", a message\n" : "\n");
  }
  return text;
}

struct Algorithm {
  const char* variant;
  std::vector<Step> (*steps)(unsigned gpus, std::uint64_t n);
};
void PrintTo(const Algorithm& algorithm, std::ostream* out) { *out << algorithm.variant; }

class DeviceSteps : public testing::TestWithParam<Algorithm> {};

TEST_P(DeviceSteps, MoveAndLeaveWhatTheAlgorithmSays) {
  unsigned turn = 0;
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus)
    for (const std::uint64_t n : {1u, 5u, 12u, 840u, 1023u}) {
      const ElementType type = turn % 2 == 0 ? ElementType::Int : ElementType::Double;
      const model::Trace trace =
          stepped({.variant = GetParam().variant,
                   .type = type,
                   .threads = 256,
                   .elements = n,
                   .blockOrder = model::kBlockOrders[turn++ % model::kBlockOrders.size()],
                   .gpus = gpus});
      SCOPED_TRACE(std::to_string(gpus) + " GPUs, " + std::to_string(n) + " elements");
      const analysis::Analysis analysis = analysis::analyse(trace);
      const std::vector<Step> steps = GetParam().steps(gpus, n);
      ASSERT_EQ(trace.launches.size(), steps.size());
      Made made = begun(gpus, n);
      std::vector<std::uint64_t> bytesBefore;
      for (std::size_t step = 0; step < steps.size(); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        ASSERT_EQ(trace.launches[step].blocksOfDevice(), 1u) << "all of it is recorded";
        const analysis::DeviceTraffic& traffic = analysis.launches[step].traffic;
        ASSERT_EQ(traffic.rounds.size(), 1u);
        const std::vector<DeviceTransfer> expected = transfersOf(steps[step], model::bytesOf(type));
        EXPECT_EQ(printed(traffic.rounds[0].transfers), printed(expected));
        EXPECT_TRUE(traffic.rounds[0].waits.empty());
        for (const analysis::Round& round : analysis.launches[step].rounds)
          EXPECT_FALSE(round.stride) << "the operands lie on different devices";
        EXPECT_EQ(analysis.launches[step].before.bytes, bytesBefore);
        bytesBefore.resize(std::size_t(gpus) * gpus);
        for (const DeviceTransfer& each : expected) bytesBefore[each.from * gpus + each.to] += each.bytes;
        made = after(made, steps[step]);
        ASSERT_EQ(traffic.partsAfter.size(), 1u);
        for (const unsigned array : {kIn, kOut})
          for (unsigned device = 0; device < gpus; ++device)
            EXPECT_EQ(elementsOf(traffic.partsAfter[0][array][device]), made[array][device])
                << "array " << array << " of device " << device;
        if (HasFailure()) return;
      }
      for (unsigned device = 0; device < gpus; ++device)
        EXPECT_EQ(made[kOut][device], std::vector(n, (std::uint32_t(1) << gpus) - 1))
            << "the test's own steps";
    }
}

INSTANTIATE_TEST_SUITE_P(Arrays, DeviceSteps,
                         testing::Values(Algorithm{"peer_loads", peerLoads}, Algorithm{"ring", ring},
                                         Algorithm{"tree", tree}),
                         [](const auto& one) { return std::string(one.param.variant); });

// Each device but the first sends one word for each four bytes of a value into the inbox of device 0, at its
// own place, once; and device 0 waits for each of them once, in a round in which the word is there.
TEST(DeviceSteps, OfAMessageAreOneWordFromEachDeviceAndOneWaitForIt) {
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus)
    for (const ElementType type : {ElementType::Float, ElementType::Double})
      for (const model::BlockOrder order : model::kBlockOrders) {
        SCOPED_TRACE(std::to_string(gpus) + " GPUs, blocks " + std::string(nameOf(order)));
        const model::Trace trace = stepped({.variant = "nvlink_message",
                                            .type = type,
                                            .threads = 64,
                                            .elements = 900,
                                            .blockOrder = order,
                                            .gpus = gpus});
        const analysis::Analysis analysis = analysis::analyse(trace);
        ASSERT_EQ(trace.launches.size(), 1u);
        const auto& buffers = trace.launches[0].buffers;
        const auto inbox = model::indexOfRole(buffers, model::ParameterRole::Inbox);
        ASSERT_TRUE(inbox);
        const unsigned words = model::bytesOf(type) / 4;
        std::vector<DeviceTransfer> transfers, expected;
        std::vector<std::tuple<unsigned, unsigned, std::uint32_t>> waits, expectedWaits;
        std::vector<std::size_t> sentIn(gpus), waitedIn(gpus);
        const auto& rounds = analysis.launches[0].traffic.rounds;
        for (std::size_t round = 0; round < rounds.size(); ++round) {
          for (const DeviceTransfer& each : rounds[round].transfers)
            transfers.push_back(each), sentIn[each.from] = round;
          for (const analysis::DeviceWait& each : rounds[round].waits)
            waits.emplace_back(each.device, each.of, each.thread), waitedIn[each.of] = round;
        }
        for (unsigned device = 1; device < gpus; ++device) {
          expected.push_back({.from = device,
                              .to = 0,
                              .by = device,
                              .buffer = std::uint32_t(*inbox),
                              .runs = {{device * words, (device + 1) * words}},
                              .bytes = 8 * words,
                              .isMessage = true});
          expectedWaits.emplace_back(0, device, 0);
          EXPECT_LE(sentIn[device], waitedIn[device]);
        }
        EXPECT_EQ(printed(transfers), printed(expected));
        EXPECT_EQ(waits, expectedWaits);
        EXPECT_TRUE(analysis.launches[0].traffic.partsAfter.empty()) << "it has no arrays to follow";
      }
}

// One of several blocks of each device is recorded: it takes its own elements of the array, row by row.
TEST(DeviceSteps, MoveOnlyWhatTheRecordedBlocksTake) {
  const model::Trace trace =
      stepped({.variant = "tree", .threads = 32, .elements = 20'000, .block = 4, .gpus = 2});
  const std::uint64_t row = trace.launches[0].blocksOfDevice() * 32;
  ASSERT_GT(20'000 / row, 1u) << "a thread takes several elements";
  std::vector<analysis::ElementRun> expected;
  std::uint64_t elements = 0;
  for (std::uint64_t first = 4 * 32; first < 20'000; first += row) {
    expected.push_back({first, std::min<std::uint64_t>(first + 32, 20'000)});
    elements += expected.back().end - first;
  }
  const analysis::Analysis analysis = analysis::analyse(trace);
  ASSERT_EQ(analysis.launches[0].traffic.rounds[0].transfers.size(), 1u);
  const DeviceTransfer& transfer = analysis.launches[0].traffic.rounds[0].transfers[0];
  EXPECT_EQ(transfer.runs, expected);
  EXPECT_EQ(transfer.elements(), elements);
  EXPECT_EQ(transfer.bytes, 4 * elements);
}

// The words of other devices are those of their first blocks, however many each of them has.
TEST(DeviceSteps, OfAMessageWaitForTheFirstBlockOfEachDevice) {
  const model::Trace trace =
      stepped({.variant = "nvlink_message", .threads = 64, .elements = 50'000, .gpus = 3});
  const std::uint64_t each = trace.launches[0].blocksOfDevice();
  ASSERT_GT(each, 1u);
  const analysis::Analysis analysis = analysis::analyse(trace);
  const auto arrivals = analysis::arrivalsIn(trace.launches[0], analysis.launches[0].rounds.back());
  ASSERT_TRUE(arrivals);
  EXPECT_TRUE(arrivals->waits);
  EXPECT_EQ(arrivals->reads, (std::vector<analysis::BlockRead>{{0, each}, {0, 2 * each}}));
}

// A device takes a word away by storing into its own memory: it does not wait for itself.
TEST(DeviceSteps, AWaitIsForAnotherDevicesWordAlone) {
  model::Trace trace = stepped({.variant = "nvlink_message", .threads = 64, .elements = 900, .gpus = 3});
  const auto inbox = model::indexOfRole(trace.launches[0].buffers, model::ParameterRole::Inbox);
  ASSERT_TRUE(inbox);
  for (model::Event& event : trace.launches[0].blocks[1].events)  // as if device 1 sent its word elsewhere
    if (event.kind() == model::EventKind::Store && event.inGlobal() && event.buffer() == *inbox)
      event.head = recording::eventHead(0, event.site(), event.kind(), event.space(), 3);
  std::vector<unsigned> waited;
  const analysis::Analysis analysis = analysis::analyse(trace);
  for (const analysis::DeviceRound& round : analysis.launches[0].traffic.rounds)
    for (const analysis::DeviceWait& wait : round.waits) waited.push_back(wait.of);
  EXPECT_EQ(waited, std::vector<unsigned>{2});
}

TEST(DeviceSteps, OfDevicesThatTheCpuCombinesMoveNothingAndWaitForNobody) {
  const model::Trace trace = stepped({.variant = "host_adds", .threads = 64, .elements = 50'000, .gpus = 3});
  const analysis::Analysis analysis = analysis::analyse(trace);
  ASSERT_GT(trace.launches[0].blocksOfDevice(), 1u) << "blocks of one device send each other words";
  EXPECT_FALSE(analysis.launches[0].traffic.rounds.empty());
  for (const analysis::DeviceRound& round : analysis.launches[0].traffic.rounds) {
    EXPECT_TRUE(round.transfers.empty());
    EXPECT_TRUE(round.waits.empty());
  }
}

// Following takes memory for each element, and time.
TEST(DeviceSteps, AreFollowedUpToALimitOfElements) {
  for (const std::uint64_t more : {0u, 1u}) {
    const model::Trace trace = stepped({.variant = "peer_loads",
                                        .threads = 1024,
                                        .elements = analysis::kMaxFollowedElements + more,
                                        .gpus = 2});
    const analysis::Analysis analysis = analysis::analyse(trace);
    EXPECT_EQ(analysis.launches[0].traffic.partsAfter.empty(), more > 0);
  }
}

}  // namespace
}  // namespace stridescope::kernels
