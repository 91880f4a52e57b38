// What asks a program to end cancels what it does, so that it can clear up.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cli/long_work.h"
#include "command_run.h"

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

}  // namespace
}  // namespace stridescope::cli
