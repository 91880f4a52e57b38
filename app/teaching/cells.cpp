#include "teaching/cells.h"

#include <algorithm>

#include "analysis/element_flags.h"
#include "analysis/event_groups.h"
#include "analysis/snapshots.h"
#include "model/arithmetic.h"
#include "model/experiment.h"
#include "narration/memory_words.h"

namespace stridescope::teaching {
namespace {

bool passesByShuffle(const narration::RoundAt& at) {
  return std::ranges::any_of(at.round().exchanges, [](const auto& exchange) {
    return exchange && exchange->kind == model::EventKind::Shuffle;
  });
}

const analysis::LaneExchange* exchangeOf(const narration::RoundAt& at, std::uint32_t thread) {
  const auto& exchanges = at.round().exchanges;
  return thread < exchanges.size() && exchanges[thread] ? &*exchanges[thread] : nullptr;
}

// The memory that maps show: the first shared array of elements; without shared memory the buffer that the
// block works in in place.
std::vector<Cell> standingCells(const narration::RoundAt& at) {
  analysis::StandingElements standing(at.launch, at.analysis);
  for (std::size_t index = 0; index < at.index; ++index)
    standing.pass(at.analysis.rounds[index], at.flow[index]);
  std::vector<Cell> cells;
  const auto add = [&](Cell::Where where, std::uint32_t array, const std::vector<bool>& flags,
                       std::uint64_t first) {
    for (std::size_t element = 0; element < flags.size(); ++element)
      if (flags[element]) cells.push_back({.where = where, .array = array, .element = first + element});
  };
  const auto& shared = at.launch.recorded().shared;
  const auto array =
      std::ranges::find_if(shared, [](const model::Array& each) { return each.type.has_value(); });
  if (array != shared.end()) {
    const auto index = std::uint32_t(array - shared.begin());
    add(Cell::Where::Shared, index, standing.shared()[index], 0);
  }
  const auto& windows = at.analysis.deviceMemory.windows;
  for (std::size_t window = 0; shared.empty() && window < windows.size(); ++window)
    if (windows[window].readToo && at.launch.buffers[windows[window].buffer].type)
      add(Cell::Where::Device, windows[window].buffer, standing.device()[window], windows[window].first);
  return cells;
}

// After the round of that index; nullopt: unknown.
std::optional<std::uint64_t> wordAfter(const narration::RoundAt& at, std::size_t index, const Cell& cell) {
  if (cell.where == Cell::Where::Device) {
    const auto window = at.analysis.deviceMemory.windowOf(cell.array);
    if (!window) return std::nullopt;
    const auto words = at.analysis.deviceMemory.wordsAfter(*window, index);
    const std::uint64_t place = cell.element - at.analysis.deviceMemory.windows[*window].first;
    return place < words.size() ? words[std::size_t(place)] : std::nullopt;
  }
  const std::size_t bytes = at.launch.recorded().shared[cell.array].elementBytes;
  const std::size_t begin = analysis::SharedLayout(at.launch).beginOf(cell.array);
  return at.analysis.rounds[index].snapshot.word(begin + std::size_t(cell.element) * bytes, bytes);
}

analysis::Operand placeOf(const Cell& cell) {
  return {.shared = cell.where == Cell::Where::Shared, .array = cell.array, .element = cell.element};
}

// What the thread read of it is what stood there before the round.
bool isShown(const narration::RoundAt& at, const analysis::Operand& operand) {
  if (!operand.placed) return false;
  const Cell cell{.where = operand.shared ? Cell::Where::Shared : Cell::Where::Device,
                  .array = operand.array,
                  .element = operand.element};
  return heldBefore(at, cell) == operand.bits;
}

bool isWritten(const narration::RoundAt& at, const Cell& cell) {
  const bool shared = cell.where == Cell::Where::Shared;
  const unsigned bytes = (shared ? at.launch.recorded().shared : at.launch.buffers)[cell.array].elementBytes;
  return std::ranges::any_of(at.round().operations, [&](const analysis::WarpOperation& operation) {
    if (!analysis::isWrite(operation.kind)) return false;
    const model::Event& first = analysis::firstEventOf(operation, at.launch);
    if (shared ? !first.inShared() || first.sharedArray() != cell.array
               : !first.inGlobal() || first.buffer() != cell.array)
      return false;
    bool written = false;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      written |= event.offset() < (cell.element + 1) * bytes &&
                 event.offset() + event.width() > cell.element * bytes;
    });
    return written;
  });
}

}  // namespace

