// The loads of a trace of before format 8 are put in the order of the text where it is read; those of a newer
// one stand as they were written.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <utility>
#include <vector>

#include "archive/launch_reader.h"
#include "archive/recording_file.h"
#include "support/temporary_folder.h"
#include "support/trace_builder.h"

namespace stridescope::archive {
namespace {

using support::TraceBuilder;
using Step = std::pair<std::uint32_t, bool>;  // site, and whether it is the second half

std::vector<Step> stepsOf(const model::Trace& trace) {
  std::vector<Step> steps;
  for (const model::Event& event : trace.launches.at(0).recorded().events)
    steps.emplace_back(event.site(), event.secondHalf());
  return steps;
}

TEST(OlderOrder, SortsRunsOfOneStatementOnly) {
  TraceBuilder b(1);
  const auto data = b.sharedArray("data", 8, 16);
  const auto first = b.site({.kind = model::SiteKind::Load, .text = "data[0]", .statement = 1});
  const auto second = b.site({.kind = model::SiteKind::Load, .text = "data[1]", .statement = 1});
  const auto elsewhere = b.site({.kind = model::SiteKind::Load, .text = "data[2]", .statement = 2});
  for (const auto site : {second, first, second, first, elsewhere, first}) b.load(0, site, data, 0);
  model::Trace trace = b.build();
  putLoadsInOrder(trace.launches[0], trace.sites);
  // Each execution of the statement is sorted on its own, halves stay behind their firsts.
  EXPECT_EQ(stepsOf(trace), (std::vector<Step>{{first, false},
                                               {first, true},
                                               {second, false},
                                               {second, true},
                                               {first, false},
                                               {first, true},
                                               {second, false},
                                               {second, true},
                                               {elsewhere, false},
                                               {elsewhere, true},
                                               {first, false},
                                               {first, true}}));
}

TEST(OlderOrder, IsChangedWhereAnOlderTraceIsRead) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 4);
  const auto left = b.site({.kind = model::SiteKind::Load, .text = "data[tid]", .statement = 1});
  const auto right = b.site({.kind = model::SiteKind::Load, .text = "data[tid + 2]", .statement = 1});
  for (unsigned thread = 0; thread < 2; ++thread) {
    b.load(thread, thread == 0 ? right : left, data, thread == 0 ? 2 : thread);
    b.load(thread, thread == 0 ? left : right, data, thread == 0 ? 0 : 2 + thread);
  }
  const model::Trace written = b.build();
  const support::Folder folder;
  const auto file = folder / "a.stride";
  ASSERT_TRUE(writeRecording(file, std::span(&written, 1), true));
  const auto readAsFormat = [&](const char* sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
    return stepsOf(readTrace(file, 1).value());
  };
  using Steps = std::vector<Step>;
  EXPECT_EQ(readAsFormat("PRAGMA user_version = 8"),
            (Steps{{right, false}, {left, false}, {left, false}, {right, false}}));
  EXPECT_EQ(readAsFormat("PRAGMA user_version = 7"),
            (Steps{{left, false}, {right, false}, {left, false}, {right, false}}));
}

}  // namespace
}  // namespace stridescope::archive
