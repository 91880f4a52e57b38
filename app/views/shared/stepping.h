// Where stepping stands: in the run that is shown, or in the two that are compared.
#pragma once

#include "session/comparison.h"
#include "session/parts.h"

namespace stridescope::views {

inline bool hasRun(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->hasRuns() : parts.replay.run() != nullptr;
}
inline bool atFirst(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->atFirst() : parts.replay.atFirst();
}
inline bool atLast(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->atLast() : parts.replay.atLast();
}
inline bool isPlaying(const session::Parts& parts) {
  return parts.comparison != nullptr ? parts.comparison->playing() : parts.replay.playing();
}

}  // namespace stridescope::views
