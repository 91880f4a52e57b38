// When the window draws: not at all while nothing happens, and never faster than a monitor shows.
#pragma once

#include <limits>

namespace stridescope::shell {

// All times are seconds of one clock that only goes forward.
class FramePacer {
 public:
  // Input, a resize: something that the frames should answer to.
  void wake(double now);

  // Data changed that a frame shows, such as a job's or timing's. A frame is due, and when no more news come,
  // one for the layout that follows from it.
  void news(double now);

  // A frame was begun. `wantsMore`: what it shows goes on moving (App::wantsFrameSoon). `changesIn`: another
  // frame is due after so many seconds, because what it shows changes by itself then; infinite: it does not.
  void frameBegun(double now, bool wantsMore, double changesIn = std::numeric_limits<double>::infinity());

  // Whether anybody can see the window. One that is minimised draws nothing, whatever wakes it; what happened
  // meanwhile is drawn as soon as it is seen again.
  void setVisible(bool visible, double now);

  bool frameDue(double now) const { return secondsToWait(now) <= 0; }

  // How long the loop may sleep for events before it asks again; kLongestSleep when nothing is planned.
  double secondsToWait(double now) const;

  static constexpr double kShortestFrame = 1.0 / 60;
  static constexpr double kLongestSleep = 0.25;

  // Dear ImGui needs a frame to see an event, one to act on it and one to lay out what came of it.
  static constexpr int kFramesAfterWake = 3;

  static constexpr double kSettled = 0.1;  // after news

  // And later ones: tooltips wait for the pointer to rest, first 0.15 s and then up to 0.4 s more.
  static constexpr double kLateFrames[] = {0.2, 0.45, 0.7};

 private:
  double lastFrame_ = -1;
  double wokenAt_ = -1, newsAt_ = -1;
  double changesAt_ = std::numeric_limits<double>::infinity();
  int framesLeft_ = kFramesAfterWake;
  bool wantsMore_ = false, visible_ = true;
};

}  // namespace stridescope::shell
