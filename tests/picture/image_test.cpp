// Pictures of few colours, and PNG with a palette as another reader sees it.
#include "picture/image.h"

#include <gif_lib.h>
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstdlib>
#include <cstring>
#include <set>

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

// A film, read back: as many pictures, each as it was, as long as it was to be shown.

struct Source {
  const std::string& bytes;
  std::size_t at = 0;
};

int readSome(GifFileType* gif, GifByteType* target, int count) {
  auto& source = *static_cast<Source*>(gif->UserData);
  const std::size_t left = std::min(std::size_t(count), source.bytes.size() - source.at);
  std::memcpy(target, source.bytes.data() + source.at, left);
  source.at += left;
  return int(left);
}

// The film as a viewer shows it: each picture drawn over the ones before.
struct Film {
  PixelSize size;
  std::vector<std::vector<std::uint8_t>> frames;  // RGB
  std::vector<int> hundredths, pixelsDrawn;
  bool endless = false;
};

Film readFilm(const std::string& bytes) {
  Film film;
  Source source{bytes};
  int code = 0;
  GifFileType* const gif = DGifOpen(&source, readSome, &code);
  if (gif == nullptr || DGifSlurp(gif) != GIF_OK) {
    ADD_FAILURE() << "no GIF: " << code;
    return film;
  }
  film.size = {gif->SWidth, gif->SHeight};
  std::vector<std::uint8_t> screen(std::size_t(gif->SWidth) * std::size_t(gif->SHeight) * 3, 77);
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& saved = gif->SavedImages[i];
    const GifImageDesc& part = saved.ImageDesc;
    GraphicsControlBlock control{};
    if (DGifSavedExtensionToGCB(gif, i, &control) != GIF_OK) ADD_FAILURE() << "no control in " << i;
    for (int e = 0; e < saved.ExtensionBlockCount; ++e) {
      const ExtensionBlock& block = saved.ExtensionBlocks[e];
      if (block.ByteCount == 11 && std::memcmp(block.Bytes, "NETSCAPE2.0", 11) == 0) film.endless = true;
    }
    for (int y = 0; y < part.Height; ++y)
      for (int x = 0; x < part.Width; ++x) {
        const int place = saved.RasterBits[y * part.Width + x];
        if (place == control.TransparentColor) continue;
        const GifColorType& colour = part.ColorMap->Colors[place];
        std::uint8_t* const pixel =
            screen.data() +
            (std::size_t(part.Top + y) * std::size_t(gif->SWidth) + std::size_t(part.Left + x)) * 3;
        pixel[0] = colour.Red, pixel[1] = colour.Green, pixel[2] = colour.Blue;
      }
    film.frames.push_back(screen);
    film.hundredths.push_back(control.DelayTime);
    film.pixelsDrawn.push_back(part.Width * part.Height);
  }
  DGifCloseFile(gif, &code);
  return film;
}

constexpr int kWidth = 40, kHeight = 30;

// A ground, and a square that moves.
Image frame(int step) {
  Image image{{kWidth, kHeight}, {}};
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const bool inside = x >= step && x < step + 5 && y >= 10 && y < 15;
      const std::uint8_t ground = std::uint8_t(y * 3);
      for (const int channel : {inside ? 230 : ground, inside ? 159 : int(ground), inside ? step : 30, 255})
        image.rgba.push_back(std::uint8_t(channel));
    }
  return image;
}

std::vector<std::uint8_t> rgbOf(const Image& image) {
  std::vector<std::uint8_t> rgb;
  for (std::size_t i = 0; i < image.rgba.size(); ++i)
    if (i % 4 != 3) rgb.push_back(image.rgba[i]);
  return rgb;
}

TEST(Gif, HasThePicturesAndTheirTimes) {
  auto writer = GifWriter::create({kWidth, kHeight});
  ASSERT_TRUE(writer);
  const std::vector<std::pair<int, unsigned>> shown{{0, 100}, {6, 25}, {6, 40}, {30, 300}};
  for (const auto& [step, hundredths] : shown) ASSERT_TRUE(writer->add(frame(step), hundredths));
  const auto bytes = writer->finish();
  ASSERT_TRUE(bytes);
  const Film film = readFilm(*bytes);
  EXPECT_EQ(film.size, (PixelSize{kWidth, kHeight}));
  EXPECT_TRUE(film.endless);
  ASSERT_EQ(film.frames.size(), shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_EQ(film.frames[i], rgbOf(frame(shown[i].first))) << "picture " << i;
    EXPECT_EQ(film.hundredths[i], int(shown[i].second)) << i;
  }
  EXPECT_EQ(film.pixelsDrawn[0], kWidth * kHeight);
  EXPECT_EQ(film.pixelsDrawn[1], 11 * 5) << "what did not change is not drawn again";
  EXPECT_EQ(film.pixelsDrawn[2], 1) << "nothing changed";
}

TEST(Gif, RefusesWhatNoGifCanBe) {
  EXPECT_FALSE(GifWriter::create({0, 10}));
  EXPECT_FALSE(GifWriter::create({10, 65536}));
  auto writer = GifWriter::create({10, 10});
  ASSERT_TRUE(writer);
  EXPECT_FALSE(writer->add(frame(0), 100)) << "another size";
}

TEST(Gif, ThatIsNotFinishedHarmsNobody) {
  auto writer = GifWriter::create({kWidth, kHeight});
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->add(frame(0), 100));
}

}  // namespace
}  // namespace stridescope::picture
