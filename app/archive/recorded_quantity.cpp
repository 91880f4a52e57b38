#include "archive/recorded_quantity.h"

#include "base/numbers.h"

namespace stridescope::archive {

model::StoredField storedField(std::span<const model::StoredField> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &model::StoredField::field);
  model::StoredField stored = found == fields.end() ? model::StoredField{name} : *found;
  if (stored.column.empty()) stored.column = name;
  return stored;
}

const model::StoredList& storedList(const model::Quantity& quantity, std::string_view field) {
  static constexpr model::StoredList kNone{};
  const auto found = std::ranges::find(quantity.lists, field, &model::StoredList::field);
  return found == std::end(quantity.lists) ? kNone : *found;
}

std::string createStatement(std::string_view table, std::span<const TableColumn> columns,
                            std::span<const std::string_view> keys) {
  std::string sql = "CREATE TABLE " + std::string(table) + "(\n";
  for (const TableColumn& column : columns) {
    const bool isLast = keys.empty() && &column == &columns.back();
    std::string line = "  " + std::string(column.name) + " " + std::string(column.type) + (isLast ? "" : ",");
    if (!column.comment.empty()) {
      line.resize(std::max<std::size_t>(column.commentAt, line.size() + 1), ' ');
      line += "-- " + std::string(column.comment);
    }
    sql += line + "\n";
  }
  if (keys.empty()) return sql + ")";
  sql += "  PRIMARY KEY(";
  for (const std::string_view key : keys) sql += (key == keys.front() ? "" : ", ") + std::string(key);
  return sql + ")\n) WITHOUT ROWID";
}

Checked checkCount(const std::string& what, std::uint64_t has, std::uint64_t most, const char* advice) {
  if (has <= most) return std::monostate{};
  return usageError("There are " + figure(has) + " " + what + ", and one recording holds at most " +
                    figure(most) + ". " + advice);
}

AllKept keptOf(const Measured& measured) {
  AllKept all;
  measured.forEach([&]<class Record>(RecordSpan<Record> records) {
    all.push_back(std::make_unique<KeptOf<Record>>(records));
  });
  return all;
}

const model::PerQuantity<ReadRecords>& quantityReaders() {
  static const auto readers = [] {
    model::PerQuantity<ReadRecords> all;
    all.forEach([]<class Record>(ReadRecords<Record>& read) { read = &readRecords<Record>; });
    return all;
  }();
  return readers;
}

}  // namespace stridescope::archive
