// Events and operations by what they are for.
#pragma once

#include <algorithm>

#include "analysis/analysis.h"
#include "analysis/lane_mask.h"

namespace stridescope {

inline bool isAccess(EventKind kind) { return kind <= EventKind::Atomic; }
inline bool isWrite(EventKind kind) { return kind == EventKind::Store || kind == EventKind::Atomic; }

// Passes values between lanes.
inline bool isExchange(EventKind kind) { return kind >= EventKind::Shuffle && kind <= EventKind::WarpReduce; }

// The lanes of its mask wait for each other.
inline bool isWarpCollective(EventKind kind) { return kind == EventKind::WarpBarrier || isExchange(kind); }

// The bytes at the event's offset that its value holds: of a 16-byte access each half is an event of its own.
inline unsigned valueBytesOf(const Event& event) { return std::min(8u, event.width()); }

// The event of the operation's lowest lane. Kind, space and width are the same for all its lanes.
inline const Event& firstEventOf(const WarpOperation& operation, const LaunchTrace& launch) {
  return launch.events[operation.event[lowestLane(operation.mask)]];
}

}  // namespace stridescope
