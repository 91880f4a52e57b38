#include "teaching/registers.h"

#include <algorithm>

#include "analysis/event_groups.h"
#include "model/experiment.h"

namespace stridescope::teaching {
namespace {

using model::EventKind;

// The events of a thread that tell of a round.
struct Range {
  std::uint32_t begin = 0, end = 0;
};
std::vector<Range> eventsOf(const narration::RoundAt& at, std::size_t index) {
  std::vector<Range> ranges(at.launch.block);
  for (const analysis::WarpOperation& operation : at.analysis.rounds[index].operations)
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      Range& own = ranges[operation.warp * model::kWarpSize + lane];
      const std::uint32_t event = operation.event[lane];
      own = own.end == 0 ? Range{event, event + 1}
                         : Range{std::min(own.begin, event), std::max(own.end, event + 1)};
    });
  for (std::uint32_t thread = 0; thread < ranges.size(); ++thread) {
    Range& own = ranges[thread];
    // What a variable has become; behind a barrier that is the next round's.
    while (own.end > 0 && !analysis::isBarrier(at.launch.recorded().events[own.end - 1].kind()) &&
           own.end < at.launch.recorded().first[thread + 1] &&
           at.launch.recorded().events[own.end].kind() == EventKind::Value)
      ++own.end;
  }
  return ranges;
}

// The value of an element that the thread last touched or computed in the round.
std::optional<std::uint64_t> lastValue(const narration::RoundAt& at, std::size_t index, std::uint32_t thread,
                                       const Range& events) {
  const auto& exchanges = at.analysis.rounds[index].exchanges;
  if (thread < exchanges.size() && exchanges[thread]) return exchanges[thread]->after;
  const unsigned width = model::bytesOf(at.trace.experiment.type);
  for (std::uint32_t event = events.end; event > events.begin; --event) {
    const model::Event& own = at.launch.recorded().events[event - 1];
    const bool tells =
        own.kind() == EventKind::Value || own.kind() == EventKind::Load || own.kind() == EventKind::Store;
    if (tells && own.width() == width) return own.value;
  }
  return std::nullopt;
}

bool isShuffle(const std::optional<analysis::LaneExchange>& exchange) {
  return exchange && exchange->kind == EventKind::Shuffle;
}

}  // namespace

std::vector<std::optional<std::uint64_t>> registersBefore(const narration::RoundAt& at) {
  const auto& exchanges = at.round().exchanges;
  if (at.index == 0 || std::ranges::none_of(exchanges, isShuffle)) return {};
  std::vector<std::optional<std::uint64_t>> held(at.launch.block);
  std::size_t open = held.size();
  for (std::size_t index = at.index; index > 0 && open > 0; --index) {
    const std::vector<Range> events = eventsOf(at, index - 1);
    for (std::uint32_t thread = 0; thread < held.size(); ++thread) {
      if (held[thread]) continue;
      held[thread] = lastValue(at, index - 1, thread, events[thread]);
      if (held[thread]) --open;
    }
  }
  for (std::uint32_t thread = 0; thread < held.size(); ++thread)
    if (isShuffle(exchanges[thread]) && held[thread] != exchanges[thread]->given) return {};
  return held;
}

}  // namespace stridescope::teaching
