// The tables of a recording are those that docs/recording.md describes; what they have no column for is kept,
// too.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "../model/sample_traces.h"
#include "archive/recording_clocks.h"
#include "archive/recording_file.h"
#include "archive/recording_kernel.h"
#include "archive/row_shapes.h"
#include "support/described.h"
#include "support/grid_records.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;
using Tables = std::map<std::string, std::set<std::string>>;

Database openedAt(const std::string& file) {
  sqlite3* database = nullptr;
  sqlite3_open(file.c_str(), &database);
  return Database(database);
}

std::vector<std::string> ask(sqlite3* database, const std::string& sql) {
  std::vector<std::string> answers;
  const auto append = [](void* to, int, char** values, char**) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(values[0] ? values[0] : "");
    return 0;
  };
  char* error = nullptr;
  if (sqlite3_exec(database, sql.c_str(), append, &answers, &error) != SQLITE_OK) answers = {error};
  sqlite3_free(error);
  return answers;
}

// Every "**name**:" with the first column of the table below it.
Tables tablesOfTheDocumentation() {
  std::ifstream file(STRIDESCOPE_RECORDING_DOCUMENTATION);
  Tables tables;
  std::string table;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| limit ")) break;  // no table of the file
    if (line.starts_with("**")) table = line.substr(2, line.find("**", 2) - 2);
    if (!line.starts_with("| ") || line.starts_with("| column ") || table.empty()) continue;
    std::istringstream names(line.substr(2, line.find(" |", 2) - 2));
    for (std::string name; std::getline(names >> std::ws, name, ',');) tables[table].insert(name);
  }
  return tables;
}

// A trace, a timing and prices that need every table of format 3, and those that no format has.
std::string writtenWithEverything(const Folder& folder) {
  model::Trace trace = model::sample::everyField();
  trace.experiment.schedule = model::Schedule::Lockstep;
  model::LaunchTrace& ofDevices = trace.launches[1];
  ofDevices.grid = ofDevices.devices = 2;
  ofDevices.blocks.resize(2, ofDevices.blocks[0]);
  for (unsigned device = 0; device < 2; ++device) {
    ofDevices.blocks[device].device = device;
    ofDevices.blocks[device].block = device;
  }
  model::TimingRecord timing;
  timing.subject.id = "sequential";
  timing.executor.device = "A GPU";
  timing.executor.kind = model::EngineKind::Gpu;
  timing.samples = {{0, 1}};
  model::PeelRecord peel;
  peel.experiment = support::roundCost().experiment;
  peel.kernelHash = support::roundCost().kernelHash;
  peel.executor = support::standInGpu();
  peel.runs = 61;
  peel.steps = {{}, {.marks = clocking::kAllMarks}};
  model::GroupTimingRecord group;
  group.experiment = support::roundCost().experiment;
  group.experiment.gpus = 2;
  group.executor = support::standInGpu();
  group.samples = 101;
  group.others = {{.subject = "one_gpu"}};
  model::LinkRecord links;
  links.executor = support::standInGpu();
  links.gpus = 2;
  links.links = {{.from = 0, .to = 1}};
  const auto written = writeRecording(
      folder / "a.stride", std::span(&trace, 1), true,
      {std::span(&timing, 1), std::span(&peel, 1), std::span(&group, 1), std::span(&links, 1)});
  EXPECT_TRUE(written) << written.error().sentence;
  return (folder / "a.stride").native();
}

TEST(RecordingSchema, IsTheOneThatTheDocumentationDescribes) {
  const Folder folder;
  const Database database = openedAt(writtenWithEverything(folder));
  for (const RecordingTable& table : laterTables()) ask(database.get(), std::string(table.sql));
  Tables written;
  for (const std::string& table : ask(database.get(), "SELECT name FROM sqlite_schema WHERE type = 'table'"))
    for (const std::string& column :
         ask(database.get(), "SELECT name FROM pragma_table_info('" + table + "')"))
      written[table].insert(column);
  Tables described = tablesOfTheDocumentation();
  std::erase_if(described, [](const auto& each) { return each.first.empty(); });
  EXPECT_EQ(described, written);
}

