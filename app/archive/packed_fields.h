// Lists of a record that stand packed in the row of their owner, because a row for each element would be
// larger by far: the blocks of a launch, the lines of machine code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "model/clock_record.h"
#include "model/machine_code.h"

namespace stridescope::archive {

struct TableColumn {
  std::string_view name, type;  // "INTEGER NOT NULL"
  std::string_view comment = {};
  unsigned commentAt = 36;
};

// How a field of this type stands in columns of its own. It has nothing where it is an ordinary field or rows
// of another table; else kColumns, set() and read() as below.
template <class Field>
struct Packing {};

template <class Field>
concept Packed = requires {
  Packing<Field>::kColumns;
};

template <>
struct Packing<std::vector<model::CodeLine>> {
  static constexpr std::array kColumns{TableColumn{
      "code", "TEXT NOT NULL", "a line each: the line of the kernel's text or 0, a tab, the instruction"}};
  explicit Packing(const std::vector<model::CodeLine>& lines);
  // Into a row that is written while this lives.
  void set(RowWriter& row) const { row.set("code", std::string_view(text_)); }
  static void read(RowReader& row, ReadState& state, std::vector<model::CodeLine>& lines);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// What a record has beyond its description (recorded_quantity.h): kColumns of its row, tables(), and a Writer
// and a Reader that are made once. MoreTables<model::ClockRecord> (recording_clocks.h) shows them.
template <class Record>
struct MoreTables {};

template <class Record>
concept HasMoreTables = requires {
  MoreTables<Record>::tables();
};

// The marks of a grid's blocks in few bytes: for each block three numbers, one after another. Its start minus
// that of the block before it, or of the grid's first start for the first block, as a number with its sign
// folded in (0, -1, 1, -2, ... are 0, 1, 2, 3, ...); its duration; both in units of `step` nanoseconds; and
// its multiprocessor. Each number takes as many bytes as it needs, seven bits in each, the low ones first,
// the high bit set where another follows (LEB128).

// The bytes that a block takes: a start within any run that is allowed, a duration, a multiprocessor's
// number.
inline constexpr std::size_t kMaxPackedBlockBytes = 8 + 5 + 2;
inline constexpr std::uint64_t kMaxStep = std::numeric_limits<unsigned>::max();  // as a duration

struct PackedBlocks {
  std::uint64_t firstStart = 0;  // the least start, nanoseconds
  std::uint64_t step = 1;  // at least 1: all starts, counted from there, and durations are multiples of it
  std::vector<std::uint8_t> bytes{};
};

PackedBlocks packBlocks(std::span<const model::BlockRun> blocks);

// False: the bytes are no `count` blocks, or hold a number that no mark has. `blocks` then holds anything.
bool unpackBlocks(const PackedBlocks& packed, std::size_t count, std::vector<model::BlockRun>& blocks);

template <>
struct Packing<std::vector<model::BlockRun>> {
  static constexpr std::array kColumns{
      TableColumn{"grid", "INTEGER NOT NULL", "blocks"},
      TableColumn{"first_start", "INTEGER NOT NULL",
                  "nanoseconds from the run's first event to the first block's start"},
      TableColumn{"step", "INTEGER NOT NULL", "nanoseconds: the unit of the packed times"},
      TableColumn{"blocks", "BLOB NOT NULL", "packed: start, duration and multiprocessor of each"}};
  explicit Packing(const std::vector<model::BlockRun>& blocks)
      : count_(blocks.size()), packed_(packBlocks(blocks)) {}
  void set(RowWriter& row) const;
  static void read(RowReader& row, ReadState& state, std::vector<model::BlockRun>& blocks);

 private:
  std::size_t count_;
  PackedBlocks packed_;
};

}  // namespace stridescope::archive
