// Timelines and costs in a recording: they come back whole, and what is damaged is refused.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>
#include <functional>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "archive/row_shapes.h"
#include "support/grid_records.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;
using support::roundCost;
using support::smallTimeline;

std::vector<model::TimelineRecord> someTimelines() {
  model::TimelineRecord other = smallTimeline("grid_stride");
  other.experiment.op = model::Operator::Custom;
  other.experiment.custom = {.combine = "a > b ? a : b", .identity = "-1", .identityBits = 0xffffffff};
  other.launches.pop_back();
  other.launches[0].blocks[3] = {123'456'789'012, 77, 4095};
  return {smallTimeline(), other};
}

std::vector<model::CostRecord> someCosts() {
  model::CostRecord other = roundCost("grid_stride");
  other.limits = {};
  other.launches.pop_back();
  other.microseconds = 0.125;
  return {roundCost(), other};
}

std::vector<model::PeelRecord> somePeels() {
  const model::CostRecord cost = roundCost();
  model::PeelRecord peel;
  peel.experiment = cost.experiment;
  peel.kernelHash = cost.kernelHash;
  peel.executor = cost.executor;
  peel.runs = 61;
  peel.cleanMicroseconds = 80.5;
  peel.cleanLow = 80.25;
  peel.cleanHigh = 81;
  peel.wholeMicroseconds = 89.5;
  peel.steps = {{.microseconds = 45, .low = 44.5, .high = 45.5},
                {.marks = 1, .microseconds = -0.125, .low = -1, .high = 0.5},
                {.marks = clocking::kAllMarks, .microseconds = 40, .low = 39, .high = 41},
                {.launch = 1, .marks = clocking::kAllMarks, .microseconds = 4.625, .low = 4, .high = 5}};
  model::PeelRecord other = peel;
  other.experiment.elements *= 2;
  other.steps.pop_back();
  return {peel, other};
}

struct RecordedGrids : testing::Test {
  Folder folder;
  const model::Trace trace = model::sample::everyField();
  const std::filesystem::path file = folder / "a.stride";

  Result<std::monostate> tryToWrite(const Measured& measured) const {
    return writeRecording(file, std::span(&trace, 1), true, measured);
  }
  void write(const std::vector<model::TimelineRecord>& timelines,
             const std::vector<model::CostRecord>& costs = {}) const {
    const auto written = tryToWrite({timelines, costs});
    ASSERT_TRUE(written) << written.error().sentence;
  }
  void execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
  }
};

TEST_F(RecordedGrids, ComeBackWhole) {
  write(someTimelines(), someCosts());
  const auto timelines = readQuantity<model::TimelineRecord>(file);
  ASSERT_TRUE(timelines) << timelines.error().sentence;
  EXPECT_EQ(*timelines, someTimelines());
  const auto costs = readQuantity<model::CostRecord>(file);
  ASSERT_TRUE(costs) << costs.error().sentence;
  EXPECT_EQ(*costs, someCosts());
  EXPECT_EQ(readTrace(file, 1).value(), model::sample::recorded(trace));
}

TEST_F(RecordedGrids, PricesOfStepsComeBackWhole) {
  for (const model::PeelRecord& peel : somePeels()) EXPECT_EQ(model::faultOf(peel), std::nullopt);
  const auto written = tryToWrite({somePeels()});
  ASSERT_TRUE(written) << written.error().sentence;
  const auto peels = readQuantity<model::PeelRecord>(file);
  ASSERT_TRUE(peels) << peels.error().sentence;
  EXPECT_EQ(*peels, somePeels());
}

