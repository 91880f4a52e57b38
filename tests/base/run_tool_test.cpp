#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/process.h"
#include "support/temporary_folder.h"

namespace stridescope {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Result<std::string> shell(const std::string& script, std::size_t most = 1 << 20,
                          milliseconds time = seconds(20)) {
  return runTool({"/bin/sh", "-c", script}, most, time);
}

TEST(RunTool, GivesWhatItPrints) {
  EXPECT_EQ(shell("echo one; echo two; echo wrong >&2").value(), "one\ntwo\n");
  EXPECT_EQ(shell("cat").value(), "") << "it has no input";
  EXPECT_EQ(runTool({"/bin/echo", "a b", "$HOME"}, 100, seconds(20)).value(), "a b $HOME\n") << "no shell";
}

TEST(RunTool, SaysWhatFailed) {
  EXPECT_EQ(shell("echo x; exit 3").error().sentence, "sh failed.");
  EXPECT_EQ(shell("kill -9 $$").error().sentence, "sh failed.");
  EXPECT_EQ(runTool({"/nowhere/nvdisasm"}, 100, seconds(20)).error().sentence,
            "nvdisasm could not be started.");
}

TEST(RunTool, EndsWhatPrintsTooMuchOrTakesTooLong) {
  EXPECT_EQ(shell("while :; do echo more; done", 1 << 12).error().sentence,
            "sh printed too much and was ended.");
  EXPECT_EQ(shell("exec sleep 100", 100, milliseconds(50)).error().sentence,
            "sh took too long and was ended.");
}

TEST(FindTool, LooksInPathAndThenInTheFolders) {
  const support::Folder folder;
  const std::string place = (folder / ".").string();
  EXPECT_EQ(findTool("sh", {}).substr(findTool("sh", {}).size() - 3), "/sh");
  EXPECT_EQ(findTool("no such tool", {place}), "");
  std::ofstream(folder / "no such tool") << "#!/bin/sh\n";
  EXPECT_EQ(findTool("no such tool", {place}), "") << "it cannot be run";
  std::filesystem::permissions(folder / "no such tool", std::filesystem::perms::owner_all);
  EXPECT_EQ(findTool("no such tool", {"/nowhere", "", place}), place + "/no such tool");
}

}  // namespace
}  // namespace stridescope
