#include "analysis/thread_work.h"

#include <algorithm>

namespace stridescope::analysis {
namespace {

bool sameArray(const Operand& x, const Operand& y) { return x.shared == y.shared && x.array == y.array; }

bool sameElement(const Operand& x, const Operand& y) { return sameArray(x, y) && x.element == y.element; }

void addRead(ThreadWork& work, const Operand& operand) {
  if (!operand.placed) return;
  if (!work.a)
    work.a = operand;
  else if (!work.b && sameArray(*work.a, operand) && !sameElement(*work.a, operand))
    work.b = operand;
}

void addWrite(ThreadWork& work, const Operand& operand) {
  if (!operand.placed) return;
  if (!work.result || (work.a && sameArray(*work.a, operand))) work.result = operand;
}

// The work of all passes, gathered by thread.
std::vector<ThreadWork> workOf(const PassReader& reader, const Round& round) {
  std::vector<ThreadWork> work;
  reader.visit(round, [&](std::uint32_t, const std::vector<PassWork>& done) {
    for (const PassWork& own : done) {
      if (work.empty() || work.back().thread != own.thread) work.emplace_back().thread = own.thread;
      for (const Operand& operand : own.operands) addRead(work.back(), operand);
      if (own.result) addWrite(work.back(), *own.result);
    }
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

}  // namespace

std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch) {
  const model::Array& array =
      event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
  return event.offset() / std::max(1u, array.elementBytes);
}

std::vector<RoundFlow> gatherThreadWork(const model::Trace& trace, const model::LaunchTrace& launch,
                                        const std::vector<Round>& rounds) {
  const PassReader reader(trace, launch);
  std::vector<RoundFlow> flow;
  flow.reserve(rounds.size());
  for (const Round& round : rounds) {
    RoundFlow& own = flow.emplace_back();
    own.work = workOf(reader, round);
    findKept(own.work);
  }
  return flow;
}

}  // namespace stridescope::analysis
