// Pictures without a display.
#include <gtest/gtest.h>

#include "shell/render_headless.h"
#include "support/demo_app.h"
#include "support/function_app.h"
#include "support/picture_compare.h"

namespace stridescope::shell {
namespace {

Result<HeadlessPicture> demo(draw::Theme theme, PixelSize size = {1280, 720}, float scale = 1) {
  support::DemoApp app;
  app.look.theme = theme;
  return renderHeadless(app, {.size = size, .scale = scale});
}

#define NEEDS_OPENGL(picture)                                         \
  if (!(picture) && (picture).error().kind == ErrorKind::Unavailable) \
  GTEST_SKIP() << (picture).error().sentence << " " << (picture).error().details

TEST(Headless, TheSameFramesGiveTheSameBytes) {
  const auto first = demo(draw::Theme::Dark);
  NEEDS_OPENGL(first);
  const auto second = demo(draw::Theme::Dark);
  ASSERT_TRUE(second);
  EXPECT_EQ(first->image.size, (PixelSize{1280, 720}));
  EXPECT_EQ(first->image.rgba.size(), 1280u * 720u * 4u);
  EXPECT_TRUE(first->image.rgba == second->image.rgba);
  EXPECT_EQ(first->times.frames, 3u);
  EXPECT_EQ(first->description.substr(0, 6), "OpenGL");
}

TEST(Headless, TheThemeIsTheApps) {
  const auto dark = demo(draw::Theme::Dark);
  NEEDS_OPENGL(dark);
  const auto light = demo(draw::Theme::Light);
  ASSERT_TRUE(light);
  // Between the panels, and inside one.
  EXPECT_EQ(support::pixelAt(dark->image, 3, 400), 0x0D1014u);
  EXPECT_EQ(support::pixelAt(light->image, 3, 400), 0xE9ECEFu);
  EXPECT_EQ(support::pixelAt(dark->image, 100, 500), 0x161A20u);
  EXPECT_EQ(support::pixelAt(light->image, 100, 500), 0xFFFFFFu);
}

TEST(Headless, RowsComeFromTheTop) {
  support::FunctionApp app([](Frame&) {
    ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, {64, 16}, IM_COL32_WHITE);
  });
  const auto picture = renderHeadless(app, {.size = {64, 64}, .frames = 1});
  NEEDS_OPENGL(picture);
  EXPECT_EQ(support::pixelAt(picture->image, 32, 4), 0xFFFFFFu);
  EXPECT_NE(support::pixelAt(picture->image, 32, 60), 0xFFFFFFu);
}

TEST(Headless, BadSizesAreErrors) {
  support::FunctionApp app([](Frame&) {});
  for (const PixelSize size : {PixelSize{0, 100}, PixelSize{100, -1}, PixelSize{1 << 20, 100}}) {
    const auto picture = renderHeadless(app, {.size = size});
    ASSERT_FALSE(picture);
    if (picture.error().kind == ErrorKind::Unavailable) GTEST_SKIP() << picture.error().sentence;
    EXPECT_EQ(picture.error().kind, ErrorKind::Usage);
  }
}

}  // namespace
}  // namespace stridescope::shell
