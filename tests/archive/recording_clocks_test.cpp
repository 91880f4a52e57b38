// Cycles in a recording: they come back whole, and what is damaged is refused.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>
#include <functional>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using model::Mark;
using model::MarkKind;
using support::Folder;

model::WarpMarks marksFrom(std::uint64_t clock) {
  return {{clock, 0, MarkKind::Start},
          {clock + 400, 3, MarkKind::Arrive},
          {clock + 420, 3, MarkKind::Leave},
          {clock + 1ull * 700'000'000'000, 0, MarkKind::End}};
}

// Two warps, of which the second goes another way; and one of a custom operator.
std::vector<model::ClockRecord> someClocks() {
  model::ClockRecord first{.variant = "sequential",
                           .type = model::ElementType::Float,
                           .op = model::Operator::Max,
                           .threads = 64,
                           .kernelHash = "1234",
                           .company = model::ClockedGrid::Full,
                           .elements = model::kFullGridElements,
                           .grid = 1 << 18,
                           .block = 1 << 17,
                           .executor = {.kind = model::EngineKind::Gpu,
                                        .device = "A GPU",
                                        .computeCapability = "9.0",
                                        .driver = "580.1",
                                        .compiler = "NVRTC 13.0",
                                        .recordedOn = "2026-11-24T03:00:00Z"},
                           .cleanMicroseconds = 6.25,
                           .clockedMicroseconds = 7.5,
                           .firstWarp = {marksFrom(0), marksFrom(5), marksFrom(0)},
                           .warps = {marksFrom(2), {{0, 0, MarkKind::Start}, {9, 0, MarkKind::End}}}};
  model::ClockRecord second = first;
  second.company = model::ClockedGrid::Alone;
  second.type = model::ElementType::Int;
  second.op = model::Operator::Custom;
  second.custom = {.combine = "a > b ? a : b", .identity = "-1", .identityBits = 0xffffffff};
  second.threads = 7;
  second.warps.resize(1);
  second.elements = 7;
  second.grid = 1;
  second.block = 0;
  second.firstWarp = {marksFrom((std::uint64_t{1} << 48) - 700'000'000'000)};
  return {first, second};
}

struct RecordedClocks : testing::Test {
  Folder folder;
  const model::Trace trace = model::sample::everyField();
  const std::filesystem::path file = folder / "a.stride";

  void write(const std::vector<model::ClockRecord>& clocks) {
    const auto written = writeRecording(file, std::span(&trace, 1), true, {clocks});
    ASSERT_TRUE(written) << written.error().sentence;
  }
  // What was asked, a line per row.
  std::string ask(const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    std::string answer;
    const auto append = [](void* to, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i)
        *static_cast<std::string*>(to) += std::string(values[i] ? values[i] : "NULL") + " ";
      return 0;
    };
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), append, &answer, &message), SQLITE_OK) << message;
    sqlite3_close(database);
    return answer;
  }
};

TEST_F(RecordedClocks, ComeBackWhole) {
  write(someClocks());
  const auto read = readQuantity<model::ClockRecord>(file);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(*read, someClocks());
  EXPECT_EQ(readTrace(file, 1).value(), model::sample::recorded(trace));
}

TEST_F(RecordedClocks, AreNoneWhereNoneAreWritten) {
  write({});
  const auto read = readQuantity<model::ClockRecord>(file);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_TRUE(read->empty());
}

TEST_F(RecordedClocks, AreReadableByPeople) {
  write(someClocks());
  EXPECT_EQ(ask("SELECT cycles FROM clock_marks WHERE clock = 1 AND run = 1"), "[5,405,425,700000000005] ");
  EXPECT_EQ(ask("SELECT path, json_extract(cycles, '$[1]') FROM clock_marks WHERE clock = 1 AND run = -1"),
            "0 402 1 9 ");
  EXPECT_EQ(ask("SELECT site, kind FROM clock_paths WHERE clock = 1 AND path = 0"),
            "0 start 3 arrive 3 leave 0 end ");
}

