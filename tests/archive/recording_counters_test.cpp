// Hardware counters in a recording: they come back whole, and what is damaged is refused.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>
#include <functional>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "support/grid_records.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using model::Counter;
using support::Folder;

// The counters of two launches, the second of which counts less, and those of a custom operator.
std::vector<model::CounterRecord> someCounters() {
  model::CounterRecord first;
  first.experiment = {.variant = "sequential",
                      .type = model::ElementType::Double,
                      .op = model::Operator::Max,
                      .threads = 64,
                      .elements = 4096,
                      .data = model::DataPattern::Random,
                      .seed = ~std::uint64_t{0}};
  first.kernelHash = "1234";
  first.executor = {.kind = model::EngineKind::Gpu,
                    .device = "A GPU",
                    .computeCapability = "9.0",
                    .driver = "580.1",
                    .compiler = "NVRTC 13.0",
                    .recordedOn = "2026-11-24T03:00:00Z"};
  first.launches = {{.grid = 64,
                     .block = 64,
                     .values = {{Counter::Instructions, 1e15}, {Counter::L2HitRate, 12.34567890123}}},
                    {.grid = 1, .block = 64, .values = {{Counter::StallBarrier, 0.1}}}};
  model::CounterRecord second = first;
  second.experiment.op = model::Operator::Custom;
  second.experiment.custom = {.combine = "a > b ? a : b", .identity = "-1", .identityBits = 0xffffffff};
  second.experiment.lists = 9;
  second.launches.pop_back();
  second.launches[0].values.clear();
  return {first, second};
}

struct RecordedCounters : testing::Test {
  Folder folder;
  const model::Trace trace = model::sample::everyField();
  const std::filesystem::path file = folder / "a.stride";

  void write(const std::vector<model::CounterRecord>& counters) {
    const auto written = writeRecording(file, std::span(&trace, 1), true, {counters});
    ASSERT_TRUE(written) << written.error().sentence;
  }
  void execute(const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
  }
};

TEST_F(RecordedCounters, ComeBackWhole) {
  write(someCounters());
  const auto read = readQuantity<model::CounterRecord>(file);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(*read, someCounters());
  EXPECT_EQ(readTrace(file, 1).value(), model::sample::recorded(trace));
}

TEST_F(RecordedCounters, AreNoneWhereNoneAreWrittenAndInOlderFormats) {
  write({});
  EXPECT_TRUE(readQuantity<model::CounterRecord>(file).value().empty());
  execute(
      "DROP TABLE counters; DROP TABLE counter_launches; DROP TABLE counter_values; PRAGMA user_version = 5");
  const auto older = readQuantity<model::CounterRecord>(file);
  ASSERT_TRUE(older) << older.error().sentence;
  EXPECT_TRUE(older->empty());
  EXPECT_EQ(readTrace(file, 1).value(), model::sample::recorded(trace));
}

TEST_F(RecordedCounters, ThatMakeNoSenseAreNotWritten) {
  for (const auto& spoil : std::vector<std::function<void(model::CounterRecord&)>>{
           [](model::CounterRecord& record) { record.launches.clear(); },
           [](model::CounterRecord& record) { record.launches[0].grid = 0; },
           [](model::CounterRecord& record) { record.launches[1].block = 5000; },
           [](model::CounterRecord& record) { record.launches.resize(100, record.launches[0]); },
           [](model::CounterRecord& record) { record.launches[0].values[0].value = std::nan(""); },
           [](model::CounterRecord& record) { record.launches[0].values[0].value = -1; },
           [](model::CounterRecord& record) { record.launches[0].values[0].value = 1e19; },
           [](model::CounterRecord& record) {
             record.launches[0].values.push_back(record.launches[0].values[0]);
           },
           [](model::CounterRecord& record) { record.experiment.variant = "\xff"; },
           [](model::CounterRecord& record) { record.experiment.threads = 5000; },
           [](model::CounterRecord& record) {
             record.experiment.given = model::SharedData(model::GivenData{.name = "mine", .values = {1}});
           },
           [](model::CounterRecord& record) { record.executor.kind = model::EngineKind::Host; }}) {
    auto counters = someCounters();
    spoil(counters[0]);
    const auto written = writeRecording(file, std::span(&trace, 1), true, {counters});
    ASSERT_FALSE(written) << &spoil;
    EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
  }
  const std::vector<model::CounterRecord> many(model::kMaxCounterRecords + 1, someCounters()[1]);
  EXPECT_FALSE(writeRecording(file, std::span(&trace, 1), true, {many}));
}

