#include "analysis/thread_work.h"

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

constexpr std::uint32_t kNobody = ~0u;

bool sameArray(const Operand& x, const Operand& y) { return x.shared == y.shared && x.array == y.array; }

bool sameElement(const Operand& x, const Operand& y) { return sameArray(x, y) && x.element == y.element; }

void addRead(ThreadWork& work, const Operand& operand) {
  if (!work.a)
    work.a = operand;
  else if (!work.b && sameArray(*work.a, operand) && !sameElement(*work.a, operand))
    work.b = operand;
}

void addWrite(ThreadWork& work, const Operand& operand) {
  if (!work.result || (work.a && sameArray(*work.a, operand))) work.result = operand;
}

Operand operandOf(const model::LaunchTrace& launch, const model::Event& event, std::uint32_t operation) {
  return {.shared = event.inShared(),
          .array = event.inShared() ? event.sharedArray() : event.buffer(),
          .element = elementOf(event, launch),
          .bits = event.value,
          .site = event.site(),
          .operation = operation,
          .inRegister = false};
}

// Whether the thread has read where to find a value before it read that value, which it stored: it did not
// combine what it had read first.
bool copiesWhatItReadLast(const ThreadWork& work, const Operand& last) {
  return work.a && work.b && work.result && !sameArray(*work.a, last) && !sameArray(*work.a, *work.result) &&
         last.bits == work.result->bits;
}

// A list's bounds are no operands: what lies between them is. Threads whose list is empty have none.
void leaveBoundsOut(std::vector<ThreadWork>& work, const std::vector<Operand>& lastReads) {
  std::optional<Operand> bound;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!copiesWhatItReadLast(work[i], lastReads[i])) continue;
    bound = work[i].a;
    work[i].a = lastReads[i];
    work[i].b.reset();
  }
  for (ThreadWork& own : work)
    if (bound && own.a && own.b && sameArray(*own.a, *bound)) own.a = own.b = std::nullopt;
}

// The accesses of the round, gathered by thread.
std::vector<ThreadWork> workOf(const model::LaunchTrace& launch, const Round& round) {
  std::vector<ThreadWork> work;
  std::vector<Operand> lastReads;  // as `work`
  std::vector<std::uint32_t> placeOf(launch.block, kNobody);
  for (std::uint32_t index = 0; index < round.operations.size(); ++index) {
    const WarpOperation& operation = round.operations[index];
    if (!isAccess(operation.kind)) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint32_t thread = operation.warp * model::kWarpSize + lane;
      const model::Event& event = launch.events[operation.event[lane]];
      if (!event.inShared() && !event.inGlobal()) return;
      if (placeOf[thread] == kNobody) {
        placeOf[thread] = std::uint32_t(work.size());
        work.emplace_back().thread = thread;
        lastReads.emplace_back();
      }
      const Operand operand = operandOf(launch, event, index);
      if (operation.kind == model::EventKind::Load) {
        addRead(work[placeOf[thread]], operand);
        lastReads[placeOf[thread]] = operand;
      } else {
        addWrite(work[placeOf[thread]], operand);
      }
    });
  }
  leaveBoundsOut(work, lastReads);
  std::ranges::sort(work, {}, &ThreadWork::thread);
  return work;
}

// A thread that reads two elements of shared memory and writes none, in a round in which others write one of
// theirs back, has compared and kept. One that reads two from device memory has added them in a register.
void findKept(std::vector<ThreadWork>& work) {
  const bool someMove = std::ranges::any_of(work, [](const ThreadWork& own) {
    return own.a && own.b && own.result && sameArray(*own.a, *own.result);
  });
  const bool allCompare =
      std::ranges::all_of(work, [](const ThreadWork& own) { return own.a && own.a->shared && own.b; });
  if (!someMove && !allCompare) return;
  for (ThreadWork& own : work) {
    if (!own.a || !own.b || own.result) continue;
    own.result = own.a->element < own.b->element ? own.a : own.b;
    own.kept = true;
  }
}

// The thread reads one element of a shared array and writes one of the same.
bool readsOneAndWrites(const ThreadWork& work) {
  return work.a && !work.b && work.result && work.result->shared && sameArray(*work.a, *work.result);
}

// In a stride all of them read equally far from where they write; threads that gather elements from here and
// there copy them.
bool areInOneStride(const std::vector<ThreadWork>& work) {
  std::optional<std::uint64_t> distance;  // wraps round where the element read is the lower one
  for (const ThreadWork& own : work) {
    if (!readsOneAndWrites(own)) continue;
    const std::uint64_t apart = own.a->element - own.result->element;
    if (distance.value_or(apart) != apart) return false;
    distance = apart;
  }
  return true;
}

// A thread that reads one element and writes another of the same array, having written that one in an earlier
// round, has carried its first operand in a register.
void findRegisterOperands(const model::LaunchTrace& launch, std::vector<RoundFlow>& flow) {
  std::vector<std::optional<Operand>> lastResult(launch.block);
  for (RoundFlow& round : flow) {
    const bool inOneStride = areInOneStride(round.work);
    for (ThreadWork& work : round.work) {
      const auto& before = lastResult[work.thread];
      if (inOneStride && readsOneAndWrites(work) && before && sameElement(*before, *work.result) &&
          !sameElement(*work.a, *work.result)) {
        work.b = work.a;
        work.a = *before;
        work.a->inRegister = true;
      }
      if (work.result) lastResult[work.thread] = work.result;
    }
  }
}

}  // namespace

std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch) {
  const model::Array& array =
      event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
  return event.offset() / std::max(1u, array.elementBytes);
}

std::vector<RoundFlow> gatherThreadWork(const model::LaunchTrace& launch, const std::vector<Round>& rounds) {
  std::vector<RoundFlow> flow;
  flow.reserve(rounds.size());
  for (const Round& round : rounds) {
    RoundFlow& own = flow.emplace_back();
    own.work = workOf(launch, round);
    findKept(own.work);
  }
  findRegisterOperands(launch, flow);
  return flow;
}

}  // namespace stridescope::analysis
