#include "archive/recording_clocks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "archive/recorded_quantity.h"
#include "archive/row_shapes.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kClockTables{{
    {"clock_paths", R"(CREATE TABLE clock_paths(
  clock INTEGER NOT NULL,
  path INTEGER NOT NULL,            -- from 0
  mark INTEGER NOT NULL,            -- from 0
  site INTEGER NOT NULL,
  kind TEXT NOT NULL,               -- start, arrive, leave, end
  PRIMARY KEY(clock, path, mark)
) WITHOUT ROWID)"},
    {"clock_marks", R"(CREATE TABLE clock_marks(
  clock INTEGER NOT NULL,
  run INTEGER NOT NULL,             -- from 0; -1: the run that took the median of cycles
  warp INTEGER NOT NULL,
  path INTEGER NOT NULL,
  cycles TEXT NOT NULL,             -- JSON: of each mark of the path, since the block's first
  PRIMARY KEY(clock, run, warp)
) WITHOUT ROWID)"},
}};

// Its time stands among the cycles; `clock` is the record's number.
constexpr RowShape kMarkRow{.renamed = {{"clock", ""}}, .limits = {{"site", 0, kMaxSite}}};
constexpr std::int64_t kMedianRun = -1;

// The sites and kinds of a warp's marks: most warps and runs pass the same.
using Path = std::vector<std::pair<std::uint32_t, model::MarkKind>>;

Path pathOf(const model::WarpMarks& marks) {
  Path path;
  for (const model::Mark& mark : marks) path.emplace_back(mark.site, mark.kind);
  return path;
}

std::string cyclesText(const model::WarpMarks& marks) {
  std::string text;
  for (const model::Mark& mark : marks) text += (text.empty() ? "[" : ",") + std::to_string(mark.clock);
  return text + "]";
}

// False unless it is a list of as many numbers as there are marks, written as cyclesText writes them.
bool readCycles(const std::string& text, model::WarpMarks& marks) {
  const char *next = text.data(), *const end = next + text.size();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (next == end || *next++ != (i == 0 ? '[' : ',')) return false;
    const auto [after, error] = std::from_chars(next, end, marks[i].clock);
    if (error != std::errc()) return false;
    next = after;
  }
  return end - next == 1 && *next == ']';
}

}  // namespace

class MarkWriter {
 public:
  explicit MarkWriter(sqlite3* database) : database_(database) {}

  bool write(std::int64_t id, const model::ClockRecord& record) {
    paths_.clear();
    for (std::size_t run = 0; run < record.firstWarp.size(); ++run)
      if (!writeMarks(id, std::int64_t(run), 0, record.firstWarp[run])) return false;
    for (std::size_t warp = 0; warp < record.warps.size(); ++warp)
      if (!writeMarks(id, kMedianRun, warp, record.warps[warp])) return false;
    return true;
  }

 private:
  bool writeMarks(std::int64_t id, std::int64_t run, std::size_t warp, const model::WarpMarks& marks) {
    const auto [path, isNew] = paths_.try_emplace(pathOf(marks), paths_.size());
    for (std::size_t i = 0; isNew && i < marks.size(); ++i) {
      pathRows_.set("clock", id);
      pathRows_.set("path", path->second);
      pathRows_.set("mark", i);
      setFields(pathRows_, marks[i], kMarkRow);
      if (!pathRows_.write()) return false;
    }
    const std::string cycles = cyclesText(marks);
    markRows_.set("clock", id);
    markRows_.set("run", run);
    markRows_.set("warp", warp);
    markRows_.set("path", path->second);
    markRows_.set("cycles", std::string_view(cycles));
    return markRows_.write();
  }

  sqlite3* database_;
  RowWriter pathRows_{database_, "clock_paths"};
  RowWriter markRows_{database_, "clock_marks"};
  std::map<Path, std::size_t> paths_;  // the paths of the record that is written, with their numbers
};

class MarkReader {
 public:
  MarkReader(sqlite3* database, ReadState& state) : database_(database), state_(state) {}

