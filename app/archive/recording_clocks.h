// The tables of times that their records' descriptions do not say: the marks of a GPU's clock, and a view of
// timings.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "model/clock_record.h"

namespace stridescope::archive {

class MarkWriter;
class MarkReader;

// The marks of all warps and runs: the sites that they pass, once, and the cycles of each.
template <>
struct MoreTables<model::ClockRecord> {
  static constexpr std::array kColumns{TableColumn{"run_count", "INTEGER NOT NULL"}};
  static std::span<const RecordingTable> tables();

  class Writer {
   public:
    explicit Writer(sqlite3* database);
    ~Writer();
    void set(RowWriter& row, const model::ClockRecord& record);     // its columns of the record's row
    bool write(std::int64_t id, const model::ClockRecord& record);  // false: SQLite refused

   private:
    std::unique_ptr<MarkWriter> marks_;
  };
  class Reader {
   public:
    Reader(sqlite3* database, ReadState& state);
    ~Reader();
    void read(RowReader& row, std::int64_t id, model::ClockRecord& record);  // an error goes into the state

   private:
    std::unique_ptr<MarkReader> marks_;
  };
};

// A view of timings for people. Reading a recording does not use it.
std::string_view timingConveniences();

}  // namespace stridescope::archive
