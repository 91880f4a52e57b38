// The program as the process that the window's export asks: it writes, says why it cannot, and takes away
// what it has begun when it is cancelled.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/worker/rpc_client.h"
#include "support/temporary_folder.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// As app/program/export_process.cpp has them.
constexpr CallType<std::vector<std::string>, Nothing> kExport{1};
constexpr Service kExportService = serviceOf<Nothing>("export", kExport);

struct ExportProcess : testing::Test {
  ExportProcess() { EXPECT_TRUE(client.start()); }
  Result<Nothing> write(const std::vector<std::string>& options, const std::string& command = "export") {
    std::vector<std::string> arguments{command, "sequential", "--engine=host"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return client.call(kExport, arguments, {.silence = 60s}, job);
  }

  support::Folder folder;
  const std::filesystem::path path = folder / "run.md";
  JobControl job;
  RpcClient client{{.program = STRIDESCOPE_PROGRAM, .arguments = {"--export-process"}},
                   kExportService,
                   {.cancelling = 10s}};
};

TEST_F(ExportProcess, WritesAndTellsHowFarItIs) {
  unsigned told = 0;
  job.progress = [&](float, const std::string&) { ++told; };
  const auto written = write({"--as=md", "--output=" + path.string()});
  ASSERT_TRUE(written) << written.error().sentence;
  EXPECT_GT(told, 0u);
  EXPECT_THAT(support::contentsOf(path), HasSubstr("|"));
}

TEST_F(ExportProcess, WritesASheetOfQuestions) {
  const std::filesystem::path sheet = folder / "sheet.html";
  const auto written = write({"--export=" + sheet.string()}, "quiz");
  ASSERT_TRUE(written) << written.error().sentence;
  EXPECT_THAT(support::contentsOf(sheet), HasSubstr("Answers to sheet"));
  EXPECT_FALSE(write({"--export=" + sheet.string()}, "quiz")) << "it is there already";
}

TEST_F(ExportProcess, WhatItCannotWriteIsTheCommandsSentence) {
  const auto written = write({"--as=md", "--output=" + (folder / "none" / "run.md").string()});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(written.error().sentence, HasSubstr("does not exist"));
  EXPECT_FALSE(write({"--as=something"}));
  EXPECT_TRUE(client.isOpen());
}

TEST_F(ExportProcess, ThatIsCancelledLeavesNothing) {
  job.progress = [&](float, const std::string&) { job.cancel = true; };
  const auto begin = std::chrono::steady_clock::now();
  const auto written = write({"--as=html", "-n", "2^20", "--output=" + path.string()});
  client.letEnd(10s);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 9s) << "it ends by itself";
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::Cancelled) << written.error().sentence;
  EXPECT_TRUE(std::filesystem::is_empty(path.parent_path()));
}

}  // namespace
}  // namespace stridescope::engine::worker
