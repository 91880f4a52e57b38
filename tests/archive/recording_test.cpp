// What is written comes back, and writing is whole or not at all.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "base/pending_file.h"
#include "model/trace_check.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;

std::string sentenceOf(const Result<std::monostate>& result) { return result ? "" : result.error().sentence; }

// Root may write everywhere; this does not. Ends with the scope.
class AsNobody {
 public:
  AsNobody() { wasRoot_ = ::geteuid() == 0 && ::seteuid(65534) == 0; }
  ~AsNobody() {
    if (wasRoot_ && ::seteuid(0) != 0) std::abort();
  }

 private:
  bool wasRoot_ = false;
};

TEST(Recording, GivesBackEveryField) {
  const Folder folder;
  const model::Trace trace = model::sample::everyField();
  ASSERT_FALSE(model::faultOf(trace)) << *model::faultOf(trace);
  ASSERT_EQ(sentenceOf(writeRecording(folder / "a.stride", std::span(&trace, 1), false)), "");
  const Result<model::Trace> read = readTrace(folder / "a.stride", 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(*read, model::sample::recorded(trace));
  EXPECT_EQ(read->executor.kind, model::EngineKind::Recorded);
  EXPECT_EQ(read->executor.device, "A GPU");
  EXPECT_EQ(folder.fileCount(), 1u);
}

TEST(Recording, ListsItsTracesWithoutTheirEvents) {
  const Folder folder;
  std::vector<model::Trace> traces{model::sample::everyField(), model::sample::empty()};
  traces[1].executor.device = "CPU executor";
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const Result<RecordingIndex> index = readIndex(folder / "a.stride");
  ASSERT_TRUE(index) << index.error().sentence;
  ASSERT_EQ(index->traces.size(), 2u);
  EXPECT_EQ(index->traces[0].experiment, traces[0].experiment);
  EXPECT_EQ(index->traces[0].executor, traces[0].executor);  // Gpu: who ran it then
  EXPECT_EQ(index->traces[0].kernelHash, model::hashOf(traces[0].kernelText));
  EXPECT_EQ(index->traces[1].executor.kind, model::EngineKind::Host);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const Result<model::Trace> read = readTrace(folder / "a.stride", index->traces[i].id);
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, model::sample::recorded(traces[i]));
  }
  const Result<model::Trace> missing = readTrace(folder / "a.stride", 3);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::Usage);
}

TEST(Recording, GivesBackRandomTraces) {
  const Folder folder;
  std::mt19937_64 generator(20260101);
  for (int repeat = 0; repeat < 60; ++repeat) {
    std::vector<model::Trace> traces;
    for (int i = repeat % 3; i >= 0; --i) traces.push_back(model::sample::random(generator));
    ASSERT_EQ(sentenceOf(writeRecording(folder / "a.stride", traces, true)), "") << "repeat " << repeat;
    for (std::size_t i = 0; i < traces.size(); ++i) {
      const Result<model::Trace> read = readTrace(folder / "a.stride", std::int64_t(i) + 1);
      ASSERT_TRUE(read) << read.error().sentence;
      ASSERT_EQ(*read, model::sample::recorded(traces[i])) << "repeat " << repeat;
    }
  }
}

TEST(Recording, OfARecordedTraceNamesTheEngineThatRanIt) {
  const Folder folder;
  std::vector<model::Trace> traces{model::sample::recorded(model::sample::everyField()),
                                   model::sample::recorded(model::sample::empty())};
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const Result<RecordingIndex> index = readIndex(folder / "a.stride");
  ASSERT_TRUE(index);
  EXPECT_EQ(index->traces[0].executor.kind, model::EngineKind::Gpu);
  EXPECT_EQ(index->traces[1].executor.kind, model::EngineKind::Host);
}

TEST(Recording, ReplacesAFileOnlyWhenAsked) {
  const Folder folder;
  const std::vector<model::Trace> one{model::sample::empty()},
      two{model::sample::empty(), model::sample::everyField()};
  ASSERT_TRUE(writeRecording(folder / "a.stride", one, false));
  const Result<std::monostate> refused = writeRecording(folder / "a.stride", two, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Unavailable);
  EXPECT_NE(refused.error().sentence.find("--force"), std::string::npos);
  EXPECT_EQ(readIndex(folder / "a.stride")->traces.size(), 1u);
  ASSERT_TRUE(writeRecording(folder / "a.stride", two, true));
  EXPECT_EQ(readIndex(folder / "a.stride")->traces.size(), 2u);
  EXPECT_EQ(folder.fileCount(), 1u);
}

