// What a frame of the Shared memory panel's arrays as grids is drawn from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/snapshots.h"
#include "narration/carved_memory.h"
#include "narration/round_at.h"
#include "session/replay.h"
#include "views/memory/array_grid_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// What the round, or the pass, did with a byte.
enum ArrayTouch : std::uint8_t { kRead = 1, kStored = 2 };

// The carved memory of a launch, by shared array, after the round or pass that is shown; nothing: the array
// has a type of its own.
using CarvedArrays = std::vector<std::optional<narration::CarvedMemory>>;
CarvedArrays carvedArrays(const session::Replay& replay);

// What is one grid: a shared array, or a part of carved memory, whose cells are its elements.
struct ArrayPart {
  std::uint32_t array = 0;    // the shared array
  std::uint64_t begin = 0;    // in it, bytes
  std::size_t firstCell = 0;  // in the carved memory
};

struct ArrayScene {
  const narration::RoundAt at;
  const CarvedArrays& carved;
  std::vector<model::Array> arrays = {};  // one a part
  std::vector<ArrayPart> parts = {};
  std::vector<ArrayPlace> places = {};  // one a part
  const analysis::SharedLayout layout{at.launch};
  const std::vector<std::uint8_t> touches;                 // by byte of all shared arrays, one after another
  std::vector<std::vector<model::MemberType>> cells = {};  // by part

  ArrayScene(const session::Replay& replay, const CarvedArrays& carvedMemory);

  std::uint64_t elementsOf(std::uint32_t array) const {
    return arrays[array].bytes / std::max(1u, arrays[array].elementBytes);
  }
  // Where a cell's bytes begin in the layout.
  std::size_t beginOf(std::uint32_t array, std::uint64_t element, const model::MemberType& cell) const {
    return layout.beginOf(parts[array].array) + std::size_t(parts[array].begin) +
           std::size_t(element * std::max(1u, arrays[array].elementBytes)) + cell.offset;
  }
  // The element of the shared array that a part's element begins with.
  std::uint64_t sharedElementOf(std::uint32_t part, std::uint64_t element) const {
    return places[part].begin + element * places[part].step;
  }
  template <class Flags>
  auto within(const Flags& flags, std::size_t begin, unsigned bytes) const {
    std::uint8_t all = 0;
    for (std::size_t byte = begin; byte < std::min(begin + bytes, flags.size()); ++byte)
      all |= std::uint8_t(flags[byte]);
    return all;
  }
  // Empty: nothing was stored there.
  std::string valueOf(std::uint32_t array, std::uint64_t element, const model::MemberType& cell,
                      CellValues values) const;

 private:
  void addCarved(std::uint32_t array);
};

// What the widest value of all takes, pixels; 0: there are too many for any to be drawn.
float valueWidth(const ViewContext& view, const ArrayScene& scene, CellValues values);
// The same of those that are in view.
float valueWidthInView(const ViewContext& view, const ArrayScene& scene, const ArrayGrids& grids, ImVec2 size,
                       CellValues values);

}  // namespace stridescope::views
