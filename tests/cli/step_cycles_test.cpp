// `step --cycles`: what it says with a GPU's clock, here a stand-in's, and without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/recording_file.h"
#include "command_run.h"
#include "support/stand_in_clock.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kStepWithCycles{"step", "sequential", "--threads", "64",
                                               "-n",   "64",         "--cycles"};

std::vector<std::string> stepWith(std::initializer_list<std::string> more) {
  std::vector<std::string> arguments = kStepWithCycles;
  arguments.insert(arguments.end(), more);
  return arguments;
}

// The i-th mark at 7 i^2 cycles alone; in a full grid at twice that, or not at all.
class ClockDevice : public measure::TimingDevice {
 public:
  explicit ClockDevice(bool fullGrid) : fullGrid_(fullGrid) {}
  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase&,
                                                        std::span<const model::TimingSubject>,
                                                        engine::JobControl&) override {
    return unavailable("This device only clocks.");
  }
  Result<measure::Timed> sample(std::size_t, engine::JobControl&) override {
    return unavailable("This device only clocks.");
  }
  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl&) override {
    const bool full = company == model::ClockedGrid::Full;
    if (full && !fullGrid_) return unavailable("There is no memory for a full grid.");
    return support::standInRecord(hostTrace(experiment), company, 41,
                                  [full](std::size_t mark) { return (full ? 14 : 7) * mark * mark; });
  }

 private:
  const bool fullGrid_;
  measure::TimingDeviceFacts facts_;
};

Services withClock(bool fullGrid = true) {
  Services services = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = hostTrace(experiment);
    trace.executor.kind = model::EngineKind::Gpu;
    trace.executor.device = "Stand-in GPU";
    return trace;
  });
  services.sources.timing.makeGpu =
      [fullGrid](unsigned, engine::JobControl&) -> Result<std::unique_ptr<measure::TimingDevice>> {
    return std::make_unique<ClockDevice>(fullGrid);
  };
  return services;
}

// The load's round lasts from mark 0 to 2, stride 32's from 2 to 4.
TEST(StepCycles, ArePrintedWithEachRoundAndWhatTheMarksCost) {
  const CommandRun run = runCommand(stepWith({"--engine", "gpu"}), withClock());
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.error, "");
  EXPECT_THAT(run.out,
              HasSubstr("cycles: 28 (quartiles 28 and 28) alone, 56 (quartiles 56 and 56) in a full grid\n"));
  EXPECT_THAT(
      run.out,
      HasSubstr("cycles: 84 (quartiles 84 and 84) alone, 168 (quartiles 168 and 168) in a full grid\n"));
  EXPECT_THAT(run.out, HasSubstr("cycles of warp 0, alone, on Stand-in GPU: medians of 41 runs; the launch"));
  EXPECT_THAT(run.out, HasSubstr("4.00 µs"));
  EXPECT_THAT(run.out, HasSubstr("4.25 with"));
}

TEST(StepCycles, AreInTheJson) {
  const nlohmann::json printed =
      nlohmann::json::parse(runCommand(stepWith({"--engine", "gpu", "--json"}), withClock()).out);
  const nlohmann::json& rounds = printed["launches"][0]["rounds"];
  EXPECT_EQ(rounds[1]["cycles"],
            nlohmann::json::parse(
                R"({"median":84,"low":84,"high":84,"in_grid":{"median":168,"low":168,"high":168}})"));
  ASSERT_EQ(printed["clocked"].size(), 2u);
  EXPECT_EQ(printed["clocked"][0]["company"], "alone");
  EXPECT_EQ(printed["clocked"][0]["device"], "Stand-in GPU");
  EXPECT_EQ(printed["clocked"][0]["runs"], 41);
  EXPECT_EQ(printed["clocked"][1]["grid"], (1 << 24) / 64);
}

TEST(StepCycles, OfWhatCouldNotBeClockedSaysWhy) {
  const CommandRun run = runCommand(stepWith({"--engine", "gpu", "--json"}), withClock(false));
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.error, "There is no memory for a full grid.\n");
  const nlohmann::json printed = nlohmann::json::parse(run.out);
  EXPECT_TRUE(printed["launches"][0]["rounds"][1]["cycles"]["in_grid"].is_null());
  EXPECT_EQ(printed["clocked"].size(), 1u);
}

TEST(StepCycles, TheCpuExecutorHasNoneOfItsOwn) {
  const CommandRun text = runCommand(stepWith({"--engine", "host"}), withClock());
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.error,
            "The CPU executor has no cycles to count. None are recorded of this variant, type, operator and "
            "block size. Run it on a GPU: --engine gpu.\n");
  EXPECT_THAT(text.out, Not(HasSubstr("cycles")));
  const nlohmann::json printed =
      nlohmann::json::parse(runCommand(stepWith({"--engine", "host", "--json"}), withClock()).out);
  for (const nlohmann::json& round : printed["launches"][0]["rounds"]) EXPECT_TRUE(round["cycles"].is_null());
  EXPECT_TRUE(printed["clocked"].empty());
}

