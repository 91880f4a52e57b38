#include "draw/grid_painter.h"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "draw/grid_picture.h"

namespace stridescope::draw {

// The text of a file of shaders/ by its name ("grid.frag"), compiled into the program; empty for another
// name.
std::string_view embeddedShader(std::string_view name);

namespace {

// An OpenGL program out of a vertex and a fragment shader.

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
  // `number` is no other's that was ever uploaded, unlike OpenGL's name.
  struct Kept {
    GLuint texture = 0;
    unsigned number = 0;
  };
  Kept get(TexelFormat format, int width, int height, std::span<const std::uint8_t> bytes);

  void beginFrame();

  std::size_t uploads() const { return uploads_; }  // since the cache was made

  static constexpr int kFramesKept = 240;

 private:
  struct Entry {
    TexelFormat format;
    int width, height;
    std::vector<std::uint8_t> bytes;
    Kept kept;
    int lastFrame;
  };
  std::unordered_multimap<std::size_t, Entry> entries_;  // by the bytes' hash
  int frame_ = 0;
  std::size_t uploads_ = 0;
};

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
  for (auto& [hash, entry] : entries_) glDeleteTextures(1, &entry.kept.texture);
}

TextureCache::Kept TextureCache::get(TexelFormat format, int width, int height,
                                     std::span<const std::uint8_t> bytes) {
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
    return entry.kept;
  }
  Entry entry{format, width, height, {}, {}, frame_};
  entry.bytes.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(given));
  entry.bytes.resize(size);
  entry.kept = {upload(format, width, height, entry.bytes), unsigned(++uploads_)};
  return entries_.emplace(hash, std::move(entry))->second.kept;
}

void TextureCache::beginFrame() {
  ++frame_;
  for (auto item = entries_.begin(); item != entries_.end();) {
    if (frame_ - item->second.lastFrame <= kFramesKept) {
      ++item;
      continue;
    }
    glDeleteTextures(1, &item->second.kept.texture);
    item = entries_.erase(item);
  }
}

// Units of draw_context.h.
constexpr float kNarrowestForWideOutline = 20.0f;
constexpr int kGreatestOutline = 255;  // what a texel can say
constexpr float kStrokeWidth = 1.0f;
constexpr float kCrossInset = 2.0f;
constexpr float kCrossInsetShare = 0.1f;  // at most this share of the cell's shorter side
constexpr float kHatchWidth = 1.0f;
constexpr float kGreatestNotch = 7.0f;
constexpr float kNotchShare = 0.45f;  // a share of the cell's shorter side

constexpr int kCellsPerTexelRow = 1024;

class RecordingGridPainter final : public GridPainter {
 public:
  RecordingGridPainter() : GridPainter(true) {}

 private:
  void add(ImDrawList&, ImVec2, ImVec2, const GridPicture&, const LineWidths&) override {}
};

// Rows of texels as shaders/grid.frag reads them: fill, mark, (hatch, line, cross, notch), (outline).
std::vector<std::uint8_t> styleTexels(std::span<const CellStyle> styles) {
  std::vector<std::uint8_t> texels;
  texels.reserve(styles.size() * 16);
  const auto colour = [&](ImU32 packed) {
    for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT, IM_COL32_A_SHIFT}) {
      texels.push_back(static_cast<std::uint8_t>((packed >> shift) & 0xFF));
    }
  };
  const auto flags = [&](bool a, bool b, bool c, bool d) {
    for (const bool flag : {a, b, c, d}) texels.push_back(flag ? 255 : 0);
  };
  for (const CellStyle& style : styles) colour(style.fill);
  for (const CellStyle& style : styles) colour(style.mark);
  for (const CellStyle& style : styles) flags(style.hatch, style.lineThrough, style.cross, style.notch);
  for (const CellStyle& style : styles) {
    texels.push_back(static_cast<std::uint8_t>(std::clamp(style.outline, 0, kGreatestOutline)));
    texels.insert(texels.end(), 3, 0);
  }
  return texels;
}

