// A flag for each element of memory that a block works in: in the shared arrays, and in the windows of device
// memory that it changes in place.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/passes.h"

namespace stridescope::analysis {

class ElementFlags {
 public:
  using Flags = std::vector<bool>;

  // `shared`: the flags of each shared array. `device`: those of each window, empty if it is not worked in
  // place.
  ElementFlags(const DeviceMemory& windows, std::vector<Flags> shared, std::vector<Flags> device)
      : windows_(windows), shared_(std::move(shared)), device_(std::move(device)) {}

  const std::vector<Flags>& shared() const { return shared_; }
  const std::vector<Flags>& device() const { return device_; }

  // The flags of that array or buffer; nullptr: it has none.
  Flags* of(bool shared, std::uint32_t array) {
    if (shared) return array < shared_.size() ? &shared_[array] : nullptr;
    const auto window = windows_.windowOf(array);
    return window && windows_.windows[*window].readToo ? &device_[*window] : nullptr;
  }
  // The element that the array's first flag is of.
  std::uint64_t startOf(bool shared, std::uint32_t array) const {
    return shared ? 0 : windows_.windows[*windows_.windowOf(array)].first;
  }
  // nullopt: it stands in no memory, or in memory without flags.
  std::optional<Flags::reference> at(const Operand& operand) {
    Flags* const flags = operand.placed ? of(operand.shared, operand.array) : nullptr;
    if (flags == nullptr) return std::nullopt;
    const std::uint64_t place = operand.element - startOf(operand.shared, operand.array);
    return place < flags->size() ? std::optional((*flags)[std::size_t(place)]) : std::nullopt;
  }
  void set(const Operand& operand, bool flag) {
    if (auto found = at(operand)) *found = flag;
  }

 private:
  const DeviceMemory& windows_;
  std::vector<Flags> shared_, device_;
};

// Which elements of memory still stand for themselves, seen from before: what was written, until a thread
// combines it into another element. Unlike RoundFlow::liveAfter it is told by the rounds up to here alone and
// gives nothing away of those to come.

class StandingElements {
 public:
  using Flags = ElementFlags::Flags;

  // Before the first round nothing in shared memory stands, and everything in the buffers that the block
  // changes in place does. Both arguments must outlive it.
  StandingElements(const model::LaunchTrace& launch, const LaunchAnalysis& analysis);

  // The rounds of the launch, one after the other.
  void pass(const Round& round, const RoundFlow& flow);

  // As RoundFlow::liveAfter and ::deviceLiveAfter have them.
  const std::vector<Flags>& shared() const { return flags_.shared(); }
  const std::vector<Flags>& device() const { return flags_.device(); }

 private:
  const model::LaunchTrace& launch_;
  ElementFlags flags_;
};

}  // namespace stridescope::analysis
