#include "draw/gl_program.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace stridescope::draw {
namespace {

std::string logOf(GLuint object, PFNGLGETSHADERIVPROC getNumber, PFNGLGETSHADERINFOLOGPROC getText) {
  GLint length = 0;
  getNumber(object, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
  GLsizei written = 0;
  if (length > 0) getText(object, length, &written, log.data());
  log.resize(static_cast<std::size_t>(written));
  return log;
}

tl::expected<GLuint, std::string> compile(GLenum kind, const std::string& name) {
  const std::string_view text = embeddedShader(name);
  const GLuint shader = glCreateShader(kind);
  const GLchar* start = text.data();
  const auto length = static_cast<GLint>(text.size());
  glShaderSource(shader, 1, &start, &length);
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  std::string log =
      "shaders/" + name + " does not compile:\n" + logOf(shader, glGetShaderiv, glGetShaderInfoLog);
  glDeleteShader(shader);
  return tl::unexpected(std::move(log));
}

}  // namespace

tl::expected<GlProgram, std::string> GlProgram::fromShaders(std::string_view stem) {
  const auto vertex = compile(GL_VERTEX_SHADER, std::string(stem) + ".vert");
  if (!vertex) return tl::unexpected(vertex.error());
  const auto fragment = compile(GL_FRAGMENT_SHADER, std::string(stem) + ".frag");
  if (!fragment) {
    glDeleteShader(*vertex);
    return tl::unexpected(fragment.error());
  }
  GlProgram program(glCreateProgram());
  for (const GLuint shader : {*vertex, *fragment}) {
    glAttachShader(program.id_, shader);
    glDeleteShader(shader);  // freed with the program
  }
  glLinkProgram(program.id_);
  GLint linked = GL_FALSE;
  glGetProgramiv(program.id_, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  return tl::unexpected("shaders/" + std::string(stem) + ".* do not link:\n" +
                        logOf(program.id_, glGetProgramiv, glGetProgramInfoLog));
}

GlProgram::GlProgram(GlProgram&& other) noexcept : id_(std::exchange(other.id_, 0)) {}

GlProgram& GlProgram::operator=(GlProgram&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

GlProgram::~GlProgram() {
  if (id_ != 0) glDeleteProgram(id_);
}

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