// Only what later_fields takes may be without a column.
TEST(RecordingSchema, HasAColumnForEveryFieldThatNoOtherTableTakes) {
  EXPECT_TRUE(laterFieldsOf<model::CustomOperator>({"own_experiments"}).empty());
  EXPECT_TRUE(laterFieldsOf<model::OperatorTrial>({"own_experiments"}).empty());
  EXPECT_TRUE(laterFieldsOf<model::TrialFinding>({"own_trials"}).empty());
  EXPECT_TRUE(laterFieldsOf<model::TimingSubject>({"timings"}, kSubjectRow).empty());
  EXPECT_TRUE(laterFieldsOf<model::TimingCase>({"timings"}, kCaseRow).empty());
  EXPECT_TRUE(laterFieldsOf<model::TimingRecord>({"timings"}, kTimingRow).empty());
  EXPECT_TRUE(laterFieldsOf<model::TimingSample>({"timing_samples"}, kSampleRow).empty());
  EXPECT_TRUE(laterFieldsOf<model::ClockRecord>({"clocks"}).empty());
  EXPECT_TRUE(laterFieldsOf<model::CustomOperator>({"clocks"}).empty());
  EXPECT_TRUE(laterFieldsOf<model::Executor>({"clocks"}, kExecutorRow).empty());
}

// A structure of which the tables have one column.
struct Wider {
  std::uint64_t bytes = 0;
  bool flag = false;
  int small = 3;
  double real = 0.5;
  std::string text = "usual";
  model::Schedule schedule = model::Schedule::LaneByLane;
  std::uint64_t bits = 0;
  std::vector<int> list{};
  friend bool operator==(const Wider&, const Wider&) = default;
};

template <class Fields, Described<Wider> Value>
constexpr void describe(Fields&& fields, Value& wider) {
  fields("bytes", wider.bytes);
  fields("flag", wider.flag);
  fields("small", wider.small);
  fields("real", wider.real);
  fields("text", wider.text);
  fields("how", wider.schedule);
  fields("bits", wider.bits);
  fields("list", wider.list);
}

class LaterFields : public testing::Test {
 protected:
  void SetUp() override {
    for (const RecordingTable& table : laterTables()) ask(database_.get(), std::string(table.sql));
  }
  bool write(const Wider& wider) {
    RowWriter rows(database_.get(), "later_fields", 6);
    return writeLaterFields(rows, 1, {"array", 2, 3}, wider, names_);
  }
  // The fault, or nothing.
  std::string read(Wider& wider) {
    ReadState state{.textBytesLeft = 1000};
    RowReader row(database_.get(), "later_fields", "SELECT * FROM later_fields", state);
    while (row.next()) readLaterField(row, wider, names_, kShape);
    return state.fault;
  }

  static constexpr RowShape kShape{.limits = {{"small", -5, 5}, {"real", 0, 10}}};
  Database database_ = openedAt(":memory:");
  std::vector<std::string_view> names_ = laterFieldsOf<Wider>({"arrays"});
};

TEST_F(LaterFields, AreThoseWithoutAColumn) {
  EXPECT_EQ(names_, (std::vector<std::string_view>{"flag", "small", "real", "text", "how", "bits"}));
}

TEST_F(LaterFields, ComeBack) {
  const Wider sent{.flag = true,
                   .small = -4,
                   .real = 9.25,
                   .text = "\xc3\xa9",
                   .schedule = model::Schedule::Random,
                   .bits = ~std::uint64_t{0}};
  ASSERT_TRUE(write(sent));
  Wider back;
  EXPECT_EQ(read(back), "");
  EXPECT_EQ(back, sent);
  EXPECT_EQ(ask(database_.get(), "SELECT DISTINCT trace || record || launch || number FROM later_fields"),
            std::vector<std::string>{"1array23"});
}

