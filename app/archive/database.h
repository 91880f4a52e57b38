// SQLite as values: a connection, a statement that writes rows, a statement that reads and distrusts them.
#pragma once

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_limits.h"

namespace stridescope::archive {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// Null on failure: the connection then has the reason (sqlite3_errmsg).
Statement prepare(sqlite3* database, std::string_view sql);

// Writes rows with one prepared INSERT. After a failure every further call fails.
class RowWriter {
 public:
  // For write(values...): rows of as many columns as the table has.
  RowWriter(sqlite3* database, std::string_view table, unsigned columns);
  // For set(): by the names of the table's columns.
  RowWriter(sqlite3* database, std::string_view table);

  bool hasColumn(std::string_view name) const { return columnOf(name) != 0; }

  // Sets a column of the next row. Texts are not copied: they must live until the row is written. A column
  // that does not exist, or was set already, fails.
  template <class Value>
  void set(std::string_view name, const Value& value) {
    const int column = columnOf(name);
    const std::uint64_t mark = std::uint64_t{1} << column;
    failed_ = failed_ || column == 0 || (set_ & mark) != 0 || !bind(column, value);
    set_ |= mark;
  }
  // The row of what was set; other columns are NULL.
  bool write();

  // Values in the order of the columns. Texts and blobs are not copied: they must live until the call
  // returns.
  template <class... Values>
  bool write(const Values&... values) {
    if (failed_) return false;
    int column = 0;
    const bool bound = (bind(++column, values) && ...);
    const bool stepped = bound && sqlite3_step(statement_.get()) == SQLITE_DONE;
    failed_ = sqlite3_reset(statement_.get()) != SQLITE_OK || !stepped;
    return !failed_;
  }

 private:
  RowWriter(sqlite3* database, std::string_view table, std::vector<std::string> names);
  int columnOf(std::string_view name) const;  // from 1; 0: there is none

  // 64-bit values keep their bits: those from 2^63 on are stored as negative numbers.
  bool bind(int column, std::integral auto value) {
    return sqlite3_bind_int64(statement_.get(), column, std::int64_t(value)) == SQLITE_OK;
  }
  bool bind(int column, double value) {
    return sqlite3_bind_double(statement_.get(), column, value) == SQLITE_OK;
  }
  bool bind(int column, std::string_view text);
  bool bind(int column, std::span<const std::uint8_t> blob);
  bool bind(int column, std::optional<int> value);
  bool bind(int column, const std::same_as<std::optional<std::string_view>> auto& text) {
    return text ? bind(column, *text) : bind(column, std::optional<int>());
  }

  Statement statement_;
  std::vector<std::string> names_;  // the columns'
  std::uint64_t set_ = 0;           // a bit for each column
  bool failed_ = false;
};

// What reading has left to spend, and the first thing that went wrong. Shared by the statements of one
// reading.
struct ReadState {
  std::size_t textBytesLeft = 0;
  std::size_t blobBytesLeft = 0;
  std::size_t rowBytes = 0;      // the longest row, where tables have longer ones than a trace's; else 0
  std::uint64_t partsLeft = 0;   // the blocks, marks or samples of all records together
  MemoryBudget memory{};         // for a person's input data
  std::string fault{};           // empty: none. A clause: "column offset of table events holds -1"
  int databaseCode = SQLITE_OK;  // SQLite's primary result code, if it was SQLite that failed
  bool failed() const { return !fault.empty(); }
  // False: there are not as many left, and from now on none.
  bool spendParts(std::uint64_t parts) {
    const bool enough = parts <= partsLeft;
    partsLeft = enough ? partsLeft - parts : 0;
    return enough;
  }
};

// Reads rows of one table. A value of the wrong type or outside its range sets state.fault and reads as the
// lowest allowed one; rows end there.
class RowReader {
 public:
  RowReader(sqlite3* database, std::string_view table, std::string_view sql, ReadState& state);

  // Starts over with these values for the statement's parameters.
  void start(std::initializer_list<std::int64_t> parameters);
  bool next();  // false: at the end, or failed; calling it again after the end starts over

  // The place of the column of this name; -1: the statement has none.
  int column(std::string_view name) const;

  std::int64_t integer(int column, std::int64_t low, std::int64_t high);
  // How many rows belong to this one: the column holds 0 to `most`.
  std::size_t count(std::string_view name, std::int64_t most) {
    return std::size_t(integer(column(name), 0, most));
  }
  double real(int column, double low, double high);
  std::uint64_t bits(int column);
  bool flag(int column) { return integer(column, 0, 1) != 0; }
  bool isNull(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
  // A text that is kept: its bytes are spent.
  std::string text(int column);
  // One that is not, such as the name of a type; it lives until the next row.
  std::string_view word(int column);
  std::vector<std::uint8_t> blob(int column);
  // The place of the column's text in a list of names.
  std::size_t oneOf(int column, std::span<const std::string_view> names);

  // The column must hold exactly this number: rows come in order, without gaps.
  void expect(int column, std::uint64_t number);
  // A table must have given as many rows as its owner says that there are.
  void expectCount(std::size_t rows, std::size_t promised);
  void fault(int column, std::string_view clause);  // "holds -1"

 private:
  Statement statement_;
  std::string table_;
  std::vector<std::string> names_;  // the columns'
  ReadState& state_;
};

}  // namespace stridescope::archive
