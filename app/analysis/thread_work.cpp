#include "analysis/thread_work.h"

#include <algorithm>

#include "analysis/round_cost.h"
#include "base/in_parallel.h"

namespace stridescope::analysis {
namespace {

bool sameArray(const Operand& x, const Operand& y) { return x.shared == y.shared && x.array == y.array; }

void addRead(ThreadWork& work, const Operand& operand) {
  if (!operand.placed) return;
  if (!work.a)
    work.a = operand;
  else if (!work.b && sameArray(*work.a, operand) && !sameElement(*work.a, operand))
    work.b = operand;
}

// Gives whether it is the result now.
bool addWrite(ThreadWork& work, const Operand& operand) {
  if (!operand.placed || (work.result && !(work.a && sameArray(*work.a, operand)))) return false;
  work.result = operand;
  return true;
}

// Operands that stand in no memory, or not in the array of the others.
void fillFromOperands(ThreadWork& work) {
  const std::size_t found = (work.a ? 1u : 0u) + (work.b ? 1u : 0u);
  if (found >= std::min<std::size_t>(2, work.operands.size())) return;
  work.a = work.operands[0];
  work.b = work.operands.size() > 1 ? std::optional(work.operands[1]) : std::nullopt;
}

// What one thread did in a round.
struct Gathered {
  ThreadWork work;
  // The last result that stands in no memory, and its operands.
  std::optional<Operand> assigned;
  std::vector<Operand> assignedOperands;
};

// Adds work on counters and flags only if the thread did nothing else in the pass.
void add(Gathered& gathered, const std::vector<PassWork>& done) {
  ThreadWork& work = gathered.work;
  const bool ofElements = std::ranges::any_of(done, &PassWork::ofElements);
  work.ofElements = work.ofElements || ofElements;
  for (const PassWork& own : done) {
    if (ofElements && !own.ofElements) continue;
    for (const Operand& operand : own.operands) addRead(work, operand);
    if (own.result && addWrite(work, *own.result)) work.operands = own.operands;
    const bool assigns = own.result && !own.result->placed;
    if (own.inPass || !gathered.assigned) {
      if (assigns) gathered.assigned = own.result;
      if (assigns || gathered.assignedOperands.empty()) gathered.assignedOperands = own.operands;
    }
  }
}

std::vector<Gathered> workOf(const PassReader& reader, const Round& round) {
  std::vector<Gathered> work;
  reader.visit(round, [&](std::uint32_t, const std::vector<PassWork>& done) {
    if (work.empty() || work.back().work.thread != done.front().thread)
      work.emplace_back().work.thread = done.front().thread;
    add(work.back(), done);
  });
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

// What wrote nothing has become a value in a register.
void finish(ThreadWork& work, Gathered gathered, const Round& round) {
  if (!work.result) {
    work.result = gathered.assigned;
    work.operands = std::move(gathered.assignedOperands);
  }
  if (round.passes > 1) work.operands.clear();
  fillFromOperands(work);
}

}  // namespace

std::vector<ThreadWork> threadWorkOf(const Pass& pass) {
  std::vector<ThreadWork> work;
  for (const PassWork& done : pass.work) {
    ThreadWork& own = work.emplace_back();
    own.thread = done.thread;
    own.ofElements = done.ofElements;
    own.operands = done.operands;
    own.result = done.result;
    fillFromOperands(own);
  }
  // Counters and flags of threads that touch elements, too, are no work of their own.
  const auto touches = [&](std::uint32_t thread) {
    const auto first = std::ranges::lower_bound(work, thread, {}, &ThreadWork::thread);
    const auto last = std::ranges::upper_bound(work, thread, {}, &ThreadWork::thread);
    return std::any_of(first, last, [](const ThreadWork& own) { return own.ofElements; });
  };
  std::vector<ThreadWork> shown;
  for (ThreadWork& own : work)
    if (own.ofElements || !touches(own.thread)) shown.push_back(std::move(own));
  return shown;
}

std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch) {
  const model::Array& array = launch.arrayOf(event);
  return event.offset() / std::max(1u, array.elementBytes);
}

std::vector<RoundFlow> gatherThreadWork(const model::Trace& trace, const model::LaunchTrace& launch,
                                        const std::vector<Round>& rounds) {
  const PassReader reader(trace, launch);
  std::vector<RoundFlow> flow(rounds.size());
  inParallel(
      rounds.size(),
      [&](std::size_t i) {
        std::vector<Gathered> gathered = workOf(reader, rounds[i]);
        for (const Gathered& each : gathered) flow[i].work.push_back(each.work);
        findKept(flow[i].work);
        for (std::size_t w = 0; w < gathered.size(); ++w)
          finish(flow[i].work[w], std::move(gathered[w]), rounds[i]);
      },
      threadsFor(launch));
  return flow;
}

}  // namespace stridescope::analysis
