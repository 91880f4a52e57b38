#include "analysis/output_elements.h"

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

// The lowest element that the round stores to the buffer.
std::optional<std::uint64_t> storedElement(const model::LaunchTrace& launch, const Round& round,
                                           std::uint32_t buffer) {
  std::optional<std::uint64_t> lowest;
  for (const WarpOperation& operation : round.operations) {
    if (operation.kind != model::EventKind::Store) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch.events[operation.event[lane]];
      if (!event.inGlobal() || event.buffer() != buffer) return;
      const std::uint64_t element = event.offset() / std::max(1u, launch.buffers[buffer].elementBytes);
      if (!lowest || element < *lowest) lowest = element;
    });
  }
  return lowest;
}

}  // namespace

void findOutputElements(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const auto buffer = model::indexOfRole(launch.buffers, model::ParameterRole::Merged);
  if (!buffer) return;

  std::optional<std::uint64_t> element, last;
  for (std::size_t i = rounds.size(); i-- > 0;) {
    if (const auto stored = storedElement(launch, rounds[i], *buffer)) element = stored;
    if (element && !last) last = element;
    rounds[i].outputElement = element;
  }
  if (!launch.cut) return;
  for (std::size_t i = rounds.size(); i-- > 0 && !rounds[i].outputElement;)
    rounds[i].outputElement = last ? *last + 1 : 0;
}

}  // namespace stridescope::analysis
