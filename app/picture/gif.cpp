#include "picture/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <limits>

#include "picture/palette.h"

namespace stridescope::picture {
namespace {

constexpr int kColourBits = 8;
constexpr unsigned kColours = 255;           // one more stands for what stays
constexpr std::uint8_t kStays = kColours;    // transparent
constexpr char kForever[] = {1, 0, 0};       // sub-block 1: repeated without end
constexpr char kLoopName[] = "NETSCAPE2.0";  // what viewers know the extension by

struct Part {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// The least rectangle that holds every pixel that is another now. Where all stay: one pixel, since a picture
// has to have one.
Part changedPart(const Image& before, const Image& now) {
  Part part{now.size.width, now.size.height, 0, 0};
  std::size_t pixel = 0;
  for (int y = 0; y < now.size.height; ++y)
    for (int x = 0; x < now.size.width; ++x, ++pixel) {
      if (colourAt(before, pixel) == colourAt(now, pixel)) continue;
      part = {std::min(part.left, x), std::min(part.top, y), std::max(part.right, x + 1), y + 1};
    }
  return part.right > part.left ? part : Part{0, 0, 1, 1};
}

struct MapFree {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using ColourMap = std::unique_ptr<ColorMapObject, MapFree>;

ColourMap mapOf(const std::vector<Colour>& colours) {
  ColourMap map(GifMakeMapObject(1 << kColourBits, nullptr));
  if (!map) return map;
  for (std::size_t i = 0; i < colours.size(); ++i)
    map->Colors[i] = {GifByteType(colours[i] >> 16), GifByteType(colours[i] >> 8 & 0xff),
                      GifByteType(colours[i] & 0xff)};
  return map;
}

int append(GifFileType* gif, const GifByteType* bytes, int count) {
  static_cast<std::string*>(gif->UserData)->append(reinterpret_cast<const char*>(bytes), std::size_t(count));
  return count;
}

tl::unexpected<Error> notEncoded(int code) {
  const char* const why = GifErrorString(code);
  return limitMet("The pictures could not be made into a GIF: most likely memory ran out.",
                  why == nullptr ? "" : why);
}

}  // namespace

struct GifWriter::Film {
  std::string bytes;
  GifFileType* gif = nullptr;
  PixelSize size;
  Image last;

  ~Film() {
    if (int code = 0; gif != nullptr) EGifCloseFile(gif, &code);
  }
  Result<void> done(int status) const { return status == GIF_OK ? Result<void>() : notEncoded(gif->Error); }

  Result<void> begin() {
    int code = 0;
    gif = EGifOpen(&bytes, append, &code);
    if (gif == nullptr) return notEncoded(code);
    EGifSetGifVersion(gif, true);
    STRIDESCOPE_TRY(done(EGifPutScreenDesc(gif, size.width, size.height, kColourBits, 0, nullptr)));
    STRIDESCOPE_TRY(done(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE)));
    STRIDESCOPE_TRY(done(EGifPutExtensionBlock(gif, int(sizeof kLoopName - 1), kLoopName)));
    STRIDESCOPE_TRY(done(EGifPutExtensionBlock(gif, int(sizeof kForever), kForever)));
    return done(EGifPutExtensionTrailer(gif));
  }

  Result<void> putPart(const Image& picture, const Part& part) {
    const bool first = last.rgba.empty();
    const auto pixelAt = [&](int x, int y) {
      return std::size_t(y) * std::size_t(size.width) + std::size_t(x);
    };
    const auto stays = [&](std::size_t pixel) {
      return !first && colourAt(last, pixel) == colourAt(picture, pixel);
    };
    Histogram histogram;
    for (int y = part.top; y < part.bottom; ++y)
      for (int x = part.left; x < part.right; ++x)
        if (const std::size_t pixel = pixelAt(x, y); !stays(pixel)) ++histogram[colourAt(picture, pixel)];
    const Palette palette = paletteOf(histogram, kColours);
    const ColourMap map = mapOf(palette.colours);
    if (!map) return notEncoded(E_GIF_ERR_NOT_ENOUGH_MEM);
    const int width = part.right - part.left;
    STRIDESCOPE_TRY(
        done(EGifPutImageDesc(gif, part.left, part.top, width, part.bottom - part.top, false, map.get())));
    std::vector<GifPixelType> row(std::size_t(width), kStays);
    for (int y = part.top; y < part.bottom; ++y) {
      for (int x = part.left; x < part.right; ++x) {
        const std::size_t pixel = pixelAt(x, y);
        row[std::size_t(x - part.left)] =
            stays(pixel) ? kStays : palette.placeOf.at(colourAt(picture, pixel));
      }
      STRIDESCOPE_TRY(done(EGifPutLine(gif, row.data(), width)));
    }
    return {};
  }
};

GifWriter::GifWriter(std::unique_ptr<Film> film) : film_(std::move(film)) {}
GifWriter::GifWriter(GifWriter&&) noexcept = default;
GifWriter::~GifWriter() = default;

Result<GifWriter> GifWriter::create(PixelSize size) {
  constexpr int kLimit = std::numeric_limits<std::uint16_t>::max();
  if (size.width < 1 || size.height < 1 || size.width > kLimit || size.height > kLimit)
    return usageError("A GIF has 1 to 65535 pixels either way.");
  auto film = std::make_unique<Film>();
  film->size = size;
  if (auto begun = film->begin(); !begun) return tl::unexpected(begun.error());
  return GifWriter(std::move(film));
}

Result<void> GifWriter::add(const Image& picture, unsigned hundredths) {
  Film& film = *film_;
  if (picture.size != film.size) return usageError("The pictures of a GIF have one size.");
  const GraphicsControlBlock shown{.DisposalMode = DISPOSE_DO_NOT,
                                   .UserInputFlag = false,
                                   .DelayTime = int(std::min(hundredths, 65535u)),
                                   .TransparentColor = kStays};
  GifByteType control[4];
  const int bytes = int(EGifGCBToExtension(&shown, control));
  STRIDESCOPE_TRY(film.done(EGifPutExtension(film.gif, GRAPHICS_EXT_FUNC_CODE, bytes, control)));
  const Part part = film.last.rgba.empty() ? Part{0, 0, film.size.width, film.size.height}
                                           : changedPart(film.last, picture);
  STRIDESCOPE_TRY(film.putPart(picture, part));
  film.last = picture;
  return {};
}

Result<std::string> GifWriter::finish() {
  int code = 0;
  GifFileType* const gif = std::exchange(film_->gif, nullptr);
  if (EGifCloseFile(gif, &code) != GIF_OK) return notEncoded(code);
  return std::move(film_->bytes);
}

}  // namespace stridescope::picture
