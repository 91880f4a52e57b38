#include "archive/recording_own.h"

#include <limits>
#include <string>
#include <utility>

#include "archive/row_shapes.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 4> kTables{{
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

std::span<const RecordingTable> ownTables() { return kTables; }

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

}  // namespace stridescope::archive
