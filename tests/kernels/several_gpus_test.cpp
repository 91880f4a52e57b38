// The variants of several GPUs on simulated devices: their results, what goes over each link, who waits for
// whom, and that nothing races. What must come out is computed here anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "analysis/analysis.h"
#include "analysis/device_traffic.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "support/whole_sweeps.h"

namespace stridescope::kernels {
namespace {

using model::ElementType;
using model::Operator;

std::vector<std::string> idsOf(model::DeviceUse use) {
  std::vector<std::string> ids;
  for (const Variant& variant : catalog())
    if (variant.devices == use) ids.push_back(variant.id);
  return ids;
}
std::vector<std::string> allIds() {
  std::vector<std::string> ids = idsOf(model::DeviceUse::PartEach);
  for (std::string& id : idsOf(model::DeviceUse::ArrayEach)) ids.push_back(std::move(id));
  return ids;
}

model::Trace recorded(const model::Experiment& experiment) {
  static const auto engine = engine::host::makeHostEngine();
  engine::JobControl job;
  auto trace = engine->record(experiment, job);
  EXPECT_TRUE(trace.has_value()) << trace.error().sentence;
  return trace ? std::move(*trace) : model::Trace{};
}

// Element i of the data pattern digits, by splitmix64 as Vigna gives it.
int digit(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + i + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return int((z ^ (z >> 31)) % 10);
}
// Products stay exact with alternating data, and all else with digits.
int element(Operator op, ElementType type, std::uint64_t i) {
  if (op != Operator::Multiply) return digit(1, i);
  return i % 2 == 0 ? 1 : type == ElementType::Unsigned ? 0 : -1;
}

double combined(Operator op, double a, double b) {
  switch (op) {
    case Operator::Add:
      return a + b;
    case Operator::Multiply:
      return a * b;
    case Operator::Min:
      return std::min(a, b);
    case Operator::Max:
      return std::max(a, b);
    case Operator::And:
      return double((long long)(a) & (long long)(b));
    case Operator::Or:
      return double((long long)(a) | (long long)(b));
    case Operator::Xor:
      return double((long long)(a) ^ (long long)(b));
    default:
      return a;
  }
}

model::Experiment experimentOf(const std::string& id, unsigned gpus, std::uint64_t n,
                               ElementType type = ElementType::Int, Operator op = Operator::Add,
                               unsigned threads = 64) {
  return {.variant = id,
          .type = type,
          .op = op,
          .threads = threads,
          .elements = n,
          .data = op == Operator::Multiply ? model::DataPattern::Alternating : model::DataPattern::Digits,
          .gpus = gpus};
}

std::vector<double> numbersIn(const std::string& text) {
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

void expectSum(const model::Experiment& experiment) {
  const model::Trace trace = recorded(experiment);
  EXPECT_TRUE(trace.ok) << trace.checkNote;
  if (experiment.elements == 0) return;  // the identity, which the catalogue's other tests hold
  double expected = element(experiment.op, experiment.type, 0);
  for (std::uint64_t i = 1; i < experiment.elements; ++i)
    expected = combined(experiment.op, expected, element(experiment.op, experiment.type, i));
  EXPECT_EQ(std::strtod(trace.result.c_str(), nullptr), expected);
}

void expectArrays(const model::Experiment& experiment) {
  const model::Trace trace = recorded(experiment);
  EXPECT_TRUE(trace.ok) << trace.checkNote;
  const std::uint64_t n = experiment.elements;
  const std::vector<double> values = numbersIn(trace.result);
  ASSERT_EQ(values.size(), n);
  for (std::uint64_t i = 0; i < n; ++i) {
    double expected = element(experiment.op, experiment.type, i);
    for (unsigned device = 1; device < experiment.gpus; ++device)
      expected = combined(experiment.op, expected, element(experiment.op, experiment.type, device * n + i));
    ASSERT_EQ(values[i], expected) << "element " << i;
  }
}

class SeveralGpus : public testing::TestWithParam<std::string> {};

TEST_P(SeveralGpus, CombineAllElements) {
  const Variant& variant = *findVariant(GetParam());
  const bool hasArrays = variant.devices == model::DeviceUse::ArrayEach;
  std::size_t turn = 0;
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus)
    for (const std::uint64_t n : {0ull, 1ull, 3ull, 31ull, 32ull, 1000ull, 4099ull, 20'000ull})
      for (const ElementType type : variant.types)
        for (const Operator op : variant.operators) {
          if (!variant.offers(type, op) || turn++ % (support::wholeSweeps() ? 3 : 17) != 0) continue;
          model::Experiment experiment =
              experimentOf(GetParam(), gpus, n, type, op, variant.threads[turn % variant.threads.size()]);
          experiment.blockOrder = model::kBlockOrders[turn / 5 % model::kBlockOrders.size()];
          experiment.schedule = model::kSchedules[turn / 7 % model::kSchedules.size()];
          SCOPED_TRACE(std::to_string(gpus) + " GPUs, " + std::to_string(n) + " " +
                       std::string(nameOf(type)) + " " + std::string(nameOf(op)) + ", " +
                       std::to_string(experiment.threads) + " threads, blocks " +
                       std::string(nameOf(experiment.blockOrder)));
          hasArrays ? expectArrays(experiment) : expectSum(experiment);
          if (HasFailure()) return;
        }
}

// A floating sum whose digits depend on the order: it is the same, whatever the order of the blocks.
TEST_P(SeveralGpus, GiveTheSameBitsInEachOrderOfTheBlocks) {
  for (const unsigned gpus : {2u, 3u, 8u}) {
    model::Experiment experiment =
        experimentOf(GetParam(), gpus, 3000, ElementType::Float, Operator::Multiply);
    model::GivenData given;
    for (unsigned i = 0; i < 3000; ++i)
      given.values.push_back(model::bitsOfElement(1.0f + float(digit(7, i)) / 1000.0f));
    experiment.data = model::DataPattern::Given;
    experiment.given = model::SharedData(std::move(given));
    const model::Trace first = recorded(experiment);
    EXPECT_TRUE(first.ok) << first.checkNote;
    for (const model::BlockOrder order : model::kBlockOrders) {
      experiment.blockOrder = order;
      experiment.blockOrderSeed = 5;
      const model::Trace other = recorded(experiment);
      EXPECT_EQ(other.result, first.result) << nameOf(order);
      EXPECT_TRUE(other.ok) << other.checkNote;
    }
  }
}

// The block in the same place of each device's grid is recorded, in the order of the devices; the one that is
// asked for is shown.
TEST_P(SeveralGpus, RecordABlockOfEachDevice) {
  for (const unsigned shown : {0u, 2u}) {
    model::Experiment experiment = experimentOf(GetParam(), 3, 50'000);
    const std::uint64_t each = recorded(experiment).launches[0].blocksOfDevice();
    ASSERT_GT(each, 1u);
    experiment.block = shown * each + 1;
    const model::Trace trace = recorded(experiment);
    for (const model::LaunchTrace& launch : trace.launches) {
      EXPECT_EQ(launch.devices, 3u);
      EXPECT_EQ(launch.grid, 3 * each);
      ASSERT_EQ(launch.blocks.size(), 3u);
      for (unsigned device = 0; device < 3; ++device) {
        EXPECT_EQ(launch.blocks[device].device, device);
        EXPECT_EQ(launch.blocks[device].block, device * each + 1);
      }
      EXPECT_EQ(launch.shown, shown);
      EXPECT_EQ(launch.recorded().block, experiment.block);
    }
  }
}

TEST_P(SeveralGpus, NeverRace) {
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus)
    for (const model::BlockOrder order : model::kBlockOrders)
      for (const std::uint64_t n : {5ull, 700ull}) {
        model::Experiment experiment = experimentOf(GetParam(), gpus, n);
        experiment.blockOrder = order;
        const model::Trace trace = recorded(experiment);
        const analysis::Analysis analysis = analysis::analyse(trace);
        for (const analysis::LaunchAnalysis& launch : analysis.launches) {
          EXPECT_TRUE(launch.races.empty());
          EXPECT_TRUE(launch.traffic.races.empty()) << gpus << " GPUs, " << n;
          EXPECT_TRUE(launch.problems.empty());
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Catalog, SeveralGpus, testing::ValuesIn(allIds()),
                         [](const auto& one) { return one.param; });

// ---- What goes over the links, in bytes.

analysis::DeviceLinks linksOf(const model::Experiment& experiment) {
  const model::Trace trace = recorded(experiment);
  const analysis::Analysis analysis = analysis::analyse(trace);
  const std::size_t last = trace.launches.size() - 1;
  return analysis.launches[last].before +
         analysis::linksOf(trace.launches[last], analysis.launches[last].traffic);
}

constexpr std::uint64_t kDividesByAll = 840;  // elements, by 2 to 8 devices

TEST(Links, OfARingCarryTwiceAllPartsButOneEach) {
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus)
    for (const ElementType type : {ElementType::Int, ElementType::Double}) {
      const analysis::DeviceLinks links =
          linksOf(experimentOf("ring", gpus, kDividesByAll, type, Operator::Add, 256));
      const std::uint64_t array = kDividesByAll * model::bytesOf(type);
      for (unsigned from = 0; from < gpus; ++from)
        for (unsigned to = 0; to < gpus; ++to)
          EXPECT_EQ(links.at(from, to), to == (from + 1) % gpus ? 2 * (gpus - 1) * array / gpus : 0)
              << gpus << " GPUs: " << from << " to " << to;
    }
}

// By the tree's own idea: who meets whom on the way up, and the same way down.
TEST(Links, OfATreeCarryAnArrayUpAndDownEachOfItsBranches) {
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus) {
    std::vector<std::uint64_t> expected(std::size_t(gpus) * gpus);
    for (unsigned stride = 1; stride < gpus; stride *= 2)
      for (unsigned low = 0; low + stride < gpus; low += 2 * stride) {
        expected[(low + stride) * gpus + low] += kDividesByAll * 4;
        expected[low * gpus + low + stride] += kDividesByAll * 4;
      }
    EXPECT_EQ(linksOf(experimentOf("tree", gpus, kDividesByAll, ElementType::Int, Operator::Add, 256)).bytes,
              expected)
        << gpus << " GPUs";
  }
}

TEST(Links, OfPeerLoadsCarryAPartEachWayForBothOfTwo) {
  for (unsigned gpus = 2; gpus <= model::kMaxGpus; ++gpus) {
    const analysis::DeviceLinks links =
        linksOf(experimentOf("peer_loads", gpus, kDividesByAll, ElementType::Int, Operator::Add, 256));
    for (unsigned from = 0; from < gpus; ++from)
      for (unsigned to = 0; to < gpus; ++to)
        EXPECT_EQ(links.at(from, to), from == to ? 0 : 2 * kDividesByAll / gpus * 4) << gpus << " GPUs";
  }
}

TEST(Links, OfAMessageCarryAWordForEachFourBytes) {
  for (const ElementType type : {ElementType::Float, ElementType::Int64}) {
    const analysis::DeviceLinks links = linksOf(experimentOf("nvlink_message", 5, 900, type));
    for (unsigned from = 0; from < 5; ++from)
      for (unsigned to = 0; to < 5; ++to)
        EXPECT_EQ(links.at(from, to), from != 0 && to == 0 ? 8 * model::bytesOf(type) / 4 : 0);
  }
  EXPECT_EQ(linksOf(experimentOf("host_adds", 4, 900)).all(), 0u);
}

// ---- Steps, waits, and what arrays hold.

TEST(Ring, HasEachPartOnOneDeviceAfterItsFirstHalfAndOnAllAtItsEnd) {
  constexpr unsigned kGpus = 4;
  const model::Trace trace =
      recorded(experimentOf("ring", kGpus, kDividesByAll, ElementType::Int, Operator::Add, 256));
  const analysis::Analysis analysis = analysis::analyse(trace);
  ASSERT_EQ(trace.launches.size(), 2 * (kGpus - 1));
  constexpr std::uint32_t kAll = (1u << kGpus) - 1;
  constexpr std::uint64_t kPart = kDividesByAll / kGpus;
  const auto outAfter = [&](std::size_t step, unsigned device) {
    return analysis.launches[step].traffic.partsAfter.back()[1][device];
  };
  for (unsigned device = 0; device < kGpus; ++device) {
    // After step 0 it has the left neighbour's part with its own elements added, and nothing else.
    const unsigned left = (device + kGpus - 1) % kGpus;
    for (const analysis::DevicePart& part : outAfter(0, device))
      EXPECT_EQ(part.of, part.first == left * kPart ? 1u << left | 1u << device : 0u) << device;
    unsigned finished = 0;
    for (const analysis::DevicePart& part : outAfter(kGpus - 2, device)) finished += part.of == kAll;
    EXPECT_EQ(finished, 1u);
    EXPECT_EQ(outAfter(2 * kGpus - 3, device), (std::vector<analysis::DevicePart>{{0, kDividesByAll, kAll}}));
  }
}

TEST(NvlinkMessage, WaitsForTheDevicesInTheirOrder) {
  const model::Trace trace = recorded(experimentOf("nvlink_message", 5, 900));
  const analysis::Analysis analysis = analysis::analyse(trace);
  std::vector<unsigned> waited;
  for (const analysis::DeviceRound& round : analysis.launches[0].traffic.rounds)
    for (const analysis::DeviceWait& wait : round.waits) {
      EXPECT_EQ(wait.device, 0u);
      EXPECT_EQ(wait.thread, 0u);
      waited.push_back(wait.of);
    }
  EXPECT_EQ(waited, (std::vector<unsigned>{1, 2, 3, 4}));
  ASSERT_EQ(trace.launches[0].arrivals.size(), 4u) << "each of the others comes once";
}

TEST(TimedOnly, HasAReasonAndNoSteps) {
  ASSERT_EQ(timedOnly().size(), 3u);
  for (const Variant& variant : timedOnly()) {
    EXPECT_EQ(findVariant(variant.id), &variant);
    const bool isNccl = variant.id.starts_with("nccl_");
    EXPECT_EQ(variant.family, isNccl ? Family::SeveralGpus : Family::Ladder);
    engine::JobControl job;
    const auto trace = engine::host::makeHostEngine()->record(
        {.variant = variant.id, .threads = variant.defaultThreads, .elements = 100}, job);
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().sentence,
              isNccl ? "NCCL's own steps are not visible: it is timed, and its result is checked."
                     : "The hardware's bulk copies are no steps of a thread: it is timed, and its result is "
                       "checked.");
  }
}

}  // namespace
}  // namespace stridescope::kernels
