#include "shell/run_window.h"

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

}  // namespace stridescope::shell
