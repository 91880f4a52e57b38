#include "twin/thread_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bank_conflicts.h"
#include "trace/value.h"
#include "twin/requests.h"
#include "twin/round_kind.h"
#include "twin/wording.h"

namespace stridescope {
namespace {

std::string_view meaningOf(LaneState state) {
  switch (state) {
    case LaneState::Active:
      return "active";
    case LaneState::PredicatedOff:
      return "predicated off";
    case LaneState::IdleWarp:
      return "in an idle warp";
    case LaneState::Finished:
      return "finished";
  }
  return {};
}

std::string placeOf(const RoundAt& at, const Operand& operand) {
  if (operand.inRegister) return "register";
  const auto& arrays = operand.shared ? at.launch.shared : at.launch.buffers;
  return fmt::format("{}[{}]", arrays[operand.array].name, figure(operand.element));
}

std::string valueOf(const RoundAt& at, const Operand& operand) {
  return groupedElement(printElement(at.trace.experiment.type, operand.bits));
}

// "data[80] + data[88] = 34 + 22 = 56", "data[5] = in[5] = 7", "data[5] = 7", "reads data[5] = 7".
std::string formulaOf(const RoundAt& at, const ThreadWork& work) {
  const Operator op = at.trace.experiment.op;
  if (work.a && work.b && work.result)
    return fmt::format("{} = {} = {}", expression(op, placeOf(at, *work.a), placeOf(at, *work.b)),
                       expression(op, valueOf(at, *work.a), valueOf(at, *work.b)), valueOf(at, *work.result));
  if (work.a && work.result)
    return fmt::format("{} = {} = {}", placeOf(at, *work.result), placeOf(at, *work.a),
                       valueOf(at, *work.result));
  if (work.result) return fmt::format("{} = {}", placeOf(at, *work.result), valueOf(at, *work.result));
  if (work.a) return fmt::format("reads {} = {}", placeOf(at, *work.a), valueOf(at, *work.a));
  return {};
}

// What the lane gave and received in a shuffle, a vote or a warp reduction.
std::string exchangeOf(const RoundAt& at, unsigned warp, unsigned lane) {
  std::optional<std::uint64_t> given, received;
  unsigned source = lane;
  for (const WarpOperation& operation : at.round().operations) {
    if (operation.warp != warp || ((operation.mask >> lane) & 1) == 0) continue;
    const Event& event = at.launch.events[operation.event[lane]];
    if (operation.kind == EventKind::Give) given = event.value;
    if (operation.kind == EventKind::Shuffle) {
      received = event.value;
      source = event.sourceLane();
    }
  }
  if (!received) return {};
  const auto print = [&](std::uint64_t bits) {
    return groupedElement(printElement(at.trace.experiment.type, bits));
  };
  std::string text = fmt::format("receives {} from lane {}", print(*received), source);
  if (given) text += fmt::format(", gives {}", print(*given));
  return text;
}

std::optional<ThreadAccess> accessOf(const RoundAt& at, const NamedRequest& request, unsigned warp,
                                     unsigned lane) {
  for (std::size_t index : request.operations) {
    const WarpOperation& operation = at.round().operations[index];
    if (operation.warp != warp || ((operation.mask >> lane) & 1) == 0) continue;
    const BankMap map = mapBanks(addressesOf(operation, at.launch), operation.kind == EventKind::Store);
    unsigned last = 0;
    for (unsigned word = 0; word < map.wordsPerLane; ++word)
      last = std::max<unsigned>(last, map.lanes[lane][word].wavefront);
    return ThreadAccess{request.name, map.lanes[lane][0].bank, last + 1, map.use.wavefronts};
  }
  return std::nullopt;
}

}  // namespace

std::string ThreadAccess::text() const {
  return fmt::format("{}: bank {}, wavefront {} of {}", name, bank, wavefront, wavefronts);
}

std::string ThreadLine::text() const {
  std::string line = fmt::format("thread {}   warp {} lane {}", figure(thread), warp, lane);
  if (!formula.empty()) line += "   " + formula;
  for (const ThreadAccess& access : accesses) line += "   " + access.text();
  return line;
}

ThreadLine threadLineOf(const RoundAt& at, unsigned thread) {
  ThreadLine line{.thread = thread,
                  .warp = thread / kWarpSize,
                  .lane = thread % kWarpSize,
                  .state = at.round().lanes[thread],
                  .formula = {},
                  .accesses = {}};
  const auto& all = at.work().work;
  const auto own = std::ranges::find(all, thread, &ThreadWork::thread);
  if (own != all.end()) line.formula = formulaOf(at, *own);
  if (line.formula.empty()) line.formula = exchangeOf(at, line.warp, line.lane);
  if (line.formula.empty()) line.formula = std::string(meaningOf(line.state));
  for (const NamedRequest& request : namedRequests(at))
    if (auto access = accessOf(at, request, line.warp, line.lane)) line.accesses.push_back(*access);
  return line;
}

}  // namespace stridescope