class OpenGlGridPainter final : public GridPainter {
 public:
  explicit OpenGlGridPainter(GlProgram program) : GridPainter(false), program_(std::move(program)) {
    glGenVertexArrays(1, &noAttributes_);
  }
  ~OpenGlGridPainter() override { glDeleteVertexArrays(1, &noAttributes_); }

  void beginFrame() override {
    GridPainter::beginFrame();
    textures_.beginFrame();
  }
  std::size_t uploads() const override { return textures_.uploads(); }

 private:
  // Copied into the draw list, which calls draw() with it when Dear ImGui renders.
  struct Order {
    const OpenGlGridPainter* painter;
    TextureCache::Kept cells, styles;
    ImVec2 min, max;
    int columns, rows;
    LineWidths widths;
  };

  void add(ImDrawList& list, ImVec2 min, ImVec2 max, const GridPicture& picture,
           const LineWidths& widths) override {
    const auto count = static_cast<int>(picture.cells.size());
    const int texelRows = (count + kCellsPerTexelRow - 1) / kCellsPerTexelRow;
    const int texelColumns = std::min(count, kCellsPerTexelRow);
    Order order{this, {}, {}, min, max, picture.columns, picture.rows, widths};
    order.cells = textures_.get(TexelFormat::Byte, texelColumns, texelRows, picture.cells);
    order.styles = textures_.get(TexelFormat::Rgba, static_cast<int>(picture.styles.size()), 4,
                                 styleTexels(picture.styles));
    list.AddCallback(&OpenGlGridPainter::draw, &order, sizeof order);
    list.AddCallback(ImGui::GetPlatformIO().DrawCallback_ResetRenderState);
  }

  static void draw(const ImDrawList*, const ImDrawCmd* command) {
    const Order& order = *static_cast<const Order*>(command->UserCallbackData);
    order.painter->draw(order, command->ClipRect);
  }

  void draw(const Order& order, const ImVec4& clip) const {
    const ImDrawData& data = *ImGui::GetDrawData();
    const ImVec2 scale = data.FramebufferScale;
    const int framebufferWidth = static_cast<int>(data.DisplaySize.x * scale.x);
    const int framebufferHeight = static_cast<int>(data.DisplaySize.y * scale.y);
    const auto pixelX = [&](float x) {
      return static_cast<int>(std::lround((x - data.DisplayPos.x) * scale.x));
    };
    const auto pixelY = [&](float y) {
      return static_cast<int>(std::lround((y - data.DisplayPos.y) * scale.y));
    };
    const int left = pixelX(order.min.x), right = pixelX(order.max.x);
    const int top = pixelY(order.min.y), bottom = pixelY(order.max.y);
    const int clipLeft = pixelX(clip.x), clipRight = pixelX(clip.z);
    const int clipTop = pixelY(clip.y), clipBottom = pixelY(clip.w);
    if (left >= right || top >= bottom || clipLeft >= clipRight || clipTop >= clipBottom) return;

    glScissor(clipLeft, framebufferHeight - clipBottom, clipRight - clipLeft, clipBottom - clipTop);
    program_.use();
    glBindVertexArray(noAttributes_);
    // Dear ImGui keeps a filtering sampler on unit 0, under which an integer texture is incomplete.
    bindTexture(1, order.cells.texture, "cells");
    bindTexture(2, order.styles.texture, "styles");
    glActiveTexture(GL_TEXTURE0);

    const auto across = [&](int x) {
      return 2.0f * static_cast<float>(x) / static_cast<float>(framebufferWidth) - 1.0f;
    };
    const auto down = [&](int y) {
      const float from = 1.0f - 2.0f * static_cast<float>(y) / static_cast<float>(framebufferHeight);
      return isMirrored() ? -from : from;
    };
    glUniform4f(program_.uniform("rectangle"), across(left), down(top), across(right), down(bottom));
    glUniform1i(program_.uniform("cellsPerTexelRow"), kCellsPerTexelRow);
    glUniform2i(program_.uniform("shape"), order.columns, order.rows);
    glUniform2i(program_.uniform("origin"), left, top);
    glUniform2i(program_.uniform("size"), right - left, bottom - top);
    glUniform1i(program_.uniform("uppermost"), isMirrored() ? 0 : framebufferHeight - 1);
    const auto gap = [](int px, float factor) {
      return static_cast<int>(std::lround(static_cast<float>(px) * factor));
    };
    glUniform2i(program_.uniform("gap"), gap(order.widths.gapX, scale.x), gap(order.widths.gapY, scale.y));
    glUniform1f(program_.uniform("outlineUnit"), order.widths.outlineUnit * scale.x);
    glUniform1f(program_.uniform("greatestOutline"), order.widths.greatestOutline * scale.x);
    glUniform1f(program_.uniform("lineWidth"), order.widths.line * scale.x);
    glUniform1f(program_.uniform("crossInset"), order.widths.crossInset * scale.x);
    glUniform1f(program_.uniform("hatchPeriod"), order.widths.hatchPeriod * scale.x);
    glUniform1f(program_.uniform("hatchWidth"), order.widths.hatchWidth * scale.x);
    glUniform1f(program_.uniform("notchSize"), order.widths.notch * scale.x);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }

