// demo_window FRAMES: opens the real window, draws so many frames of the demo app, closes it and prints what
// it saw.
#include <cstdio>
#include <cstdlib>

#include "shell/run_window.h"
#include "support/demo_app.h"

int main(int count, char** arguments) {
  using namespace stridescope;
  support::DemoApp app;
  app.moving = true;
  app.framesBeforeClose = count > 1 ? std::atoi(arguments[1]) : 10;
  const auto report = runWindow(app, {.placement = {.x = 10, .y = 10, .width = 1200, .height = 800}});
  if (!report) {
    std::fprintf(stderr, "%s %s\n", report.error().sentence.c_str(), report.error().details.c_str());
    return 3;
  }
  std::printf("frames %d saves %d size %dx%d median %.1f ms (%s)\n", app.framesDrawn, app.saves,
              report->placement.width, report->placement.height, report->times.medianMs,
              report->description.c_str());
  return 0;
}