TEST_F(RecordedClocks, ThatMakeNoSenseAreNotWritten) {
  for (const auto& spoil : std::vector<std::function<void(model::ClockRecord&)>>{
           [](model::ClockRecord& clock) { clock.firstWarp.clear(); },
           [](model::ClockRecord& clock) { clock.warps.pop_back(); },
           [](model::ClockRecord& clock) { clock.firstWarp[1][1].clock = 1'000; },
           [](model::ClockRecord& clock) { clock.warps[0].pop_back(); },
           [](model::ClockRecord& clock) { clock.variant = "\xff"; },
           [](model::ClockRecord& clock) { clock.threads = 5000; },
           [](model::ClockRecord& clock) { clock.block = clock.grid; },
           [](model::ClockRecord& clock) { clock.company = model::ClockedGrid::Alone; },
           [](model::ClockRecord& clock) { clock.grid = 1, clock.block = 0; },
           [](model::ClockRecord& clock) { clock.firstWarp[0].back().clock = ~std::uint64_t{0}; },
           [](model::ClockRecord& clock) { clock.clockedMicroseconds = std::nan(""); },
           [](model::ClockRecord& clock) { clock.cleanMicroseconds = 1e13; },
           [](model::ClockRecord& clock) { clock.executor.kind = model::EngineKind::Host; }}) {
    auto clocks = someClocks();
    spoil(clocks[0]);
    EXPECT_FALSE(writeRecording(file, std::span(&trace, 1), true, {clocks}));
  }
  const model::WarpMarks longest = [] {
    model::WarpMarks marks(model::kMaxMarks, {0, 1, MarkKind::Arrive});
    marks.front() = {0, 0, MarkKind::Start};
    marks.back() = {0, 0, MarkKind::End};
    return marks;
  }();
  auto clocks = someClocks();
  clocks.resize(1);
  clocks[0].firstWarp.assign(model::kMaxClockedRuns, longest);
  clocks.resize(5, clocks[0]);
  const auto tooMany = writeRecording(file, std::span(&trace, 1), true, {clocks});
  ASSERT_FALSE(tooMany);
  EXPECT_EQ(tooMany.error().sentence,
            "There are 5\u202f242\u202f910 marks of the clock, and one recording holds at most "
            "4\u202f194\u202f304. Record fewer experiments at once.");
}

TEST_F(RecordedClocks, ThatAreDamagedAreRefused) {
  for (const char* damage : {"UPDATE clocks SET company = 'a crowd'",
                             "UPDATE clocks SET run_count = 2 WHERE id = 1",
                             "UPDATE clocks SET run_count = 4000000000 WHERE id = 1",
                             "UPDATE clocks SET threads = 0",
                             "UPDATE clocks SET engine = 'host'",
                             "UPDATE clocks SET id = 7 WHERE id = 2",
                             "UPDATE clocks SET clean_microseconds = -1e9",
                             "UPDATE clocks SET variant = X'ff'",
                             "UPDATE clocks SET grid = 0",
                             "UPDATE clocks SET threads = 33 WHERE id = 2",
                             "DELETE FROM clock_paths",
                             "DELETE FROM clock_paths WHERE clock = 1 AND path = 0",
                             "DELETE FROM clock_paths WHERE clock = 1 AND mark = 1",
                             "UPDATE clock_paths SET kind = 'none'",
                             "UPDATE clock_paths SET kind = 'later'",
                             "UPDATE clock_paths SET site = -1",
                             "UPDATE clock_paths SET site = 5000",
                             "UPDATE clock_paths SET path = 9 WHERE path = 1",
                             "UPDATE clock_paths SET path = -1 WHERE path = 0",
                             "UPDATE clock_marks SET path = 2",
                             "UPDATE clock_marks SET path = -1",
                             "UPDATE clock_marks SET warp = 5 WHERE run = 0",
                             "UPDATE clock_marks SET run = 9 WHERE run = 1",
                             "UPDATE clock_marks SET run = -2 WHERE run = -1",
                             "DELETE FROM clock_marks WHERE run = -1",
                             "DELETE FROM clock_marks WHERE run = 2",
                             "UPDATE clock_marks SET cycles = ''",
                             "UPDATE clock_marks SET cycles = '[]'",
                             "UPDATE clock_marks SET cycles = '[1,2,3]'",
                             "UPDATE clock_marks SET cycles = '[1,2,3,4,5]'",
                             "UPDATE clock_marks SET cycles = '[1,2,3,4] '",
                             "UPDATE clock_marks SET cycles = '[4,3,2,1]'",
                             "UPDATE clock_marks SET cycles = '[0,1,2,99999999999999999999]'",
                             "UPDATE clock_marks SET cycles = '[0,1,2,-1]'",
                             "UPDATE clock_marks SET cycles = '[0,1,,2]'",
                             "UPDATE clock_marks SET cycles = 7",
                             "DROP TABLE clock_marks",
                             "ALTER TABLE clocks ADD COLUMN more",
                             "PRAGMA user_version = 9"}) {
    write(someClocks());
    ask(damage);
    const auto read = readQuantity<model::ClockRecord>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
  }
}

TEST_F(RecordedClocks, OfAPathThatIsTooLongAreRefused) {
  write(someClocks());
  ask("WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
      "INSERT INTO clock_paths SELECT 2, 0, i, 3, 'arrive' FROM n");
  const auto read = readQuantity<model::ClockRecord>(file);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().sentence.find("column mark of table clock_paths holds 1024"), std::string::npos)
      << read.error().sentence;
}

}  // namespace
}  // namespace stridescope::archive
