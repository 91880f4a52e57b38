#include "draw/gl_program.h"

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

}  // namespace stridescope::draw