TEST_F(LaterFields, WithTheirDefaultsAreNotWritten) {
  ASSERT_TRUE(write({.small = 4}));
  EXPECT_EQ(ask(database_.get(), "SELECT field FROM later_fields"), std::vector<std::string>{"small"});
}

TEST_F(LaterFields, OfOtherNamesAndValuesAreRefused) {
  for (const char* damage : {"SET field = 'large'", "SET field = 'bytes'", "SET value = 6", "SET value = 'x'",
                             "SET value = 1.5", "SET field = 'flag'", "SET field = 'how'",
                             "SET field = 'real'", "SET field = 'text', value = X'00'"}) {
    ask(database_.get(), "DELETE FROM later_fields");
    ASSERT_TRUE(write({.small = 4}));
    EXPECT_TRUE(ask(database_.get(), std::string("UPDATE later_fields ") + damage).empty()) << damage;
    Wider back;
    EXPECT_NE(read(back), "") << damage;
  }
}

// In a whole file: what is there is looked at. What is not there, as in files of before the field, is its
// default.
TEST(RecordingSchema, OfFormat4WithAnUnknownLaterFieldIsRefused) {
  const Folder folder;
  const std::string file = writtenWithEverything(folder);
  const auto change = [&](const std::string& sql) { return ask(openedAt(file).get(), sql); };
  EXPECT_TRUE(change("DROP TABLE later_fields").empty());
  EXPECT_FALSE(readTrace(file, 1)) << "without its table";
  EXPECT_TRUE(change(std::string(laterTables()[0].sql)).empty());
  const auto without = readTrace(file, 1);
  ASSERT_TRUE(without) << without.error().sentence;
  EXPECT_EQ(without->launches[0].gridShape(), model::Dim3(2'000'000'000));
  EXPECT_EQ(without->launches[0].blockShape(), model::Dim3(4));
  EXPECT_TRUE(readIndex(file));
  for (const char* place : {"'experiment', 0, 0", "'executor', 0, 0", "'trace', 0, 0", "'site', 0, 1",
                            "'site', 0, 99", "'site', 0, -1", "'launch', 0, 0", "'launch', 9, 0",
                            "'array', 0, 1", "'array', 0, 0", "'array', 0, 8", "'array', 0, 12",
                            "'problem', 0, 0", "'problem', 0, 77", "'launch', -1, 0", "'nothing', 0, 0"}) {
    EXPECT_TRUE(change("DELETE FROM later_fields; INSERT INTO later_fields VALUES(1, " + std::string(place) +
                       ", 'colour', 3)")
                    .empty());
    EXPECT_FALSE(readTrace(file, 1)) << place;
  }
}

// CUDA's y and z of the grid and the block; the columns have all blocks and all threads.
TEST(RecordingSchema, KeepsTheRowsOfALaunchAsLaterFields) {
  const Folder folder;
  const std::string file = writtenWithEverything(folder);
  const auto change = [&](const std::string& sql) { return ask(openedAt(file).get(), sql); };
  EXPECT_EQ(change("SELECT field || ' ' || value FROM later_fields WHERE record = 'launch' AND launch = 0"),
            (std::vector<std::string>{"block_z 2", "grid_y 5", "grid_z 2"}));
  EXPECT_EQ(change("SELECT grid || ' ' || block FROM launches WHERE launch = 0"),
            std::vector<std::string>{"2000000000 4"});
  EXPECT_EQ(readTrace(file, 1)->launches[0].gridShape(), model::Dim3(200'000'000, 5, 2));
  for (const char* damage : {"0", "3", "-1", "4294967296", "'x'", "1.5", "65536"}) {
    const std::string where = " WHERE record = 'launch' AND launch = 0 AND field = 'grid_y'";
    EXPECT_TRUE(change("UPDATE later_fields SET value = " + std::string(damage) + where).empty());
    EXPECT_FALSE(readTrace(file, 1)) << damage;
  }
}

}  // namespace
}  // namespace stridescope::archive
