#include "picture/image.h"

#include <gif_lib.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <queue>
#include <string_view>

// stb's header defines it without declaring it.
extern "C" unsigned char* stbi_zlib_compress(unsigned char* data, int bytes, int* compressedBytes,
                                             int quality);

namespace stridescope::picture {
namespace {

struct Counted {
  Colour colour = 0;
  std::uint32_t pixels = 0;
};

constexpr std::array kShifts{16, 8, 0};
int channel(Colour colour, int shift) { return int(colour >> shift & 0xff); }

// A part of the histogram that shares one colour. `error`: what that costs, the squared distances of all its
// pixels.
struct Box {
  std::size_t begin = 0, end = 0;
  Colour colour = 0;
  std::uint64_t error = 0;
  bool operator<(const Box& other) const { return error < other.error; }
};

Box boxOf(const std::vector<Counted>& all, std::size_t begin, std::size_t end) {
  Box box{.begin = begin, .end = end};
  const auto first = all.begin() + std::ptrdiff_t(begin), last = all.begin() + std::ptrdiff_t(end);
  box.colour = std::max_element(first, last, [](const Counted& a, const Counted& b) {
                 return a.pixels != b.pixels ? a.pixels < b.pixels : a.colour > b.colour;
               })->colour;
  for (auto each = first; each != last; ++each)
    for (const int shift : kShifts) {
      const int distance = channel(each->colour, shift) - channel(box.colour, shift);
      box.error += std::uint64_t(distance * distance) * each->pixels;
    }
  return box;
}

// At the middle of the channel in which its colours lie farthest apart.
std::size_t splitAt(std::vector<Counted>& all, const Box& box) {
  const auto first = all.begin() + std::ptrdiff_t(box.begin), last = all.begin() + std::ptrdiff_t(box.end);
  int widest = 0, low = 0, high = -1;
  for (const int shift : kShifts) {
    const auto [least, most] = std::minmax_element(first, last, [&](const Counted& a, const Counted& b) {
      return channel(a.colour, shift) < channel(b.colour, shift);
    });
    const int from = channel(least->colour, shift), to = channel(most->colour, shift);
    if (to - from <= high - low) continue;
    widest = shift;
    low = from;
    high = to;
  }
  const auto middle = std::partition(
      first, last, [&](const Counted& each) { return channel(each.colour, widest) * 2 <= low + high; });
  return std::size_t(middle - all.begin());
}

}  // namespace

Palette paletteOf(const Histogram& histogram, unsigned most) {
  Palette palette;
  if (histogram.empty()) return palette;
  std::vector<Counted> all;
  all.reserve(histogram.size());
  for (const auto& [colour, pixels] : histogram) all.push_back({colour, pixels});
  std::ranges::sort(all, {}, &Counted::colour);  // whatever order the histogram has: the same palette
  std::priority_queue<Box> boxes;
  boxes.push(boxOf(all, 0, all.size()));
  while (boxes.size() < most && boxes.top().error > 0) {
    const Box box = boxes.top();
    boxes.pop();
    const std::size_t middle = splitAt(all, box);
    boxes.push(boxOf(all, box.begin, middle));
    boxes.push(boxOf(all, middle, box.end));
  }
  for (; !boxes.empty(); boxes.pop()) {
    for (std::size_t i = boxes.top().begin; i < boxes.top().end; ++i)
      palette.placeOf[all[i].colour] = std::uint8_t(palette.colours.size());
    palette.colours.push_back(boxes.top().colour);
  }
  return palette;
}

IndexedImage indexed(const Image& image, unsigned most) {
  const std::size_t pixels = image.rgba.size() / 4;
  Histogram histogram;
  for (std::size_t i = 0; i < pixels; ++i) ++histogram[colourAt(image, i)];
  Palette palette = paletteOf(histogram, most);
  IndexedImage result{image.size, std::vector<std::uint8_t>(pixels), std::move(palette.colours)};
  for (std::size_t i = 0; i < pixels; ++i) result.pixels[i] = palette.placeOf.at(colourAt(image, i));
  return result;
}

namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr int kQuality = 16;  // how many places stb compares: twice its default, for a hundredth of the size

void append(void* target, void* bytes, int count) {
  static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), std::size_t(count));
}

tl::unexpected<Error> notEncoded() {
  return limitMet("The picture could not be encoded: it has no pixels or memory ran out.");
}

std::string bigEndian(std::uint32_t number) {
  return {char(number >> 24), char(number >> 16 & 0xff), char(number >> 8 & 0xff), char(number & 0xff)};
}

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0xedb88320u : 0);
  }
  return table;
}

std::uint32_t crcOf(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = makeCrcTable();
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) crc = kTable[(crc ^ std::uint8_t(byte)) & 0xff] ^ crc >> 8;
  return ~crc;
}

std::string chunk(std::string_view kind, std::string_view content) {
  const std::string body = std::string(kind) + std::string(content);
  return bigEndian(std::uint32_t(content.size())) + body + bigEndian(crcOf(body));
}

}  // namespace

Result<std::string> pngOf(const Image& image) {
  std::string encoded;
  if (image.size.width < 1 || image.size.height < 1 ||
      stbi_write_png_to_func(append, &encoded, image.size.width, image.size.height, 4, image.rgba.data(),
                             image.size.width * 4) == 0)
    return notEncoded();
  return encoded;
}

Result<std::string> pngOf(const IndexedImage& image) {
  const auto width = std::size_t(image.size.width), height = std::size_t(image.size.height);
  if (image.pixels.empty() || image.pixels.size() != width * height) return notEncoded();
  std::string rows;  // each behind the number of its filter: 0, none, is best for places in a palette
  rows.reserve((width + 1) * height);
  for (std::size_t y = 0; y < height; ++y) {
    rows.push_back('\0');
    rows.append(reinterpret_cast<const char*>(image.pixels.data()) + y * width, width);
  }
  int bytes = 0;
  const std::unique_ptr<unsigned char, decltype(&std::free)> compressed(
      stbi_zlib_compress(reinterpret_cast<unsigned char*>(rows.data()), int(rows.size()), &bytes, kQuality),
      &std::free);
  if (!compressed) return notEncoded();
  std::string palette;
  for (const Colour colour : image.colours) palette += bigEndian(colour).substr(1);
  constexpr std::string_view kEightBitsOfAPalette{"\x08\x03\0\0\0", 5};
  return std::string(kSignature) +
         chunk("IHDR", bigEndian(std::uint32_t(width)) + bigEndian(std::uint32_t(height)) +
                           std::string(kEightBitsOfAPalette)) +
         chunk("PLTE", palette) +
         chunk("IDAT", {reinterpret_cast<const char*>(compressed.get()), std::size_t(bytes)}) +
         chunk("IEND", {});
}

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
