#include "measure/cpu/cpu_inputs.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/numbers.h"
#include "measure/cpu/cpu_facts.h"
#include "measure/timing_data.h"

namespace stridescope::measure::cpu {
namespace {

constexpr std::uint64_t kCacheLine = 64;
constexpr std::uint64_t kCachesToFill = 2;  // what was used so long ago is in none

std::uint64_t roundedUp(std::uint64_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine; }

tl::unexpected<Error> tooLarge(const model::TimingCase& timingCase) {
  return usageError(sizeText(timingCase.elements) + " elements of " +
                    std::string(model::nameOf(timingCase.type)) +
                    " do not fit into this machine's free memory: the CPU is timed up to fewer.");
}

}  // namespace

// Memory is kept for the next case unless that needs much less: the system takes long to give fresh pages.
void CpuInputs::reserve(std::uint64_t bytes) {
  if (bytes <= reserved_ && bytes >= reserved_ / 2) return;
  bytes_.reset();
  reserved_ = 0;
  bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
  reserved_ = bytes;
}

Result<void> CpuInputs::fill(const model::TimingCase& timingCase) try {
  const std::uint64_t available = availableMemoryBytes() / 2;  // the other half is other programs'
  if (timingCase.elements > (available + reserved_) / model::bytesOf(timingCase.type))
    return tooLarge(timingCase);
  const std::uint64_t bytes = timingCase.elements * model::bytesOf(timingCase.type);
  stride_ = std::max(roundedUp(bytes), kCacheLine);
  const std::uint64_t cold = kCachesToFill * lastLevelCacheBytes();
  const std::uint64_t room = std::min(kMaxCpuInputBytes, available + reserved_);
  copies_ = timingCase.warmL2 ? 1 : std::max<std::uint64_t>(1, std::min(cold / stride_ + 1, room / stride_));
  warm_ = !timingCase.warmL2 && copies_ * stride_ < cold;
  turn_ = 0;

  const auto period = timingData(timingCase.type, timingCase.op, std::min(timingCase.elements, kDataPeriod));
  reserve(copies_ * stride_);
  for (std::uint64_t copy = 0; copy < copies_; ++copy)
    for (std::uint64_t at = 0; at < bytes; at += period.size())
      std::memcpy(bytes_.get() + copy * stride_ + at, period.data(),
                  std::min<std::uint64_t>(period.size(), bytes - at));
  return {};
} catch (const std::bad_alloc&) {
  return tooLarge(timingCase);
}

const std::uint8_t* CpuInputs::next() { return bytes_.get() + turn_++ % copies_ * stride_; }

}  // namespace stridescope::measure::cpu