std::vector<Cell> cellsBefore(const narration::RoundAt& at) {
  std::vector<Cell> cells;
  if (at.index == 0) return cells;
  if (!passesByShuffle(at)) return standingCells(at);
  const auto held = registersBefore(at);
  for (std::uint32_t thread = 0; thread < held.size(); ++thread)
    if (held[thread]) cells.push_back({.where = Cell::Where::Register, .thread = thread});
  return cells;
}

std::optional<std::uint64_t> heldBefore(const narration::RoundAt& at, const Cell& cell) {
  if (cell.where == Cell::Where::Register) {
    if (const analysis::LaneExchange* const exchange = exchangeOf(at, cell.thread)) return exchange->given;
    const auto held = registersBefore(at);
    return cell.thread < held.size() ? held[cell.thread] : std::nullopt;
  }
  return at.index == 0 ? std::nullopt : wordAfter(at, at.index - 1, cell);
}

std::optional<std::uint64_t> heldAfter(const narration::RoundAt& at, const Cell& cell) {
  if (cell.where == Cell::Where::Register) {
    const analysis::LaneExchange* const exchange = exchangeOf(at, cell.thread);
    return exchange == nullptr ? std::nullopt : exchange->after;
  }
  return wordAfter(at, at.index, cell);
}

const analysis::ThreadWork* workOn(const narration::RoundAt& at, const Cell& cell) {
  if (cell.where == Cell::Where::Register) return nullptr;
  const auto& work = at.work().work;
  const auto found = std::ranges::find_if(work, [&](const analysis::ThreadWork& own) {
    return own.result && analysis::sameElement(*own.result, placeOf(cell));
  });
  return found == work.end() ? nullptr : &*found;
}

std::vector<analysis::Operand> operandsOf(const narration::RoundAt& at, const Cell& cell) {
  const analysis::ThreadWork* const work = workOn(at, cell);
  if (work == nullptr) return {};
  std::vector<analysis::Operand> operands = work->operands;
  for (const auto* operand : {&work->a, &work->b})
    if (operands.size() < 2 && work->kept && *operand) operands.push_back(**operand);
  return operands;
}

bool isPredictable(const narration::RoundAt& at, const Cell& cell) {
  if (!heldAfter(at, cell) || !heldBefore(at, cell)) return false;
  if (cell.where == Cell::Where::Register) {
    const analysis::LaneExchange& exchange = *exchangeOf(at, cell.thread);
    const std::uint32_t source = cell.thread / model::kWarpSize * model::kWarpSize + exchange.sourceLane;
    const analysis::LaneExchange* const other = exchangeOf(at, source);
    return exchange.kind == model::EventKind::Shuffle && other != nullptr &&
           other->given == exchange.received && exchange.width == model::bytesOf(at.trace.experiment.type);
  }
  const std::vector<analysis::Operand> operands = operandsOf(at, cell);
  if (operands.empty()) return workOn(at, cell) == nullptr && !isWritten(at, cell);
  return at.whole().passes == 1 && std::ranges::all_of(operands, [&](const analysis::Operand& operand) {
           return isShown(at, operand);
         });
}

model::ElementType typeOf(const narration::RoundAt& at, const Cell& cell) {
  if (cell.where == Cell::Where::Register) return at.trace.experiment.type;
  return *(cell.where == Cell::Where::Shared ? at.launch.recorded().shared : at.launch.buffers)[cell.array]
              .type;
}

std::string printed(const narration::RoundAt& at, const Cell& cell, std::uint64_t bits) {
  if (cell.where == Cell::Where::Register) {
    const analysis::LaneExchange* const exchange = exchangeOf(at, cell.thread);
    return exchange != nullptr ? narration::exchangedText(at, *exchange, bits)
                               : model::printElement(at.trace.experiment.type, bits);
  }
  return narration::WordPrinter((cell.where == Cell::Where::Shared ? at.launch.recorded().shared
                                                                   : at.launch.buffers)[cell.array])
      .brief(bits);
}

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
