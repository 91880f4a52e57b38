// How structures stand in rows, and what stands packed in the row of its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "base/describe.h"
#include "model/clock_record.h"
#include "model/machine_code.h"
#include "model/quantity.h"
#include "model/timing_record.h"
#include "model/trace_check.h"
#include "recording/event.h"

namespace stridescope::archive {

// Rows whose columns are the fields of structures (base/describe.h). A field stands in the column of its
// name, if the table has one: the fields of an experiment stand in two tables. A column that no structure
// fills is an error of the program's, which SQLite notices (NOT NULL).

// How a structure's fields stand in a table, where that is not by their names and with any value of the type.
struct RowShape {
  struct Renamed {
    std::string_view field, column;  // an empty column: whoever has the row reads and writes it
  };
  struct Limit {
    std::string_view field;
    std::int64_t low, high;
  };
  Renamed renamed[2] = {};
  Limit limits[5] = {};

  constexpr std::string_view columnOf(std::string_view field) const {
    for (const Renamed& each : renamed)
      if (!each.field.empty() && each.field == field) return each.column;
    return field;
  }
  // Without a limit, a column may have any number of the type. Integers of 64 bits are never limited, real
  // numbers always.
  template <class Field>
  constexpr Limit limitOf(std::string_view field) const {
    for (const Limit& each : limits)
      if (!each.field.empty() && each.field == field) return each;
    if constexpr (std::is_integral_v<Field> && sizeof(Field) < sizeof(std::int64_t))
      return {field, std::numeric_limits<Field>::min(), std::numeric_limits<Field>::max()};
    else
      return {field, 0, 0};
  }
};

template <class Field>
auto valueInFile(const Field& field) {
  if constexpr (std::is_enum_v<Field>)
    return nameInFile(field);
  else if constexpr (kIsOptionalEnum<Field>)
    return field ? std::optional(nameInFile(*field)) : std::nullopt;  // NULL
  else if constexpr (std::is_floating_point_v<Field>)
    return double(field);
  else if constexpr (std::is_same_v<Field, std::string>)
    return std::string_view(field);
  else
    return field;
}

// Into the columns that the table has. Texts must live until the row is written.
template <class Struct>
void setFields(RowWriter& row, const Struct& value, const RowShape& shape = {}) {
  forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
    if constexpr (PlainField<Field>)
      if (row.hasColumn(shape.columnOf(name))) row.set(shape.columnOf(name), valueInFile(field));
  });
}

template <class Field>
void readField(RowReader& row, int column, Field& field, const RowShape::Limit& limit) {
  if constexpr (std::is_same_v<Field, bool>) {
    field = row.flag(column);
  } else if constexpr (std::is_enum_v<Field>) {
    static constexpr auto kAll = allInFile(Field{});
    static const auto names = [] {
      std::array<std::string_view, kAll.size()> all;
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = nameInFile(kAll[i]);
      return all;
    }();
    field = kAll[row.oneOf(column, names)];
  } else if constexpr (kIsOptionalEnum<Field>) {
    if (row.isNull(column))
      field.reset();
    else
      readField(row, column, field.emplace(), limit);
  } else if constexpr (std::is_same_v<Field, std::string>) {
    field = row.text(column);
    if (!model::isPlainUtf8(field)) row.fault(column, "is not UTF-8 text");
  } else if constexpr (std::is_floating_point_v<Field>) {
    field = Field(row.real(column, double(limit.low), double(limit.high)));
  } else if constexpr (sizeof(Field) == sizeof(std::uint64_t)) {
    field = Field(row.bits(column));
  } else {
    field = Field(row.integer(column, limit.low, limit.high));
  }
}

// From the columns that the statement has; other fields keep what they are. A value that is not one of the
// field's, or outside its limits, sets the fault.
template <class Struct>
void readFields(RowReader& row, Struct& value, const RowShape& shape = {}) {
  forEachField(value, [&]<class Field>(std::string_view name, Field& field) {
    if constexpr (PlainField<Field>)
      if (const int column = row.column(shape.columnOf(name)); column >= 0)
        readField(row, column, field, shape.limitOf<Field>(name));
  });
}

// How the fields of each structure stand in a recording's tables, where their names and types do not say it.

inline constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
inline constexpr std::int64_t kMaxSite = recording::kMaxSites - 1;

inline constexpr RowShape kExperimentRow{.limits = {{"threads", 1, model::kMaxThreads},
                                                    {"lists", 0, model::kMaxThreads},
                                                    {"gpus", 1, model::kMaxGpus}}};
inline constexpr RowShape kExecutorRow{.renamed = {{"kind", "engine"}}};
inline constexpr RowShape kSiteRow{.limits = {{"id", 0, kMaxSite},
                                              {"line", 1, kMaxInt},
                                              {"column", 1, kMaxInt},
                                              {"length", 0, kMaxInt},
                                              {"statement", 0, kMaxInt}}};
// Which block is shown follows from where its row stands.
inline constexpr RowShape kLaunchRow{
    .renamed = {{"shown", ""}},
    .limits = {{"block", 1, model::kMaxThreads}, {"devices", 1, model::kMaxGpus}}};
// It stands in the row of its launch, whose number of events and copies that row has, too.
inline constexpr RowShape kBlockRow{};
inline constexpr RowShape kArrayRow{
    .limits = {{"element_bytes", 1, model::kMaxElementBytes}, {"devices", 1, model::kMaxGpus}}};
inline constexpr RowShape kMemberRow{
    .limits = {{"bytes", 1, sizeof(std::uint64_t)}, {"offset", 0, model::kMaxElementBytes - 1}}};
inline constexpr RowShape kOtherActRow{
    .limits = {{"line", 0, kMaxInt}, {"thread", 0, model::kMaxThreads - 1}, {"events_before", 0, kMaxInt}}};
inline constexpr RowShape kMeetingRow{.limits = {{"thread", 0, model::kMaxThreads - 1},
                                                 {"events_before", 0, kMaxInt},
                                                 {"meeting", 0, std::int64_t(model::kMaxPartMeetings) - 1}}};
// Who reads a file sets it: no row has it.
inline constexpr RowShape kTraceRow{.renamed = {{"verdict_is_recorded", ""}}};
// -1 stands as NULL.
inline constexpr RowShape kProblemRow{.renamed = {{"site", ""}}};
inline constexpr RowShape kSubjectRow{.renamed = {{"id", "subject"}}};
inline constexpr RowShape kCaseRow{.renamed = {{"threads", "wished_threads"}},
                                   .limits = {{"threads", 0, model::kMaxThreads}}};
// Ceilings in GB/s.
inline constexpr RowShape kTimingRow{.limits = {{"threads", 0, model::kMaxThreads},
                                                {"read_ceiling", 0, std::int64_t(model::kMaxCeiling)},
                                                {"copy_ceiling", 0, std::int64_t(model::kMaxCeiling)}}};
inline constexpr RowShape kSampleRow{.limits = {{"microseconds", 0, std::int64_t(model::kMaxMicroseconds)}}};

// Who ran it then: a host or a GPU, never a recording.
inline void readExecutor(RowReader& row, model::Executor& executor) {
  readFields(row, executor, kExecutorRow);
  if (executor.kind == model::EngineKind::Recorded)
    row.fault(row.column("engine"), "holds a name that is not known");
}

// Lists of a record that stand packed in the row of their owner, because a row for each element would be
// larger by far: the blocks of a launch, the lines of machine code.

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
