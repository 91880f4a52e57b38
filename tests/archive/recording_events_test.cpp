// What is written of events, and beside them, is read again, or refused where it is damaged. ManyEvents: of a
// trace with so many that several threads read them.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>

#include "archive/recording_file.h"
#include "archive/recording_schema.h"
#include "support/ladder_trace.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

// The trace of one launch, with every thread's events `least` times or more, and threads 3 and 100 without
// any.
model::Trace traceOfEvents(int least) {
  model::Trace trace = support::ladderTrace("sequential", 128, model::ElementType::Int);
  trace.launches.resize(1);
  model::LaunchTrace& launch = trace.launches[0];
  const model::LaunchTrace before = launch;
  launch.recorded().events.clear();
  launch.recorded().first = {0};
  for (unsigned thread = 0; thread < launch.block; ++thread) {
    const auto begin = before.recorded().events.begin() + before.recorded().first[thread],
               end = before.recorded().events.begin() + before.recorded().first[thread + 1];
    if (thread != 3 && thread != 100)
      for (int i = 0; i < least + int(thread) % least; ++i)
        launch.recorded().events.insert(launch.recorded().events.end(), begin, end);
    launch.recorded().first.push_back(std::uint32_t(launch.recorded().events.size()));
  }
  return trace;
}

class WrittenEvents : public testing::Test {
 protected:
  explicit WrittenEvents(int least) : trace_(traceOfEvents(least)) {}

  void SetUp() override {
    const auto written = writeRecording(file_, {&trace_, 1}, false);
    ASSERT_TRUE(written) << written.error().sentence;
  }

