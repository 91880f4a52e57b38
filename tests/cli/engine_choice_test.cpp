// Recordings by way of the commands: record, then step from the file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "archive/recording_file.h"
#include "command_run.h"
#include "kernels/catalog.h"
#include "support/whole_sweeps.h"

namespace stridescope::cli {
namespace {

using Json = nlohmann::ordered_json;

class Recordings : public testing::Test {
 protected:
  Recordings()
      : folder_(std::filesystem::temp_directory_path() / ("stridescope_cli_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Recordings() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

TEST_F(Recordings, GiveBackWhatRan) {
  const std::string path = file("two.stride");
  const CommandRun written =
      runCommand({"record", "sequential", "interleaved_contiguous", "-o", path, "--engine", "host"});
  ASSERT_EQ(written.code, 0) << written.error;
  const CommandRun read = runCommand({"step", "interleaved_contiguous", "--engine", path, "--json"});
  ASSERT_EQ(read.code, 0) << read.error;
  Json recorded = Json::parse(read.out);
  Json live = Json::parse(runCommand({"step", "interleaved_contiguous", "--engine", "host", "--json"}).out);
  EXPECT_EQ(recorded["engine"]["kind"], "recorded");
  EXPECT_EQ(recorded["engine"]["device"], "CPU executor");
  EXPECT_TRUE(recorded["engine"]["recorded_on"].is_string());
  recorded.erase("engine");
  live.erase("engine");
  EXPECT_EQ(recorded, live);
}

TEST_F(Recordings, AreReplacedOnlyWithForce) {
  const std::string path = file("one.stride");
  ASSERT_EQ(runCommand({"record", "sequential", "-o", path, "--engine", "host"}).code, 0);
  const CommandRun again = runCommand({"record", "sequential", "-o", path, "--engine", "host"});
  EXPECT_EQ(again.code, 3);
  EXPECT_NE(again.error.find("--force"), std::string::npos);
  EXPECT_EQ(runCommand({"record", "sequential", "-o", path, "--engine", "host", "--force"}).code, 0);
}

TEST_F(Recordings, AnswerToWhatWasGiven) {
  const std::string path = file("odd.stride");
  ASSERT_EQ(
      runCommand({"record", "sequential", "-o", path, "--engine", "host", "--threads", "64", "--op", "max"})
          .code,
      0);
  // The only trace needs no options; an option that does not agree is told, with what there is.
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", path}).code, 0);
  EXPECT_EQ(runCommand({"step", "--engine", path}).code, 0);
  const CommandRun other = runCommand({"step", "sequential", "--engine", path, "--op", "min"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.error.find("sequential int max digits, 64 threads"), std::string::npos) << other.error;
}

// Recordings of before the default was what it is.
TEST_F(Recordings, OfOtherDataAreFoundWhereDataAreLeftOpen) {
  const std::string path = file("ramps.stride");
  ASSERT_EQ(runCommand({"record", "sequential", "interleaved_modulo", "-o", path, "--engine", "host",
                        "--data", "ramp"})
                .code,
            0);
  const CommandRun found = runCommand({"step", "sequential", "--engine", path, "--json"});
  ASSERT_EQ(found.code, 0) << found.error;
  EXPECT_EQ(Json::parse(found.out)["experiment"]["data"], "ramp");
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", path, "--data", "digits"}).code, 2);
}

TEST_F(Recordings, OfSeveralSizesAndOtherDataAreFoundByTheirDefaultSize) {
  std::vector<model::Trace> traces;
  for (const unsigned threads : {64u, 256u})
    traces.push_back(hostTrace({.variant = "sequential", .threads = threads, .elements = threads}));
  const std::string path = file("sizes.stride");
  ASSERT_TRUE(archive::writeRecording(path, traces, true));
  const CommandRun found = runCommand({"step", "sequential", "--engine", path, "--json"});
  ASSERT_EQ(found.code, 0) << found.error;
  EXPECT_EQ(Json::parse(found.out)["experiment"]["threads"], 256);
  traces.push_back(hostTrace(
      {.variant = "sequential", .threads = 256, .elements = 256, .data = model::DataPattern::Ones}));
  ASSERT_TRUE(archive::writeRecording(path, traces, true));
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", path}).code, 2) << "ramp or ones";
}

TEST(Shot, TakesAPanelThatThereIs) {
  Services services = hostOnly();
  services.panels = {"banks", "histogram"};
  std::string drawn;
  services.drawShot = [&](const ShotRequest& request) -> Result<model::Executor> {
    drawn = request.panel;
    return model::Executor{};
  };
  EXPECT_EQ(runCommand({"shot", "x.png", "--engine", "host", "--panel", "histogram"}, services).code, 0);
  EXPECT_EQ(drawn, "histogram");
  EXPECT_EQ(runCommand({"shot", "x.png", "--engine", "host"}, services).code, 0);
  EXPECT_EQ(drawn, "") << "the whole window";
  const CommandRun other =
      runCommand({"shot", "x.png", "--engine", "host", "--panel", "histogramm"}, services);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.error.find("--panel histogramm is not one of banks, histogram; did you mean histogram?"),
            std::string::npos)
      << other.error;
}

// What `shot` would draw.
class PicturesOfRecordings : public Recordings {
 protected:
  CommandRun shoot(const std::vector<std::string>& options) {
    Services services = hostOnly();
    services.drawShot = [this](const ShotRequest& request) -> Result<model::Executor> {
      drawn_ = request.experiment;
      return model::Executor{};
    };
    std::vector<std::string> arguments{"shot", file("picture.png")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    drawn_ = {};
    return runCommand(arguments, services);
  }
  // A recording of what the arguments say.
  std::string recorded(const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "record");
    arguments.insert(arguments.end(), {"-o", file(name), "--engine", "host"});
    const CommandRun written = runCommand(arguments);
    EXPECT_EQ(written.code, 0) << written.error;
    return file(name);
  }
  model::Experiment drawn_;
};

TEST_F(PicturesOfRecordings, NeedNoOptionsForTheOnlyTrace) {
  const std::string path = recorded("one.stride", {"sequential", "--data", "random", "--seed", "7"});
  const CommandRun run = shoot({"--engine", path});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(drawn_.variant, "sequential");
  EXPECT_EQ(drawn_.data, model::DataPattern::Random);
  EXPECT_EQ(drawn_.seed, 7u);
  EXPECT_EQ(drawn_.elements, 256u);
}

TEST_F(PicturesOfRecordings, ShowTheFirstTraceOrTheFirstOfTheVariant) {
  const std::string path = recorded("two.stride", {"sequential", "warp_shuffle", "--threads", "64"});
  EXPECT_EQ(shoot({"--engine", path}).code, 0);
  EXPECT_EQ(drawn_.variant, "sequential");
  EXPECT_EQ(shoot({"--engine", path, "--variant", "warp_shuffle"}).code, 0);
  EXPECT_EQ(drawn_.variant, "warp_shuffle");
  EXPECT_EQ(drawn_.threads, 64u);
}

// The window shows its own first experiment where the file holds it.
TEST_F(PicturesOfRecordings, ShowTheUsualExperimentWhereItIsHeld) {
  const std::string path = recorded("three.stride", {"sequential", "interleaved_contiguous"});
  EXPECT_EQ(shoot({"--engine", path}).code, 0);
  EXPECT_EQ(drawn_.variant, "interleaved_contiguous");
}

TEST_F(PicturesOfRecordings, ListWhatThereIsWhereAnOptionDoesNotDecide) {
  const std::string path = recorded("two.stride", {"sequential", "warp_shuffle", "--threads", "64"});
  const CommandRun several = shoot({"--engine", path, "--threads", "64"});
  EXPECT_EQ(several.code, 2);
  EXPECT_NE(several.error.find("2 traces that match; say which"), std::string::npos) << several.error;
  EXPECT_EQ(shoot({"--engine", path, "--threads", "64", "--variant", "warp_shuffle"}).code, 0);
  const CommandRun none = shoot({"--engine", path, "--variant", "single_pass"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.error.find("no trace that matches; it has these"), std::string::npos) << none.error;
  EXPECT_EQ(shoot({"--engine", path, "--thread", "64"}).code, 2) << "of a block of 64";
}

TEST_F(Recordings, ListWhatMatchesWhereSeveralDo) {
  const std::string path = file("all.stride");
  const CommandRun recorded =
      runCommand({"record", "--all", "-o", path, "--engine", "host", "--threads", "64"});
  ASSERT_EQ(recorded.code, 0) << recorded.error;
  EXPECT_NE(recorded.error.find("Left out: The variant 'warp_guarded' does not run with 64 threads"),
            std::string::npos)
      << recorded.error;
  const CommandRun many = runCommand({"step", "--engine", path, "--threads", "64"});
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.error.find("interleaved_modulo"), std::string::npos);
  EXPECT_NE(many.error.find("unrolled_last_warp"), std::string::npos);
}

TEST_F(Recordings, ThatAreNoneAreRefused) {
  const std::string path = file("not.stride");
  std::ofstream(path) << "not a recording";
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", path}).code, 3);
  EXPECT_EQ(runCommand({"verify", "--engine", path}).code, 3);
}

TEST_F(Recordings, AreVerifiedAgainstTheExecutor) {
  const std::string path = file("verified.stride");
  std::vector<std::string> record{"record", "-o", path, "--engine", "host"};
  std::size_t all = 0, broken = 0, partlyTold = 0;
  for (const kernels::Variant& variant : kernels::catalog()) {
    // Those whose traces are compared although they are broken, always.
    const bool isNeeded = variant.id == "subtraction" || variant.id == "lost_elements";
    if (!support::wholeSweeps() && !isNeeded && (&variant - kernels::catalog().data()) % 6 != 0) continue;
    record.emplace_back(variant.id);
    ++all;
    broken += variant.isWrong();
    // A recording has one GPU's array of several.
    partlyTold += variant.devices == model::DeviceUse::ArrayEach;
  }
  ASSERT_EQ(runCommand(record).code, 0);
  const CommandRun run = runCommand({"verify", "--engine", path});
  EXPECT_EQ(run.code, 0) << run.out << run.error;
  const auto says = [&](const std::string& line) {
    return run.out.find("\n" + line + "\n") != std::string::npos;
  };
  EXPECT_TRUE(says(fmt::format("results: {} right, 0 wrong, {} not compared", all - broken - partlyTold,
                               broken + partlyTold)))
      << run.out;
  // Among the broken ones, only the traces of the subtraction and of the lost elements do not depend on
  // chance.
  EXPECT_TRUE(
      says(fmt::format("traces (the recording of the CPU executor against the CPU executor): {} equal, 0 "
                       "different, {} not compared",
                       all - broken + 2, broken - 2)))
      << run.out;
  EXPECT_TRUE(says(fmt::format("reports: {} expected report found, 0 missing, 0 unexpected, {} none expected",
                               broken, all - broken)))
      << run.out;
}

}  // namespace
}  // namespace stridescope::cli
