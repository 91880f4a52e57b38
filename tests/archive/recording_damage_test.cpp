// Files that are no recordings, damaged ones and hostile ones: one sentence each, quickly, never a crash.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "model/trace_check.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;

class DamagedRecording : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<model::Trace> traces{model::sample::everyField()};
    const auto written = writeRecording(file_, traces, false);
    ASSERT_TRUE(written) << written.error().sentence;
    contents_ = support::contentsOf(file_);
  }

  // What opening `file` answers; empty if it answers with traces.
  static std::string sentenceFor(const std::filesystem::path& file) {
    const Result<RecordingIndex> index = readIndex(file);
    return index ? "" : index.error().sentence;
  }

  // Changes the recording by SQL, as an attacker may.
  void change(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &database), SQLITE_OK);
    char* error = nullptr;
    const std::string unsynced = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + sql;
    ASSERT_EQ(sqlite3_exec(database, unsynced.c_str(), nullptr, nullptr, &error), SQLITE_OK)
        << error << " in " << sql;
    sqlite3_close(database);
  }

  // Reads the trace; the file must be refused with a sentence that holds `piece`.
  void expectRefused(std::string_view piece) {
    const auto begin = std::chrono::steady_clock::now();
    const Result<model::Trace> read = readTrace(file_, 1);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    ASSERT_FALSE(read) << "expected: " << piece;
    EXPECT_NE(read.error().sentence.find(piece), std::string::npos) << read.error().sentence;
    EXPECT_LT(elapsed, std::chrono::seconds(5));
  }

  Folder folder_;
  std::filesystem::path file_ = folder_ / "a.stride";
  std::string contents_;
};

TEST_F(DamagedRecording, SaysWhatElseStandsThere) {
  const auto expect = [&](const char* name, const char* piece) {
    const std::string sentence = sentenceFor(folder_ / name);
    EXPECT_NE(sentence.find(piece), std::string::npos) << name << ": " << sentence;
    EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
  };
  expect("missing", "There is no file");
  std::filesystem::create_directory(folder_ / "folder");
  expect("folder", "is a folder");
  support::writeContents(folder_ / "empty", "");
  expect("empty", "is empty");
  support::writeContents(folder_ / "text", std::string(5000, 'x'));
  expect("text", "is not a recording");
  support::writeContents(folder_ / "short-text", "x");
  expect("short-text", "is not a recording");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  expect("pipe", "is a named pipe");
  support::writeContents(folder_ / "a.stride/under", "");
  expect("a.stride/under", "There is no file");
  EXPECT_NE(sentenceFor("/dev/zero").find("is a device"), std::string::npos);
  EXPECT_NE(sentenceFor("").find("There is no file"), std::string::npos);
  EXPECT_NE(sentenceFor(std::string("a\0b", 3)).find("There is no file"), std::string::npos);
}

TEST_F(DamagedRecording, SaysThatItIsASocket) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder_ / "socket";
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_NE(sentenceFor(name).find("is a socket"), std::string::npos);
  ::close(descriptor);
}

TEST_F(DamagedRecording, SaysThatItIsAnotherProgramsOrOfANewerFormat) {
  change("PRAGMA user_version = 9");
  expectRefused("is in format 9, and this program reads formats up to 8. Open it with a newer Stridescope.");
  change("PRAGMA user_version = 0");
  expectRefused("damaged");
  change("PRAGMA user_version = -1");
  expectRefused("damaged");
  change("PRAGMA user_version = 1; PRAGMA application_id = 7");
  expectRefused("another program's database");
}

