// A limit that a run meets has an exit code of its own, whatever the command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands.h"
#include "command_run.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using testing::HasSubstr;

const model::Problem kStopped{.kind = model::ProblemKind::Limit,
                              .text = "Thread 0 made more than 1 000 events and was stopped.",
                              .site = -1,
                              .thread = 0};

// A run that was stopped at a limit, or was only not recorded in full.
model::Trace limited(const model::Experiment& experiment, bool hasEnded) {
  model::Trace trace = hostTrace(experiment);
  trace.launches.front().recorded().problems.push_back(kStopped);
  if (hasEnded) return trace;
  trace.result.clear();
  trace.ok = false;
  trace.checkNote = "The run did not end: " + kStopped.text;
  return trace;
}

Services limitedGpu(bool hasEnded) {
  return withGpu([hasEnded](const model::Experiment& experiment) -> Result<model::Trace> {
    return limited(experiment, hasEnded);
  });
}

std::vector<std::string> with(std::vector<std::string> arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(ExitCode, OfALimitThatARunMeetsIsFour) {
  for (const bool hasEnded : {false, true}) {
    const Services gpu = limitedGpu(hasEnded);
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"step", "sequential"},
                                                      {"step", "sequential", "--json"},
                                                      {"compare", "sequential", "interleaved_contiguous"}}) {
      const CommandRun run = runCommand(with(arguments, {"--engine", "gpu"}), gpu);
      EXPECT_EQ(run.code, 4) << arguments.front() << " " << hasEnded << ": " << run.error;
      EXPECT_THAT(run.out + run.error, HasSubstr("was stopped")) << arguments.front();
    }
    const support::Folder folder;
    EXPECT_EQ(runCommand({"record", "sequential", "--engine", "gpu", "-o", folder / "a.stride"}, gpu).code,
              4);
    EXPECT_TRUE(std::filesystem::exists(folder / "a.stride")) << "what there is is kept";
  }
}

TEST(ExitCode, OfAWrongResultIsOneAtALimitToo) {
  const Services gpu = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = limited(experiment, true);
    trace.result = "1";
    trace.ok = false;
    return trace;
  });
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", "gpu"}, gpu).code, 1);
}

TEST(ExitCode, OfVerifyIsFourWhereRunsMetLimits) {
  const CommandRun run =
      runCommand({"verify", "sequential", "--quick", "--engine", "gpu"}, limitedGpu(false));
  EXPECT_EQ(run.code, 4) << run.out;
  EXPECT_THAT(run.out, HasSubstr("FAILED. The run did not end: Thread 0 made more than"));
}

TEST(ExitCode, OfAnErrorAtALimitIsFour) {
  const Services gpu = withGpu([](const model::Experiment&) -> Result<model::Trace> {
    return limitMet("The kernel was not done after 60 s and was stopped.");
  });
  for (const char* const command : {"step", "quiz"})
    EXPECT_EQ(runCommand({command, "sequential", "--engine", "gpu"}, gpu).code, 4) << command;
  EXPECT_EQ(runCommand({"verify", "sequential", "--quick", "--engine", "gpu"}, gpu).code, 4);
  const Services outOfMemory = withHost(
      [](const model::Experiment&, engine::JobControl&) -> Result<model::Trace> { throw std::bad_alloc(); });
  EXPECT_EQ(runCommand({"verify", "sequential", "--quick", "--engine", "host"}, outOfMemory).code, 4);
}

TEST(ExitCode, OfASizeThatIsRefusedBeforehandIsTwo) {
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", "host", "-n", "2^40"}).code, 2);
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", "host", "--threads", "2048"}).code, 2);
}

TEST(ExitCode, AreAllInTheHelp) {
  const std::string help = runCommand({"--help"}).out;
  for (const char* const code :
       {"0 right", "1 a result is wrong", "2 usage", "3 something is missing", "4 a limit"})
    EXPECT_THAT(help, HasSubstr(code));
}

TEST(ExitCode, TheWorseOfTwoIsThatOfACommand) {
  EXPECT_EQ(worseOf(ExitCode::Right, ExitCode::Limit), ExitCode::Limit);
  EXPECT_EQ(worseOf(ExitCode::Limit, ExitCode::Wrong), ExitCode::Wrong);
  EXPECT_EQ(worseOf(ExitCode::Wrong, ExitCode::Right), ExitCode::Wrong);
}

}  // namespace
}  // namespace stridescope::cli
