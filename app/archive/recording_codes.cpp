#include "archive/recording_codes.h"

#include <algorithm>
#include <charconv>

#include "archive/measured_rows.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 1> kTables{{
    {"machine_codes", R"(CREATE TABLE machine_codes(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  type TEXT NOT NULL,
  op TEXT NOT NULL,
  combine TEXT NOT NULL,            -- of the operator custom; else empty
  identity TEXT NOT NULL,
  identity_bits INTEGER NOT NULL,
  threads INTEGER NOT NULL,         -- of a block
  kernel_sha256 TEXT NOT NULL,
  engine TEXT NOT NULL,             -- gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  code_kind TEXT NOT NULL,          -- SASS, PTX
  target TEXT NOT NULL,             -- sm_90
  code TEXT NOT NULL                -- a line each: the line of the kernel's text or 0, a tab, the instruction
))"},
}};

constexpr RowShape kCodeRow{.renamed = {{"kind", "code_kind"}}};

// False unless it is lines as listingOf() writes them.
bool readLines(const std::string& text, std::vector<model::CodeLine>& lines) {
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    model::CodeLine line;
    const auto [after, error] = std::from_chars(at, end, line.line);
    const char* const newline = std::find(after, end, '\n');
    if (error != std::errc() || after == end || *after != '\t' || newline == end ||
        lines.size() == model::kMaxCodeLines)
      return false;
    line.text.assign(after + 1, newline);
    lines.push_back(std::move(line));
    at = newline + 1;
  }
  return true;
}

}  // namespace

std::span<const RecordingTable> codeTables() { return kTables; }

std::string listingOf(const model::MachineCode& code) {
  std::string text;
  for (const model::CodeLine& line : code.lines) text += std::to_string(line.line) + "\t" + line.text + "\n";
  return text;
}

bool writeCodes(sqlite3* database, std::span<const model::MachineCode> codes) {
  RowWriter rows(database, "machine_codes");
  for (std::size_t id = 1; id <= codes.size(); ++id) {
    const std::string text = listingOf(codes[id - 1]);
    setRecord(rows, id, codes[id - 1], kCodeRow);
    rows.set("code", std::string_view(text));
    if (!rows.write()) return false;
  }
  return true;
}

std::vector<model::MachineCode> readCodeTables(sqlite3* database, ReadState& state) {
  return readRecords<model::MachineCode>(database, state, "machine_codes", model::kMaxMachineCodes, kCodeRow,
                                         [](RowReader& row, std::int64_t, model::MachineCode& code) {
                                           const int column = row.column("code");
                                           if (!readLines(row.text(column), code.lines))
                                             row.fault(column, "is no listing");
                                         });
}

}  // namespace stridescope::archive
