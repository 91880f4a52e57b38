#include "shell/run_window.h"

#include <algorithm>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace stridescope::shell {

Result<WindowReport> runWindow(App& app, const WindowOptions& options) {
  auto opened = [&] {
    const OpeningWatch watch(options.displayLost, options.closeRequest);
    return WindowContext::open(options.placement, app.title());
  }();
  if (!opened) return tl::unexpected(opened.error());
  WindowContext& window = **opened;
  const HungBell hung(options.bell, [&window] { window.wake(); });  // taken down before the window goes
  auto created = FrameRunner::create(window, options.frame);
  if (!created) return tl::unexpected(created.error());
  FrameRunner& runner = **created;
  DisplayLost keepStateAndEnd;
  if (options.displayLost)
    keepStateAndEnd = [&](const Error& error) {
      app.saveState();
      if (const char* const layout = ImGui::GetIO().IniFilename) ImGui::SaveIniSettingsToDisk(layout);
      options.displayLost(error);
    };
  const ConnectionWatch connection(keepStateAndEnd);
  if (options.withoutSleep) {
    glfwSwapInterval(0);
    window.forgetPictures();
  }

  FramePacer pacer;
  int framesDrawn = 0;
  const auto isCloseRequested = [&] {
    return window.shouldClose() || app.wantsToClose() ||
           (options.closeRequest != nullptr && *options.closeRequest);
  };
  while (!isCloseRequested() && (options.frames == 0 || framesDrawn < options.frames)) {
    const bool minimized = window.isMinimized();
    pacer.setVisible(!minimized, glfwGetTime());
    const double sleep = options.withoutSleep && !minimized ? 0 : pacer.secondsToWait(glfwGetTime());
    if (window.waitForEvents(sleep) || app.wantsFrameSoon()) pacer.wake(glfwGetTime());
    if (window.takeNews()) pacer.news(glfwGetTime());
    for (const auto& path : window.takeDroppedFiles()) app.onDrop(path);
    window.setFullscreen(app.appearance().fullscreen);
    window.setTitle(app.title());
    if (window.isMinimized()) continue;
    if (!options.withoutSleep && !pacer.frameDue(glfwGetTime())) continue;
    const double begun = glfwGetTime();
    runner.run(app);
    ++framesDrawn;
    pacer.frameBegun(begun, app.wantsFrameSoon(), runner.pointerRestsIn());
  }
  const WindowReport report{window.placement(), runner.times().summary(), window.description()};
  app.saveState();
  return report;
}

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
