// Where shared arrays stand as grids, each in its own shape and beside one another: rows of elements, for
// more dimensions a plane of rows for each outer index, and a cell for each member of a struct. Pure: no
// ImGui, so that the geometry is tested without a window.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/trace.h"

namespace stridescope::views {

// Some elements of one array, row by row; or numbers of a single struct, in place of elements.
struct ArrayPlane {
  std::uint32_t array = 0;
  std::uint64_t first = 0, elements = 0;
  bool isOfMembers = false;
  std::uint64_t rows = 0, columns = 0;  // elements; the last row may have fewer
  std::uint64_t cells = 1;              // of each element
  std::string title = {};               // "float tile[32][33]", "box[1]"
  std::uint64_t label = 0, step = 1;    // the first element's number, and by how much the next one's is more
  float left = 0, top = 0;              // the title's, pixels from the map's upper left corner
  float gridLeft = 0, gridTop = 0;      // the first cell's

  std::uint64_t cellsAcross() const { return columns * cells; }
  // The array's element that stands in a place, counted row by row from 0, and which of its numbers the
  // place's cell is.
  std::uint64_t elementAt(std::uint64_t place) const { return isOfMembers ? 0 : first + place; }
  std::uint64_t numberAt(std::uint64_t place, std::uint64_t cell) const {
    return isOfMembers ? first + place : cell;
  }
};

// How values stand in the cells.
enum class CellValues : std::uint8_t { None, Exact, Rounded };

struct ArrayGrids {
  std::vector<ArrayPlane> planes;
  float cellWidth = 0, cellHeight = 0;   // pixels
  CellValues values = CellValues::None;  // those that fit in every cell
  bool everythingFits = true;            // else the lower planes go beyond the map
};

// How an array is named that is a part of another one.
struct ArrayPlace {
  std::string title = {};             // empty: its declaration
  std::uint64_t begin = 0, step = 1;  // the number of its first element, and the distance to the next one's
};

struct ArrayGridInput {
  float width = 0, height = 0;  // the map's, pixels
  float unit = 1;               // pixels
  float valueWidth = 0;         // what the widest value needs, pixels; 0: no values are drawn
  float roundedWidth = 0;       // the same of rounded values
  std::function<float(const std::string&)> textWidth{};  // a label's, pixels
  std::vector<ArrayPlace> places = {};                   // by array; empty: none is a part
};

inline constexpr float kArrayTitleHeight = 20, kArrayAxisHeight = 16, kArrayGap = 14;  // units
inline constexpr float kValueCellHeight = 14;                                          // units

// Values are drawn, exact or else rounded, if all cells can be as large as that; else the cells are as large
// as fit. Each array in a single struct is one by itself. Arrays that are one row are broken into rows of 32
// cells: of fewer for values, and of more where the rows would be too many.
ArrayGrids layOutArrays(const std::vector<model::Array>& arrays, const ArrayGridInput& input);

// So many times as large, from a place of the map on, in pixels of the map as it fits.
struct ArrayZoom {
  float times = 1;
  float left = 0, top = 0;
};
// Cells grow, and what stands beside them does not. Values are those of `grids`.
ArrayGrids zoomed(ArrayGrids grids, const ArrayZoom& zoom);
// The part of a plane that is in view: rows, and cells of each row, from the first to behind the last.
struct PlaneInView {
  std::uint64_t firstRow = 0, rows = 0, firstColumn = 0, columns = 0;
  std::uint64_t count() const { return (rows - firstRow) * (columns - firstColumn); }
};
PlaneInView inView(const ArrayGrids& grids, const ArrayPlane& plane, float width, float height);
// Where the lowest plane ends, and the one that reaches farthest to the right, pixels.
float heightOf(const ArrayGrids& grids);
float widthOf(const ArrayGrids& grids);

// The numbers at the left of a plane's rows, and over its columns.
std::string rowLabel(const model::Array& array, const ArrayPlane& plane, std::uint64_t row);

struct ArrayCell {
  std::size_t plane = 0;
  std::uint64_t element = 0;
  std::uint64_t cell = 0;  // of the element
  friend bool operator==(const ArrayCell&, const ArrayCell&) = default;
};
// Pixels from the map's upper left corner; nullopt: no cell is there.
std::optional<ArrayCell> arrayCellAt(const ArrayGrids& grids, float x, float y);

// The text's declaration: "float tile[32][33]", "bool last"; of structs, with the members' names in place of
// the type, "stats[64]: n, mean, w[3]".
std::string declarationOf(const model::Array& array);

}  // namespace stridescope::views
