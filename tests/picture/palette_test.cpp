// Pictures of few colours, and PNG with a palette as another reader sees it.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstdlib>
#include <set>

#include "picture/image.h"
#include "picture/png.h"

namespace stridescope::picture {
namespace {

Image imageOf(int width, int height, const std::function<Colour(int x, int y)>& colour) {
  Image image{{width, height}, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Colour each = colour(x, y);
      for (const Colour channel : {each >> 16, each >> 8, each, Colour(255)})
        image.rgba.push_back(std::uint8_t(channel));
    }
  return image;
}

// Grounds of three colours, and a thousand others at their edges, as smoothed letters have.
Image likeAWindow() {
  return imageOf(200, 100, [](int x, int y) -> Colour {
    if (y < 90) return x < 60 ? 0x161a20 : x < 120 ? 0xe69f00 : 0x56b4e9;
    return (Colour(x) * 0x010203u + Colour(y) * 0x0b0500u) & 0xffffff;
  });
}

int distance(Colour a, Colour b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) sum += std::abs(int(a >> shift & 255) - int(b >> shift & 255));
  return sum;
}

TEST(Palette, KeepsUpTo256ColoursAsTheyAre) {
  const Image image = imageOf(16, 16, [](int x, int y) { return Colour(x * 16 + y) * 0x010101u; });
  const IndexedImage few = indexed(image);
  EXPECT_EQ(few.colours.size(), 256u);
  for (std::size_t i = 0; i < few.pixels.size(); ++i)
    ASSERT_EQ(few.colours[few.pixels[i]], colourAt(image, i)) << i;
}

TEST(Palette, OfManyColoursThoseOfAreasStayAndNoneIsFarOff) {
  const Image image = likeAWindow();
  const IndexedImage few = indexed(image);
  EXPECT_LE(few.colours.size(), 256u);
  int farthest = 0;
  for (std::size_t i = 0; i < few.pixels.size(); ++i) {
    const int off = distance(few.colours[few.pixels[i]], colourAt(image, i));
    if (i < 200 * 90) {
      ASSERT_EQ(off, 0) << "pixel " << i;
    }
    farthest = std::max(farthest, off);
  }
  EXPECT_GT(farthest, 0) << "there are more than 256 colours: the test would prove nothing";
  EXPECT_LT(farthest, 48);
}

TEST(Palette, TakesAsManyColoursAsItMay) {
  EXPECT_EQ(indexed(likeAWindow(), 16).colours.size(), 16u);
  EXPECT_EQ(indexed(imageOf(3, 1, [](int x, int) { return Colour(x); }), 1).colours.size(), 1u);
}

TEST(IndexedPng, IsReadAsThePictureThatItIs) {
  const IndexedImage image = indexed(likeAWindow());
  const auto png = pngOf(image);
  ASSERT_TRUE(png);
  int width = 0, height = 0, channels = 0;
  unsigned char* const pixels = stbi_load_from_memory(reinterpret_cast<const unsigned char*>(png->data()),
                                                      int(png->size()), &width, &height, &channels, 3);
  ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
  EXPECT_EQ((PixelSize{width, height}), image.size);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Colour read = Colour(pixels[i * 3]) << 16 | Colour(pixels[i * 3 + 1]) << 8 | pixels[i * 3 + 2];
    ASSERT_EQ(read, image.colours[image.pixels[i]]) << i;
  }
  stbi_image_free(pixels);
}

TEST(IndexedPng, IsSmallerThanOneOfAllColours) {
  // Noise of a few colours, of which no row is like another.
  unsigned state = 1;
  const Image image = imageOf(100, 100, [&](int, int) -> Colour {
    state = state * 1664525u + 1013904223u;
    return (state >> 28) * 0x0b1121u;
  });
  EXPECT_LT(pngOf(indexed(image))->size() * 2, pngOf(image)->size());
}

TEST(Png, WithoutPixelsIsAnError) {
  EXPECT_FALSE(pngOf(Image{}));
  EXPECT_FALSE(pngOf(IndexedImage{}));
}

}  // namespace
}  // namespace stridescope::picture