  // What reading the file answers after `sql` has changed it; empty: a trace.
  std::string answerAfter(const std::string& sql) {
    const std::filesystem::path changed = folder_ / "changed.stride";
    std::filesystem::copy_file(file_, changed, std::filesystem::copy_options::overwrite_existing);
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(changed.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, ("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + sql).c_str(),
                           nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(database) << ": " << sql;
    sqlite3_close(database);
    const Result<model::Trace> read = readTrace(changed, 1);
    return read ? "" : read.error().sentence;
  }

  void expectRefused(const std::string& sql, const std::string& piece) {
    const std::string answer = answerAfter(sql);
    EXPECT_NE(answer.find(piece), std::string::npos) << sql << ": " << answer;
  }

  support::Folder folder_;
  const std::filesystem::path file_ = folder_ / "many.stride";
  const model::Trace trace_;
};

class FewEvents : public WrittenEvents {
 protected:
  FewEvents() : WrittenEvents(1) {}
};

class ManyEvents : public WrittenEvents {
 protected:
  ManyEvents() : WrittenEvents(120) {}

  void SetUp() override {
    ASSERT_GE(trace_.launches[0].recorded().events.size(), std::size_t{1} << 18);
    WrittenEvents::SetUp();
  }
};

TEST_F(ManyEvents, AreReadAsTheyWereWritten) {
  const Result<model::Trace> read = readTrace(file_, 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_TRUE(read->launches[0].recorded().events == trace_.launches[0].recorded().events)
      << "not printed: they are many";
  EXPECT_EQ(read->launches[0].recorded().first, trace_.launches[0].recorded().first);
}

TEST_F(ManyEvents, OfNoThreadAreRefused) {
  expectRefused("UPDATE events SET thread = -1 WHERE thread = 0", "column thread of table events holds -1");
  expectRefused("UPDATE events SET thread = 128 WHERE thread = 127",
                "column thread of table events holds 128");
  expectRefused(
      "UPDATE events SET thread = 'x' WHERE thread = 127 AND ordinal ="
      " (SELECT max(ordinal) FROM events WHERE thread = 127)",
      "column thread of table events holds something that is not an integer");
}

TEST_F(ManyEvents, ThatAreLostOrOutOfRangeAreRefused) {
  expectRefused("DELETE FROM events WHERE thread = 64 AND ordinal = 5",
                "column ordinal of table events does not count on");
  expectRefused("DELETE FROM events WHERE thread = 64", "table events has lost rows");
  expectRefused("UPDATE launches SET event_count = event_count - 1", "table events has gained rows");
  expectRefused("UPDATE events SET width = 3 WHERE thread = 90 AND ordinal = 0",
                "column width of table events holds 3");
  // If there are two faults, the first is told.
  expectRefused("UPDATE events SET width = thread WHERE thread IN (90, 5) AND ordinal = 0",
                "column width of table events holds 5");
}

// A recorder on a GPU sees which lanes execute an instruction together.
TEST_F(ManyEvents, KeepWhichLanesWereTogether) {
  model::Trace trace = trace_;
  model::BlockTrace& block = trace.launches[0].recorded();
  for (std::size_t i = 0; i < block.events.size(); ++i)
    block.issues.push_back(std::uint32_t(i * 2654435761u));
  const auto written = writeRecording(file_, {&trace, 1}, true);
  ASSERT_TRUE(written) << written.error().sentence;
  const Result<model::Trace> read = readTrace(file_, 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_TRUE(read->launches[0].recorded().issues == block.issues) << "not printed: they are many";

  expectRefused("UPDATE instruction_issues SET issues = x'00000000' WHERE part = 1",
                "column issues of table instruction_issues holds another number of events");
  expectRefused("DELETE FROM instruction_issues WHERE part = 0",
                "column part of table instruction_issues does not count on");
  expectRefused("DELETE FROM instruction_issues WHERE part = (SELECT max(part) FROM instruction_issues)",
                "does not tell of each event which instruction it belongs to");
  expectRefused("DROP TABLE instruction_issues; CREATE TABLE instruction_issues(x)",
                "its tables of instruction issues are not those of this program");
}

// The block that is shown stands where others do, and the others as launches that there are not.
TEST_F(FewEvents, KeepTheBlocksOfSeveralDevices) {
  model::Trace trace = trace_;
  trace.experiment.gpus = 3;
  model::LaunchTrace& launch = trace.launches[0];
  launch.grid = 6, launch.gridY = launch.gridZ = 1;
  launch.devices = 3;
  launch.blocks.resize(3, launch.recorded());
  for (unsigned device = 0; device < 3; ++device) {
    launch.blocks[device].device = device;
    launch.blocks[device].block = 2 * device + 1;
    launch.blocks[device].events.resize(launch.blocks[device].events.size() - device);
    launch.blocks[device].first.back() -= device;
  }
  for (model::Array& buffer : launch.buffers) buffer.devices = 3, buffer.bytes *= 3;
  for (unsigned shown = 0; shown < 3; ++shown) {
    launch.shown = shown;
    ASSERT_FALSE(model::faultOf(trace)) << *model::faultOf(trace);
    const auto written = writeRecording(file_, {&trace, 1}, true);
    ASSERT_TRUE(written) << written.error().sentence;
    const Result<model::Trace> read = readTrace(file_, 1);
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(read->experiment.gpus, 3u);
    ASSERT_EQ(read->launches.size(), trace.launches.size());
    EXPECT_TRUE(read->launches[0] == launch) << shown;
  }
  expectRefused("UPDATE device_blocks SET inspected = 6 WHERE ordinal = 1",
                "inspects a block outside its grid");
  expectRefused("UPDATE device_blocks SET device = 2 WHERE ordinal = 0",
                "on another device than its number says");
  expectRefused("UPDATE device_blocks SET number = 0 WHERE ordinal = 0", "rows");
  expectRefused("DELETE FROM events WHERE launch = (SELECT max(number) FROM device_blocks)", "lost rows");
  expectRefused("UPDATE later_fields SET value = 9 WHERE field = 'gpus'", "holds 9");
  expectRefused("UPDATE later_fields SET value = 4 WHERE field = 'devices' AND record = 'launch'",
                "6 blocks on 4 devices");
  launch.blocks.pop_back();
  launch.shown = 0;
  EXPECT_TRUE(writeRecording(file_, {&trace, 1}, true)) << "one of them did not come to its end";
  launch.devices = 1;
  EXPECT_FALSE(writeRecording(file_, {&trace, 1}, true));
}

// Beside the events, a recorder on a GPU sees what none of them shows.
TEST_F(FewEvents, KeepWhatNoEventShows) {
  model::Trace trace = trace_;
  model::BlockTrace& block = trace.launches[0].recorded();
  block.others = {
      {.kind = "remote load",
       .line = 13,
       .clusterRank = 1,
       .threads = 64,
       .times = 128,
       .bytes = 512,
       .sentence = "Line 13: 64 threads load 4 bytes each.",
       .thread = 5,
       .eventsBefore = 2},
      {.kind = "barrier of a part", .line = 15, .threads = 64, .times = 64, .sentence = "They wait."}};
  block.meetings = {{.thread = 0, .eventsBefore = 1, .meeting = 0},
                    {.thread = 0, .eventsBefore = 1, .meeting = 1},
                    {.thread = 127, .eventsBefore = 0, .meeting = 1},
                    {.thread = 127, .eventsBefore = 0, .meeting = 0, .part = model::MeetingPart::Waits}};
  block.meetingsCut = true;
  trace.sites[0].isAtomic = true;
  trace.launches[0].grid = 4;
  trace.launches[0].arrivals = {{2}, {0}, {3}};
  const auto written = writeRecording(file_, {&trace, 1}, true);
  ASSERT_TRUE(written) << written.error().sentence;
  const Result<model::Trace> read = readTrace(file_, 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->launches[0].arrivals, trace.launches[0].arrivals);
  EXPECT_EQ(read->launches[0].recorded().others, block.others);
  EXPECT_EQ(read->launches[0].recorded().meetings, block.meetings);
  EXPECT_TRUE(read->launches[0].recorded().meetingsCut);
  EXPECT_TRUE(read->sites[0].isAtomic);

  expectRefused("UPDATE arrivals SET block = 4 WHERE ordinal = 1", "an arrival of a block outside its grid");
  expectRefused("UPDATE arrivals SET block = 3", "a block that arrives twice");
  expectRefused("UPDATE other_acts SET thread = 1024", "column thread of table other_acts holds 1024");
  expectRefused("UPDATE other_acts SET thread = 500", "names thread 500");
  expectRefused("DELETE FROM other_acts WHERE ordinal = 0",
                "column ordinal of table other_acts does not count");
  expectRefused("UPDATE barrier_meetings SET events_before = 2000000000 WHERE ordinal = 2",
                "stands behind more events than its thread has");
  expectRefused("UPDATE barrier_meetings SET meeting = 0", "out of order");
  expectRefused("UPDATE barrier_meetings SET part = 'leaves'", "column part of table barrier_meetings");
  expectRefused("DROP TABLE barrier_meetings; CREATE TABLE barrier_meetings(x)",
                "its tables of barriers of a part of the block are not those of this program");
}

TEST_F(FewEvents, KeepTheShapesOfArrays) {
  model::Trace trace = trace_;
  model::BlockTrace& block = trace.launches[0].recorded();
  ASSERT_EQ(block.shared[0].bytes, 512u);
  block.shared[0].extents = {2, 16, 4};
  trace.launches[0].buffers[0].type.reset();
  trace.launches[0].buffers[0].members = {{model::NumberKind::Half, 2, 0, "x"},
                                          {model::NumberKind::Bool, 1, 3, "flags[0]"}};
  const auto written = writeRecording(file_, {&trace, 1}, true);
  ASSERT_TRUE(written) << written.error().sentence;
  const Result<model::Trace> read = readTrace(file_, 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->launches[0].recorded().shared, block.shared);
  EXPECT_EQ(read->launches[0].buffers, trace.launches[0].buffers);

  expectRefused("UPDATE array_extents SET extent = 5 WHERE dimension = 0", "smaller than its extents");
  expectRefused("UPDATE array_extents SET space = 3", "column space of table array_extents names an array");
  expectRefused("DELETE FROM array_extents WHERE dimension = 1", "column dimension of table array_extents");
  expectRefused("UPDATE array_members SET kind = 'long'", "column kind of table array_members");
  expectRefused("UPDATE array_members SET bytes = 9", "column bytes of table array_members holds 9");
  expectRefused("UPDATE array_members SET name = 'a b'", "member whose name is none");
  expectRefused("DELETE FROM array_members WHERE member = 0", "column member of table array_members");
  expectRefused("DROP TABLE array_members; CREATE TABLE array_members(x)",
                "its tables of the members of arrays' elements are not those of this program");
}

// As every recording has been that was made without them.
TEST_F(FewEvents, OpenWithoutTheShapesOfArrays) {
  model::Trace trace = trace_;
  model::BlockTrace& block = trace.launches[0].recorded();
  block.shared[0].extents = {2, 64};
  ASSERT_TRUE(writeRecording(file_, {&trace, 1}, true));
  ASSERT_EQ(answerAfter("DROP TABLE array_extents"), "");
  const Result<model::Trace> read = readTrace(folder_ / "changed.stride", 1);
  ASSERT_TRUE(read) << read.error().sentence;
  block.shared[0].extents.clear();
  EXPECT_EQ(read->launches[0].recorded().shared, block.shared);
}

TEST_F(FewEvents, KeepMeetingsOfTheOlderTable) {
  model::Trace trace = trace_;
  model::BlockTrace& block = trace.launches[0].recorded();
  block.meetings = {{.thread = 0, .eventsBefore = 1, .meeting = 0},
                    {.thread = 127, .eventsBefore = 0, .meeting = 1}};
  ASSERT_TRUE(writeRecording(file_, {&trace, 1}, true));
  ASSERT_EQ(
      answerAfter(std::string(kPartMeetingTables.front().sql) +
                  "; INSERT INTO part_meetings SELECT trace, launch, ordinal, thread, events_before, meeting "
                  "FROM barrier_meetings; DROP TABLE barrier_meetings"),
      "");
  const Result<model::Trace> read = readTrace(folder_ / "changed.stride", 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->launches[0].recorded().meetings, block.meetings);
}

TEST_F(ManyEvents, AreNoLongerReadOnceCancelled) {
  const std::atomic<bool> cancel = true;
  const Result<model::Trace> read = readTrace(file_, 1, &cancel);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::Cancelled);
}

}  // namespace
}  // namespace stridescope::archive
