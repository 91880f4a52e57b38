#include "archive/recording_timings.h"

#include <cmath>
#include <string>

#include "archive/recording_file.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 2> kTables{{
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
constexpr unsigned kTimingColumns = 19, kSampleColumns = 3;

constexpr std::string_view kConveniences = R"(
CREATE VIEW readable_timings AS
SELECT id, subject, type || ' ' || op AS reduction, elements, threads, device, recorded_on, sample_count AS samples,
       (SELECT min(microseconds) FROM timing_samples s WHERE s.timing = t.id) AS least_us,
       (SELECT microseconds FROM (SELECT microseconds, row_number() OVER (ORDER BY microseconds) AS place
                                  FROM timing_samples s WHERE s.timing = t.id)
        WHERE place = (t.sample_count + 1) / 2) AS median_us
FROM timings t;
)";

constexpr std::int64_t kMostTurns = 0xffffffff;
constexpr double kMostGigabytesPerSecond = 1e6, kMostMicroseconds = 1e12;
constexpr std::array kEngines{model::EngineKind::Host, model::EngineKind::Gpu};

void readSamples(sqlite3* database, ReadState& state, std::int64_t id, std::size_t count,
                 std::vector<model::TimingSample>& samples) {
  RowReader row(database, "timing_samples",
                "SELECT turn, microseconds FROM timing_samples WHERE timing = ?1 ORDER BY turn", state);
  for (row.start({id}); row.next() && samples.size() <= count;)
    samples.push_back(
        {std::uint32_t(row.integer(0, 0, kMostTurns)), float(row.real(1, 0, kMostMicroseconds))});
  row.expectCount(samples.size(), count);
}

std::string plainText(RowReader& row, int column) {
  std::string text = row.text(column);
  if (!model::isPlainUtf8(text)) row.fault(column, "is not UTF-8 text");
  return text;
}

}  // namespace

std::span<const RecordingTable> timingTables() { return kTables; }
std::string_view timingConveniences() { return kConveniences; }

bool writeTimings(sqlite3* database, std::span<const model::TimingRecord> timings) {
  RowWriter rows(database, "timings", kTimingColumns), samples(database, "timing_samples", kSampleColumns);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const model::TimingRecord& timing = timings[i];
    const model::TimingStation& at = timing.station;
    const model::Executor& by = timing.executor;
    if (!rows.write(i + 1, model::nameOf(timing.subject.kind), timing.subject.id, model::nameOf(at.type),
                    model::nameOf(at.op), at.elements, at.threads, timing.threads, at.warmL2, at.graph,
                    model::nameOf(by.kind), by.device, by.computeCapability, by.driver, by.compiler,
                    by.recordedOn, timing.readCeiling, timing.copyCeiling, timing.samples.size()))
      return false;
    for (const model::TimingSample& sample : timing.samples)
      if (!samples.write(i + 1, sample.turn, double(sample.microseconds))) return false;
  }
  return true;
}

std::vector<model::TimingRecord> readTimingTables(sqlite3* database, ReadState& state) {
  std::vector<model::TimingRecord> timings;
  RowReader row(
      database, "timings",
      "SELECT id, kind, subject, type, op, elements, wished_threads, threads, warm_l2, graph, engine,"
      " device, compute_capability, driver, compiler, recorded_on, read_ceiling, copy_ceiling,"
      " sample_count FROM timings ORDER BY id",
      state);
  while (row.next()) {
    if (timings.size() == model::kMaxTimings) row.fault(0, "counts too many timings");
    model::TimingRecord& timing = timings.emplace_back();
    int column = 0;
    row.expect(column++, timings.size());
    timing.subject.kind = row.valueOf(column++, model::kSubjectKinds);
    timing.subject.id = plainText(row, column++);
    timing.station.type = row.valueOf(column++, model::kElementTypes);
    timing.station.op = row.valueOf(column++, model::kOperators);
    timing.station.elements = row.bits(column++);
    timing.station.threads = unsigned(row.integer(column++, 0, model::kMaxThreads));
    timing.threads = unsigned(row.integer(column++, 0, model::kMaxThreads));
    timing.station.warmL2 = row.flag(column++);
    timing.station.graph = row.flag(column++);
    timing.executor.kind = row.valueOf(column++, kEngines);
    for (std::string* text :
         {&timing.executor.device, &timing.executor.computeCapability, &timing.executor.driver,
          &timing.executor.compiler, &timing.executor.recordedOn})
      *text = plainText(row, column++);
    timing.readCeiling = row.real(column++, 0, kMostGigabytesPerSecond);
    timing.copyCeiling = row.real(column++, 0, kMostGigabytesPerSecond);
    const auto count = std::size_t(row.integer(column, 1, model::kMaxTimingSamples));
    readSamples(database, state, std::int64_t(timings.size()), count, timing.samples);
  }
  return timings;
}

}  // namespace stridescope::archive
