#include "archive/recording_later.h"

#include <algorithm>
#include <array>
#include <string>

#include "archive/recording_clocks.h"
#include "archive/recording_codes.h"
#include "archive/recording_costs.h"
#include "archive/recording_counters.h"
#include "archive/recording_own.h"
#include "archive/recording_timelines.h"
#include "archive/recording_timings.h"
#include "archive/row_shapes.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them. They are part of the format, so that
// they never change: since format 8 a record can also be a block, with its launch.
constexpr std::array<RecordingTable, 1> kTables{{
    {"later_fields", R"(CREATE TABLE later_fields(
  trace INTEGER NOT NULL,
  record TEXT NOT NULL,             -- experiment, executor, trace, site, launch, array, problem
  launch INTEGER NOT NULL,          -- of an array or a problem its launch; of a launch itself; else 0
  number INTEGER NOT NULL,          -- of a site its id, of an array its space, of a problem its ordinal; else 0
  field TEXT NOT NULL,
  value NOT NULL,                   -- an integer, a real number or a text
  PRIMARY KEY(trace, record, launch, number, field)
) WITHOUT ROWID)"},
}};

// Where the fields of each structure stand, and how.
constexpr RowShape shapeOf(const model::Experiment*) { return kExperimentRow; }
constexpr RowShape shapeOf(const model::Executor*) { return kExecutorRow; }
constexpr RowShape shapeOf(const model::Trace*) { return kTraceRow; }
constexpr RowShape shapeOf(const model::Site*) { return kSiteRow; }
constexpr RowShape shapeOf(const model::LaunchTrace*) { return kLaunchRow; }
constexpr RowShape shapeOf(const model::BlockTrace*) { return kBlockRow; }
constexpr RowShape shapeOf(const model::Array*) { return kArrayRow; }
constexpr RowShape shapeOf(const model::Problem*) { return kProblemRow; }

template <class Struct>
std::vector<std::string_view> findLaterFields() {
  constexpr const Struct* kNone = nullptr;
  if constexpr (std::is_same_v<Struct, model::Experiment>)
    return laterFieldsOf<Struct>({"traces", "own_experiments"}, shapeOf(kNone));
  else if constexpr (std::is_same_v<Struct, model::Site>)
    return laterFieldsOf<Struct>({"sites"}, shapeOf(kNone));
  else if constexpr (std::is_same_v<Struct, model::LaunchTrace> || std::is_same_v<Struct, model::BlockTrace>)
    return laterFieldsOf<Struct>({"launches"}, shapeOf(kNone));
  else if constexpr (std::is_same_v<Struct, model::Array>)
    return laterFieldsOf<Struct>({"arrays"}, shapeOf(kNone));
  else if constexpr (std::is_same_v<Struct, model::Problem>)
    return laterFieldsOf<Struct>({"problems"}, shapeOf(kNone));
  else
    return laterFieldsOf<Struct>({"traces"}, shapeOf(kNone));
}

template <class Struct>
std::span<const std::string_view> namesOf() {
  static const std::vector<std::string_view> names = findLaterFields<Struct>();
  return names;
}

// Calls visit(place, structure) for everything of a trace that rows are made of, as long as it gives true.
template <class Visit>
bool forEachRecord(const model::Trace& trace, const Visit& visit) {
  if (!visit(LaterPlace{"experiment"}, trace.experiment) || !visit(LaterPlace{"executor"}, trace.executor) ||
      !visit(LaterPlace{"trace"}, trace))
    return false;
  for (std::size_t i = 0; i < trace.sites.size(); ++i)
    if (!visit(LaterPlace{"site", 0, i}, trace.sites[i])) return false;
  for (std::size_t number = 0; number < trace.launches.size(); ++number) {
    const model::LaunchTrace& launch = trace.launches[number];
    const model::BlockTrace& block = launch.recorded();
    if (!visit(LaterPlace{"launch", number}, launch) || !visit(LaterPlace{"block", number}, block))
      return false;
    for (std::size_t i = 0; i < block.shared.size(); ++i)
      if (!visit(LaterPlace{"array", number, recording::kSharedSpace + i}, block.shared[i])) return false;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i)
      if (!visit(LaterPlace{"array", number, recording::kGlobalSpace + i}, launch.buffers[i])) return false;
    for (std::size_t i = 0; i < block.problems.size(); ++i)
      if (!visit(LaterPlace{"problem", number, i}, block.problems[i])) return false;
  }
  return true;
}