  void bindTexture(int unit, GLuint texture, const char* uniform) const {
    glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, texture);
    glUniform1i(program_.uniform(uniform), unit);
  }

  GlProgram program_;
  TextureCache textures_;
  GLuint noAttributes_ = 0;
};

bool isDrawable(const GridPicture& picture) {
  if (picture.columns < 1 || picture.rows < 1 || picture.columns > kMaxCells / picture.rows) return false;
  return picture.cells.size() ==
             static_cast<std::size_t>(picture.columns) * static_cast<std::size_t>(picture.rows) &&
         !picture.styles.empty() && picture.styles.size() <= 256;
}

}  // namespace

tl::expected<std::unique_ptr<GridPainter>, std::string> GridPainter::withOpenGl() {
  auto program = GlProgram::fromShaders("grid");
  if (!program) return tl::unexpected(program.error());
  return std::make_unique<OpenGlGridPainter>(*std::move(program));
}

std::unique_ptr<GridPainter> GridPainter::recordingOnly() { return std::make_unique<RecordingGridPainter>(); }

void paintGrid(DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, const GridPicture& picture) {
  GridPainter& painter = *context.grids;
  const ImVec2 first(std::round(min.x), std::round(min.y));
  const ImVec2 last(std::round(max.x), std::round(max.y));
  if (!isDrawable(picture) || first.x >= last.x || first.y >= last.y) return;
  if (painter.recording_) {
    painter.painted_.push_back({std::string(picture.name),
                                first,
                                last,
                                list.GetClipRectMin(),
                                list.GetClipRectMax(),
                                picture.columns,
                                picture.rows,
                                {picture.cells.begin(), picture.cells.end()},
                                {picture.styles.begin(), picture.styles.end()}});
  }
  const float cellWidth = (last.x - first.x) / static_cast<float>(picture.columns);
  const float cellHeight = (last.y - first.y) / static_cast<float>(picture.rows);
  const float shorter = std::min(cellWidth, cellHeight);
  const int gap = picture.gapPx.value_or(cellGap(cellWidth, context.scale));
  const bool narrow = cellWidth < kNarrowestForWideOutline * context.scale;
  GridPainter::LineWidths widths{};
  widths.outlineUnit = context.px(1);
  widths.greatestOutline = narrow ? widths.outlineUnit : shorter / 2;
  widths.line = context.px(kStrokeWidth);
  widths.crossInset = std::min(context.px(kCrossInset), shorter * kCrossInsetShare);
  widths.hatchPeriod = context.px(kHatchPeriod);
  widths.hatchWidth = context.px(kHatchWidth) * 0.8f;
  widths.notch = std::min(context.px(kGreatestNotch), shorter * kNotchShare);
  widths.gapX = gap;
  widths.gapY = picture.rows > 1 ? std::min(gap, cellGap(cellHeight, context.scale)) : 0;
  painter.add(list, first, last, picture, widths);
}

}  // namespace stridescope::draw
