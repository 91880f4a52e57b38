#include <array>
#include <limits>
#include <string>
#include <utility>

#include "archive/launch_reader.h"
#include "archive/printable_labels.h"
#include "archive/recording_file.h"
#include "archive/recording_open.h"
#include "archive/recording_own.h"
#include "archive/recording_schema.h"
#include "archive/recording_timings.h"
#include "kernels/described_arrays.h"
#include "model/operator_table.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::int64_t kMaxUnsigned = std::numeric_limits<unsigned>::max();
constexpr std::int64_t kMaxSite = recording::kMaxSites - 1;
constexpr std::size_t kMaxIndexTextBytes = std::size_t{16} << 20;

constexpr std::array kEngines{model::EngineKind::Host, model::EngineKind::Gpu};
constexpr auto kOperatorSymbols = [] {
  std::array<std::string_view, model::kOperatorTable.size()> symbols;
  for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = model::kOperatorTable[i].symbol;
  return symbols;
}();
constexpr std::array kAllPatterns{model::DataPattern::Ramp, model::DataPattern::Ones,
                                  model::DataPattern::Alternating, model::DataPattern::Random,
                                  model::DataPattern::Given};

// The columns that both the index and a trace read; a trace's own ones follow them.
constexpr std::string_view kEntryColumns =
    "id, variant, type, op, threads, elements, data, seed, launch, block,"
    " engine, device, compute_capability, driver, compiler, recorded_on, kernel_sha256";
constexpr int kEntryColumnCount = 17;

RecordingEntry readEntry(RowReader& row) {
  RecordingEntry entry;
  int column = 0;
  entry.id = std::int64_t(row.bits(column++));
  model::Experiment& experiment = entry.experiment;
  experiment.variant = row.text(column++);
  experiment.type = row.valueOf(column++, model::kElementTypes);
  experiment.op = model::Operator(row.oneOf(column++, kOperatorSymbols));
  experiment.threads = unsigned(row.integer(column++, 1, model::kMaxThreads));
  experiment.elements = row.bits(column++);
  experiment.data = row.valueOf(column++, kAllPatterns);
  experiment.seed = row.bits(column++);
  experiment.launch = unsigned(row.integer(column++, 0, kMaxUnsigned));
  experiment.block = row.bits(column++);
  model::Executor& executor = entry.executor;
  executor.kind = row.valueOf(column++, kEngines);
  for (std::string* text : {&executor.device, &executor.computeCapability, &executor.driver,
                            &executor.compiler, &executor.recordedOn, &entry.kernelHash}) {
    *text = row.text(column++);
    if (!model::isPlainUtf8(*text)) row.fault(column - 1, "is not UTF-8 text");
  }
  if (!model::isPlainUtf8(experiment.variant)) row.fault(1, "is not UTF-8 text");
  return entry;
}

// Reads one trace, table after table. After the first fault everything reads as empty.
class TraceReader {
 public:
  TraceReader(const OpenRecording& recording, std::int64_t id, ReadState& state)
      : database_(recording.database()),
        hasOwn_(recording.hasOwn()),
        hasRoles_(recording.hasRoles()),
        id_(id),
        state_(state) {}

  // False if there is no such trace.
  bool read(model::Trace& trace) {
    RowReader row =
        reader("traces", std::string(kEntryColumns) +
                             ", preamble, kernel_text, result, expected, ok, check_note, site_count,"
                             " launch_count FROM traces WHERE id = ?1");
    row.start({id_});
    if (!row.next()) return false;
    RecordingEntry entry = readEntry(row);
    trace.experiment = std::move(entry.experiment);
    trace.executor = std::move(entry.executor);
    trace.executor.kind = model::EngineKind::Recorded;
    int column = kEntryColumnCount;
    trace.preamble = row.text(column++);
    trace.kernelText = row.text(column++);
    trace.result = row.text(column++);
    trace.expected = row.text(column++);
    trace.ok = row.flag(column++);
    trace.checkNote = row.text(column++);
    const auto siteCount = std::size_t(row.integer(column++, 0, recording::kMaxSites));
    const auto launchCount = std::size_t(row.integer(column++, 0, model::kMaxLaunches));
    if (entry.kernelHash != model::hashOf(trace.kernelText))
      row.fault(kEntryColumnCount - 1, "is not that of kernel_text");
    if (hasOwn_) {
      readOwnExperiment(database_, id_, state_, trace.experiment);
      readOwnTrial(database_, id_, state_, trace.trial);
    }
    readSites(trace.sites, siteCount);
    readSiteLoops(trace.sites);
    LaunchReader(database_, id_, hasRoles_, state_).read(trace.launches, launchCount);
    return true;
  }

 private:
  RowReader reader(std::string_view table, std::string_view columnsFromWhere) {
    return {database_, table, "SELECT " + std::string(columnsFromWhere), state_};
  }

