#include "archive/recording_own.h"

#include <limits>
#include <string>
#include <utility>

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
constexpr unsigned kExperimentColumns = 11, kTrialColumns = 6, kValueColumns = 3, kListColumns = 3;

constexpr std::array kProperties{model::TrialProperty::Associative, model::TrialProperty::LeftIdentity,
                                 model::TrialProperty::RightIdentity, model::TrialProperty::Commutative};
constexpr std::array kVerdicts{model::TrialVerdict::Holds, model::TrialVerdict::UpToRounding,
                               model::TrialVerdict::Fails};

std::string plainText(RowReader& row, int column) {
  std::string text = row.text(column);
  if (!model::isPlainUtf8(text)) row.fault(column, "is not UTF-8 text");
  return text;
}

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
  const model::Experiment &asked = trace.experiment, usual;
  return asked.schedule != usual.schedule || asked.scheduleSeed != usual.scheduleSeed ||
         asked.lists != usual.lists || asked.custom != usual.custom || asked.given != usual.given ||
         trace.trial != model::OperatorTrial();
}

}  // namespace

std::span<const RecordingTable> ownTables() { return kTables; }

bool writeOwn(sqlite3* database, std::int64_t id, const model::Trace& trace) {
  if (!needsOwnTables(trace)) return true;
  const model::Experiment& asked = trace.experiment;
  const model::GivenData* const given = asked.given.get();
  const auto count = given == nullptr ? std::nullopt : std::optional(int(given->values.size()));
  RowWriter experiments(database, "own_experiments", kExperimentColumns);
  if (!experiments.write(id, model::nameOf(asked.schedule), asked.scheduleSeed, asked.lists,
                         asked.custom.combine, asked.custom.identity, asked.custom.identityBits,
                         trace.trial.whyNotTried,
                         given == nullptr ? std::string_view() : std::string_view(given->name), count,
                         given == nullptr ? std::size_t{0} : given->listLengths.size()))
    return false;
  RowWriter trials(database, "own_trials", kTrialColumns);
  for (std::size_t i = 0; i < trace.trial.findings.size(); ++i) {
    const model::TrialFinding& finding = trace.trial.findings[i];
    if (!trials.write(id, i, model::nameOf(finding.property), model::nameOf(finding.verdict),
                      finding.sentence, finding.isWarning))
      return false;
  }
  return given == nullptr || writeGiven(database, id, *given);
}

void readOwnExperiment(sqlite3* database, std::int64_t id, ReadState& state, model::Experiment& experiment) {
  RowReader row(database, "own_experiments",
                "SELECT schedule, schedule_seed, lists, combine, identity, identity_bits, given_name,"
                " given_count, list_count FROM own_experiments WHERE trace = ?1",
                state);
  row.start({id});
  if (!row.next()) return;
  experiment.schedule = row.valueOf(0, model::kSchedules);
  experiment.scheduleSeed = row.bits(1);
  experiment.lists = unsigned(row.integer(2, 0, model::kMaxThreads));
  experiment.custom = {plainText(row, 3), plainText(row, 4), row.bits(5)};
  model::GivenData data{.name = plainText(row, 6), .values = {}, .listLengths = {}};
  const bool any = !row.isNull(7);
  const auto count = any ? std::size_t(row.integer(7, 0, std::int64_t(model::kMaxGivenValues))) : 0;
  const auto lists = std::size_t(row.integer(8, 0, model::kMaxThreads));
  if (!any || state.failed()) return;
  readValues(database, id, state, count, data);
  readLists(database, id, state, lists, data);
  experiment.given = model::SharedData(std::move(data));
}

void readOwnTrial(sqlite3* database, std::int64_t id, ReadState& state, model::OperatorTrial& trial) {
  RowReader why(database, "own_experiments", "SELECT why_not_tried FROM own_experiments WHERE trace = ?1",
                state);
  why.start({id});
  if (why.next()) trial.whyNotTried = plainText(why, 0);
  RowReader row(
      database, "own_trials",
      "SELECT ordinal, property, verdict, sentence, warning FROM own_trials WHERE trace = ?1 ORDER BY "
      "ordinal",
      state);
  for (row.start({id}); row.next() && trial.findings.size() <= kProperties.size();) {
    row.expect(0, trial.findings.size());
    trial.findings.push_back({.property = row.valueOf(1, kProperties),
                              .verdict = row.valueOf(2, kVerdicts),
                              .sentence = plainText(row, 3),
                              .isWarning = row.flag(4)});
  }
}

}  // namespace stridescope::archive
