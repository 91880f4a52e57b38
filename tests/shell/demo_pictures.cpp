// demo_pictures FOLDER [gpu]: the demo app's window in both themes and three sizes; by the GPU where there is
// one.
#include <cstdio>
#include <filesystem>

#include "shell/graphics_context.h"
#include "shell/headless_context.h"
#include "support/demo_app.h"

int main(int count, char** arguments) {
  using namespace stridescope;
  if (count != 2 && count != 3) {
    std::fprintf(stderr, "usage: demo_pictures FOLDER [gpu]\n");
    return 2;
  }
  const HeadlessDevice device = count == 3 ? HeadlessDevice::Gpu : HeadlessDevice::Software;
  struct Size {
    const char* name;
    PixelSize pixels;
    float scale;
  };
  for (const auto& [name, pixels, scale] :
       {Size{"1280", {1280, 720}, 1}, Size{"1600", {1600, 1000}, 1}, Size{"3840", {3840, 2160}, 2}}) {
    for (const draw::Theme theme : {draw::Theme::Dark, draw::Theme::Light}) {
      support::DemoApp app;
      app.look.theme = theme;
      const auto picture =
          renderHeadless(app, {.size = pixels, .scale = scale, .frames = 30, .device = device});
      const std::string file = std::string(name) + (theme == draw::Theme::Dark ? "-dark.png" : "-light.png");
      const auto written = picture ? writePng(std::filesystem::path(arguments[1]) / file, picture->image)
                                   : Result<void>(tl::unexpected(picture.error()));
      if (!written) {
        std::fprintf(stderr, "%s %s\n", written.error().sentence.c_str(), written.error().details.c_str());
        return 3;
      }
      std::printf("%s: median %.1f ms, p95 %.1f ms, longest %.1f ms (%s)\n", file.c_str(),
                  picture->times.medianMs, picture->times.p95Ms, picture->times.longestMs,
                  picture->description.c_str());
    }
  }
  return 0;
}
