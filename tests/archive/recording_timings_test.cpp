// Timings in a recording: they come back whole, and what is damaged is refused.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>
#include <functional>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;

std::vector<model::TimingRecord> someTimings() {
  model::TimingRecord onGpu{.subject = {model::SubjectKind::Variant, "sequential"},
                            .timingCase = {.type = model::ElementType::Float,
                                           .op = model::Operator::Max,
                                           .elements = 1ull << 30,
                                           .threads = 128,
                                           .warmL2 = true,
                                           .graph = true},
                            .threads = 128,
                            .executor = {.kind = model::EngineKind::Gpu,
                                         .device = "A GPU",
                                         .computeCapability = "9.0",
                                         .driver = "580.1",
                                         .compiler = "NVRTC 13.0",
                                         .recordedOn = "2026-11-21T03:00:00Z"},
                            .readCeiling = 3050.5,
                            .copyCeiling = 2900.25,
                            .samples = {{1, 12.5f}, {2, 12.25f}, {7, 100.1f}}};
  model::TimingRecord onCpu = onGpu;
  onCpu.subject = {model::SubjectKind::CpuBaseline, "cpu_loop"};
  onCpu.timingCase = {.elements = 1000};
  onCpu.threads = 0;
  onCpu.executor = {};
  onCpu.executor.device = "A CPU, 2 threads";
  onCpu.readCeiling = onCpu.copyCeiling = 0;
  onCpu.samples = {{3, 0.5f}};
  return {onGpu, onCpu};
}

struct RecordedTimings : testing::Test {
  Folder folder;
  const model::Trace trace = model::sample::everyField();
  const std::filesystem::path file = folder / "a.stride";

  void write(const std::vector<model::TimingRecord>& timings) {
    const auto written = writeRecording(file, std::span(&trace, 1), true, {timings});
    ASSERT_TRUE(written) << written.error().sentence;
  }
  void change(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_close(database);
  }
  std::int64_t number(const std::string& sql) {
    sqlite3* database = nullptr;
    sqlite3_open(file.c_str(), &database);
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    const std::int64_t value = row ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return value;
  }
};

TEST_F(RecordedTimings, ComeBackWhole) {
  write(someTimings());
  const auto read = readQuantity<model::TimingRecord>(file);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(*read, someTimings());
}

TEST_F(RecordedTimings, LeaveTheTracesAsTheyAre) {
  write(someTimings());
  EXPECT_EQ(readTrace(file, 1).value(), model::sample::recorded(trace));
  EXPECT_EQ(readIndex(file)->traces.size(), 1u);
}

TEST_F(RecordedTimings, AreNoneWhereNoneAreWritten) {
  write({});
  EXPECT_EQ(number("PRAGMA user_version"), 8);
  EXPECT_TRUE(readQuantity<model::TimingRecord>(file)->empty());
  EXPECT_EQ(number("SELECT count(*) FROM timings"), 0);
  write(someTimings());
  EXPECT_EQ(number("SELECT count(*) FROM timings"), std::int64_t(someTimings().size()));
}

TEST_F(RecordedTimings, AreReadableByPeople) {
  write(someTimings());
  EXPECT_EQ(number("SELECT median_us * 10 FROM readable_timings WHERE subject = 'sequential'"), 125);
  EXPECT_EQ(number("SELECT samples FROM readable_timings WHERE subject = 'sequential'"), 3);
}

TEST_F(RecordedTimings, ThatMakeNoSenseAreNotWritten) {
  for (const auto& spoil : std::vector<std::function<void(model::TimingRecord&)>>{
           [](model::TimingRecord& timing) { timing.samples.clear(); },
           [](model::TimingRecord& timing) { timing.samples[1].repetition = 1; },
           [](model::TimingRecord& timing) { timing.samples[0].microseconds = -1; },
           [](model::TimingRecord& timing) { timing.samples[0].microseconds = std::nanf(""); },
           [](model::TimingRecord& timing) { timing.subject.id = "\xff"; },
           [](model::TimingRecord& timing) { timing.threads = 5000; }}) {
    auto timings = someTimings();
    spoil(timings[0]);
    EXPECT_FALSE(writeRecording(file, std::span(&trace, 1), true, {timings}));
  }
}

TEST_F(RecordedTimings, ThatAreDamagedAreRefused) {
  for (const char* damage :
       {"UPDATE timings SET kind = 'none'", "UPDATE timings SET sample_count = 2 WHERE id = 1",
        "UPDATE timings SET threads = -1", "DELETE FROM timing_samples WHERE timing = 2",
        "UPDATE timing_samples SET microseconds = 'soon'", "UPDATE timing_samples SET microseconds = -3",
        "UPDATE timings SET id = 7 WHERE id = 2", "UPDATE timings SET elements = 1.5",
        "UPDATE timings SET read_ceiling = 1e300", "DROP TABLE timing_samples",
        "ALTER TABLE timings ADD COLUMN more"}) {
    write(someTimings());
    change(damage);
    EXPECT_FALSE(readQuantity<model::TimingRecord>(file)) << damage;
  }
}

}  // namespace
}  // namespace stridescope::archive
