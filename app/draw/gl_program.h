// An OpenGL program out of a vertex and a fragment shader.
#pragma once

#include <glad/gl.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace stridescope::draw {

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

}  // namespace stridescope::draw
