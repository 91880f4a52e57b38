#include "archive/recording_kernel.h"

#include <array>
#include <string>
#include <vector>

#include "archive/row_shapes.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 5> kTables{{
    {"kernel_functions", R"(CREATE TABLE kernel_functions(
  trace INTEGER NOT NULL,
  number INTEGER NOT NULL,          -- from 0, in the order of the text
  name TEXT NOT NULL,
  kernel INTEGER NOT NULL,          -- 1: the __global__ one
  line INTEGER NOT NULL,            -- of kernel_text, from 1
  PRIMARY KEY(trace, number)
) WITHOUT ROWID)"},
    {"kernel_variables", R"(CREATE TABLE kernel_variables(
  trace INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,               -- parameter, local, shared
  type TEXT NOT NULL,               -- T: the element type
  extent TEXT NOT NULL,             -- of an array as written: [8][33]
  pointer INTEGER NOT NULL,
  element INTEGER NOT NULL,         -- 1: one value of the element type, whose assignments are sites
  function INTEGER NOT NULL,        -- -1: of none
  line INTEGER NOT NULL,
  PRIMARY KEY(trace, number)
) WITHOUT ROWID)"},
    {"kernel_calls", R"(CREATE TABLE kernel_calls(
  trace INTEGER NOT NULL,
  number INTEGER NOT NULL,
  caller INTEGER NOT NULL,          -- kernel_functions.number
  callee INTEGER NOT NULL,
  sites_before INTEGER NOT NULL,    -- sites below this id are evaluated before the callee runs
  loop INTEGER NOT NULL,            -- the site of the innermost loop around it; -1: none
  PRIMARY KEY(trace, number)
) WITHOUT ROWID)"},
    {"kernel_sites", R"(CREATE TABLE kernel_sites(
  trace INTEGER NOT NULL,
  number INTEGER NOT NULL,          -- sites.id
  operation TEXT NOT NULL,          -- load, store, shfl_down, atomic add, assign, ...
  function INTEGER NOT NULL,        -- -1: of none
  variable INTEGER NOT NULL,        -- of an assign: kernel_variables.number; else -1
  combines INTEGER NOT NULL,        -- 1: its right side combines values
  step INTEGER NOT NULL,            -- of straight-line code, from 1; 0: none
  PRIMARY KEY(trace, number)
) WITHOUT ROWID)"},
    {"kernel_operands", R"(CREATE TABLE kernel_operands(
  trace INTEGER NOT NULL,
  number INTEGER NOT NULL,
  site INTEGER NOT NULL,            -- whose right side it is
  source INTEGER NOT NULL,          -- the site whose value it is; -1: none
  variable INTEGER NOT NULL,        -- the variable whose value it is; -1: none
  callee INTEGER NOT NULL,          -- the function that it is given to; -1: none
  PRIMARY KEY(trace, number)
) WITHOUT ROWID)"},
}};

constexpr std::int64_t kMaxRow = std::int64_t(model::kMaxKernelRows) - 1;
constexpr RowShape kFunctionRow{.limits = {{"line", 1, kMaxInt}}};
constexpr RowShape kVariableRow{.limits = {{"line", 1, kMaxInt}, {"function", -1, kMaxRow}}};
constexpr RowShape kCallRow{.limits = {{"caller", 0, kMaxRow},
                                       {"callee", 0, kMaxRow},
                                       {"sites_before", 0, kMaxSite + 1},
                                       {"loop", -1, kMaxSite}}};
constexpr RowShape kSiteModelRow{
    .limits = {{"function", -1, kMaxRow}, {"variable", -1, kMaxRow}, {"step", 0, kMaxSite}}};
constexpr RowShape kOperandRow{
    .limits = {
        {"site", 0, kMaxSite}, {"source", -1, kMaxSite}, {"variable", -1, kMaxRow}, {"callee", -1, kMaxRow}}};

// Calls visit(table's name, list, shape) for each table.
template <class Model, class Visit>
void forEachTable(Model& model, const Visit& visit) {
  visit("kernel_functions", model.functions, kFunctionRow);
  visit("kernel_variables", model.variables, kVariableRow);
  visit("kernel_calls", model.calls, kCallRow);
  visit("kernel_sites", model.sites, kSiteModelRow);
  visit("kernel_operands", model.operands, kOperandRow);
}

}  // namespace

std::span<const RecordingTable> kernelTables() { return kTables; }

bool writeKernelModel(sqlite3* database, std::int64_t trace, const model::KernelModel& model) {
  bool written = true;
  forEachTable(model, [&](std::string_view table, const auto& list, const RowShape& shape) {
    RowWriter rows(database, table);
    for (std::size_t number = 0; number < list.size() && written; ++number) {
      rows.set("trace", trace);
      rows.set("number", number);
      setFields(rows, list[number], shape);
      written = rows.write();
    }
  });
  return written;
}

void readKernelModel(sqlite3* database, std::int64_t trace, ReadState& state, model::KernelModel& model) {
  forEachTable(model, [&](std::string_view table, auto& list, const RowShape& shape) {
    RowReader row(database, table,
                  "SELECT * FROM " + std::string(table) + " WHERE trace = ?1 ORDER BY number", state);
    // One row more than allowed is enough for model::faultOf to see that there are too many.
    for (row.start({trace}); list.size() <= model::kMaxKernelRows && row.next();) {
      row.expect(row.column("number"), list.size());
      readFields(row, list.emplace_back(), shape);
    }
  });
}

}  // namespace stridescope::archive
