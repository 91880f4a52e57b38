// SQLite as values: a connection, a statement that writes rows, a statement that reads and distrusts them.
#pragma once

#include <sqlite3.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"

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
  // Rows of as many columns as the table has.
  RowWriter(sqlite3* database, std::string_view table, unsigned columns);

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
  bool failed_ = false;
};

// What reading has left to spend, and the first thing that went wrong. Shared by the statements of one
// reading.
struct ReadState {
  std::size_t textBytesLeft = 0;
  std::size_t blobBytesLeft = 0;
  MemoryBudget memory{};         // for a person's own numbers
  std::string fault{};           // empty: none. A clause: "column offset of table events holds -1"
  int databaseCode = SQLITE_OK;  // SQLite's primary result code, if it was SQLite that failed
  bool failed() const { return !fault.empty(); }
};

// Reads rows of one table. A value of the wrong type or outside its range sets state.fault and reads as the
// lowest allowed one; rows end there.
class RowReader {
 public:
  RowReader(sqlite3* database, std::string_view table, std::string_view sql, ReadState& state);

  // Starts over with these values for the statement's parameters.
  void start(std::initializer_list<std::int64_t> parameters);
  bool next();  // false: at the end, or failed; calling it again after the end starts over

  std::int64_t integer(int column, std::int64_t low, std::int64_t high);
  double real(int column, double low, double high);
  std::uint64_t bits(int column);
  bool flag(int column) { return integer(column, 0, 1) != 0; }
  bool isNull(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
  std::string text(int column);
  std::vector<std::uint8_t> blob(int column);
  // The place of the column's text in a list of names.
  std::size_t oneOf(int column, std::span<const std::string_view> names);
  // The value whose nameOf() is the column's text.
  template <class Value, std::size_t N>
  Value valueOf(int column, const std::array<Value, N>& values) {
    std::array<std::string_view, N> names;
    for (std::size_t i = 0; i < N; ++i) names[i] = nameOf(values[i]);
    return values[oneOf(column, names)];
  }

  // The column must hold exactly this number: rows come in order, without gaps.
  void expect(int column, std::uint64_t number);
  // A table must have given as many rows as its owner says that there are.
  void expectCount(std::size_t rows, std::size_t promised);
  void fault(int column, std::string_view clause);  // "holds -1"

 private:
  Statement statement_;
  std::string table_;
  ReadState& state_;
};

}  // namespace stridescope::archive
