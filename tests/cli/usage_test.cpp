// Exit codes and sentences.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>

#include "command_run.h"
#include "kernels/catalog.h"

namespace stridescope::cli {
namespace {

struct WrongUse {
  std::vector<std::string> arguments;
  std::vector<std::string> said;  // pieces of what stands on standard error
};

TEST(Usage, WrongUsesAreToldAndEndWithTwo) {
  const WrongUse wrongUses[] = {
      {{"stp"}, {"stp", "did you mean step", "list", "verify"}},
      {{"--verson"}, {"--verson", "--version"}},
      {{"mine.cu", "--engine", "host"}, {"opens the window", "leave out --engine", "step mine.cu"}},
      {{"step"}, {"variant", "sequential"}},
      {{"step", "sequental"}, {"sequental", "sequential", "interleaved_modulo"}},
      {{"step", "sequential", "sequential"}, {"one word too many"}},
      {{"step", "sequential", "--type", "flot"}, {"--type flot", "did you mean float", "int64"}},
      {{"step", "sequential", "--op", "plus"}, {"--op plus", "min, max"}},
      {{"step", "sequential", "--type", "float", "--op", "xor"}, {"float"}},
      {{"step", "sequential", "--data", "randm"}, {"--data randm", "did you mean random"}},
      {{"step", "sequential", "--threads", "100"}, {"100", "32", "1024"}},
      {{"step", "unrolled_last_warp", "--threads", "32"}, {"32", "64"}},
      {{"step", "sequential", "--threads", "4294967552"}, {"--threads"}},
      {{"step", "sequential", "-n", "many"}, {"--elements", "2^24"}},
      {{"step", "sequential", "-n", "2^60"}, {"--elements"}},
      {{"step", "sequential", "-n"}, {"--elements needs one value"}},
      {{"step", "sequential", "--json=maybe"}, {"maybe"}},
      {{"step", "sequential", "--seed", "x"}, {"--seed"}},
      {{"step", "sequential", "--launch", "1"}, {"--launch 1", "0 to 0"}},
      {{"step", "sequential", "-n", "1000", "--block", "4"}, {"--block 4", "0 to 3"}},
      {{"step", "sequential", "--round", "5-2"}, {"--round 5-2"}},
      {{"step", "sequential", "--engine", "host", "--round", "10"}, {"--round 10", "0 to 9"}},
      {{"step", "sequential", "--engine", "hosts"}, {"--engine hosts", "did you mean host"}},
      {{"step", "sequential", "--engine", "cpu"}, {"--engine cpu", "gpu:N", "did you mean host"}},
      {{"step", "sequential", "--engine", "gpu:x"}, {"gpu:N"}},
      {{"step", "sequential", "--engine", "gpu:-1"}, {"gpu:N"}},
      {{"step", "sequential", "--thread", "64"}, {"--thread", "did you mean --threads"}},
      {{"step", "sequential", "--jsno"}, {"--jsno", "did you mean --json"}},
      {{"record", "sequential"}, {"-o"}},
      {{"record", "-o", "x.stride"}, {"--all"}},
      {{"record", "sequential", "--all", "-o", "x.stride"}, {"--all"}},
      {{"record", "sequental", "-o", "x.stride"}, {"sequental"}},
      {{"shot"}, {"picture.png"}},
      {{"shot", "x.png", "--size", "10x10"}, {"--size", "320x200"}},
      {{"shot", "x.png", "--scale", "9"}, {"--scale"}},
      {{"shot", "x.png", "--theme", "drk"}, {"--theme drk", "did you mean dark"}},
      {{"shot", "x.png", "--variant", "nothing"}, {"nothing"}},
      {{"verify", "sequental"}, {"sequental", "did you mean sequential"}},
      {{"verify", "--quick", "--full"}, {"--quick", "--full"}},
      {{"list", "--xml"}, {"--xml"}},
  };
  for (const WrongUse& wrong : wrongUses) {
    std::string shown;
    for (const std::string& argument : wrong.arguments) shown += " " + argument;
    const CommandRun run = runCommand(wrong.arguments);
    EXPECT_EQ(run.code, 2) << shown << "\n" << run.error;
    EXPECT_EQ(run.out, "") << shown;
    for (const std::string& piece : wrong.said)
      EXPECT_NE(run.error.find(piece), std::string::npos) << shown << ": " << run.error;
    EXPECT_TRUE(run.error.ends_with(".\n") || run.error.ends_with("?\n") || run.error.ends_with("`\n"))
        << shown << ": " << run.error;
  }
}

TEST(Usage, TheListHasEachFamilyOnceWithAllItsVariants) {
  const std::string list = runCommand({"list"}).out;
  std::size_t before = 0;
  for (const auto& family : kernels::byFamily(kernels::catalogAndTimedOnly())) {
    const std::string heading = std::string(kernels::nameOf(family.front()->family)) + "\n\n";
    std::size_t headings = 0, at = 0;
    for (std::size_t found = 0; (found = list.find(heading, found)) != std::string::npos; ++found)
      if (found == 0 || list.substr(found - 2, 2) == "\n\n") ++headings, at = found;
    EXPECT_EQ(headings, 1u) << heading;
    EXPECT_GE(at, before) << heading;
    for (const kernels::Variant* const variant : family) {
      const std::size_t entry = list.find("\n" + variant->id + "  ", at);
      EXPECT_GT(entry, at) << variant->id;
      EXPECT_NE(entry, std::string::npos) << variant->id;
      at = entry;
    }
    before = at;
  }
}

TEST(Usage, HelpAndVersionEverywhere) {
  EXPECT_EQ(runCommand({"--version"}).out, "stridescope 1.2.3\n");
  EXPECT_NE(runCommand({"--help"}).out.find("Examples"), std::string::npos);
  for (const std::string command : {"list", "step", "record", "quiz", "shot", "verify", "doctor"}) {
    const CommandRun help = runCommand({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(help.out.find("stridescope " + command), std::string::npos) << command;
    EXPECT_EQ(help.error, "") << command;
    EXPECT_EQ(runCommand({command, "--version"}).out, "stridescope 1.2.3\n") << command;
  }
}

TEST(Usage, WithoutArgumentsTheWindowOpens) {
  EXPECT_EQ(runCommand({}).code, 3);
  Services services = hostOnly();
  services.openWindow = [](const std::string&) -> Result<std::monostate> {
    return unavailable("There is no display.");
  };
  const CommandRun without = runCommand({}, services);
  EXPECT_EQ(without.code, 3);
  EXPECT_EQ(without.error, "stridescope: There is no display.\n");
  std::string opened = "nothing";
  services.openWindow = [&](const std::string& recording) -> Result<std::monostate> {
    opened = recording;
    return std::monostate{};
  };
  EXPECT_EQ(runCommand({}, services).code, 0);
  EXPECT_EQ(opened, "");
  EXPECT_EQ(runCommand({"/home/me/lecture.stride"}, services).code, 0);
  EXPECT_EQ(opened, "/home/me/lecture.stride");
}

TEST(Usage, HelpIsACommandToo) {
  const CommandRun help = runCommand({"help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, runCommand({"--help"}).out);
}

TEST(Usage, WhatIsMissingEndsWithThree) {
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", "gpu"}).code, 3);
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", "nowhere.stride"}).code, 3);
  EXPECT_EQ(runCommand({"shot", "x.png"}).code, 3);
  EXPECT_EQ(runCommand({"verify", "--engine", "gpu"}).code, 3);
}

TEST(Usage, AutoSaysWhichEngineRuns) {
  const CommandRun run = runCommand({"step", "sequential", "--threads", "32"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.error.find("CPU executor"), std::string::npos);
  EXPECT_NE(run.error.find("There is no GPU in this test."), std::string::npos);
  EXPECT_EQ(runCommand({"step", "sequential", "--threads", "32", "--engine", "host"}).error, "");
  const auto gpu = withGpu(
      [](const model::Experiment& experiment) -> Result<model::Trace> { return hostTrace(experiment); });
  EXPECT_EQ(runCommand({"step", "sequential", "--threads", "32"}, gpu).error, "engine: Told GPU\n");
}

TEST(Usage, WhatAGpuFailsToRunIsRunByTheCpuExecutor) {
  const auto gpu = withGpu([](const model::Experiment&) -> Result<model::Trace> {
    return unavailable("cuCtxCreate did not return. Restart the machine.");
  });
  const CommandRun run = runCommand({"step", "sequential", "--threads", "32"}, gpu);
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.error,
            "engine: Told GPU\nengine: CPU executor: cuCtxCreate did not return. Restart the machine.\n");
  EXPECT_EQ(run.out, runCommand({"step", "sequential", "--threads", "32", "--engine", "host"}).out);
  EXPECT_EQ(runCommand({"step", "sequential", "--threads", "32", "--engine", "gpu"}, gpu).code, 3);
}

TEST(Usage, AKernelTextThatDoesNotCompileIsNotTriedOnTheCpu) {
  const auto gpu = withGpu([](const model::Experiment&) -> Result<model::Trace> {
    return tl::unexpected(Error{ErrorKind::Unavailable, "It does not compile.", {}, ErrorCause::KernelText});
  });
  const CommandRun run = runCommand({"step", "sequential", "--threads", "32"}, gpu);
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.error.find("It does not compile."), std::string::npos);
}

TEST(Usage, TheDriversLimitIsGivenOnBeforeAnythingRuns) {
  Services services = hostOnly();
  std::optional<std::chrono::milliseconds> limit;
  services.limitLibraryCalls = [&](std::chrono::milliseconds given) { limit = given; };
  services.openWindow = [](const std::string&) -> Result<std::monostate> { return std::monostate{}; };
  EXPECT_EQ(runCommand({"--driver-limit", "0.5", "list"}, services).code, 0);
  EXPECT_EQ(limit, std::chrono::milliseconds(500));
  EXPECT_EQ(runCommand({"--driver-limit", "30"}, services).code, 0) << "the window";
  EXPECT_EQ(limit, std::chrono::seconds(30));
  for (const char* wrong : {"0", "0.01", "601", "-1", "nan", "5s", ""}) {
    const CommandRun run = runCommand({"--driver-limit", wrong, "list"}, services);
    EXPECT_EQ(run.code, 2) << wrong;
    EXPECT_NE(run.error.find("--driver-limit"), std::string::npos) << run.error;
  }
  EXPECT_EQ(limit, std::chrono::seconds(30));
}

TEST(Usage, AWrongResultEndsWithOne) {
  const auto gpu = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = hostTrace(experiment);
    trace.result = "1";
    trace.ok = false;
    return trace;
  });
  const CommandRun run = runCommand({"step", "sequential", "--engine", "gpu", "--data", "ramp"}, gpu);
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(run.out.ends_with("result 1, expected 32\u202f640: DIFFERENT\n")) << run.out;
}

// As a custom operator on a GPU, where there is no C++ compiler for the plain loop.
TEST(Usage, AResultThatIsComparedWithNothingIsNotWrong) {
  const auto gpu = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = hostTrace(experiment);
    trace.expected.clear();
    trace.ok = false;
    trace.checkNote = "The result is compared with nothing.";
    return trace;
  });
  const CommandRun step = runCommand({"step", "sequential", "--engine", "gpu", "--data", "ramp"}, gpu);
  EXPECT_EQ(step.code, 0);
  EXPECT_NE(step.out.find("result 32\u202f640: compared with nothing\n"), std::string::npos) << step.out;
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "compared_with_nothing.stride";
  const CommandRun record =
      runCommand({"record", "sequential", "--engine", "gpu", "--force", "-o", file.string()}, gpu);
  EXPECT_EQ(record.code, 0) << record.error;
  EXPECT_NE(record.out.find(": compared with nothing\n"), std::string::npos) << record.out;
  std::filesystem::remove(file);
}

TEST(Usage, ARunWithoutAResultEndsWithOne) {
  const auto gpu = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = hostTrace(experiment);
    trace.result.clear();
    trace.expected.clear();
    trace.ok = false;
    return trace;
  });
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", "gpu"}, gpu).code, 1);
}

