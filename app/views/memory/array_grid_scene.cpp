#include "views/memory/array_grid_scene.h"

#include <charconv>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "base/read_floating.h"
#include "model/array_names.h"
#include "narration/wording.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

constexpr std::uint64_t kMaxCellsWithValues = 4096;

// By byte of all shared arrays, one after another: what the round, or the pass, did there.
std::vector<std::uint8_t> touchesOf(const narration::RoundAt& at) {
  const analysis::SharedLayout layout(at.launch);
  std::vector<std::uint8_t> touches(layout.bytes(), 0);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    const bool loads = operation.kind == model::EventKind::Load || operation.kind == model::EventKind::Atomic;
    const bool stores =
        operation.kind == model::EventKind::Store || operation.kind == model::EventKind::Atomic;
    if (!loads && !stores) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      if (!event.inShared() || !layout.holds(event)) return;
      const std::size_t begin = layout.beginOf(event.sharedArray()) + std::size_t(event.offset());
      for (std::size_t byte = begin; byte < begin + event.width(); ++byte)
        touches[byte] |= std::uint8_t((loads ? kRead : 0) | (stores ? kStored : 0));
    });
  }
  return touches;
}

// A number with a point, or with an exponent, to four digits: "4.333" of "4.3333335". Others stay as they
// are.
std::string roundedNumber(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const bool isWhole = text.find_first_of(".e") == std::string::npos;
  if (isWhole || readFloating(text.data(), end, value).ptr != end) return text;
  constexpr int kDigits = 4;
  char rounded[32];
  return {rounded,
          std::to_chars(rounded, rounded + sizeof(rounded), value, std::chars_format::general, kDigits).ptr};
}

float widthOf(const ViewContext& view, std::size_t characters) {
  return draw::textSize(view.codeBold(0), "0").x * float(characters) + view.px(6);
}

}  // namespace

CarvedArrays carvedArrays(const session::Replay& replay) {
  const narration::RoundAt at = roundAt(replay);
  CarvedArrays all(at.launch.recorded().shared.size());
  for (std::size_t array = 0; array < all.size(); ++array)
    if (narration::isCarved(at.trace, at.launch, array)) all[array].emplace(at, array);
  return all;
}

ArrayScene::ArrayScene(const session::Replay& replay, const CarvedArrays& carvedMemory)
    : at(roundAt(replay)), carved(carvedMemory), touches(touchesOf(at)) {
  const std::vector<model::Array>& shared = at.launch.recorded().shared;
  for (std::uint32_t array = 0; array < shared.size(); ++array) {
    if (carved[array]) {
      addCarved(array);
      continue;
    }
    arrays.push_back(shared[array]);
    parts.push_back({.array = array});
    places.emplace_back();
    cells.push_back(model::cellsOf(shared[array]));
  }
}

void ArrayScene::addCarved(std::uint32_t array) {
  const narration::CarvedMemory& memory = *carved[array];
  const std::string& name = at.launch.recorded().shared[array].name;
  std::vector<narration::CarvedPart> all = memory.parts(narration::CarvedMemory::Split::ByType);
  if (all.size() > narration::kMaxCarvedParts) all = memory.parts(narration::CarvedMemory::Split::BySize);
  for (const narration::CarvedPart& part : all) {
    arrays.push_back({.name = name,
                      .elementBytes = part.cellBytes,
                      .bytes = std::uint64_t(part.count) * part.cellBytes,
                      .members = {{model::NumberKind::Bytes, part.cellBytes}}});
    parts.push_back({array, part.offset, part.first});
    const bool isOfBytes = part.cellBytes == 1 && part.type < 0;
    const std::string what =
        isOfBytes ? narration::count(part.count, "byte") : figure(part.count) + " of " + memory.nameOf(part);
    places.push_back({.title = name + "[" + std::to_string(part.offset) + "]: " + what,
                      .begin = part.offset,
                      .step = part.cellBytes});
    cells.push_back(arrays.back().members);
  }
}

std::string ArrayScene::valueOf(std::uint32_t array, std::uint64_t element, const model::MemberType& cell,
                                CellValues values) const {
  std::string text;
  if (const auto& memory = carved[parts[array].array]) {
    text = memory->text(at.round().snapshot, memory->cells()[parts[array].firstCell + std::size_t(element)]);
  } else if (const auto bits = at.round().snapshot.word(beginOf(array, element, cell), cell.bytes)) {
    text = model::printNumber(cell, *bits);
  }
  return values == CellValues::Rounded ? roundedNumber(text) : text;
}

float valueWidth(const ViewContext& view, const ArrayScene& scene, CellValues values) {
  std::uint64_t count = 0;
  for (std::uint32_t a = 0; a < scene.arrays.size(); ++a)
    count += scene.elementsOf(a) * scene.cells[a].size();
  if (count == 0 || count > kMaxCellsWithValues) return 0;
  std::size_t widest = 1;
  for (std::uint32_t a = 0; a < scene.arrays.size(); ++a)
    for (std::uint64_t e = 0; e < scene.elementsOf(a); ++e)
      for (const model::MemberType& cell : scene.cells[a])
        widest = std::max(widest, scene.valueOf(a, e, cell, values).size());
  return widthOf(view, widest);
}

float valueWidthInView(const ViewContext& view, const ArrayScene& scene, const ArrayGrids& grids, ImVec2 size,
                       CellValues values) {
  std::uint64_t count = 0;
  std::size_t widest = 1;
  for (const ArrayPlane& plane : grids.planes) {
    const PlaneInView part = inView(grids, plane, size.x, size.y);
    count += part.count();
    if (count > kMaxCellsWithValues) return 0;
    for (std::uint64_t row = part.firstRow; row < part.rows; ++row)
      for (std::uint64_t column = part.firstColumn; column < part.columns; ++column) {
        const std::uint64_t place = row * plane.columns + column / plane.cells;
        if (place >= plane.elements) continue;
        const std::uint64_t number = plane.numberAt(place, column % plane.cells);
        widest = std::max(
            widest,
            scene.valueOf(plane.array, plane.elementAt(place), scene.cells[plane.array][number], values)
                .size());
      }
  }
  return count == 0 ? 0 : widthOf(view, widest);
}

}  // namespace stridescope::views
