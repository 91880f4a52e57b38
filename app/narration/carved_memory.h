// Dynamic shared memory that a kernel declares as bytes and carves into parts of several types:
// `extern __shared__ unsigned char raw[]`. The trace has it as single bytes. It is shown in cells of the size
// of the last access to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "narration/access_types.h"
#include "narration/round_at.h"

namespace stridescope::narration {

// Whether a shared array of a person's own kernel is such memory: the text declares it as bytes without a
// size, and the launch accesses several of them at once. Any other array has a type of its own.
bool isCarved(const model::Trace& trace, const model::LaunchTrace& launch, std::size_t array);

struct CarvedCell {
  std::uint64_t offset = 0;  // in the array, bytes
  unsigned bytes = 1;
  int type = -1;            // an index into CarvedMemory::types(); -1: it is not known
  bool isAccessed = false;  // as a whole, by then
};

// Cells of one size that stand side by side.
struct CarvedPart {
  std::size_t first = 0, count = 0;  // cells
  std::uint64_t offset = 0;          // of the first one
  unsigned cellBytes = 1;
  int type = -1;  // of all of them; -1: they have none, or several
};

// Views show more parts than so many by size alone, as those of a struct's members, which take turns.
inline constexpr std::size_t kMaxCarvedParts = 16;

// One such array after a round, or after the pass of it that is told of.
class CarvedMemory {
 public:
  // Requires isCarved().
  CarvedMemory(const RoundAt& at, std::size_t array);

  const std::vector<CarvedCell>& cells() const { return cells_; }  // side by side, all of the array
  const std::vector<AccessType>& types() const { return types_; }
  const CarvedCell& cellOf(std::uint64_t byte) const;  // requires a byte of the array

  enum class Split : std::uint8_t { BySize, ByType };  // ByType: by size, too
  std::vector<CarvedPart> parts(Split split) const;
  std::string nameOf(const CarvedPart& part) const;  // "float", "4 bytes"

  // What the snapshot has in the cell: its number, or several as "(1, 2)", or hexadecimal digits where its
  // type is not known. Empty: not all of it was written.
  std::string text(const analysis::Snapshot& snapshot, const CarvedCell& cell) const;

 private:
  std::size_t begin_ = 0;  // of the array in snapshots
  std::vector<CarvedCell> cells_;
  std::vector<AccessType> types_;
};

}  // namespace stridescope::narration