TEST_F(DamagedRecording, IsNotReadThroughWhenItIsHuge) {
  std::filesystem::create_directory(folder_ / "f");
  support::writeContents(folder_ / "f/zeros", "");
  for (const char* name : {"a.stride", "f/zeros"}) {
    std::filesystem::resize_file(folder_ / name, 5ull << 30);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_NE(sentenceFor(folder_ / name), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
  }
  expectRefused("longer than");
}

TEST_F(DamagedRecording, IsNoticedAtEveryLengthItIsCutTo) {
  for (std::size_t length = 0; length < contents_.size(); length += length < 200 ? 1 : 379) {
    support::writeContents(file_, contents_.substr(0, length));
    const Result<RecordingIndex> index = readIndex(file_);
    const Result<model::Trace> read = readTrace(file_, 1);
    ASSERT_FALSE(index) << length;
    ASSERT_FALSE(read) << length;
    if (length >= 16) {
      ASSERT_NE(index.error().sentence.find("cut short"), std::string::npos) << index.error().sentence;
    }
  }
}

TEST_F(DamagedRecording, GivesALegalTraceOrAnErrorWhateverBytesChange) {
  std::mt19937_64 generator(11);
  int refused = 0;
  for (int repeat = 0; repeat < 600; ++repeat) {
    std::string damaged = contents_;
    for (std::uint64_t i = 1 + generator() % (repeat % 2 == 0 ? 1 : 20); i > 0; --i) {
      // Half of them among the structures at the pages' beginnings.
      std::size_t at = generator() % damaged.size();
      if (generator() % 2 == 0) at = at / 4096 * 4096 + generator() % 120;
      damaged[at % damaged.size()] = char(generator());
    }
    support::writeContents(file_, damaged);
    const Result<RecordingIndex> index = readIndex(file_);
    const Result<model::Trace> read = readTrace(file_, 1);
    if (read) {
      ASSERT_EQ(model::faultOf(*read), std::nullopt) << repeat;
    } else {
      ++refused;
      ASSERT_FALSE(read.error().sentence.empty());
    }
  }
  EXPECT_GT(refused, 100);
}

struct BadRow {
  const char* sql;
  const char* piece;
};

// Numbers that later code would index with.
TEST_F(DamagedRecording, IsRefusedForEveryValueOutOfRange) {
  const BadRow rows[] = {
      {"UPDATE traces SET threads = 0", "column threads of table traces holds 0"},
      {"UPDATE traces SET threads = 1025", "threads"},
      {"UPDATE traces SET threads = 'many'", "not an integer"},
      {"UPDATE traces SET threads = 32.5", "not an integer"},
      {"UPDATE traces SET type = 'quad'", "not known"},
      {"UPDATE traces SET op = 7", "not known"},
      {"UPDATE traces SET data = X'00'", "not text"},
      {"UPDATE traces SET engine = 'recorded'", "not known"},
      {"UPDATE traces SET launch = -1", "launch"},
      {"UPDATE traces SET ok = 2", "ok"},
      {"UPDATE traces SET device = CAST(X'FF' AS TEXT)", "UTF-8"},
      {"UPDATE traces SET result = CAST(X'FF' AS TEXT)", "UTF-8"},
      {"UPDATE traces SET kernel_text = 'another'", "kernel_sha256"},
      {"UPDATE traces SET site_count = -1", "site_count"},
      {"UPDATE traces SET site_count = 6", "table sites has lost rows"},
      {"UPDATE traces SET launch_count = 1", "table launches has gained rows"},
      {"UPDATE traces SET launch_count = 3", "table launches has lost rows"},
      {"UPDATE traces SET launch_count = 9223372036854775807", "launch_count"},
      {"UPDATE sites SET kind = 'jump' WHERE id = 1", "kind"},
      {"UPDATE sites SET line = -5 WHERE id = 1", "line"},
      {"UPDATE sites SET line = 99 WHERE id = 1", "outside the kernel's text"},
      {"UPDATE sites SET column = 4000000000 WHERE id = 1", "column"},
      {"UPDATE sites SET id = 77 WHERE id = 4", "does not count on"},
      {"UPDATE site_loops SET loop = 1", "loop"},
      {"UPDATE site_loops SET loop = -1", "loop"},
      {"UPDATE site_loops SET site = 5 WHERE site = 1", "site"},
      {"UPDATE site_loops SET depth = 9 WHERE site = 1", "depth"},
      {"UPDATE launches SET block = 1025", "block"},
      {"UPDATE launches SET block = 2 WHERE launch = 0", "thread"},
      {"UPDATE launches SET grid = 0", "grid"},
      {"UPDATE launches SET launch = 7 WHERE launch = 1", "does not count on"},
      {"UPDATE launches SET event_count = -1", "event_count"},
      {"UPDATE launches SET event_count = 14 WHERE launch = 0", "table events has gained rows"},
      {"UPDATE launches SET event_count = 16000000 WHERE launch = 0", "table events has lost rows"},
      {"UPDATE launches SET barrier_copy_count = 3 WHERE launch = 0", "table barrier_copies has lost rows"},
      {"UPDATE launches SET copied_word_count = 1 WHERE launch = 0", "table copied_words has gained rows"},
      {"UPDATE arrays SET space = 3 WHERE space = 2", "does not count on"},
      {"UPDATE arrays SET space = 16 WHERE space = 9", "space"},
      {"UPDATE arrays SET bytes = -1 WHERE space = 9", "buffer of"},
      {"UPDATE arrays SET bytes = 1000000 WHERE space = 1", "more shared memory"},
      {"UPDATE arrays SET element_bytes = 0", "element_bytes"},
      {"UPDATE arrays SET type = 'char' WHERE space = 8", "type"},
      {"UPDATE arrays SET type = 'int' WHERE space = 8", "array of int with elements of 8 bytes"},
      {"UPDATE arrays SET role = 'loot' WHERE space = 8", "role"},
      {"UPDATE arrays SET role = 9 WHERE space = 8", "role"},
      {"UPDATE arrays SET role = 'count' WHERE space = 8", "whose role is count"},
      {"UPDATE arrays SET role = 'input' WHERE space = 1", "whose role is input"},
      {"PRAGMA user_version = 3", "not those of format 3"},
      {"UPDATE events SET site = 5 WHERE ordinal = 1", "names site 5 of 5"},
      {"UPDATE events SET site = -1 WHERE ordinal = 1", "site"},
      {"UPDATE events SET site = 4096 WHERE ordinal = 1", "site"},
      {"UPDATE events SET kind = 10 WHERE ordinal = 1", "kind"},
      {"UPDATE events SET kind = -1 WHERE ordinal = 1", "kind"},
      {"UPDATE events SET space = 16 WHERE ordinal = 1", "space"},
      {"UPDATE events SET space = 5 WHERE ordinal = 1", "array that there is not"},
      {"UPDATE events SET offset = -1 WHERE ordinal = 1", "offset"},
      {"UPDATE events SET offset = 30 WHERE ordinal = 1", "lies at byte 30 of 32"},
      {"UPDATE events SET offset = 1099511627776 WHERE ordinal = 1", "offset"},
      {"UPDATE events SET width = 3 WHERE ordinal = 1", "width"},
      {"UPDATE events SET width = 0 WHERE ordinal = 1", "width"},
      {"UPDATE events SET second_half = 2 WHERE ordinal = 1", "second_half"},
      {"UPDATE events SET value = 'x' WHERE ordinal = 1", "value"},
      {"UPDATE events SET thread = 4 WHERE thread = 2", "thread"},
      {"UPDATE events SET thread = -1 WHERE thread = 2", "thread"},
      {"UPDATE events SET ordinal = 100 WHERE ordinal = 3 AND thread = 0", "does not count on"},
      {"DELETE FROM events WHERE thread = 2", "lost rows"},
      {"UPDATE barrier_copies SET shared = zeroblob(95)", "barrier copy"},
      {"UPDATE barrier_copies SET shared = 'text' WHERE barrier = 0", "not a blob"},
      {"UPDATE barrier_copies SET barrier = 5 WHERE barrier = 1", "does not count on"},
      {"UPDATE copied_words SET thread = 4", "thread"},
      {"UPDATE copied_words SET barrier = 2", "warp barrier"},
      {"UPDATE copied_words SET space = 8", "not a word of shared"},
      {"UPDATE problems SET kind = 'none'", "kind"},
      {"UPDATE problems SET site = 5 WHERE ordinal = 0", "site"},
      {"UPDATE problems SET thread = 4", "thread"},
      {"UPDATE problems SET text = CAST(X'80' AS TEXT)", "UTF-8"},
  };
  for (const BadRow& row : rows) {
    SCOPED_TRACE(row.sql);
    support::writeContents(file_, contents_);
    change(row.sql);
    expectRefused(row.piece);
  }
}

// Objects under our tables' names that would run something when they are read.
TEST_F(DamagedRecording, IsRefusedWhenATableIsSomethingElse) {
  const BadRow schemas[] = {
      {"DROP TABLE problems", "its tables"},
      {"ALTER TABLE events RENAME TO e; CREATE VIEW events AS SELECT * FROM e", "its tables"},
      {"DROP TABLE problems; CREATE VIEW problems AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
       "FROM c)"
       " SELECT 1 AS trace, 0 AS launch, i AS ordinal, 'limit' AS kind, '' AS text, NULL AS site, 0 AS "
       "thread FROM c",
       "its tables"},
      {"DROP TABLE problems; CREATE TABLE problems(trace, launch, ordinal, kind, text AS "
       "(hex(zeroblob(100000000))),"
       " site, thread)",
       "its tables"},
      {"DROP TABLE problems; CREATE VIRTUAL TABLE problems USING fts5(trace, launch, ordinal, kind, text, "
       "site,"
       " thread)",
       "its tables"},
      {"ALTER TABLE traces ADD COLUMN more", "its tables"},
  };
  for (const BadRow& schema : schemas) {
    SCOPED_TRACE(schema.sql);
    support::writeContents(file_, contents_);
    change(schema.sql);
    expectRefused(schema.piece);
  }
}

TEST_F(DamagedRecording, IsReadDespiteWhatPeopleAdd) {
  change(
      "CREATE INDEX by_site ON events(site); CREATE TABLE notes(text); INSERT INTO notes VALUES('mine');"
      "CREATE VIEW mine AS SELECT * FROM events; ANALYZE;"
      "CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END; VACUUM");
  const Result<model::Trace> read = readTrace(file_, 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(*read, model::sample::recorded(model::sample::everyField()));
}

TEST_F(DamagedRecording, IsReadWhileAnotherProgramHoldsIt) {
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(file_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_TRUE(readTrace(file_, 1));
  sqlite3_close(other);
}

TEST_F(DamagedRecording, CannotFillTheMemoryWithTexts) {
  change("UPDATE traces SET preamble = CAST(zeroblob(20000000) AS TEXT)");
  expectRefused("too big");
}

TEST_F(DamagedRecording, CannotFillTheMemoryWithTables) {
  std::string sql = "BEGIN;";
  for (int i = 0; i < 3'000; ++i) sql += "CREATE TABLE t" + std::to_string(i) + "(a, b, c);";
  change(sql + "COMMIT");
  expectRefused("more work than its size allows");
}

TEST_F(DamagedRecording, IsLeftAsItWas) {
  const auto before = std::filesystem::last_write_time(file_);
  EXPECT_TRUE(readTrace(file_, 1));
  EXPECT_EQ(folder_.fileCount(), 1u);  // no journal, no lock file
  EXPECT_EQ(std::filesystem::last_write_time(file_), before);
  EXPECT_EQ(support::contentsOf(file_), contents_);
}

}  // namespace
}  // namespace stridescope::archive