TEST(PricesOfSteps, ThatDoNotFollowOneAnotherAreRefused) {
  using Steps = std::vector<model::PeelStep>;
  const auto faultWith = [](const std::function<void(Steps&)>& change) {
    model::PeelRecord peel = somePeels().front();
    change(peel.steps);
    return model::faultOf(peel).value_or("");
  };
  const std::vector<std::function<void(Steps&)>> changes{
      [](Steps& steps) { steps.erase(steps.begin()); }, [](Steps& steps) { steps[1].marks = 0; },
      [](Steps& steps) { steps.erase(steps.begin() + 2); }, [](Steps& steps) { steps[3].launch = 2; }};
  for (const auto& change : changes) EXPECT_EQ(faultWith(change), "its steps do not follow one another");
  using model::PeeledPart;
  const model::PeelStep copy{.part = PeeledPart::Copy}, cpu{.part = PeeledPart::Cpu};
  EXPECT_EQ(faultWith([&](Steps& steps) {
              steps.insert(steps.begin(), copy);
              steps.push_back(cpu);
            }),
            "");
  for (const auto& change : std::vector<std::function<void(Steps&)>>{
           [&](Steps& steps) { steps.push_back(copy); },
           [&](Steps& steps) { steps.insert(steps.begin(), cpu); },
           [&](Steps& steps) { steps.insert(steps.begin(), 2, copy); },
           [&](Steps& steps) { steps.insert(steps.begin() + 1, cpu); },
           [&](Steps& steps) { steps.insert(steps.end(), 2, cpu); },
           [&](Steps& steps) { steps.push_back({.part = PeeledPart::Cpu, .launch = 1}); },
           [&](Steps& steps) { steps.insert(steps.begin(), {.part = PeeledPart::Copy, .marks = 1}); }})
    EXPECT_EQ(faultWith(change), "its steps do not follow one another");
  EXPECT_EQ(faultWith([](Steps& steps) { steps.resize(2); }), "its last launch does not come to its end");
  EXPECT_EQ(faultWith([](Steps& steps) { steps[1].low = std::nan(""); }), "a step's time is none");
  EXPECT_EQ(faultWith([](Steps& steps) { steps.clear(); }), "it has no step, or too many of them");
}

TEST_F(RecordedGrids, AreNoneInOlderFormats) {
  write({});
  EXPECT_TRUE(readQuantity<model::TimelineRecord>(file).value().empty());
  execute(
      "DROP TABLE timelines; DROP TABLE timeline_launches; DROP TABLE costs; DROP TABLE cost_launches;"
      "DROP TABLE machine_codes;"
      "PRAGMA user_version = 6");
  EXPECT_TRUE(readQuantity<model::TimelineRecord>(file).value().empty());
  EXPECT_TRUE(readQuantity<model::CostRecord>(file).value().empty());
  EXPECT_TRUE(readQuantity<model::MachineCode>(file).value().empty());
  EXPECT_EQ(readTrace(file, 1).value(), model::sample::recorded(trace));
}

TEST_F(RecordedGrids, ThatMakeNoSenseAreNotWritten) {
  for (const auto& spoil : std::vector<std::function<void(model::TimelineRecord&)>>{
           [](model::TimelineRecord& record) { record.launches.clear(); },
           [](model::TimelineRecord& record) { record.launches[0].blocks.clear(); },
           [](model::TimelineRecord& record) { record.launches[0].block = 5000; },
           [](model::TimelineRecord& record) { record.launches[0].blocks[0].start = ~std::uint64_t{0}; },
           [](model::TimelineRecord& record) { record.launches[0].blocks[0].multiprocessor = 1 << 20; },
           [](model::TimelineRecord& record) {
             record.launches[0].blocks.resize(model::kMaxTimelineBlocks + 1);
           },
           [](model::TimelineRecord& record) { record.multiprocessors = 0; },
           [](model::TimelineRecord& record) { record.runs = 0; },
           [](model::TimelineRecord& record) { record.cleanMicroseconds = -1; },
           [](model::TimelineRecord& record) { record.nanoseconds = ~std::uint64_t{0}; },
           [](model::TimelineRecord& record) { record.executor.kind = model::EngineKind::Host; }}) {
    auto timelines = someTimelines();
    spoil(timelines[0]);
    const auto written = tryToWrite({timelines});
    ASSERT_FALSE(written);
    EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
  }
  for (const auto& spoil : std::vector<std::function<void(model::CostRecord&)>>{
           [](model::CostRecord& record) { record.launches.clear(); },
           [](model::CostRecord& record) { record.launches[0].grid = 0; },
           [](model::CostRecord& record) { record.limits.latencyNanoseconds = std::nan(""); },
           [](model::CostRecord& record) { record.limits.multiprocessors = 1 << 20; },
           [](model::CostRecord& record) { record.microseconds = 1e13; },
           [](model::CostRecord& record) { record.emptyMicroseconds = -1; },
           [](model::CostRecord& record) { record.runs = 0; },
           [](model::CostRecord& record) { record.experiment.variant.clear(); }}) {
    auto costs = someCosts();
    spoil(costs[1]);
    const auto written = tryToWrite({costs});
    ASSERT_FALSE(written);
    EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
  }
}

