#include "archive/database.h"

#include <limits>
#include <utility>

namespace stridescope::archive {

Statement prepare(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.data(), int(sql.size()), &statement, nullptr);
  return Statement(statement);
}

namespace {

std::vector<std::string> columnsOf(const Statement& statement) {
  std::vector<std::string> names;
  for (int i = 0; statement && i < sqlite3_column_count(statement.get()); ++i) {
    const char* const name = sqlite3_column_name(statement.get(), i);
    names.emplace_back(name ? name : "?");  // no memory for it
  }
  return names;
}

std::vector<std::string> namesOf(sqlite3* database, std::string_view table) {
  return columnsOf(prepare(database, "SELECT * FROM " + std::string(table)));
}

}  // namespace

RowWriter::RowWriter(sqlite3* database, std::string_view table, unsigned columns) {
  std::string sql = "INSERT INTO " + std::string(table) + " VALUES(?";
  for (unsigned i = 1; i < columns; ++i) sql += ",?";
  statement_ = prepare(database, sql + ")");
  failed_ = !statement_;
}

RowWriter::RowWriter(sqlite3* database, std::string_view table)
    : RowWriter(database, table, namesOf(database, table)) {}

RowWriter::RowWriter(sqlite3* database, std::string_view table, std::vector<std::string> names)
    : RowWriter(database, table, unsigned(names.size())) {
  names_ = std::move(names);
}

int RowWriter::columnOf(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) return int(i) + 1;
  return 0;
}

bool RowWriter::write() {
  const bool stepped = !failed_ && sqlite3_step(statement_.get()) == SQLITE_DONE;
  failed_ = sqlite3_reset(statement_.get()) != SQLITE_OK || !stepped;
  sqlite3_clear_bindings(statement_.get());
  set_ = 0;
  return !failed_;
}

bool RowWriter::bind(int column, std::string_view text) {
  // A null pointer would bind NULL: an empty view has one.
  return sqlite3_bind_text64(statement_.get(), column, text.data() ? text.data() : "", text.size(),
                             SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
}

bool RowWriter::bind(int column, std::span<const std::uint8_t> blob) {
  return blob.empty() ? sqlite3_bind_zeroblob(statement_.get(), column, 0) == SQLITE_OK
                      : sqlite3_bind_blob64(statement_.get(), column, blob.data(), blob.size(),
                                            SQLITE_STATIC) == SQLITE_OK;
}

bool RowWriter::bind(int column, std::optional<int> value) {
  return (value ? sqlite3_bind_int64(statement_.get(), column, *value)
                : sqlite3_bind_null(statement_.get(), column)) == SQLITE_OK;
}

RowReader::RowReader(sqlite3* database, std::string_view table, std::string_view sql, ReadState& state)
    : statement_(prepare(database, sql)), table_(table), names_(columnsOf(statement_)), state_(state) {
  if (statement_ || state_.failed()) return;
  state_.fault = "table " + table_ + ": " + sqlite3_errmsg(database);
  state_.databaseCode = sqlite3_errcode(database);
}

void RowReader::start(std::initializer_list<std::int64_t> parameters) {
  if (!statement_) return;
  sqlite3_reset(statement_.get());
  int index = 0;
  for (const std::int64_t parameter : parameters) sqlite3_bind_int64(statement_.get(), ++index, parameter);
}

bool RowReader::next() {
  if (!statement_ || state_.failed()) return false;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    state_.fault = "table " + table_ + ": " + sqlite3_errmsg(sqlite3_db_handle(statement_.get()));
    state_.databaseCode = code & 0xff;
  }
  return false;
}

void RowReader::fault(int column, std::string_view clause) {
  if (state_.failed()) return;
  const auto index = std::size_t(column);
  state_.fault = "column " + (index < names_.size() ? names_[index] : "?") + " of table " + table_ + " " +
                 std::string(clause);
}

int RowReader::column(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) return int(i);
  return -1;
}

std::int64_t RowReader::integer(int column, std::int64_t low, std::int64_t high) {
  // Events are many: their columns are fetched once. Nobody else uses this connection.
  sqlite3_value* const held = sqlite3_column_value(statement_.get(), column);
  if (sqlite3_value_type(held) != SQLITE_INTEGER) {
    fault(column, "holds something that is not an integer");
    return low;
  }
  const std::int64_t value = sqlite3_value_int64(held);
  if (value >= low && value <= high) return value;
  fault(column, "holds " + std::to_string(value));
  return low;
}

double RowReader::real(int column, double low, double high) {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_FLOAT) {
    fault(column, "holds something that is not a real number");
    return low;
  }
  const double value = sqlite3_column_double(statement_.get(), column);
  if (value >= low && value <= high) return value;
  fault(column, "holds " + std::to_string(value));
  return low;
}

std::uint64_t RowReader::bits(int column) {
  using Limits = std::numeric_limits<std::int64_t>;
  return std::uint64_t(integer(column, Limits::min(), Limits::max()));
}

std::string_view RowReader::word(int column) {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) {
    fault(column, "holds something that is not text");
    return {};
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text) return {text, std::size_t(sqlite3_column_bytes(statement_.get(), column))};
  fault(column, "holds too much text");  // no memory for it
  return {};
}

std::string RowReader::text(int column) {
  const std::string_view text = word(column);
  if (text.size() > state_.textBytesLeft) {
    fault(column, "holds too much text");
    return {};
  }
  state_.textBytesLeft -= text.size();
  return std::string(text);
}

std::vector<std::uint8_t> RowReader::blob(int column) {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_BLOB) {
    fault(column, "holds something that is not a blob");
    return {};
  }
  const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  const auto count = std::size_t(sqlite3_column_bytes(statement_.get(), column));
  if (count > state_.blobBytesLeft || (count > 0 && !bytes)) {
    fault(column, "holds too many bytes");
    return {};
  }
  state_.blobBytesLeft -= count;
  return count == 0 ? std::vector<std::uint8_t>{} : std::vector<std::uint8_t>(bytes, bytes + count);
}

std::size_t RowReader::oneOf(int column, std::span<const std::string_view> names) {
  const std::string_view name = word(column);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  fault(column, "holds a name that is not known");
  return 0;
}

void RowReader::expect(int column, std::uint64_t number) {
  if (bits(column) != number) fault(column, "does not count on");
}

void RowReader::expectCount(std::size_t rows, std::size_t promised) {
  if (rows == promised || state_.failed()) return;
  state_.fault = "table " + table_ + " has " + (rows < promised ? "lost" : "gained") + " rows";
}

}  // namespace stridescope::archive
