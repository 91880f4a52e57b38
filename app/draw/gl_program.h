// OpenGL's programs and textures.
#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

namespace stridescope::draw {

// An OpenGL program out of a vertex and a fragment shader.

// The text of a file of shaders/ by its name ("grid.frag"), compiled into the program; empty for another
// name.
std::string_view embeddedShader(std::string_view name);

// Owns the program. A context must be current whenever one is made, used or destroyed.
class GlProgram {
 public:
  // From shaders/STEM.vert and shaders/STEM.frag. The error is the driver's log under a line that names the
  // shader.
  static tl::expected<GlProgram, std::string> fromShaders(std::string_view stem);

  GlProgram(GlProgram&& other) noexcept;
  GlProgram& operator=(GlProgram&& other) noexcept;
  ~GlProgram();

  void use() const { glUseProgram(id_); }

  // The place of a uniform; -1, which OpenGL ignores, for one that the shaders do not use.
  GLint uniform(const char* name) const { return glGetUniformLocation(id_, name); }

 private:
  explicit GlProgram(GLuint id) : id_(id) {}
  GLuint id_ = 0;
};

// Textures by their content: bytes that were uploaded before are not uploaded again, so a map that does not
// change costs nothing, and stepping back to an earlier round finds its texture still there.

enum class TexelFormat : std::uint8_t {
  Byte,  // one unsigned integer, read through usampler2D
  Rgba,  // four normalised bytes, read through sampler2D
};

// A context must be current during every call and the destructor.
class TextureCache {
 public:
  TextureCache() = default;
  TextureCache(const TextureCache&) = delete;
  TextureCache& operator=(const TextureCache&) = delete;
  ~TextureCache();

  // A texture of width x height texels holding `bytes` (padded with zeros, or cut, to fit). It lives until it
  // has not been asked for during kFramesKept frames. The texture that was bound stays bound.
  GLuint get(TexelFormat format, int width, int height, std::span<const std::uint8_t> bytes);

  void beginFrame();

  std::size_t uploads() const { return uploads_; }  // since the cache was made

  static constexpr int kFramesKept = 240;

 private:
  struct Entry {
    TexelFormat format;
    int width, height;
    std::vector<std::uint8_t> bytes;
    GLuint texture;
    int lastFrame;
  };
  std::unordered_multimap<std::size_t, Entry> entries_;  // by the bytes' hash
  int frame_ = 0;
  std::size_t uploads_ = 0;
};

}  // namespace stridescope::draw
