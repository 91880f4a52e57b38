#include "archive/recording_kernel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "archive/recorded_quantity.h"
#include "archive/row_shapes.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 5> kKernelTables{{
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

std::span<const RecordingTable> kernelTables() { return kKernelTables; }

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

namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 4> kOwnTables{{
    {"own_experiments", R"(CREATE TABLE own_experiments(
  trace INTEGER PRIMARY KEY,
  schedule TEXT NOT NULL,           -- lane by lane, warp by warp, lockstep, random
  schedule_seed INTEGER NOT NULL,
  lists INTEGER NOT NULL,           -- of a merge; 0: one a thread
  combine TEXT NOT NULL,            -- of the operator custom, else empty
  identity TEXT NOT NULL,           -- as written
  identity_bits INTEGER NOT NULL,   -- the same as an element
  why_not_tried TEXT NOT NULL,      -- a sentence; empty: see own_trials
  given_name TEXT NOT NULL,         -- of the data given: the file's name
  given_count INTEGER,              -- its rows of own_values; NULL: no data were given
  list_count INTEGER NOT NULL       -- its rows of own_lists
))"},
    {"own_trials", R"(CREATE TABLE own_trials(
  trace INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  property TEXT NOT NULL,           -- associative, left identity, right identity, commutative
  verdict TEXT NOT NULL,            -- holds, up to rounding, fails
  sentence TEXT NOT NULL,
  warning INTEGER NOT NULL,         -- 1: it may change this variant's result
  PRIMARY KEY(trace, ordinal)
) WITHOUT ROWID)"},
    {"own_values", R"(CREATE TABLE own_values(
  trace INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  value INTEGER NOT NULL,           -- the element's bits
  PRIMARY KEY(trace, ordinal)
) WITHOUT ROWID)"},
    {"own_lists", R"(CREATE TABLE own_lists(
  trace INTEGER NOT NULL,
  list INTEGER NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY(trace, list)
) WITHOUT ROWID)"},
}};
constexpr unsigned kValueColumns = 3, kListColumns = 3;

void readValues(sqlite3* database, std::int64_t id, ReadState& state, std::size_t count,
                model::GivenData& data) {
  RowReader row(database, "own_values",
                "SELECT ordinal, value FROM own_values WHERE trace = ?1 ORDER BY ordinal", state);
  for (row.start({id}); row.next() && data.values.size() <= count;) {
    row.expect(0, data.values.size());
    data.values.push_back(row.bits(1));
    if (!state.memory.take(sizeof data.values.back()))
      row.fault(1, "has more numbers than fit into " + state.memory.text());
  }
  row.expectCount(data.values.size(), count);
}

void readLists(sqlite3* database, std::int64_t id, ReadState& state, std::size_t count,
               model::GivenData& data) {
  RowReader row(database, "own_lists", "SELECT list, length FROM own_lists WHERE trace = ?1 ORDER BY list",
                state);
  for (row.start({id}); row.next() && data.listLengths.size() <= count;) {
    row.expect(0, data.listLengths.size());
    data.listLengths.push_back(std::uint32_t(row.integer(1, 0, std::int64_t(model::kMaxGivenValues))));
  }
  row.expectCount(data.listLengths.size(), count);
}

bool writeGiven(sqlite3* database, std::int64_t id, const model::GivenData& data) {
  RowWriter values(database, "own_values", kValueColumns), lists(database, "own_lists", kListColumns);
  for (std::size_t i = 0; i < data.values.size(); ++i)
    if (!values.write(id, i, data.values[i])) return false;
  for (std::size_t i = 0; i < data.listLengths.size(); ++i)
    if (!lists.write(id, i, data.listLengths[i])) return false;
  return true;
}

// Whether the trace has anything that only these tables keep.
bool needsOwnTables(const model::Trace& trace) {
  const model::Experiment &asked = trace.experiment, defaults;
  return asked.schedule != defaults.schedule || asked.scheduleSeed != defaults.scheduleSeed ||
         asked.lists != defaults.lists || asked.custom != defaults.custom || asked.given != defaults.given ||
         trace.trial != model::OperatorTrial();
}

}  // namespace