TEST(Recording, FollowsALinkToTheFileItReplaces) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::empty()};
  support::writeContents(folder / "real.stride", "old");
  std::filesystem::create_symlink("real.stride", folder / "link.stride");
  ASSERT_TRUE(writeRecording(folder / "link.stride", traces, true));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.stride"));
  EXPECT_TRUE(readIndex(folder / "real.stride"));
}

TEST(Recording, TakesNamesThatAUriCouldMisread) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::empty()};
  for (const char* name :
       {"a b.stride", "100%41.stride", "what?mode=memory", "a#b", "\xc3\xa9\xff", "it's", "&x=1", "-"}) {
    ASSERT_EQ(sentenceOf(writeRecording(folder / name, traces, false)), "") << name;
    EXPECT_TRUE(readIndex(folder / name)) << name;
  }
}

TEST(Recording, IsNotWrittenOfATraceThatDoesNotHoldTogether) {
  const Folder folder;
  model::Trace trace = model::sample::everyField();
  trace.launches[0].recorded().events[1].head |= 0xfffull << 40;
  const Result<std::monostate> refused = writeRecording(folder / "a.stride", std::span(&trace, 1), false);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("event 1 of thread 0 names site 4095 of 5"), std::string::npos)
      << refused.error().sentence;
  EXPECT_FALSE(writeRecording(folder / "a.stride", {}, false));
  EXPECT_EQ(folder.fileCount(), 0u);
}

TEST(Recording, SaysWhyItCannotBeWritten) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::empty()};
  std::filesystem::create_directory(folder / "sub");
  support::writeContents(folder / "text", "x");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::size_t before = folder.fileCount();
  const auto sentence = [&](const char* name) {
    return sentenceOf(writeRecording(folder / name, traces, true));
  };
  EXPECT_NE(sentence("missing/a.stride").find("does not exist"), std::string::npos);
  EXPECT_NE(sentence("text/a.stride").find("is not a folder"), std::string::npos);
  EXPECT_NE(sentence("sub").find("is a folder"), std::string::npos);
  EXPECT_NE(sentence("pipe").find("not a regular file"), std::string::npos);
  EXPECT_NE(sentence(std::string(300, 'n').c_str()).find("too long"), std::string::npos);
  EXPECT_FALSE(writeRecording("", traces, true));
  EXPECT_NE(sentenceOf(writeRecording("/proc/a.stride", traces, true)), "");
  EXPECT_EQ(folder.fileCount(), before);
}

TEST(Recording, SaysThatItMayNotBeWritten) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::empty()};
  ASSERT_TRUE(writeRecording(folder / "secret.stride", traces, false));
  std::filesystem::permissions(folder / "secret.stride", std::filesystem::perms::none);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  const AsNobody nobody;
  const std::string sentence = sentenceOf(writeRecording(folder / "a.stride", traces, false));
  EXPECT_NE(sentence.find("no permission to write"), std::string::npos) << sentence;
  const Result<RecordingIndex> unread = readIndex(folder / "secret.stride");
  ASSERT_FALSE(unread);
  EXPECT_NE(unread.error().sentence.find("no permission to read"), std::string::npos)
      << unread.error().sentence;
}

TEST(Recording, LeavesNothingBehindWhenTheDiskIsFull) {
  const Folder folder;
  support::writeContents(folder / "a.stride", "old");
  const std::vector<model::Trace> traces{model::sample::withEvents(1024, 39)};
  // The largest size that a file may have stands in for a full disk: writing fails half way in both.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{200'000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string sentence = sentenceOf(writeRecording(folder / "a.stride", traces, true));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(sentence.find("would be larger than a file may be here"), std::string::npos) << sentence;
  EXPECT_EQ(folder.fileCount(), 1u);
  EXPECT_EQ(support::contentsOf(folder / "a.stride"), "old");
}

