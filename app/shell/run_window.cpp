#include "shell/run_window.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace stridescope::shell {
namespace {

using namespace std::chrono_literals;

// As Xlib.h has them, which need not be there to build this.
using IoErrorHandler = int (*)(void* display);
using SetIoErrorHandler = IoErrorHandler (*)(IoErrorHandler);

DisplayLost& whatToDo() {
  static DisplayLost lost;
  return lost;
}

std::string displayName() {
  const char* const name = std::getenv("DISPLAY");
  return name == nullptr ? std::string("the display") : "the display " + std::string(name);
}

// Xlib ends the process when it returns.
int connectionBroke(void*) {
  if (const DisplayLost lost = std::exchange(whatToDo(), {}))
    lost({ErrorKind::Unavailable,
          "The window was closed: the connection to " + displayName() +
              " broke. Look whether its X server still runs, and start the program again.",
          {}});
  return 0;
}

// GLFW opens the library, if it uses it at all.
void setHandler(IoErrorHandler handler) {
  void* const library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  if (const auto set = reinterpret_cast<SetIoErrorHandler>(::dlsym(library, "XSetIOErrorHandler")))
    set(handler);
  ::dlclose(library);
}

}  // namespace

OpeningWatch::OpeningWatch(const DisplayLost& lost, const std::atomic<bool>* closeRequest,
                           std::chrono::milliseconds patience) {
  if (!lost) return;
  (void)withoutExceptions("starting a thread", [&] {
    thread_ = std::thread([this, lost, closeRequest, patience] { watch(lost, closeRequest, patience); });
  });
}

OpeningWatch::~OpeningWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void OpeningWatch::watch(const DisplayLost& lost, const std::atomic<bool>* closeRequest,
                         std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kBetweenLooks = 50ms;
  auto end = Clock::now() + patience;
  bool isAsked = false;
  for (std::unique_lock lock(mutex_); Clock::now() < end;) {
    if (changed_.wait_for(lock, kBetweenLooks, [this] { return over_; })) return;
    if (isAsked || closeRequest == nullptr || !*closeRequest) continue;
    isAsked = true;
    end = std::min(end, Clock::now() + kPatienceOfAsker);
  }
  lost(isAsked
           ? cancelled().value()
           : unavailable("No window can be opened: " + displayName() + " did not answer within " +
                         std::to_string(std::chrono::duration_cast<std::chrono::seconds>(patience).count()) +
                         " s. Look whether its X server works, or use the program's commands, which need no "
                         "display.")
                 .value());
}

ConnectionWatch::ConnectionWatch(DisplayLost lost) {
  if (!lost) return;
  whatToDo() = std::move(lost);
  setHandler(connectionBroke);
}

ConnectionWatch::~ConnectionWatch() {
  if (whatToDo()) setHandler(nullptr);  // Xlib's own
  whatToDo() = {};
}

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
    double sleep = std::min(pacer.secondsToWait(glfwGetTime()), app.looksAgainIn());
    if (options.closeRequest != nullptr && !options.closingRings) sleep = std::min(sleep, kLooksForClosing);
    if (options.withoutSleep && !minimized) sleep = 0;
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
