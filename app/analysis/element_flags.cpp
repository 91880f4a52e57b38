#include "analysis/element_flags.h"

#include <algorithm>

#include "analysis/data_flow.h"
#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

std::vector<ElementFlags::Flags> noneShared(const model::LaunchTrace& launch) {
  std::vector<ElementFlags::Flags> flags;
  for (const model::Array& array : launch.recorded().shared)
    flags.emplace_back(array.bytes / std::max(1u, array.elementBytes), false);
  return flags;
}

std::vector<ElementFlags::Flags> allInPlace(const DeviceMemory& memory) {
  std::vector<ElementFlags::Flags> flags;
  for (const DeviceWindow& window : memory.windows)
    flags.emplace_back(window.readToo ? window.elements : 0, true);
  return flags;
}

}  // namespace

StandingElements::StandingElements(const model::LaunchTrace& launch, const LaunchAnalysis& analysis)
    : launch_(launch), flags_(analysis.deviceMemory, noneShared(launch), allInPlace(analysis.deviceMemory)) {}

// What was combined falls first: an element that a thread also writes stands again.
void StandingElements::pass(const Round& round, const RoundFlow& flow) {
  for (const ThreadWork& work : flow.work) {
    if (!work.result || !work.result->placed) continue;
    const auto fold = [&](const Operand& operand) {
      if (!sameElement(operand, *work.result)) flags_.set(operand, false);
    };
    for (const auto* operand : {&work.a, &work.b})
      if (*operand) fold(**operand);
    std::ranges::for_each(work.operands, fold);
    if (work.kept) flags_.set(*work.result, true);
  }
  for (const WarpOperation& operation : round.operations) {
    if (!isWrite(operation.kind)) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch_.recorded().events[operation.event[lane]];
      if (!event.inShared() && !event.inGlobal()) return;
      const std::uint32_t array = event.inShared() ? event.sharedArray() : event.buffer();
      const std::uint64_t first = elementOf(event, launch_);
      const std::uint64_t count =
          std::max(1u, event.width() / std::max(1u, launch_.arrayOf(event).elementBytes));
      for (std::uint64_t element = first; element < first + count; ++element)
        flags_.set({.shared = event.inShared(), .array = array, .element = element}, true);
    });
  }
}

}  // namespace stridescope::analysis