  void readSites(std::vector<model::Site>& sites, std::size_t count) {
    RowReader row = reader(
        "sites", "id, kind, line, column, length, statement, text FROM sites WHERE trace = ?1 ORDER BY id");
    for (row.start({id_}); row.next();) {
      row.expect(0, sites.size());
      model::Site& site = sites.emplace_back();
      site.id = int(row.integer(0, 0, kMaxSite));
      site.kind = model::SiteKind(row.oneOf(1, kSiteKindNames));
      site.line = int(row.integer(2, 1, kMaxInt));
      site.column = int(row.integer(3, 1, kMaxInt));
      site.length = int(row.integer(4, 0, kMaxInt));
      site.statement = int(row.integer(5, 0, kMaxInt));
      site.text = row.text(6);
    }
    row.expectCount(sites.size(), count);
  }

  void readSiteLoops(std::vector<model::Site>& sites) {
    RowReader row =
        reader("site_loops", "site, depth, loop FROM site_loops WHERE trace = ?1 ORDER BY site, depth");
    for (row.start({id_}); row.next();) {
      const auto id = std::size_t(row.integer(0, 0, std::int64_t(sites.size()) - 1));
      row.integer(1, 0, model::kMaxLoopDepth - 1);
      if (state_.failed()) return;
      std::vector<int>& loops = sites[id].loops;
      row.expect(1, loops.size());
      loops.push_back(int(row.integer(2, 0, kMaxSite)));
    }
  }

  sqlite3* database_;
  bool hasOwn_, hasRoles_;
  std::int64_t id_;
  ReadState& state_;
};

// Opens, reads with `body(recording, state)` and turns a fault into an error.
template <class Body>
Result<std::monostate> reading(const std::filesystem::path& path, const std::atomic<bool>* cancel,
                               ReadState state, const Body& body) {
  Result<OpenRecording> recording = OpenRecording::open(path, cancel);
  if (!recording) return tl::unexpected(recording.error());
  body(*recording, state);
  if (state.failed()) return recording->failure(state);
  return std::monostate{};
}

}  // namespace

Result<RecordingIndex> readIndex(const std::filesystem::path& path, const std::atomic<bool>* cancel) {
  RecordingIndex index;
  const auto read =
      reading(path, cancel, {.textBytesLeft = kMaxIndexTextBytes},
              [&](const OpenRecording& recording, ReadState& state) {
                RowReader row(recording.database(), "traces",
                              "SELECT " + std::string(kEntryColumns) + " FROM traces ORDER BY id", state);
                while (row.next()) index.traces.push_back(readEntry(row));
                if (!recording.hasOwn()) return;
                for (RecordingEntry& entry : index.traces)
                  readOwnExperiment(recording.database(), entry.id, state, entry.experiment);
              });
  if (!read) return tl::unexpected(read.error());
  for (RecordingEntry& entry : index.traces) makeLabelsPrintable(entry);
  if (index.traces.empty()) return unavailable("The recording '" + path.native() + "' holds no trace.");
  return index;
}

Result<std::vector<model::TimingRecord>> readTimings(const std::filesystem::path& path) {
  Result<OpenRecording> recording = OpenRecording::open(path, nullptr);
  if (!recording) return tl::unexpected(recording.error());
  if (!recording->hasTimings()) return std::vector<model::TimingRecord>();
  ReadState state{.textBytesLeft = kMaxIndexTextBytes};
  std::vector<model::TimingRecord> timings = readTimingTables(recording->database(), state);
  if (!state.failed())
    for (const model::TimingRecord& timing : timings)
      if (const auto fault = model::faultOf(timing)) state.fault = "of a timing: " + *fault;
  if (state.failed()) return recording->failure(state);
  for (model::TimingRecord& timing : timings) makeLabelsPrintable(timing);
  return timings;
}

Result<model::Trace> readTrace(const std::filesystem::path& path, std::int64_t id,
                               const std::atomic<bool>* cancel) {
  model::Trace trace;
  bool found = false;
  const ReadState limits{.textBytesLeft = model::kMaxKernelTextBytes + 16 * model::kMaxTextBytes +
                                          model::kMaxSiteAndProblemTextBytes,
                         .blobBytesLeft = model::kMaxBarrierCopyBytes};
  const auto read = reading(path, cancel, limits, [&](const OpenRecording& recording, ReadState& state) {
    found = TraceReader(recording, id, state).read(trace);
    if (state.failed() || !found) return;
    if (!recording.hasRoles()) kernels::describeArrays(trace);
    if (const auto fault = model::faultOf(trace)) state.fault = *fault;
  });
  if (!read) return tl::unexpected(read.error());
  if (!found)
    return usageError("The recording '" + path.native() + "' has no trace with the number " +
                      std::to_string(id) + ".");
  makeLabelsPrintable(trace);
  return trace;
}

}  // namespace stridescope::archive
