#include "archive/recording_timings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "archive/recording_file.h"
#include "archive/row_shapes.h"
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
constexpr std::string_view kConveniences = R"(
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

std::span<const RecordingTable> timingTables() { return kTables; }
std::string_view timingConveniences() { return kConveniences; }

bool writeTimings(sqlite3* database, std::span<const model::TimingRecord> timings) {
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

std::vector<model::TimingRecord> readTimingTables(sqlite3* database, ReadState& state) {
  std::vector<model::TimingRecord> timings;
  std::uint64_t samplesLeft = model::kMaxRecordedSamples;
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
    if (count > samplesLeft) row.fault(sampleCount, "counts too many samples");
    samplesLeft -= std::min(count, samplesLeft);
    readSamples(samples, std::int64_t(timings.size()), std::size_t(count), timing.samples);
  }
  return timings;
}

}  // namespace stridescope::archive
