#include "draw/texture_cache.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace stridescope::draw {
namespace {

GLuint upload(TexelFormat format, int width, int height, const std::vector<std::uint8_t>& bytes) {
  GLint boundBefore = 0, alignmentBefore = 0, rowLengthBefore = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &boundBefore);
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignmentBefore);
  glGetIntegerv(GL_UNPACK_ROW_LENGTH, &rowLengthBefore);
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  const bool byte = format == TexelFormat::Byte;
  glTexImage2D(GL_TEXTURE_2D, 0, byte ? GL_R8UI : GL_RGBA8, width, height, 0, byte ? GL_RED_INTEGER : GL_RGBA,
               GL_UNSIGNED_BYTE, bytes.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, alignmentBefore);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, rowLengthBefore);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(boundBefore));
  return texture;
}

}  // namespace

TextureCache::~TextureCache() {
  for (auto& [hash, entry] : entries_) glDeleteTextures(1, &entry.texture);
}

GLuint TextureCache::get(TexelFormat format, int width, int height, std::span<const std::uint8_t> bytes) {
  const std::size_t hash =
      std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()),
                                     bytes.size()});  // bytes as characters: std has no other hash
  const std::size_t texels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const std::size_t size = texels * (format == TexelFormat::Byte ? 1 : 4);
  const std::size_t given = std::min(size, bytes.size());
  const auto [first, last] = entries_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    Entry& entry = found->second;
    if (entry.format != format || entry.width != width || entry.height != height) continue;
    if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(given), entry.bytes.begin()))
      continue;
    entry.lastFrame = frame_;
    return entry.texture;
  }
  Entry entry{format, width, height, {}, 0, frame_};
  entry.bytes.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(given));
  entry.bytes.resize(size);
  entry.texture = upload(format, width, height, entry.bytes);
  ++uploads_;
  return entries_.emplace(hash, std::move(entry))->second.texture;
}

void TextureCache::beginFrame() {
  ++frame_;
  for (auto item = entries_.begin(); item != entries_.end();) {
    if (frame_ - item->second.lastFrame <= kFramesKept) {
      ++item;
      continue;
    }
    glDeleteTextures(1, &item->second.texture);
    item = entries_.erase(item);
  }
}

}  // namespace stridescope::draw
