// A process that is started: what it is given, how it ends, and that nothing of it is left.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/process.h"
#include "support/temporary_folder.h"

namespace stridescope {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

Launch launchOf(const std::string& script) { return {.program = "/bin/sh", .arguments = {"-c", script}}; }

std::string endingOf(const std::string& script) {
  return ChildProcess::start(launchOf(script)).value().ending(10s);
}

// What it writes to its standard error.
std::string saidBy(Launch launch) {
  const OutputFile output(1 << 16);
  launch.given.push_back({STDERR_FILENO, output.descriptor()});
  auto child = ChildProcess::start(launch);
  EXPECT_TRUE(child);
  if (child) {
    EXPECT_TRUE(child->hasEnded(10s));
  }
  return output.text(1 << 16);
}

TEST(ChildProcess, HowItEndsIsASentence) {
  EXPECT_EQ(endingOf("exit 3"), "ended with exit code 3");
  EXPECT_EQ(endingOf("kill -SEGV $$"), "was killed by SIGSEGV (Segmentation fault)");
  auto child = ChildProcess::start(launchOf("exec sleep 100")).value();
  EXPECT_EQ(child.ending(0ms), "was stopped");
  EXPECT_TRUE(child.wasKilled());
}

TEST(ChildProcess, AProgramThatIsMissingIsTheSystemsError) {
  EXPECT_EQ(ChildProcess::start({.program = "/nowhere", .arguments = {}}).error(), ENOENT);
  EXPECT_EQ(ChildProcess::start({.program = "/etc/passwd", .arguments = {}}).error(), EACCES);
  Launch launch = launchOf("true");
  launch.given = {{3, -1}};
  EXPECT_EQ(ChildProcess::start(launch).error(), EBADF);
}

TEST(ChildProcess, HasWhatItIsGivenAndNothingElse) {
  const int left = ::fcntl(STDERR_FILENO, F_DUPFD, 20);  // one that every child would get
  const std::string tells =
      "for n in 0 1 2 3 4 5 6 20; do [ ! -e /proc/$$/fd/$n ] || printf \"$n \" >&2; done;";
  EXPECT_EQ(saidBy(launchOf(tells)), "0 1 2 ");
  Launch launch = launchOf(tells + "all=$(readlink /proc/$$/fd/0 /proc/$$/fd/1); echo \"$all\" >&2");
  launch.given = {{3, STDERR_FILENO}, {4, STDERR_FILENO}};
  EXPECT_EQ(saidBy(launch), "0 1 2 3 4 /dev/null\n/dev/null\n");
  ::close(left);
}

TEST(ChildProcess, NumbersThatAreEachOthersDoNotMix) {
  std::array<int, 2> first{}, second{};
  ASSERT_EQ(::pipe2(first.data(), O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(second.data(), O_CLOEXEC), 0);
  const int low = std::min(first[1], second[1]), high = std::max(first[1], second[1]);
  Launch launch = launchOf("echo one >&3; echo two >&4");
  launch.given = {{3, high}, {4, low}};
  auto child = ChildProcess::start(launch).value();
  EXPECT_EQ(child.ending(10s), "ended with exit code 0");
  std::array<char, 8> text{};
  EXPECT_EQ(::read(high == first[1] ? first[0] : second[0], text.data(), text.size()), 4);
  EXPECT_EQ(std::string(text.data(), 4), "one\n");
  for (const int end : {first[0], first[1], second[0], second[1]}) ::close(end);
}

TEST(ChildProcess, ItsVariablesAreThoseThatAreNamed) {
  Launch launch = launchOf("env >&2");
  launch.environment = {"A=1"};
  const std::string variables = saidBy(launch);
  EXPECT_THAT(variables, testing::HasSubstr("A=1\n"));
  EXPECT_THAT(variables, testing::Not(testing::HasSubstr("HOME=")));
}

// With a group of its own, what it started is killed when it ends, however it ends.
TEST(ChildProcess, TakesItsGroupWithIt) {
  for (const char* end : {"exit 0", "exec sleep 100"}) {
    SCOPED_TRACE(end);
    std::array<int, 2> line{};
    ASSERT_EQ(::pipe2(line.data(), O_CLOEXEC), 0);
    Launch launch = launchOf(std::string("sleep 100 & echo $!; ") + end);
    launch.given = {{STDOUT_FILENO, line[1]}};
    launch.ownGroup = true;
    auto child = ChildProcess::start(launch);
    ASSERT_TRUE(child);
    ::close(line[1]);
    std::array<char, 32> text{};
    ASSERT_GT(::read(line[0], text.data(), text.size() - 1), 0);
    child->ending(end == std::string("exit 0") ? 10s : 0s);
    EXPECT_EQ(::read(line[0], text.data(), text.size()), 0) << "nobody has its end of the line any more";
    ::close(line[0]);
  }
}

TEST(ChildProcess, NothingIsLeftWhenItGoes) {
  pid_t number = 0;
  {
    auto child = ChildProcess::start(launchOf("exec sleep 100")).value();
    number = child.number();
    EXPECT_FALSE(child.hasEnded(20ms));
  }
  EXPECT_EQ(::kill(number, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(ChildProcess, ACopyBeginsWithSignalsBlocked) {
  const auto ending = [](void (*child)()) { return ChildProcess::fork(child).value().ending(10s); };
  EXPECT_EQ(ending([] {
              ::raise(SIGTERM);
              ::_exit(4);
            }),
            "ended with exit code 4");
  EXPECT_EQ(ending([] {}), "ended with exit code 127");
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(::sigismember(&blocked, SIGTERM), 0) << "they are not blocked here";
}

TEST(OutputFile, KeepsTheEndOfWhatFits) {
  const OutputFile output(10);
  EXPECT_EQ(output.text(100), "");
  EXPECT_EQ(::write(output.descriptor(), "0123456", 7), 7);
  EXPECT_EQ(output.text(3), "456");
  EXPECT_LE(::write(output.descriptor(), "789abc", 6), 3);
  EXPECT_EQ(output.text(100).substr(0, 7), "0123456");
}

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
