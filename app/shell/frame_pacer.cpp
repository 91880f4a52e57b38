#include "shell/frame_pacer.h"

#include <algorithm>

namespace stridescope::shell {

void FramePacer::wake(double now) {
  framesLeft_ = kFramesAfterWake;
  wokenAt_ = now;
}

void FramePacer::news(double now) {
  framesLeft_ = std::max(framesLeft_, 1);
  newsAt_ = now;
}

void FramePacer::frameBegun(double now, bool wantsMore, double changesIn) {
  framesLeft_ = std::max(0, framesLeft_ - 1);
  wantsMore_ = wantsMore;
  lastFrame_ = now;
  changesAt_ = now + changesIn;
}

void FramePacer::setVisible(bool visible, double now) {
  if (visible && !visible_) wake(now);
  visible_ = visible;
}

double FramePacer::secondsToWait(double now) const {
  if (!visible_) return kLongestSleep;
  const double untilNext = lastFrame_ < 0 ? 0 : std::max(0.0, lastFrame_ + kShortestFrame - now);
  if (framesLeft_ > 0 || wantsMore_) return untilNext;
  double wait = kLongestSleep;
  const auto frameAt = [&](double due) {
    if (lastFrame_ < due) wait = std::min(wait, std::max(untilNext, due - now));
  };
  if (wokenAt_ >= 0)
    for (const double late : kLateFrames) frameAt(wokenAt_ + late);
  if (newsAt_ >= 0) frameAt(newsAt_ + kSettled);
  frameAt(changesAt_);
  return wait;
}

}  // namespace stridescope::shell