TEST(Usage, AClosedOutputIsNoCrash) {
  std::ostream closed(nullptr), error(nullptr);
  Streams streams{closed, error, false};
  const char* argv[] = {"stridescope", "step", "sequential", "--engine", "host"};
  EXPECT_EQ(runCommandLine(5, argv, streams, hostOnly()), 0);
}

TEST(Usage, ShotHandsOverWhatWasAskedFor) {
  Services services = hostOnly();
  std::optional<ShotRequest> asked;
  services.drawShot = [&](const ShotRequest& request) -> Result<model::Executor> {
    asked = request;
    return model::Executor();
  };
  const CommandRun run =
      runCommand({"shot", "a.png", "--size", "800x600", "--scale", "1.5", "--theme", "light", "--variant",
                  "sequential", "--threads", "64", "--round", "2", "--engine", "host"},
                 services);
  EXPECT_EQ(run.code, 0) << run.error;
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->file, "a.png");
  EXPECT_EQ(asked->width, 800u);
  EXPECT_EQ(asked->height, 600u);
  EXPECT_EQ(asked->scale, 1.5f);
  EXPECT_EQ(asked->theme, ShotTheme::Light);
  EXPECT_EQ(asked->experiment.variant, "sequential");
  EXPECT_EQ(asked->experiment.elements, 64u);
  EXPECT_EQ(asked->round, 2u);
  EXPECT_EQ(asked->engine, "host");
}

TEST(Usage, DoctorTellsEveryFindingAndIsAlwaysRight) {
  Services services = hostOnly();
  services.examinations = {[] {
    return std::vector<Finding>{{"GPU 0", true, "Told GPU"}, {"display", false, "There is none; use shot."}};
  }};
  const CommandRun run = runCommand({"doctor"}, services);
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "ok      GPU 0: Told GPU\nto do   display: There is none; use shot.\n");
}

}  // namespace
}  // namespace stridescope::cli