TEST_F(RecordedCounters, ThatAreDamagedAreRefused) {
  for (const char* damage : {"UPDATE counters SET launch_count = 3 WHERE id = 1",
                             "UPDATE counters SET launch_count = 1 WHERE id = 1",
                             "UPDATE counters SET launch_count = 0",
                             "UPDATE counters SET launch_count = 4000000000",
                             "UPDATE counters SET threads = 0",
                             "UPDATE counters SET engine = 'host'",
                             "UPDATE counters SET engine = 'recorded'",
                             "UPDATE counters SET op = 'later'",
                             "UPDATE counters SET id = 7 WHERE id = 2",
                             "UPDATE counters SET variant = X'ff'",
                             "UPDATE counter_launches SET launch = 5 WHERE launch = 1",
                             "UPDATE counter_launches SET grid = 0",
                             "UPDATE counter_launches SET block = 0",
                             "DELETE FROM counter_launches",
                             "UPDATE counter_values SET counter = 'luck'",
                             "UPDATE counter_values SET counter = 'instructions'",
                             "UPDATE counter_values SET value = -1",
                             "UPDATE counter_values SET value = 9e999",
                             "UPDATE counter_values SET value = 'many'",
                             "UPDATE counter_values SET ordinal = 7 WHERE ordinal = 1",
                             "DROP TABLE counter_values",
                             "ALTER TABLE counters ADD COLUMN more",
                             "PRAGMA user_version = 9"}) {
    write(someCounters());
    execute(damage);
    const auto read = readQuantity<model::CounterRecord>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
  }
}

// Machine code in a recording: it comes back whole, and what is damaged is refused.

std::vector<model::MachineCode> someCodes() {
  model::MachineCode other = support::smallCode("grid_stride");
  other.kind = model::CodeKind::Ptx;
  other.target = "compute_90";
  other.lines = {{4'000'000'000, std::string(model::kMaxCodeLineBytes, 'x')}, {0, ""}};
  return {support::smallCode(), other};
}

struct RecordedCodes : testing::Test {
  support::Folder folder;
  const model::Trace trace = model::sample::everyField();
  const std::filesystem::path file = folder / "a.stride";

  Result<std::monostate> tryToWrite(const std::vector<model::MachineCode>& codes) const {
    return writeRecording(file, std::span(&trace, 1), true, {codes});
  }
};

TEST_F(RecordedCodes, ComeBackWhole) {
  ASSERT_TRUE(tryToWrite(someCodes()));
  const auto codes = readQuantity<model::MachineCode>(file);
  ASSERT_TRUE(codes) << codes.error().sentence;
  EXPECT_EQ(*codes, someCodes());
}

TEST_F(RecordedCodes, ThatMakeNoSenseAreNotWritten) {
  for (const auto& spoil : std::vector<std::function<void(model::MachineCode&)>>{
           [](model::MachineCode& code) { code.lines.clear(); },
           [](model::MachineCode& code) { code.lines.resize(model::kMaxCodeLines + 1); },
           [](model::MachineCode& code) { code.lines[0].text.assign(model::kMaxCodeLineBytes + 1, 'x'); },
           [](model::MachineCode& code) { code.lines[0].text = "two\nlines"; },
           [](model::MachineCode& code) { code.lines[0].text = "\xff"; },
           [](model::MachineCode& code) { code.target = "\xff"; },
           [](model::MachineCode& code) { code.executor.kind = model::EngineKind::Host; },
           [](model::MachineCode& code) { code.experiment.variant.clear(); }}) {
    auto codes = someCodes();
    spoil(codes[1]);
    const auto written = tryToWrite(codes);
    ASSERT_FALSE(written);
    EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
  }
}

TEST_F(RecordedCodes, ThatAreDamagedAreRefused) {
  for (const char* damage :
       {"code = ''", "code = 'BRA'", "code = char(10)", "code = '1' || char(9) || 'BRA'",
        "code = '-1' || char(9) || 'BRA' || char(10)", "code = '5000000000' || char(9) || 'BRA' || char(10)",
        "code = '1 BRA' || char(10)", "code = X'00'", "code_kind = 'HEX'", "engine = 'host'", "threads = 0",
        "id = 7", "identity_bits = 'one'"}) {
    ASSERT_TRUE(tryToWrite(someCodes()));
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    const std::string sql = std::string("UPDATE machine_codes SET ") + damage + " WHERE id = 2";
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
    const auto read = readQuantity<model::MachineCode>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
  }
}

}  // namespace
}  // namespace stridescope::archive
