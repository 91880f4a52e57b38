#include "views/memory/array_grid_layout.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "model/array_names.h"

namespace stridescope::views {
namespace {

constexpr std::uint64_t kElementsAcross = 32, kMaxElementsAcross = 1024;
constexpr float kMaxCellGrowth = 2;                                           // times
constexpr float kMinValueCell = 22, kMaxPlainCell = 16, kMaxPlainWidth = 48;  // units
constexpr float kMinCell = 2;                                                 // pixels
constexpr float kLabelGap = 6;                                                // units
constexpr std::uint64_t kMaxPlanes = 64;                                      // of one array

std::uint64_t elementsOf(const model::Array& array) { return array.bytes / std::max(1u, array.elementBytes); }

// A power of two of elements whose cells are about as many as `across`.
std::uint64_t rowOf(std::uint64_t across, std::uint64_t cells) {
  std::uint64_t elements = 1;
  while (elements * 2 * cells <= across) elements *= 2;
  return elements;
}

// Numbers of a struct one after another that are one, or an array in it: "n", "w[3]".
struct MemberGroup {
  std::string name;
  std::uint64_t first = 0, count = 0;
  bool isArray = false;

  std::string text() const { return isArray ? name + "[" + std::to_string(count) + "]" : name; }
};

std::vector<MemberGroup> groupsOf(const std::vector<model::MemberType>& cells) {
  std::vector<MemberGroup> groups;
  for (std::uint64_t i = 0; i < cells.size(); ++i) {
    const std::string& name = cells[i].name;
    const bool isOfArray = name.ends_with(']');
    const std::string whole = isOfArray ? name.substr(0, name.rfind('[')) : name;
    if (isOfArray && !groups.empty() && groups.back().isArray && groups.back().name == whole)
      ++groups.back().count;
    else
      groups.push_back({whole, i, 1, isOfArray});
  }
  return groups;
}

void breakIntoRows(ArrayPlane& plane, std::uint64_t across) {
  plane.columns = std::min(plane.elements, rowOf(across, plane.cells));
  plane.rows = (plane.elements + plane.columns - 1) / plane.columns;
}

// The planes of an array of rows: one for each outer index, or one for all of very many.
void addPlanes(const model::Array& array, ArrayPlane plane, std::vector<ArrayPlane>& planes) {
  const std::uint64_t all = plane.elements;
  plane.columns = array.extents.back();
  plane.rows = array.extents[array.extents.size() - 2];
  if (all / (plane.rows * plane.columns) > kMaxPlanes) {
    plane.rows = all / plane.columns;
    return planes.push_back(std::move(plane));
  }
  plane.elements = plane.rows * plane.columns;
  for (std::uint64_t first = 0; first < all; first += plane.elements) {
    plane.first = first;
    if (array.extents.size() > 2) {
      std::string subscripts = model::subscriptsOf(array, first, model::Digits::Plain);
      for (int dimension = 0; dimension < 2; ++dimension) subscripts.resize(subscripts.rfind('['));
      plane.title = (first == 0 ? declarationOf(array) + ": " : "") + array.name + subscripts;
    }
    planes.push_back(plane);
  }
}

std::vector<ArrayPlane> planesOf(const std::vector<model::Array>& arrays,
                                 const std::vector<ArrayPlace>& places, std::uint64_t across) {
  std::vector<ArrayPlane> planes;
  for (std::uint32_t a = 0; a < arrays.size(); ++a) {
    const model::Array& array = arrays[a];
    const std::vector<model::MemberType> cells = model::cellsOf(array);
    const std::vector<MemberGroup> groups = groupsOf(cells);
    ArrayPlane plane{
        .array = a, .elements = elementsOf(array), .cells = cells.size(), .title = declarationOf(array)};
    if (a < places.size()) plane.label = places[a].begin, plane.step = places[a].step;
    if (a < places.size() && !places[a].title.empty()) plane.title = places[a].title;
    if (plane.elements == 0) continue;
    if (!array.extents.empty()) {
      addPlanes(array, std::move(plane), planes);
    } else if (plane.elements == 1 && std::ranges::any_of(groups, &MemberGroup::isArray)) {
      for (const MemberGroup& group : groups) {
        ArrayPlane part{.array = a, .first = group.first, .elements = group.count, .isOfMembers = true};
        part.title = model::cppNameOf(cells[group.first]) + " " + array.name + "." + group.text();
        breakIntoRows(part, across);
        planes.push_back(std::move(part));
      }
    } else {
      breakIntoRows(plane, across);
      planes.push_back(std::move(plane));
    }
  }
  return planes;
}

class Packer {
 public:
  Packer(const std::vector<model::Array>& arrays, const ArrayGridInput& input, std::uint64_t across)
      : input_(input), planes_(planesOf(arrays, input.places, across)) {
    for (const ArrayPlane& plane : planes_) {
      const std::string last = rowLabel(arrays[plane.array], plane, plane.rows - 1);
      gutters_.push_back(input.textWidth(last) + kLabelGap * input.unit);
      titles_.push_back(input.textWidth(plane.title));
    }
  }

