#include "futures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/analysis.h"
#include "analysis/event_groups.h"

namespace stridescope::views::test {
namespace {

using model::EventKind;

// Each thread's first event behind the rounds before the fork's.
std::vector<std::uint32_t> tailsOf(const Fork& fork, unsigned rounds) {
  const analysis::Analysis analysis = analysis::analyse(fork.trace);
  const model::LaunchTrace& launch = fork.trace.launches[fork.launch];
  std::vector<std::uint32_t> tails(launch.recorded().first.begin(), launch.recorded().first.end() - 1);
  for (unsigned round = 0; round < rounds; ++round)
    for (const analysis::WarpOperation& operation : analysis.launches[fork.launch].rounds[round].operations)
      for (unsigned lane = 0; lane < 32; ++lane)
        if ((operation.mask >> lane) & 1)
          tails[operation.warp * 32 + lane] =
              std::max(tails[operation.warp * 32 + lane], operation.event[lane] + 1);
  // What became of variables belongs to the access before; behind a barrier the next round begins.
  for (std::size_t thread = 0; thread < tails.size(); ++thread) {
    std::uint32_t& tail = tails[thread];
    if (tail == launch.recorded().first[thread]) continue;
    const EventKind last = launch.recorded().events[tail - 1].kind();
    if (last == EventKind::BlockBarrier || last == EventKind::WarpBarrier) continue;
    while (tail < launch.recorded().first[thread + 1] &&
           launch.recorded().events[tail].kind() == EventKind::Value)
      ++tail;
  }
  return tails;
}

std::uint32_t warpBarriersBefore(const model::LaunchTrace& launch, std::size_t thread, std::uint32_t event) {
  std::uint32_t count = 0;
  for (std::uint32_t i = launch.recorded().first[thread]; i < event; ++i)
    count += launch.recorded().events[i].kind() == EventKind::WarpBarrier;
  return count;
}

std::size_t blockBarriersBefore(const model::LaunchTrace& launch, std::uint32_t event) {
  std::size_t count = 0;
  for (std::uint32_t i = launch.recorded().first[0]; i < event; ++i)
    count += launch.recorded().events[i].kind() == EventKind::BlockBarrier;
  return count;
}

bool isAccess(EventKind kind) {
  return kind == EventKind::Load || kind == EventKind::Store || kind == EventKind::Atomic;
}

// Calls change(event) with every event from the fork on.
template <class Change>
void changeTails(model::LaunchTrace& launch, const std::vector<std::uint32_t>& tails, const Change& change) {
  for (std::size_t thread = 0; thread < tails.size(); ++thread)
    for (std::uint32_t i = tails[thread]; i < launch.recorded().first[thread + 1]; ++i)
      change(launch.recorded().events[i]);
}

constexpr std::uint64_t kOtherBits = 0x15;

}  // namespace

model::Trace withOtherValues(const Fork& fork) {
  const std::vector<std::uint32_t> tails = tailsOf(fork, fork.round);
  model::Trace trace = fork.trace;
  model::LaunchTrace& launch = trace.launches[fork.launch];
  changeTails(launch, tails, [](model::Event& event) {
    if (event.kind() == EventKind::Store || event.kind() == EventKind::Value) event.value ^= kOtherBits;
  });
  for (std::size_t i = blockBarriersBefore(launch, tails[0]); i < launch.recorded().barrierCopies.size(); ++i)
    for (std::uint8_t& byte : launch.recorded().barrierCopies[i]) byte ^= kOtherBits;
  for (model::BlockTrace::CopiedWord& word : launch.recorded().copied)
    if (word.barrier >= warpBarriersBefore(launch, word.thread, tails[word.thread]))
      word.event.value ^= kOtherBits;
  trace.result = "31415";
  trace.ok = false;
  trace.checkNote = "It differs by 27182.";
  return trace;
}

model::Trace withOtherThreads(const Fork& fork) {
  const std::vector<std::uint32_t> tails = tailsOf(fork, fork.round);
  model::Trace trace = fork.trace;
  model::LaunchTrace& launch = trace.launches[fork.launch];
  const model::LaunchTrace& own = fork.trace.launches[fork.launch];
  launch.recorded().events.clear();
  launch.recorded().first.assign(1, 0);
  for (std::size_t thread = 0; thread < tails.size(); ++thread) {
    const std::size_t other = tails.size() - 1 - thread;
    const auto begin = own.recorded().events.begin();
    launch.recorded().events.insert(launch.recorded().events.end(), begin + own.recorded().first[thread],
                                    begin + tails[thread]);
    launch.recorded().events.insert(launch.recorded().events.end(), begin + tails[other],
                                    begin + own.recorded().first[other + 1]);
    launch.recorded().first.push_back(std::uint32_t(launch.recorded().events.size()));
  }
  for (model::BlockTrace::CopiedWord& word : launch.recorded().copied) {
    const std::uint32_t told = warpBarriersBefore(own, word.thread, tails[word.thread]);
    if (word.barrier < told) continue;
    const auto other = std::uint32_t(tails.size() - 1 - word.thread);
    word.barrier += warpBarriersBefore(own, other, tails[other]) - told;
    word.thread = other;
  }
  return trace;
}

model::Trace withoutThreads(const Fork& fork, unsigned first, unsigned last) {
  const std::vector<std::uint32_t> tails = tailsOf(fork, fork.round);
  model::Trace trace = fork.trace;
  model::LaunchTrace& launch = trace.launches[fork.launch];
  const model::LaunchTrace& own = fork.trace.launches[fork.launch];
  launch.recorded().events.clear();
  launch.recorded().first.assign(1, 0);
  for (std::size_t thread = 0; thread < tails.size(); ++thread) {
    bool falls = thread >= first && thread <= last;
    for (std::uint32_t i = own.recorded().first[thread]; i < own.recorded().first[thread + 1]; ++i) {
      const EventKind kind = own.recorded().events[i].kind();
      if (i >= tails[thread] && kind == EventKind::BlockBarrier) falls = false;
      const bool stays = kind == EventKind::Branch || kind == EventKind::WarpBarrier;
      if (i < tails[thread] || !falls || stays) launch.recorded().events.push_back(own.recorded().events[i]);
    }
    launch.recorded().first.push_back(std::uint32_t(launch.recorded().events.size()));
  }
  return trace;
}

model::Trace withOtherCells(const Fork& fork, unsigned flip) {
  const std::vector<std::uint32_t> tails = tailsOf(fork, fork.round);
  model::Trace trace = fork.trace;
  model::LaunchTrace& launch = trace.launches[fork.launch];
  changeTails(launch, tails, [&](model::Event& event) {
    if (!isAccess(event.kind()) || !event.inShared()) return;
    const model::Array& array = launch.recorded().shared[event.sharedArray()];
    const std::uint64_t moved = event.offset() ^ (std::uint64_t(flip) * array.elementBytes);
    if (moved + event.width() > array.bytes) return;
    event.head = (event.head & ~((1ull << 40) - 1)) | moved;
  });
  return trace;
}

namespace {

// What the thread does first of that kind in the fork's round; nullptr: nothing.
model::Event* firstOf(const Fork& fork, model::Trace& trace, EventKind kind, unsigned thread) {
  const std::uint32_t begin = tailsOf(fork, fork.round)[thread], end = tailsOf(fork, fork.round + 1)[thread];
  std::vector<model::Event>& events = trace.launches[fork.launch].recorded().events;
  for (std::uint32_t i = begin; i < end; ++i)
    if (events[i].kind() == kind) return &events[i];
  ADD_FAILURE() << "thread " << thread << " does nothing of the kind";
  return nullptr;
}

}  // namespace

model::Trace withARace(const Fork& fork, unsigned first, unsigned second) {
  model::Trace trace = fork.trace;
  const model::Event* const own = firstOf(fork, trace, EventKind::Store, first);
  model::Event* const other = firstOf(fork, trace, EventKind::Store, second);
  if (own != nullptr && other != nullptr) other->head = own->head;
  return trace;
}

model::Trace withAProblem(const Fork& fork, unsigned thread) {
  model::Trace trace = fork.trace;
  if (const model::Event* const store = firstOf(fork, trace, EventKind::Store, thread))
    trace.launches[fork.launch].recorded().problems.push_back(
        {.kind = model::ProblemKind::OutOfBounds,
         .text = "Thread " + std::to_string(thread) + " stored behind the end.",
         .site = int(store->site()),
         .thread = thread});
  return trace;
}

}  // namespace stridescope::views::test
