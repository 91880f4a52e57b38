#include "shell/frame_pacer.h"

#include <algorithm>

namespace stridescope {

void FramePacer::wake(double now) {
  framesLeft_ = kFramesAfterWake;
  wokenAt_ = now;
}

void FramePacer::frameBegun(double now, bool wantsMore) {
  framesLeft_ = std::max(0, framesLeft_ - 1);
  wantsMore_ = wantsMore;
  lastFrame_ = now;
}

double FramePacer::secondsToWait(double now) const {
  const double untilNext = lastFrame_ < 0 ? 0 : std::max(0.0, lastFrame_ + kShortestFrame - now);
  if (framesLeft_ > 0 || wantsMore_) return untilNext;
  if (wokenAt_ >= 0) {
    for (const double late : kLateFrames) {
      const double due = wokenAt_ + late;
      if (lastFrame_ < due) return std::min(kLongestSleep, std::max(untilNext, due - now));
    }
  }
  return kLongestSleep;
}

}  // namespace stridescope
