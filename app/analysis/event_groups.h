// Events and operations by what they are for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "analysis/analysis.h"
#include "model/trace.h"

namespace stridescope::analysis {

// Masks of a warp's lanes: bit i stands for lane i.

constexpr std::uint32_t bitOf(unsigned lane) { return 1u << lane; }
constexpr bool contains(std::uint32_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

// Requires a mask that is not empty.
constexpr unsigned lowestLane(std::uint32_t mask) {
  return unsigned(std::countr_zero(mask)) % model::kWarpSize;
}

// The first `count` lanes; from 32 on, all.
constexpr std::uint32_t lanesBelow(std::size_t count) {
  return count >= model::kWarpSize ? ~0u : (1u << count) - 1;
}

// Calls visit(lane) for each lane of the mask, lowest first.
template <class Visit>
constexpr void forEachLane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(lowestLane(mask));
}

inline bool isAccess(model::EventKind kind) { return kind <= model::EventKind::Atomic; }
inline bool isWrite(model::EventKind kind) {
  return kind == model::EventKind::Store || kind == model::EventKind::Atomic;
}

// What the lanes of a warp do together. The others tell of values: what a lane puts into the operation that
// follows, and what a variable has become.
inline bool isAct(model::EventKind kind) {
  return kind != model::EventKind::Give && kind != model::EventKind::Value;
}

inline bool isBarrier(model::EventKind kind) {
  return kind == model::EventKind::BlockBarrier || kind == model::EventKind::WarpBarrier;
}

// Passes values between lanes.
inline bool isExchange(model::EventKind kind) {
  return kind >= model::EventKind::Shuffle && kind <= model::EventKind::WarpReduce;
}

// The lanes of its mask wait for each other.
inline bool isWarpCollective(model::EventKind kind) {
  return kind == model::EventKind::WarpBarrier || isExchange(kind);
}

// How many bytes at the event's offset its value holds: each half of a 16-byte access is an event of its own.
inline unsigned valueBytesOf(const model::Event& event) { return std::min(8u, event.width()); }

// The upper half of the thread's 16-byte access whose lower half is events[index]; nullptr: it has none.
// Whoever made the trace, this is an event of the same thread, site, kind and array.
inline const model::Event* upperHalfOf(const model::LaunchTrace& launch, std::uint32_t thread,
                                       std::uint32_t index) {
  if (index + 1 >= launch.recorded().first[thread + 1]) return nullptr;
  const model::Event& next = launch.recorded().events[index + 1];
  return next.isUpperHalfOf(launch.recorded().events[index]) ? &next : nullptr;
}

// The event of the operation's lowest lane. Site, kind, space and width are the same for all its lanes (a
// warp barrier's sites may differ).
inline const model::Event& firstEventOf(const WarpOperation& operation, const model::LaunchTrace& launch) {
  return launch.recorded().events[operation.event[lowestLane(operation.mask)]];
}

}  // namespace stridescope::analysis
