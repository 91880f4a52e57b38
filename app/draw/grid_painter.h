// Paints grids of cells: one texture and one shader a grid, never a rectangle a cell.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "draw/draw_context.h"
#include "draw/grid_picture.h"
#include "imgui.h"

namespace stridescope::draw {

// What a grid painter was given, for tests. The rectangle is the screen's, the clip Dear ImGui's at that
// moment.
struct PaintedGrid {
  std::string name;
  ImVec2 min, max;
  ImVec2 clipMin, clipMax;
  int columns = 0, rows = 0;
  std::vector<std::uint8_t> cells;
  std::vector<CellStyle> styles;
};

// Draws `picture` over [min, max), clipped as the draw list clips. The corners are rounded to whole pixels;
// widths of lines come from the context's scale. A picture whose bytes do not match its shape, or which has
// more than kMaxCells, is not drawn.
void paintGrid(DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, const GridPicture& picture);

class GridPainter {
 public:
  // With OpenGL; the context must be current now, in every call and in the destructor. The error is the
  // driver's.
  static tl::expected<std::unique_ptr<GridPainter>, std::string> withOpenGl();

  // Without OpenGL: draws nothing and records what it is given.
  static std::unique_ptr<GridPainter> recordingOnly();

  virtual ~GridPainter() = default;

  // Forgets what the last frame painted. Once a frame, before anything is painted.
  virtual void beginFrame() { painted_.clear(); }

  // The grids of this frame in the order they were painted; empty unless recording.
  const std::vector<PaintedGrid>& painted() const { return painted_; }
  void setRecording(bool recording) { recording_ = recording; }

  // The frame is drawn upside down from now on.
  void setMirrored(bool mirrored) { mirrored_ = mirrored; }

  // Textures uploaded since the painter was made; 0 without OpenGL.
  virtual std::size_t uploads() const { return 0; }

 protected:
  explicit GridPainter(bool recording) : recording_(recording) {}
  bool isMirrored() const { return mirrored_; }

  // The widths are in framebuffer pixels.
  struct LineWidths {
    float outlineUnit, greatestOutline, line, crossInset, hatchPeriod, hatchWidth, notch;
    int gapX, gapY;
  };
  virtual void add(ImDrawList& list, ImVec2 min, ImVec2 max, const GridPicture& picture,
                   const LineWidths& widths) = 0;

 private:
  friend void paintGrid(DrawContext&, ImDrawList&, ImVec2, ImVec2, const GridPicture&);
  bool recording_, mirrored_ = false;
  std::vector<PaintedGrid> painted_;
};

}  // namespace stridescope::draw