  // Whether cells of that size fit; the planes then stand in their places.
  bool pack(float width, float height) {
    const float gap = kArrayGap * input_.unit;
    const float head = (kArrayTitleHeight + kArrayAxisHeight) * input_.unit;
    float x = 0, y = 0, shelf = 0;
    bool fits = true;
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      ArrayPlane& plane = planes_[i];
      const float grid = gutters_[i] + width * float(plane.cellsAcross());
      const float whole = std::max(grid, std::min(titles_[i], input_.width));
      if (x > 0 && x + whole > input_.width) x = 0, y += shelf + gap, shelf = 0;
      plane.left = x, plane.top = y;
      plane.gridLeft = x + gutters_[i], plane.gridTop = y + head;
      shelf = std::max(shelf, head + height * float(plane.rows));
      fits = fits && whole <= input_.width && y + shelf <= input_.height;
      x += whole + gap;
    }
    return fits;
  }

  std::vector<ArrayPlane> take() { return std::move(planes_); }

 private:
  const ArrayGridInput& input_;
  std::vector<ArrayPlane> planes_;
  std::vector<float> gutters_, titles_;
};

// The largest cells with values of that width.
bool packWithValues(Packer& packer, const ArrayGridInput& input, float valueWidth, ArrayGrids& grids) {
  if (valueWidth <= 0) return false;
  const float width = std::ceil(std::max(valueWidth, kMinValueCell * input.unit));
  const float height = std::ceil(kValueCellHeight * input.unit);
  constexpr float kStep = 0.1f;
  bool fits = false;
  for (float times = 1;
       times <= kMaxCellGrowth && packer.pack(std::floor(width * times), std::floor(height * times));
       times += kStep) {
    grids.cellWidth = std::floor(width * times), grids.cellHeight = std::floor(height * times);
    fits = true;
  }
  while (fits && grids.cellWidth < width * kMaxCellGrowth &&
         packer.pack(grids.cellWidth + 1, grids.cellHeight))
    ++grids.cellWidth;
  return fits;
}

// The largest square cells, then wider ones where there is room.
bool packPlain(Packer& packer, const ArrayGridInput& input, ArrayGrids& grids) {
  float side = std::floor(kMaxPlainCell * input.unit);
  while (side >= kMinCell && !packer.pack(side, side)) --side;
  if (side < kMinCell) return false;
  float width = side;
  while (width + 1 <= kMaxPlainWidth * input.unit && packer.pack(width + 1, side)) ++width;
  grids.cellWidth = width, grids.cellHeight = side;
  return true;
}

}  // namespace

std::string rowLabel(const model::Array& array, const ArrayPlane& plane, std::uint64_t row) {
  const std::size_t dimensions = array.extents.size();
  if (dimensions > 2 && plane.rows != array.extents[dimensions - 2]) {
    const std::string place = model::subscriptsOf(array, row * plane.columns, model::Digits::Plain);
    return place.substr(0, place.rfind('['));
  }
  const std::uint64_t first = plane.isOfMembers ? 0 : plane.first;
  return std::to_string(array.extents.empty() ? plane.label + plane.step * (first + row * plane.columns)
                                              : row);
}

std::string declarationOf(const model::Array& array) {
  const std::vector<model::MemberType> cells = model::cellsOf(array);
  const bool isNumber = cells.size() == 1 && cells.front().name.empty();
  const bool isKnown = array.type || !array.members.empty();
  std::string text = isNumber && isKnown ? model::cppNameOf(cells.front()) + " " : "";
  text += array.name;
  if (array.extents.empty() && elementsOf(array) > 1) text += "[" + std::to_string(elementsOf(array)) + "]";
  for (const std::uint64_t extent : array.extents) text += "[" + std::to_string(extent) + "]";
  if (isNumber) return text;
  const std::vector<MemberGroup> groups = groupsOf(cells);
  for (std::size_t i = 0; i < groups.size(); ++i) text += (i == 0 ? ": " : ", ") + groups[i].text();
  return text;
}

