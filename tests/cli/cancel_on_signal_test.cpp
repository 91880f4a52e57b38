// What asks a program to end cancels what it does, so that it can clear up.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "base/pending_file.h"
#include "cli/long_work.h"
#include "command_run.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

void (*handlerOf(int signal))(int) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

TEST(CancelOnSignal, EndsStepAndRecordInOrder) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("cancelled" + std::to_string(::getpid()) + ".stride");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"step", "sequential", "--engine", "host"},
          std::vector<std::string>{"record", "sequential", "--engine", "host", "-o", file.string()}}) {
      const auto host =
          withHost([&](const model::Experiment& experiment, engine::JobControl& job) -> Result<model::Trace> {
            ::raise(signal);
            if (job.cancel) return cancelled();
            return hostTrace(experiment);
          });
      const CommandRun run = runCommand(arguments, host);
      EXPECT_EQ(run.code, 3) << arguments.front();
      EXPECT_EQ(run.error, "stridescope: Cancelled.\n");
      EXPECT_EQ(run.out, "");
      EXPECT_FALSE(std::filesystem::exists(file));
    }
}

TEST(CancelOnSignal, PutsBackWhatWas) {
  void (*const before)(int) = handlerOf(SIGTERM);
  {
    engine::JobControl job;
    const CancelOnSignal signals(job);
    EXPECT_NE(handlerOf(SIGTERM), before);
    ::raise(SIGTERM);
    EXPECT_TRUE(job.cancel);
    EXPECT_EQ(handlerOf(SIGTERM), SIG_DFL) << "the second ends the program";
  }
  EXPECT_EQ(handlerOf(SIGTERM), before);
}

TEST(CancelOnSignal, LeavesAloneWhatIsIgnored) {
  void (*const before)(int) = ::signal(SIGHUP, SIG_IGN);
  engine::JobControl job;
  {
    const CancelOnSignal signals(job);
    ::raise(SIGHUP);
  }
  EXPECT_FALSE(job.cancel);
  ::signal(SIGHUP, before);
}

TEST(CancelOnSignal, IsToldOfASignalThatCameBefore) {
  const EndOnSignal command;
  ::raise(SIGINT);
  engine::JobControl job;
  const CancelOnSignal signals(job);
  EXPECT_TRUE(job.cancel);
}

TEST(CancelOnSignal, EndsVerifyInOrder) {
  std::atomic<bool> isRaised{false};  // by one of its threads: a second signal would end the program
  const auto host =
      withHost([&](const model::Experiment& experiment, engine::JobControl& job) -> Result<model::Trace> {
        if (!isRaised.exchange(true)) ::raise(SIGINT);
        while (!job.cancel) std::this_thread::yield();
        if (job.cancel) return cancelled();
        return hostTrace(experiment);
      });
  const CommandRun run = runCommand({"verify", "sequential", "--engine", "host"}, host);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.error, "stridescope: Cancelled.\n");
  EXPECT_EQ(run.out, "") << "what was not checked is not told, and there are no totals";
}

TEST(EndOnSignal, LetsACommandEndInOrder) {
  void (*const before)(int) = handlerOf(SIGINT);
  {
    const EndOnSignal command(std::chrono::minutes(10));
    ::raise(SIGINT);
  }
  EXPECT_EQ(handlerOf(SIGINT), before);
}

using testing::ExitedWithCode;

constexpr std::chrono::minutes kForEver{10};

// A phase that looks at no job, with a file in the making.
TEST(EndOnSignalDeathTest, EndsWhatDoesNotLookAndLeavesNothing) {
  const support::Folder folder;
  const auto host = withHost([&](const model::Experiment&, engine::JobControl&) -> Result<model::Trace> {
    auto file = PendingFile::create(folder / "file", false);
    auto inFolder = PendingFolder::create(folder / "pictures", false);
    (void)file->write("half of it");
    (void)inFolder->add("a.png", "half of it");
    ::raise(SIGINT);
    std::this_thread::sleep_for(kForEver);
    return cancelled();
  });
  EXPECT_EXIT(runCommand({"step", "sequential", "--engine", "host"}, host), ExitedWithCode(3),
              "^stridescope: Cancelled\\.\n$");
  EXPECT_EQ(folder.fileCount(), 0u);
}

// Prints more than a pipe holds to a reader that does not read, and is asked to end.
void printToNobody() {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0 || ::fcntl(pipe[1], F_SETPIPE_SZ, 4096) < 0) std::abort();
  std::ofstream out("/proc/self/fd/" + std::to_string(pipe[1]));
  std::thread asking([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(::getpid(), SIGTERM);
  });
  std::ostringstream error;
  Streams streams{out, error, false};
  const std::array arguments{"stridescope", "step",     "sequential", "--threads",
                             "1024",        "--engine", "host",       "--json"};
  runCommandLine(int(arguments.size()), arguments.data(), streams, hostOnly());
  asking.join();
}

TEST(EndOnSignalDeathTest, EndsWhatCannotBeWritten) {
  EXPECT_EXIT(printToNobody(), ExitedWithCode(3), "^stridescope: Cancelled");
}

class SlowDevice : public measure::TimingDevice {
 public:
  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase&,
                                                        std::span<const model::TimingSubject> subjects,
                                                        engine::JobControl&) override {
    return std::vector<measure::PreparedSubject>(subjects.size());
  }
  Result<measure::Timed> sample(std::size_t, engine::JobControl&) override {
    ::kill(::getpid(), SIGINT);
    std::this_thread::sleep_for(kForEver);
    return cancelled();
  }

 private:
  measure::TimingDeviceFacts facts_;
};

void timeSlowly() {
  Services services = hostOnly();
  services.sources.timing.makeCpu = []() -> Result<std::unique_ptr<measure::TimingDevice>> {
    return std::make_unique<SlowDevice>();
  };
  Streams streams{std::cerr, std::cerr, false};
  const std::array arguments{"stridescope", "time", "--baselines", "--size", "1024", "--csv"};
  runCommandLine(int(arguments.size()), arguments.data(), streams, services);
}

TEST(EndOnSignalDeathTest, LetsTimePrintWhatItHas) {
  EXPECT_EXIT(timeSlowly(), ExitedWithCode(0), "^subject,kind,source");
}

}  // namespace
}  // namespace stridescope::cli
