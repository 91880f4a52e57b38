// What the hooks of fences, of atomic operations, and of volatile accesses tell of how threads order what
// they do (handovers.h).
#include <algorithm>
#include <cstring>

#include "access_recorder.h"
#include "engine/host/executor/block_runner.h"

namespace stridescope::engine::access {

using ::accesses::AtomicKind;
using ::accesses::Order;
using recording::machine;
using recording::U32;
using recording::U64;

namespace {

bool acquires(Order order) {
  return order == Order::Consume || order == Order::Acquire || order >= Order::AcquireRelease;
}
bool releases(Order order) { return order >= Order::Release; }

// Whether a compare and exchange finds what it looks for.
bool findsComparand(const ::accesses::Atomic& operation) {
  U64 bits = 0;
  std::memcpy(&bits, const_cast<const void*>(operation.address), std::min(operation.bytes, 8u));
  return bits == operation.comparand;
}

}  // namespace

void AccessRecorder::handOverByFence(Order order) {
  BlockState& state = stateOfBlock();
  if (state.isKept) state.handovers.fence(acquires(order), releases(order), now());
}

Handovers::Moment AccessRecorder::now() {
  return {machine->running->thread, recording::eventsOfRunningThread()};
}

// What comes at once behind this, or has just been done.
void AccessRecorder::handOver(const ::accesses::Atomic& operation, const OfEvent& event) {
  BlockState& state = stateOfBlock();
  if (!state.isKept) return;
  const bool fails = operation.kind == AtomicKind::Compare && !findsComparand(operation);
  const Order order = fails ? operation.failure : operation.order;
  const bool isAccess = operation.kind == AtomicKind::Load || operation.kind == AtomicKind::Store;
  if (isAccess && order >= Order::Relaxed && event.site != Handovers::kNoSite) atomic_.insert(event.site);
  state.handovers.operate({.address = reinterpret_cast<U64>(operation.address),
                           .reads = operation.kind != AtomicKind::Store,
                           .writes = !fails && operation.kind != AtomicKind::Load,
                           .acquires = acquires(order),
                           .releases = releases(order),
                           .isEvent = event.isEvent,
                           .site = event.site},
                          {now().thread, now().events + (event.isToCome ? 1 : 0)});
}

// The access that a recording call was asked for.
void AccessRecorder::handOverLocated(const ::accesses::Atomic& operation) {
  Located& located = stateOfBlock().located[machine->running->thread];
  located.isStrong = true;
  handOver(operation, {.isEvent = located.isEvent, .isToCome = located.isEvent, .site = located.site});
}

HandedOver AccessRecorder::takeHandedOver(std::uint64_t block) {
  HandedOver all;
  if (const auto ended = handedOver_.find(block); ended != handedOver_.end())
    all = std::move(handedOver_.extract(ended).mapped());
  for (const auto& state : states_)
    if (state->isKept && state->number == block) all = state->handovers.handedOver();
  handingOver_.insert(all.sites.begin(), all.sites.end());
  return all;
}

}  // namespace stridescope::engine::access
