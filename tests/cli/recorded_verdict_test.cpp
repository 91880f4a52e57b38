// A recording that calls its result what it is not: every command that shows a verdict shows the program's
// own, and says where it has none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "archive/recording_file.h"
#include "command_run.h"
#include "engine/experiment_check.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class FalseVerdict : public testing::Test {
 protected:
  // A float sum of 32 ones, as a recording has it.
  static model::Trace sumOfOnes() {
    return hostTrace(*engine::checkedExperiment({.variant = "sequential",
                                                 .type = model::ElementType::Float,
                                                 .threads = 32,
                                                 .data = model::DataPattern::Ones},
                                                false));
  }
  std::string written(const model::Trace& trace) const {
    EXPECT_TRUE(archive::writeRecording(folder_ / "a.stride", {&trace, 1}, true));
    return folder_ / "a.stride";
  }

  const support::Folder folder_;
};

TEST_F(FalseVerdict, IsNotPrintedAndEndsWithOne) {
  model::Trace trace = sumOfOnes();
  ASSERT_EQ(trace.result, "32");
  trace.result = "5";
  trace.expected = "7";
  trace.checkNote = "The exact sum is 7.";
  const std::string file = written(trace);
  const CommandRun text = runCommand({"step", "sequential", "--engine", file});
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("result 5, expected 32: DIFFERENT\n"));
  EXPECT_THAT(text.out, HasSubstr("The recording says that 7 is expected; a plain loop gives 32."));
  EXPECT_THAT(text.out, Not(HasSubstr("The exact sum is 7.")));
  const CommandRun json = runCommand({"step", "sequential", "--engine", file, "--json"});
  EXPECT_EQ(json.code, 1);
  const auto step = nlohmann::json::parse(json.out);
  EXPECT_EQ(step["expected"], "32");
  EXPECT_EQ(step["ok"], false);
  EXPECT_FALSE(step.contains("verdict_from"));
  const CommandRun compared = runCommand({"compare", "sequential", "sequential", "--engine", file, "--json"});
  EXPECT_EQ(compared.code, 1);
  EXPECT_EQ(nlohmann::json::parse(compared.out)["left"]["expected"], "32");
  const CommandRun verified = runCommand({"verify", "--engine", file});
  EXPECT_EQ(verified.code, 1);
  EXPECT_THAT(verified.out, HasSubstr("result WRONG"));
  EXPECT_THAT(verified.out, HasSubstr("The recording says that 7 is expected; a plain loop gives 32."));
}

TEST_F(FalseVerdict, OfEqualNumbersIsPutRight) {
  model::Trace trace = sumOfOnes();
  trace.ok = false;
  const std::string file = written(trace);
  const CommandRun text = runCommand({"step", "sequential", "--engine", file});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("result 32, expected 32: equal\n"));
  EXPECT_EQ(runCommand({"verify", "--engine", file}).code, 1);
}

TEST_F(FalseVerdict, OfInfinityIsNotLeftToTheOrder) {
  model::Trace trace = sumOfOnes();
  trace.result = "inf";
  const CommandRun text = runCommand({"step", "sequential", "--engine", written(trace)});
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("result inf, expected 32: DIFFERENT\n"));
}

TEST_F(FalseVerdict, ATextInPlaceOfANumberIsRefused) {
  model::Trace trace = sumOfOnes();
  trace.result = trace.expected = "32 (checked by a plain loop)";
  EXPECT_FALSE(archive::writeRecording(folder_ / "a.stride", {&trace, 1}, true));
}

// This program does not have the variant, so that it cannot tell.
TEST_F(FalseVerdict, ThatNobodyCanComputeIsToldAsTheRecordings) {
  model::Trace trace = sumOfOnes();
  trace.experiment.variant = "of_a_newer_program";
  trace.result = "5";
  trace.expected = "7";
  trace.checkNote = "The exact sum is 7.";
  const std::string file = written(trace);
  const CommandRun text = runCommand({"step", "of_a_newer_program", "--engine", file});
  EXPECT_EQ(text.code, 0) << text.error;
  EXPECT_THAT(text.out, HasSubstr("result 5; the recording says: expected 7, equal within the bound\n"
                                  "The recording's note: The exact sum is 7.\n"));
  const CommandRun json = runCommand({"step", "of_a_newer_program", "--engine", file, "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out)["verdict_from"], "recording");
  const CommandRun compared =
      runCommand({"compare", "of_a_newer_program", "of_a_newer_program", "--engine", file, "--json"});
  EXPECT_EQ(nlohmann::json::parse(compared.out)["right"]["verdict_from"], "recording");
  const CommandRun verified = runCommand({"verify", "--engine", file, "--json"});
  const auto only = nlohmann::json::parse(verified.out)["cases"][0];
  EXPECT_EQ(only["result"], "not compared");
  EXPECT_THAT(only["why"].get<std::string>(), HasSubstr("the recording says: expected 7"));
  const std::string table = folder_ / "a.md";
  EXPECT_EQ(runCommand({"export", "of_a_newer_program", "--engine", file, "-o", table}).code, 0);
  EXPECT_THAT(support::contentsOf(table),
              HasSubstr("the recording says: expected 7, equal within the bound"));
}

}  // namespace
}  // namespace stridescope::cli