template <class Struct>
void readInto(RowReader& row, Struct& value) {
  readLaterField(row, value, namesOf<Struct>(), shapeOf(&value));
}
template <class Struct>
void readIntoOneOf(RowReader& row, std::vector<Struct>& list, std::int64_t number) {
  if (number < 0 || std::size_t(number) >= list.size())
    return row.fault(row.column("number"), "names what is not there");
  readInto(row, list[std::size_t(number)]);
}

void readIntoLaunch(RowReader& row, std::vector<model::LaunchTrace>& launches, std::string_view record,
                    std::int64_t number) {
  const auto index = std::uint64_t(row.bits(row.column("launch")));
  if (index >= launches.size()) return row.fault(row.column("launch"), "names what is not there");
  model::LaunchTrace& launch = launches[index];
  model::BlockTrace& block = launch.recorded();
  if (record == "launch") return readInto(row, launch);
  if (record == "block") return readInto(row, block);
  if (record == "problem") return readIntoOneOf(row, block.problems, number);
  if (record != "array") return row.fault(row.column("record"), "holds a name that is not known");
  if (number < std::int64_t(recording::kGlobalSpace))
    return readIntoOneOf(row, block.shared, number - std::int64_t(recording::kSharedSpace));
  readIntoOneOf(row, launch.buffers, number - std::int64_t(recording::kGlobalSpace));
}

}  // namespace

std::span<const RecordingTable> laterTables() { return kTables; }

bool isColumn(std::string_view table, std::string_view column) {
  const std::string line = "\n  " + std::string(column) + " ";
  const auto has = [&](const RecordingTable& each) {
    return each.name == table && each.sql.find(line) != std::string_view::npos;
  };
  return std::ranges::any_of(recordingTables(kRecordingFormat), has) ||
         std::ranges::any_of(timingTables(), has) || std::ranges::any_of(ownTables(), has) ||
         std::ranges::any_of(clockTables(), has) || std::ranges::any_of(counterTables(), has) ||
         std::ranges::any_of(timelineTables(), has) || std::ranges::any_of(costTables(), has) ||
         std::ranges::any_of(codeTables(), has);
}

bool writeLater(sqlite3* database, std::int64_t id, const model::Trace& trace) {
  RowWriter rows(database, "later_fields", 6);
  return forEachRecord(trace, [&]<class Struct>(const LaterPlace& place, const Struct& value) {
    return writeLaterFields(rows, id, place, value, namesOf<Struct>());
  });
}

void readLaterHead(sqlite3* database, std::int64_t id, ReadState& state, model::Experiment& experiment,
                   model::Executor& executor) {
  RowReader row(database, "later_fields",
                "SELECT * FROM later_fields WHERE trace = ?1 AND record IN ('experiment', 'executor')",
                state);
  for (row.start({id}); row.next();)
    row.word(row.column("record")) == "experiment" ? readInto(row, experiment) : readInto(row, executor);
}

void readLater(sqlite3* database, std::int64_t id, ReadState& state, model::Trace& trace) {
  readLaterHead(database, id, state, trace.experiment, trace.executor);
  RowReader row(database, "later_fields",
                "SELECT * FROM later_fields WHERE trace = ?1 AND record NOT IN ('experiment', 'executor')",
                state);
  for (row.start({id}); row.next();) {
    const std::string_view record = row.word(row.column("record"));
    const auto number = std::int64_t(row.bits(row.column("number")));
    if (record == "trace")
      readInto(row, trace);
    else if (record == "site")
      readIntoOneOf(row, trace.sites, number);
    else
      readIntoLaunch(row, trace.launches, record, number);
  }
}

}  // namespace stridescope::archive
