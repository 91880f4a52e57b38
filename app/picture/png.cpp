#include "picture/png.h"

#include <stb_image_write.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

// stb's header defines it without declaring it.
extern "C" unsigned char* stbi_zlib_compress(unsigned char* data, int bytes, int* compressedBytes,
                                             int quality);

namespace stridescope::picture {
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

}  // namespace stridescope::picture