TEST_F(RecordedGrids, ThatAreDamagedAreRefused) {
  for (const char* damage : {"UPDATE timelines SET launch_count = 3 WHERE id = 1",
                             "UPDATE timelines SET launch_count = 1 WHERE id = 1",
                             "UPDATE timelines SET launch_count = 4000000000",
                             "UPDATE timelines SET multiprocessors = 0",
                             "UPDATE timelines SET runs = 0",
                             "UPDATE timelines SET runs = -1",
                             "UPDATE timelines SET clean_microseconds = 9e999",
                             "UPDATE timelines SET nanoseconds = -1",
                             "UPDATE timelines SET engine = 'host'",
                             "UPDATE timelines SET id = 7 WHERE id = 2",
                             "UPDATE timeline_launches SET launch = 5 WHERE launch = 1",
                             "UPDATE timeline_launches SET block = 0",
                             "UPDATE timeline_launches SET grid = 13 WHERE grid = 12",
                             "UPDATE timeline_launches SET grid = 11 WHERE grid = 12",
                             "UPDATE timeline_launches SET grid = 4000000000",
                             "UPDATE timeline_launches SET grid = 0",
                             "UPDATE timeline_launches SET step = 0",
                             "UPDATE timeline_launches SET step = 5000000000",
                             "UPDATE timeline_launches SET first_start = -1",
                             "UPDATE timeline_launches SET blocks = X''",
                             "UPDATE timeline_launches SET blocks = X'ffffffffffffffffffffffff'",
                             "UPDATE timeline_launches SET blocks = blocks || X'00'",
                             "UPDATE timeline_launches SET blocks = 'text'",
                             "DELETE FROM timeline_launches",
                             "DROP TABLE timeline_launches",
                             "ALTER TABLE timelines ADD COLUMN more"}) {
    write(someTimelines());
    execute(damage);
    const auto read = readQuantity<model::TimelineRecord>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
  }
  for (const char* damage :
       {"UPDATE costs SET launch_count = 3 WHERE id = 1", "UPDATE costs SET launch_count = 0",
        "UPDATE costs SET latency_nanoseconds = -1", "UPDATE costs SET clock_megahertz = 'fast'",
        "UPDATE costs SET microseconds = -1", "UPDATE costs SET runs = 0", "UPDATE costs SET op = 'later'",
        "UPDATE cost_launches SET grid = 0", "UPDATE cost_launches SET block = 5000",
        "UPDATE cost_launches SET registers = -1", "DELETE FROM cost_launches", "DROP TABLE cost_launches"}) {
    write({}, someCosts());
    execute(damage);
    const auto read = readQuantity<model::CostRecord>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
  }
}

TEST(PackedBlocks, TakeFewBytes) {
  std::vector<model::BlockRun> blocks;
  for (unsigned i = 0; i < 10'000; ++i) blocks.push_back({700 + 32 * (i / 8), 32 * (30 + i % 20), i % 132});
  const PackedBlocks packed = packBlocks(blocks);
  EXPECT_EQ(packed.firstStart, 700u);
  EXPECT_EQ(packed.step, 32u);
  EXPECT_LT(packed.bytes.size(), 4 * blocks.size());
  std::vector<model::BlockRun> back;
  ASSERT_TRUE(unpackBlocks(packed, blocks.size(), back));
  EXPECT_EQ(back, blocks);
}

TEST(PackedBlocks, HoldAnyNumbers) {
  const std::vector<model::BlockRun> blocks{
      {std::uint64_t{1} << 62, ~0u, ~0u}, {0, 0, 0}, {1, 1, 127}, {(std::uint64_t{1} << 62) + 1, 128, 128}};
  std::vector<model::BlockRun> back;
  ASSERT_TRUE(unpackBlocks(packBlocks(blocks), blocks.size(), back));
  EXPECT_EQ(back, blocks);
  ASSERT_TRUE(unpackBlocks(packBlocks({}), 0, back));
  EXPECT_TRUE(back.empty());
}

// As docs/recording.md tells it, written out by hand: 5 (0), 3, 2; then 1 step earlier (1), 200 (0xc8 0x01),
// 0.
TEST(PackedBlocks, AreWrittenAsTheDocumentSays) {
  const std::vector<model::BlockRun> blocks{{5, 3, 2}, {4, 200, 0}};
  const PackedBlocks packed = packBlocks(blocks);
  EXPECT_EQ(packed.firstStart, 4u);
  EXPECT_EQ(packed.step, 1u);
  EXPECT_EQ(packed.bytes, (std::vector<std::uint8_t>{2, 3, 2, 1, 0xc8, 0x01, 0}));
}

}  // namespace
}  // namespace stridescope::archive
