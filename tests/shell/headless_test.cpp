// Pictures without a display.
#include <gtest/gtest.h>

#include "draw/text.h"
#include "shell/headless_context.h"
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

// An app that asks for a picture of a part of its second frame.
class Asking final : public App {
 public:
  explicit Asking(PictureRequest request) : request_(request) {}
  void drawFrame(Frame& frame) override {
    size = frame.size;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({10, 10}, {11, 60}, IM_COL32_WHITE);
    draw::drawTextAt(frame.draw, list, {20, 20}, "Stride 8", draw::boldStyle(frame.draw, 20, IM_COL32_WHITE));
  }
  std::optional<PictureRequest> takePictureRequest() override {
    return ++frames_ == 2 ? std::optional(request_) : std::nullopt;
  }
  void onPicture(Result<Image> drawn) override { picture = std::move(drawn); }

  Result<Image> picture = unavailable("none yet");
  ImVec2 size;

 private:
  PictureRequest request_;
  int frames_ = 0;
};

TEST(Picture, OfAPartIsAsFineAsItWasAskedFor) {
  for (const unsigned density : {1u, 3u}) {
    Asking app({{8, 8}, {108, 68}, density});
    const auto frame = renderHeadless(app, {.size = {200, 100}, .frames = 3});
    NEEDS_OPENGL(frame);
    ASSERT_TRUE(app.picture);
    const int fine = int(density);
    EXPECT_EQ(app.picture->size, (PixelSize{100 * fine, 60 * fine}));
    EXPECT_EQ(app.size.x, 200) << "the layout is the same";
    // The line of one unit at x = 10, and nothing beside it.
    EXPECT_EQ(support::pixelAt(*app.picture, 2 * fine, 30 * fine), 0xFFFFFFu);
    EXPECT_EQ(support::pixelAt(*app.picture, 3 * fine - 1, 30 * fine), 0xFFFFFFu);
    EXPECT_NE(support::pixelAt(*app.picture, 3 * fine, 30 * fine), 0xFFFFFFu);
    EXPECT_NE(support::pixelAt(*app.picture, 2 * fine - 1, 30 * fine), 0xFFFFFFu);
    EXPECT_EQ(frame->image.size, (PixelSize{200, 100})) << "what is shown stays as it is";
  }
}

// Letters that are drawn for that density have sharp edges: few pixels lie between the text and its ground.
TEST(Picture, HasLettersOfItsDensity) {
  const auto shareBetween = [](unsigned density) {
    Asking app({{15, 15}, {120, 50}, density});
    if (!renderHeadless(app, {.size = {200, 100}, .frames = 3}) || !app.picture) return 0.0;
    double lit = 0, between = 0;
    for (std::size_t i = 0; i < app.picture->rgba.size(); i += 4) {
      const int red = app.picture->rgba[i];
      lit += red > 200 ? 1 : 0;
      between += red > 60 && red <= 200 ? 1 : 0;
    }
    return between / lit;
  };
  const double coarse = shareBetween(1), fine = shareBetween(4);
  if (coarse == 0) GTEST_SKIP() << "no OpenGL";
  EXPECT_LT(fine, coarse / 2);
}

TEST(Picture, OutsideTheWindowHasNoPixels) {
  Asking app({{300, 300}, {400, 400}, 2});
  const auto frame = renderHeadless(app, {.size = {200, 100}, .frames = 3});
  NEEDS_OPENGL(frame);
  ASSERT_TRUE(app.picture);
  EXPECT_TRUE(app.picture->rgba.empty());
}

TEST(Picture, TooLargeIsASentence) {
  Asking app({{0, 0}, {2000, 100}, 20});
  const auto frame = renderHeadless(app, {.size = {2000, 100}, .frames = 3});
  NEEDS_OPENGL(frame);
  ASSERT_FALSE(app.picture);
  EXPECT_NE(app.picture.error().sentence.find("larger than this machine's OpenGL draws"), std::string::npos);
}

}  // namespace
}  // namespace stridescope::shell