// Cancelled when the temporary file is there, which is before the first row and after the last look that does
// not come from the database.
TEST(Recording, StopsWritingWhenCancelled) {
  using Clock = std::chrono::steady_clock;
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::withEvents(1024, 1000)};
  const auto begin = Clock::now();
  ASSERT_TRUE(writeRecording(folder / "whole.stride", traces, false));
  const auto whole = Clock::now() - begin;

  std::atomic<bool> cancel{false};
  Clock::time_point asked;
  std::jthread canceller([&](const std::stop_token& stop) {
    while (folder.fileCount() < 2 && !stop.stop_requested()) std::this_thread::yield();
    asked = Clock::now();
    cancel = true;
  });
  const auto written = writeRecording(folder / "a.stride", traces, false, {}, &cancel);
  const auto ended = Clock::now();
  canceller.request_stop();
  canceller.join();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::Cancelled);
  EXPECT_LT(ended - asked, whole / 2) << "the rows that were left are not written";
  EXPECT_EQ(folder.fileCount(), 1u);
}

TEST(Recording, StopsCheckingAndSyncingWhenCancelled) {
  const Folder folder;
  const std::atomic<bool> cancel{true};
  const model::Trace trace = model::sample::everyField();
  const auto written = writeRecording(folder / "a.stride", {&trace, 1}, false, {}, &cancel);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::Cancelled);
  {
    auto file = PendingFile::create(folder / "a", false);
    ASSERT_TRUE(file && file->write("text"));
    const auto published = file->publish(&cancel);
    ASSERT_FALSE(published);
    EXPECT_EQ(published.error().kind, ErrorKind::Cancelled);
  }
  EXPECT_EQ(folder.fileCount(), 0u);
}

TEST(Recording, IsReadByManyAtOnceWhileItIsReplaced) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::everyField(), model::sample::withEvents(64, 10)};
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  std::atomic<int> wrong{0};
  std::vector<std::jthread> readers;
  for (int reader = 0; reader < 6; ++reader)
    readers.emplace_back([&] {
      for (int repeat = 0; repeat < 40; ++repeat) {
        const Result<model::Trace> read = readTrace(folder / "a.stride", 2);
        if (!read || *read != model::sample::recorded(traces[1])) ++wrong;
      }
    });
  for (int repeat = 0; repeat < 20; ++repeat)
    if (!writeRecording(folder / "a.stride", traces, true)) ++wrong;
  readers.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(folder.fileCount(), 1u);
}

TEST(Recording, StopsReadingWhenCancelled) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::withEvents(1024, 39)};
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const std::atomic<bool> cancel{true};
  const Result<model::Trace> read = readTrace(folder / "a.stride", 1, &cancel);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::Cancelled);
}

// What docs/recording.md promises to those who open the file without this program.
TEST(Recording, IsADatabaseThatOthersCanQuery) {
  const Folder folder;
  const model::Trace trace = model::sample::everyField();
  ASSERT_TRUE(writeRecording(folder / "a.stride", std::span(&trace, 1), false));
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "a.stride").c_str(), &database), SQLITE_OK);
  const auto ask = [&](const char* sql) {
    std::string answer;
    const auto append = [](void* to, int count, char** values, char**) {
      for (int i = 0; i < count; ++i)
        *static_cast<std::string*>(to) += std::string(values[i] ? values[i] : "-") + " ";
      return 0;
    };
    char* error = nullptr;
    if (sqlite3_exec(database, sql, append, &answer, &error) != SQLITE_OK) answer = error;
    sqlite3_free(error);
    return answer;
  };
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok ");
  EXPECT_EQ(ask("PRAGMA user_version"), "8 ");
  EXPECT_EQ(ask("PRAGMA application_id"), "1400140393 ");  // 0x53747269
  EXPECT_EQ(ask("SELECT reduction, threads, events, verdict FROM readable_traces"), "double max 4 15 right ");
  EXPECT_EQ(ask("SELECT printf('%u', elements) FROM traces"), "9223372036854775808 ");
  EXPECT_EQ(ask("SELECT lane, kind, line, source, array, memory, element FROM readable_events WHERE ordinal "
                "= 1 AND thread = 0"),
            "0 load 3 data[tid] data shared 7 ");
  EXPECT_EQ(ask("SELECT kind, array, lane_mask, source_lane, printf('%u', value) FROM readable_events WHERE "
                "kind = 'shuffle'"),
            "shuffle - ffffffff 31 9223372036854775808 ");
  EXPECT_EQ(ask("SELECT hex(shared) FROM barrier_copies WHERE barrier = 1 AND launch = 0"), [] {
    std::string s;
    for (int i = 0; i < 96; ++i) s += "FF";
    return s + " ";
  }());
  sqlite3_close(database);
}

}  // namespace
}  // namespace stridescope::archive