ArrayGrids layOutArrays(const std::vector<model::Array>& arrays, const ArrayGridInput& input) {
  ArrayGrids grids;
  for (const CellValues values : {CellValues::Exact, CellValues::Rounded})
    for (std::uint64_t across = kElementsAcross; across > 0; across /= 2) {
      Packer packer(arrays, input, across);
      const float width = values == CellValues::Exact ? input.valueWidth : input.roundedWidth;
      if (!packWithValues(packer, input, width, grids)) continue;
      grids.values = values;
      packer.pack(grids.cellWidth, grids.cellHeight);
      grids.planes = packer.take();
      return grids;
    }
  for (std::uint64_t across = kElementsAcross; across <= kMaxElementsAcross; across *= 2) {
    Packer packer(arrays, input, across);
    grids.everythingFits = packPlain(packer, input, grids);
    if (!grids.everythingFits && across < kMaxElementsAcross) continue;
    if (!grids.everythingFits) grids.cellWidth = grids.cellHeight = kMinCell;
    packer.pack(grids.cellWidth, grids.cellHeight);
    grids.planes = packer.take();
    break;
  }
  return grids;
}

ArrayGrids zoomed(ArrayGrids grids, const ArrayZoom& zoom) {
  grids.cellWidth *= zoom.times, grids.cellHeight *= zoom.times;
  for (ArrayPlane& plane : grids.planes) {
    const float gutter = plane.gridLeft - plane.left, head = plane.gridTop - plane.top;
    plane.gridLeft = (plane.gridLeft - zoom.left) * zoom.times;
    plane.gridTop = (plane.gridTop - zoom.top) * zoom.times;
    plane.left = plane.gridLeft - gutter, plane.top = plane.gridTop - head;
  }
  return grids;
}

PlaneInView inView(const ArrayGrids& grids, const ArrayPlane& plane, float width, float height) {
  // Which of `all` cells of that size, the first of which begins at `begin`, are within the extent.
  const auto partOf = [](float begin, float size, std::uint64_t all, float extent) {
    const auto cellAt = [&](float place) {
      return std::uint64_t(std::clamp((place - begin) / size, 0.0f, float(all)));
    };
    return std::pair(cellAt(0), std::min(all, cellAt(extent) + (extent > begin ? 1 : 0)));
  };
  const auto [firstRow, rows] = partOf(plane.gridTop, grids.cellHeight, plane.rows, height);
  const auto [firstColumn, columns] = partOf(plane.gridLeft, grids.cellWidth, plane.cellsAcross(), width);
  return {firstRow, std::max(firstRow, rows), firstColumn, std::max(firstColumn, columns)};
}

float widthOf(const ArrayGrids& grids) {
  float right = 0;
  for (const ArrayPlane& plane : grids.planes)
    right = std::max(right, plane.gridLeft + grids.cellWidth * float(plane.cellsAcross()));
  return right;
}

float heightOf(const ArrayGrids& grids) {
  float height = 0;
  for (const ArrayPlane& plane : grids.planes)
    height = std::max(height, plane.gridTop + grids.cellHeight * float(plane.rows));
  return height;
}

std::optional<ArrayCell> arrayCellAt(const ArrayGrids& grids, float x, float y) {
  for (std::size_t p = 0; p < grids.planes.size(); ++p) {
    const ArrayPlane& plane = grids.planes[p];
    if (x < plane.gridLeft || y < plane.gridTop || grids.cellWidth <= 0 || grids.cellHeight <= 0) continue;
    const auto column = std::uint64_t((x - plane.gridLeft) / grids.cellWidth);
    const auto row = std::uint64_t((y - plane.gridTop) / grids.cellHeight);
    if (column >= plane.cellsAcross() || row >= plane.rows) continue;
    const std::uint64_t within = row * plane.columns + column / plane.cells;
    if (within < plane.elements)
      return ArrayCell{p, plane.elementAt(within), plane.numberAt(within, column % plane.cells)};
  }
  return std::nullopt;
}

}  // namespace stridescope::views