  void read(RowReader& row, std::int64_t id, model::ClockRecord& record) {
    const std::size_t runs = row.count("run_count", model::kMaxClockedRuns);
    readPaths(id);
    readMarks(id, runs, record);
  }

 private:
  void readPaths(std::int64_t id) {
    paths_.clear();
    RowReader& row = pathRows_;
    for (row.start({id}); row.next();) {
      const int path = row.column("path"), number = row.column("mark");
      if (row.bits(path) == paths_.size()) paths_.emplace_back();
      row.expect(path, paths_.size() - 1);
      if (paths_.empty()) return;
      row.expect(number, paths_.back().size());
      row.integer(number, 0, std::int64_t(model::kMaxMarks) - 1);
      spend(row, number);
      model::Mark mark{};
      readFields(row, mark, kMarkRow);
      if (state_.failed()) return;
      paths_.back().push_back(mark);
    }
  }

  void readMarks(std::int64_t id, std::size_t runs, model::ClockRecord& record) {
    RowReader& row = markRows_;
    for (row.start({id}); row.next();) {
      const int cycles = row.column("cycles");
      const std::int64_t run =
          row.integer(row.column("run"), kMedianRun, std::int64_t(model::kMaxClockedRuns) - 1);
      const bool isMedian = run == kMedianRun;
      auto& marks = isMedian ? record.warps : record.firstWarp;
      row.expect(row.column(isMedian ? "warp" : "run"), marks.size());
      if (!isMedian) row.expect(row.column("warp"), 0);
      if (paths_.empty()) row.fault(row.column("path"), "names a path that is not there");
      if (state_.failed()) return;
      const auto path = std::size_t(row.integer(row.column("path"), 0, std::int64_t(paths_.size()) - 1));
      model::WarpMarks& each = marks.emplace_back();
      spend(row, cycles, paths_[path].size());
      if (state_.failed()) return;
      each = paths_[path];
      if (!readCycles(row.text(cycles), each)) row.fault(cycles, "is not a list of the path's marks");
    }
    row.expectCount(record.firstWarp.size(), runs);
  }

  void spend(RowReader& row, int column, std::size_t marks = 1) {
    if (!state_.spendParts(marks)) row.fault(column, "counts too many marks");
  }

  sqlite3* database_;
  ReadState& state_;
  RowReader pathRows_{database_, "clock_paths",
                      "SELECT * FROM clock_paths WHERE clock = ?1 ORDER BY path, mark", state_};
  RowReader markRows_{database_, "clock_marks",
                      "SELECT * FROM clock_marks WHERE clock = ?1 ORDER BY run, warp", state_};
  std::vector<model::WarpMarks> paths_;  // the read record's, without times
};

using MoreOfClocks = MoreTables<model::ClockRecord>;

std::span<const RecordingTable> MoreOfClocks::tables() { return kClockTables; }

MoreOfClocks::Writer::Writer(sqlite3* database) : marks_(std::make_unique<MarkWriter>(database)) {}
MoreOfClocks::Writer::~Writer() = default;
void MoreOfClocks::Writer::set(RowWriter& row, const model::ClockRecord& record) {
  row.set("run_count", record.firstWarp.size());
}
bool MoreOfClocks::Writer::write(std::int64_t id, const model::ClockRecord& record) {
  return marks_->write(id, record);
}

MoreOfClocks::Reader::Reader(sqlite3* database, ReadState& state)
    : marks_(std::make_unique<MarkReader>(database, state)) {}
MoreOfClocks::Reader::~Reader() = default;
void MoreOfClocks::Reader::read(RowReader& row, std::int64_t id, model::ClockRecord& record) {
  marks_->read(row, id, record);
}

namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kTimingTables{{
    {"timings", R"(CREATE TABLE timings(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,               -- variant, gpu peer, cpu peer
  subject TEXT NOT NULL,            -- the variant's or the peer's name
  type TEXT NOT NULL,
  op TEXT NOT NULL,
  elements INTEGER NOT NULL,        -- of the input
  wished_threads INTEGER NOT NULL,  -- of a block; 0: the variant's usual
  threads INTEGER NOT NULL,         -- as it ran; 0: no blocks
  warm_l2 INTEGER NOT NULL,         -- 1: the same input again and again
  graph INTEGER NOT NULL,           -- 1: launched as one CUDA graph
  engine TEXT NOT NULL,             -- host, gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  read_ceiling REAL NOT NULL,       -- GB/s (10^9 bytes) of a pass that only reads; 0: not measured
  copy_ceiling REAL NOT NULL,       -- GB/s of a copy, read plus written
  sample_count INTEGER NOT NULL
))"},
    {"timing_samples", R"(CREATE TABLE timing_samples(
  timing INTEGER NOT NULL,
  turn INTEGER NOT NULL,            -- samples of one device with the same turn are a pair
  microseconds REAL NOT NULL,
  PRIMARY KEY(timing, turn)
) WITHOUT ROWID)"},
}};
constexpr std::string_view kTimingConveniences = R"(
CREATE VIEW readable_timings AS
SELECT id, subject, type || ' ' || op AS reduction, elements, threads, device, recorded_on, sample_count AS samples,
       (SELECT min(microseconds) FROM timing_samples s WHERE s.timing = t.id) AS least_us,
       (SELECT microseconds FROM (SELECT microseconds, row_number() OVER (ORDER BY microseconds) AS place
                                  FROM timing_samples s WHERE s.timing = t.id)
        WHERE place = (t.sample_count + 1) / 2) AS median_us
FROM timings t;
)";

void readSamples(RowReader& row, std::int64_t id, std::size_t count,
                 std::vector<model::TimingSample>& samples) {
  for (row.start({id}); row.next() && samples.size() <= count;)
    readFields(row, samples.emplace_back(), kSampleRow);
  row.expectCount(samples.size(), count);
}

}  // namespace

using TimingTables = RecordTables<model::TimingRecord>;

std::span<const RecordingTable> TimingTables::tables() { return kTimingTables; }
std::string_view timingConveniences() { return kTimingConveniences; }

bool TimingTables::write(sqlite3* database, std::span<const model::TimingRecord> timings) {
  RowWriter rows(database, "timings"), samples(database, "timing_samples");
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const model::TimingRecord& timing = timings[i];
    rows.set("id", i + 1);
    setFields(rows, timing.subject, kSubjectRow);
    setFields(rows, timing.timingCase, kCaseRow);
    setFields(rows, timing.executor, kExecutorRow);
    setFields(rows, timing, kTimingRow);
    rows.set("sample_count", timing.samples.size());
    if (!rows.write()) return false;
    for (const model::TimingSample& sample : timing.samples) {
      samples.set("timing", i + 1);
      setFields(samples, sample, kSampleRow);
      if (!samples.write()) return false;
    }
  }
  return true;
}

std::vector<model::TimingRecord> TimingTables::read(sqlite3* database, ReadState& state) {
  std::vector<model::TimingRecord> timings;
  RowReader row(database, "timings", "SELECT * FROM timings ORDER BY id", state);
  RowReader samples(database, "timing_samples",
                    "SELECT * FROM timing_samples WHERE timing = ?1 ORDER BY turn", state);
  while (row.next()) {
    const int id = row.column("id");
    if (timings.size() == model::kMaxTimings) row.fault(id, "counts too many timings");
    model::TimingRecord& timing = timings.emplace_back();
    row.expect(id, timings.size());
    readFields(row, timing.subject, kSubjectRow);
    readFields(row, timing.timingCase, kCaseRow);
    readExecutor(row, timing.executor);
    readFields(row, timing, kTimingRow);
    const int sampleCount = row.column("sample_count");
    const auto count = std::uint64_t(row.integer(sampleCount, 1, model::kMaxTimingSamples));
    if (!state.spendParts(count)) row.fault(sampleCount, "counts too many samples");
    readSamples(samples, std::int64_t(timings.size()), std::size_t(count), timing.samples);
  }
  return timings;
}

}  // namespace stridescope::archive
