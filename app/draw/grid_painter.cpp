#include "draw/grid_painter.h"

#include <algorithm>
#include <cmath>

#include "draw/gl_program.h"
#include "draw/grid_picture.h"

namespace stridescope::draw {
namespace {

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
    GLuint cells, styles;
    ImVec2 min, max;
    int columns, rows;
    LineWidths widths;
  };

  void add(ImDrawList& list, ImVec2 min, ImVec2 max, const GridPicture& picture,
           const LineWidths& widths) override {
    const auto count = static_cast<int>(picture.cells.size());
    const int texelRows = (count + kCellsPerTexelRow - 1) / kCellsPerTexelRow;
    const int texelColumns = std::min(count, kCellsPerTexelRow);
    Order order{this, 0, 0, min, max, picture.columns, picture.rows, widths};
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
    bindTexture(1, order.cells, "cells");
    bindTexture(2, order.styles, "styles");
    glActiveTexture(GL_TEXTURE0);

    const auto across = [&](int x) {
      return 2.0f * static_cast<float>(x) / static_cast<float>(framebufferWidth) - 1.0f;
    };
    const auto down = [&](int y) {
      return 1.0f - 2.0f * static_cast<float>(y) / static_cast<float>(framebufferHeight);
    };
    glUniform4f(program_.uniform("rectangle"), across(left), down(top), across(right), down(bottom));
    glUniform1i(program_.uniform("cellsPerTexelRow"), kCellsPerTexelRow);
    glUniform2i(program_.uniform("shape"), order.columns, order.rows);
    glUniform2i(program_.uniform("origin"), left, top);
    glUniform2i(program_.uniform("size"), right - left, bottom - top);
    glUniform1i(program_.uniform("framebufferHeight"), framebufferHeight);
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
