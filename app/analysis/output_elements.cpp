#include "analysis/output_elements.h"

#include <algorithm>
#include <span>

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
      const model::Event& event = launch.recorded().events[operation.event[lane]];
      if (!event.inGlobal() || event.buffer() != buffer) return;
      const std::uint64_t element = event.offset() / std::max(1u, launch.buffers[buffer].elementBytes);
      if (!lowest || element < *lowest) lowest = element;
    });
  }
  return lowest;
}

// The shared array out of which the thread loaded what `store` wrote.
std::optional<std::uint32_t> arrayLoadedFor(const model::Trace& trace, std::span<const model::Event> ofThread,
                                            std::size_t store) {
  const auto isOperand = [&](const model::Event& load) {
    return std::ranges::any_of(trace.kernel.operands, [&](const model::SiteOperand& operand) {
      return operand.site == int(ofThread[store].site()) && operand.source == int(load.site());
    });
  };
  for (std::size_t i = store; i-- > 0;)
    if (ofThread[i].kind() == model::EventKind::Load && ofThread[i].inShared() && isOperand(ofThread[i]))
      return ofThread[i].sharedArray();
  return std::nullopt;
}

// The array behind the first store to the buffer with that role.
std::optional<std::uint32_t> arrayBehind(const model::Trace& trace, const model::LaunchTrace& launch,
                                         model::ParameterRole role) {
  const auto buffer = model::indexOfRole(launch.buffers, role);
  if (!buffer) return std::nullopt;
  for (std::size_t thread = 0; thread + 1 < launch.recorded().first.size(); ++thread) {
    const auto events = std::span(launch.recorded().events)
                            .subspan(launch.recorded().first[thread],
                                     launch.recorded().first[thread + 1] - launch.recorded().first[thread]);
    const auto store = std::ranges::find_if(events, [&](const model::Event& event) {
      return event.kind() == model::EventKind::Store && event.inGlobal() && event.buffer() == *buffer;
    });
    if (store != events.end()) return arrayLoadedFor(trace, events, std::size_t(store - events.begin()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<HeadArrays> findHeadArrays(const model::Trace& trace, const model::LaunchTrace& launch) {
  const auto heads = arrayBehind(trace, launch, model::ParameterRole::Merged),
             lists = arrayBehind(trace, launch, model::ParameterRole::Origin);
  if (!heads || !lists || *heads == *lists) return std::nullopt;
  return HeadArrays{*heads, *lists};
}

void findOutputElements(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const auto buffer = model::indexOfRole(launch.buffers, model::ParameterRole::Merged);
  if (!buffer) return;

  std::optional<std::uint64_t> element, last;
  for (std::size_t i = rounds.size(); i-- > 0;) {
    if (const auto stored = storedElement(launch, rounds[i], *buffer)) element = stored;
    if (element && !last) last = element;
    rounds[i].outputElement = element;
  }
  if (!launch.recorded().cut) return;
  for (std::size_t i = rounds.size(); i-- > 0 && !rounds[i].outputElement;)
    rounds[i].outputElement = last ? *last + 1 : 0;
}

}  // namespace stridescope::analysis