model::Experiment blockOf64() { return {.variant = "sequential", .threads = 64, .elements = 64}; }

// Only recordings that tell of the run are taken from those that come with the program, and the text says
// where they are from.
TEST(StepCycles, OnTheCpuAreTheRecordedOnes) {
  Services services = withClock();
  services.sources.shipped.of<model::ClockRecord>() = [] {
    const auto recorded = [](const model::Experiment& experiment, std::uint64_t factor) {
      return support::standInRecord(hostTrace(experiment), model::ClockedGrid::Alone, 41,
                                    [factor](std::size_t mark) { return factor * mark * mark; });
    };
    model::Experiment larger = blockOf64();
    larger.threads = 128;
    larger.elements = 128;
    return std::vector{recorded(blockOf64(), 7), recorded(larger, 1000)};
  };
  const CommandRun run = runCommand(stepWith({"--engine", "host"}), services);
  EXPECT_EQ(
      run.error,
      "The CPU executor has no cycles to count. The cycles were recorded on Stand-in GPU, 2026-01-02.\n");
  EXPECT_THAT(run.out, HasSubstr("cycles: 84 (quartiles 84 and 84) alone\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("in a full grid")));
}

TEST(StepCycles, GoIntoARecordingAndComeOutOfIt) {
  const support::Folder folder;
  const std::string file = folder / "a.stride";
  const CommandRun made = runCommand(
      {"record", "sequential", "--threads", "64", "-n", "64", "--cycles", "--engine", "gpu", "-o", file},
      withClock());
  EXPECT_EQ(made.code, 0) << made.error;
  EXPECT_THAT(made.out, HasSubstr("a.stride: 12 clocked blocks\n")) << "32 to 1024 threads, alone and not";
  const auto clocks = archive::readQuantity<model::ClockRecord>(file);
  ASSERT_TRUE(clocks) << clocks.error().sentence;
  ASSERT_EQ(clocks->size(), 12u);
  EXPECT_EQ(clocks->front().threads, 32u);
  EXPECT_EQ(clocks->back().threads, 1024u);
  const CommandRun run = runCommand({"step", "sequential", "--cycles", "--engine", file}, Services{});
  EXPECT_EQ(run.error, "The cycles were recorded on Stand-in GPU, 2026-01-02.\n");
  EXPECT_THAT(
      run.out,
      HasSubstr("cycles: 84 (quartiles 84 and 84) alone, 168 (quartiles 168 and 168) in a full grid\n"));
}

// A damaged one is told of, and no other recording's cycles stand in for it.
TEST(StepCycles, ThatAreDamagedAreTold) {
  const support::Folder folder;
  const std::string file = folder / "a.stride";
  runCommand(
      {"record", "sequential", "--threads", "64", "-n", "64", "--cycles", "--engine", "gpu", "-o", file},
      withClock());
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "DELETE FROM clock_marks", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  Services services;
  services.sources.shipped.of<model::ClockRecord>() = [] {
    return std::vector{support::standInRecord(hostTrace(blockOf64()), model::ClockedGrid::Alone, 41,
                                              [](std::size_t mark) { return mark; })};
  };
  const CommandRun run = runCommand({"step", "sequential", "--cycles", "--engine", file}, services);
  EXPECT_THAT(run.error, HasSubstr("is damaged"));
  EXPECT_THAT(run.out, Not(HasSubstr("cycles:")));
}

TEST(StepCycles, ThatCannotBeHadKeepNoRecording) {
  const support::Folder folder;
  const std::string file = folder / "a.stride";
  Services services = withClock();
  services.sources.timing.makeGpu = {};
  const CommandRun run =
      runCommand({"record", "sequential", "--cycles", "--engine", "gpu", "-o", file}, services);
  EXPECT_NE(run.code, 0);
  EXPECT_THAT(run.error, HasSubstr("This program cannot measure a GPU."));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(StepCycles, AreNotThereUnlessAskedFor) {
  const nlohmann::json printed = nlohmann::json::parse(
      runCommand({"step", "sequential", "--threads", "64", "-n", "64", "--engine", "gpu", "--json"},
                 withClock())
          .out);
  EXPECT_FALSE(printed.contains("clocked"));
  EXPECT_FALSE(printed["launches"][0]["rounds"][0].contains("cycles"));
}

}  // namespace
}  // namespace stridescope::cli
