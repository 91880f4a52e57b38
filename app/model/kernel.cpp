#include "model/kernel.h"

#include <algorithm>
#include <bit>

#include "model/operator_table.h"
#include "model/trace.h"

namespace stridescope::model {

namespace {

// No GPU of today holds more threads at once (Blackwell Ultra's 160 multiprocessors; a fixed cap of 64 blocks
// leaves most of it empty).
constexpr std::uint64_t kThreadsThatFillAnyGpu = 160 * 2048;
// With little more than one GPU full, a second, nearly empty wave of blocks would take as long as the first.
constexpr std::uint64_t kWaves = 8;
constexpr std::uint64_t kThreadsOfAnH100 = 132 * 2048;

// 64 bytes per thread in flight: 2^17 threads have 8 MiB, what memory of 8 TB/s delivers in 1 us, longer than
// an access takes. More only leave more partial results to add, until a thread has 256 elements: then up to
// the threads that an H100 or H200 holds at once, whose warps take turns, bring another hundredth of its
// bandwidth.
constexpr std::uint64_t kThreadsThatHideLatency = 1u << 17;
constexpr std::uint64_t kElementsForMoreThreads = 256;  // per thread
// To let several blocks agree who is last costs more than it takes to load another 64 bytes per thread.
constexpr std::uint64_t kLoadsOfALoneBlock = 2;

}  // namespace

std::uint64_t LaunchRule::blocks(std::uint64_t elements, unsigned threads) const {
  if (fixed) return fixed->grid.count();
  const std::uint64_t needed = blocksNeeded(elements, threads);
  return (needed + cluster - 1) / cluster * cluster;
}

std::uint64_t LaunchRule::blocksNeeded(std::uint64_t elements, unsigned threads) const {
  const std::uint64_t perBlock = std::uint64_t(threads) * elementsPerThread;
  const std::uint64_t loads = elements / perBlock + (elements % perBlock != 0);
  const auto upTo = [&](std::uint64_t most) {
    return std::clamp<std::uint64_t>(loads, 1, std::max<std::uint64_t>(1, most / threads));
  };
  switch (grid) {
    case GridRule::WholeLoads:
      return std::max<std::uint64_t>(1, loads);
    case GridRule::OneBlock:
      return 1;
    case GridRule::ManyWaves:
      return upTo(kWaves * kThreadsThatFillAnyGpu);
    case GridRule::OneWave:
      if (loads <= kLoadsOfALoneBlock) return 1;
      [[fallthrough]];
    case GridRule::OneWaveAtOnce:
      return upTo(std::clamp(elements / kElementsForMoreThreads, kThreadsThatHideLatency, kThreadsOfAnH100));
  }
  return 1;
}

std::uint64_t LaunchRule::sharedBytes(unsigned threads, ElementType type) const {
  if (fixed) return fixed->sharedBytes;
  return (std::uint64_t(threads) * sharedElementsPerThread + warpsOf(threads) * paddingPerWarp) *
         bytesOf(type);
}

std::uint64_t Kernel::firstElements(unsigned size) const {
  switch (firstSize) {
    case FirstSize::OneLoad:
      break;
    case FirstSize::EightBlocks:
      return 8 * std::uint64_t(size);
    case FirstSize::FourLoads:
      return 4 * std::uint64_t(size) * launch.elementsPerThread * launch.cluster;
    case FirstSize::NotAWholeBlock:
      return size - (size + 7) / 8;
  }
  return std::uint64_t(size) * launch.elementsPerThread;
}

std::uint64_t Kernel::elementsOfDevice(std::uint64_t elements, unsigned gpus) const {
  return devices == DeviceUse::PartEach ? elements / gpus + (elements % gpus != 0) : elements;
}

unsigned stepsOf(DeviceSteps steps, unsigned devices) {
  switch (steps) {
    case DeviceSteps::One:
      return 1;
    case DeviceSteps::Ring:
      return std::max(1u, 2 * (devices - 1));
    case DeviceSteps::Tree:
      return std::max(1u, 2 * unsigned(std::bit_width(devices - 1)));
  }
  return 1;
}

std::string_view nameOf(ParameterOf of) {
  constexpr std::array<std::string_view, 3> names{"own", "first", "all"};
  return names[std::size_t(of)];
}
std::string_view nameOf(DeviceUse use) {
  constexpr std::array<std::string_view, 3> names{"one", "a part each", "an array each"};
  return names[std::size_t(use)];
}
std::string_view nameOf(DeviceSteps steps) {
  constexpr std::array<std::string_view, 3> names{"one", "ring", "tree"};
  return names[std::size_t(steps)];
}

bool Kernel::takesCustom() const {
  return devices != DeviceUse::ArrayEach && hardwareForm == HardwareForm::None &&
         std::ranges::all_of(kOperators, [&](Operator op) { return std::ranges::count(operators, op) > 0; });
}

bool Kernel::offers(ElementType type, Operator op) const {
  if (op == Operator::Custom) return takesCustom() && std::ranges::find(types, type) != types.end();
  return std::ranges::find(types, type) != types.end() &&
         std::ranges::find(operators, op) != operators.end() && isOffered(type, op) &&
         hasHardwareForm(hardwareForm, type, op);
}

bool Kernel::takes(ParameterRole role) const {
  return std::ranges::find(parameters, role, &KernelParameter::role) != parameters.end();
}

bool Kernel::joinsBlocks() const {
  return std::ranges::any_of(
      parameters, [](const KernelParameter& parameter) { return model::joinsBlocks(parameter.role); });
}

bool hasHardwareForm(HardwareForm form, ElementType type, Operator op) {
  switch (form) {
    case HardwareForm::None:
      return true;
    case HardwareForm::WarpReduction:
      return !isFloating(type) && bytesOf(type) == 4 && !factsOf(op).reduce.empty();
    case HardwareForm::Atomic:
      return isFloating(type) ? op == Operator::Add : !factsOf(op).atomic.empty();
  }
  return false;
}

}  // namespace stridescope::model
