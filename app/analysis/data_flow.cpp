#include "analysis/data_flow.h"

#include <algorithm>
#include <bit>

namespace stridescope {
namespace {

constexpr std::uint32_t kNobody = ~0u;

std::uint64_t elementOf(const Event& event, const LaunchTrace& launch) {
  const Array& array = event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
  return event.offset() / std::max(1u, array.elementBytes);
}

bool sameElement(const Operand& x, const Operand& y) {
  return x.shared == y.shared && x.array == y.array && x.element == y.element;
}

void addRead(ThreadWork& work, const Operand& operand) {
  if (!work.a) {
    work.a = operand;
  } else if (!work.b && !sameElement(*work.a, operand)) {
    work.b = operand;
  }
}

// The accesses of the round, gathered by thread.
std::vector<ThreadWork> gatherWork(const LaunchTrace& launch, const Round& round) {
  std::vector<ThreadWork> work;
  std::vector<std::uint32_t> placeOf(launch.block, kNobody);
  for (std::uint32_t index = 0; index < round.operations.size(); ++index) {
    const WarpOperation& operation = round.operations[index];
    if (operation.kind > EventKind::Atomic) continue;
    for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = unsigned(std::countr_zero(lanes));
      const std::uint32_t thread = operation.warp * kWarpSize + lane;
      const Event& event = launch.events[operation.event[lane]];
      if (!event.inShared() && !event.inGlobal()) continue;
      if (placeOf[thread] == kNobody) {
        placeOf[thread] = std::uint32_t(work.size());
        work.push_back({.thread = thread, .a = {}, .b = {}, .result = {}, .useful = false});
      }
      const Operand operand{.shared = event.inShared(),
                            .array = event.inShared() ? event.sharedArray() : event.buffer(),
                            .element = elementOf(event, launch),
                            .bits = event.value,
                            .site = operation.site,
                            .operation = index,
                            .inRegister = false};
      ThreadWork& own = work[placeOf[thread]];
      if (operation.kind == EventKind::Load)
        addRead(own, operand);
      else
        own.result = operand;
    }
  }
  std::ranges::sort(work, {}, &ThreadWork::thread);
  return work;
}

// A thread that reads one element and writes another of the same array, having written that one in an earlier
// round, has carried its first operand in a register.
void findRegisterOperands(const LaunchTrace& launch, std::vector<RoundFlow>& flow) {
  std::vector<std::optional<Operand>> lastResult(launch.block);
  for (RoundFlow& round : flow) {
    for (ThreadWork& work : round.work) {
      const auto& kept = lastResult[work.thread];
      const bool oneOperand = work.a && !work.b && work.result;
      if (oneOperand && kept && work.result->shared && sameElement(*kept, *work.result) &&
          !sameElement(*work.a, *work.result)) {
        work.b = work.a;
        work.a = *kept;
        work.a->inRegister = true;
      }
      if (work.result) lastResult[work.thread] = work.result;
    }
  }
}

std::vector<std::vector<bool>> nothingLive(const LaunchTrace& launch) {
  std::vector<std::vector<bool>> live;
  for (const Array& array : launch.shared)
    live.emplace_back(array.bytes / std::max(1u, array.elementBytes), false);
  return live;
}

void setLive(std::vector<std::vector<bool>>& live, const std::optional<Operand>& operand, bool needed) {
  if (operand && operand->shared && operand->element < live[operand->array].size())
    live[operand->array][operand->element] = needed;
}

// Every shared element that a useful thread read is needed before the round.
void markReads(const LaunchTrace& launch, const Round& round, const std::vector<bool>& usefulThread,
               std::vector<std::vector<bool>>& live) {
  for (const WarpOperation& operation : round.operations) {
    if (operation.kind != EventKind::Load) continue;
    for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = unsigned(std::countr_zero(lanes));
      const Event& event = launch.events[operation.event[lane]];
      if (!event.inShared() || !usefulThread[operation.warp * kWarpSize + lane]) continue;
      const std::uint64_t element = elementOf(event, launch);
      if (element < live[event.sharedArray()].size()) live[event.sharedArray()][element] = true;
    }
  }
}

}  // namespace

std::vector<RoundFlow> findDataFlow(const LaunchTrace& launch, const LaunchAnalysis& analysis) {
  std::vector<RoundFlow> flow;
  flow.reserve(analysis.rounds.size());
  for (const Round& round : analysis.rounds) flow.push_back({gatherWork(launch, round), {}});
  findRegisterOperands(launch, flow);

  auto live = nothingLive(launch);
  for (std::size_t index = flow.size(); index-- > 0;) {
    RoundFlow& round = flow[index];
    round.liveAfter = live;
    std::vector<bool> usefulThread(launch.block, false);
    for (ThreadWork& work : round.work) {
      if (!work.result) continue;
      const Operand& result = *work.result;
      work.useful = !result.shared ||
                    (result.element < live[result.array].size() && live[result.array][result.element]);
      usefulThread[work.thread] = work.useful;
    }
    for (const ThreadWork& work : round.work) setLive(live, work.result, false);
    for (const ThreadWork& work : round.work)
      if (work.useful) setLive(live, work.a, true);  // also where it was kept in a register
    markReads(launch, analysis.rounds[index], usefulThread, live);
  }
  return flow;
}

}  // namespace stridescope