std::span<const RecordingTable> ownTables() { return kOwnTables; }

bool writeOwn(sqlite3* database, std::int64_t id, const model::Trace& trace) {
  if (!needsOwnTables(trace)) return true;
  const model::Experiment& asked = trace.experiment;
  const model::GivenData* const given = asked.given.get();
  const auto count = given == nullptr ? std::nullopt : std::optional(int(given->values.size()));
  const std::string name = given == nullptr ? "" : given->name;
  RowWriter experiments(database, "own_experiments"), trials(database, "own_trials");
  experiments.set("trace", id);
  setFields(experiments, asked, kExperimentRow);
  setFields(experiments, asked.custom);
  setFields(experiments, trace.trial);
  experiments.set("given_name", std::string_view(name));
  experiments.set("given_count", count);
  experiments.set("list_count", given == nullptr ? std::size_t{0} : given->listLengths.size());
  if (!experiments.write()) return false;
  for (std::size_t i = 0; i < trace.trial.findings.size(); ++i) {
    trials.set("trace", id);
    trials.set("ordinal", i);
    setFields(trials, trace.trial.findings[i]);
    if (!trials.write()) return false;
  }
  return given == nullptr || writeGiven(database, id, *given);
}

void readOwnExperiment(sqlite3* database, std::int64_t id, ReadState& state, model::Experiment& experiment,
                       const model::SharedData* known) {
  RowReader row(database, "own_experiments", "SELECT * FROM own_experiments WHERE trace = ?1", state);
  row.start({id});
  if (!row.next()) return;
  readFields(row, experiment, kExperimentRow);
  readFields(row, experiment.custom);
  model::GivenData data;
  readField(row, row.column("given_name"), data.name, {});
  const int givenCount = row.column("given_count");
  const bool any = !row.isNull(givenCount);
  const auto count = any ? std::size_t(row.integer(givenCount, 0, std::int64_t(model::kMaxGivenValues))) : 0;
  const auto lists = row.count("list_count", model::kMaxThreads);
  if (!any || state.failed()) return;
  const model::GivenData* const before = known == nullptr ? nullptr : known->get();
  if (before != nullptr && before->values.size() == count && before->listLengths.size() == lists) {
    experiment.given = *known;
    return;
  }
  readValues(database, id, state, count, data);
  readLists(database, id, state, lists, data);
  experiment.given = model::SharedData(std::move(data));
}

void readOwnTrial(sqlite3* database, std::int64_t id, ReadState& state, model::OperatorTrial& trial) {
  RowReader why(database, "own_experiments", "SELECT why_not_tried FROM own_experiments WHERE trace = ?1",
                state);
  why.start({id});
  if (why.next()) readFields(why, trial);
  RowReader row(database, "own_trials", "SELECT * FROM own_trials WHERE trace = ?1 ORDER BY ordinal", state);
  for (row.start({id}); row.next() && trial.findings.size() <= allOf(model::TrialProperty{}).size();) {
    row.expect(row.column("ordinal"), trial.findings.size());
    readFields(row, trial.findings.emplace_back());
  }
}

namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them. They are part of the format, so
// that they never change: since format 8 a record can also be a block, with its launch.
constexpr std::array<RecordingTable, 1> kLaterTables{{
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

std::span<const RecordingTable> laterTables() { return kLaterTables; }

bool isColumn(std::string_view table, std::string_view column) {
  const std::string line = "\n  " + std::string(column) + " ";
  const auto has = [&](const RecordingTable& each) {
    return each.name == table && each.sql.find(line) != std::string_view::npos;
  };
  return std::ranges::any_of(recordingTables(kRecordingFormat), has) ||
         std::ranges::any_of(ownTables(), has) || std::ranges::any_of(keptOf({}), [&](const auto& kept) {
           return std::ranges::any_of(kept->tables(), has);
         });
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
