#include "support/hostile_recording.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "support/hostile_text.h"

namespace stridescope::support {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows run(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* opened = nullptr;
  sqlite3_open(file.c_str(), &opened);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(opened, &sqlite3_close);
  Rows rows;
  const auto append = [](void* to, int count, char** values, char**) {
    auto& row = static_cast<Rows*>(to)->emplace_back();
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] != nullptr ? values[i] : "");
    return 0;
  };
  if (sqlite3_exec(opened, sql.c_str(), append, &rows, nullptr) != SQLITE_OK)
    throw std::runtime_error(std::string(sqlite3_errmsg(opened)) + " in " + sql);
  return rows;
}

}  // namespace

void appendHostileComment(model::Trace& trace) {
  std::string comment(kHostileText);
  std::erase(comment, '\n');
  trace.kernelText += "// " + comment + "\n";
}

std::vector<TextColumn> textColumnsOf(const std::filesystem::path& recording) {
  std::vector<TextColumn> columns;
  for (const auto& row : run(recording,
                             "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                             " WHERE t.type = 'table' AND c.type = 'TEXT'"))
    columns.push_back({row[0], row[1]});
  return columns;
}

void appendTo(const std::filesystem::path& recording, const TextColumn& column, std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string blob;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    blob += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  run(recording, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; UPDATE " + column.table + " SET " +
                     column.name + " = " + column.name + " || CAST(X'" + blob + "' AS TEXT)");
}

}  // namespace stridescope::support
