// `compare`: two runs side by side, as text and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/recording_file.h"
#include "command_run.h"
#include "model/counters.h"
#include "model/trace.h"
#include "support/stand_in_clock.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> compareWith(std::initializer_list<std::string> more) {
  std::vector<std::string> arguments{"compare", "interleaved_contiguous", "sequential"};
  arguments.insert(arguments.end(), more);
  return arguments;
}

CommandRun compared(std::initializer_list<std::string> more, const Services& services = hostOnly()) {
  std::vector<std::string> arguments = compareWith(more);
  if (std::ranges::find(arguments, "--engine") == arguments.end())
    arguments.insert(arguments.end(), {"--engine", "host"});
  return runCommand(arguments, services);
}

nlohmann::json figure(const nlohmann::json& figures, const std::string& name) {
  for (const nlohmann::json& each : figures)
    if (each.at("name") == name) return each;
  return nullptr;
}

// A damaged table of a recording is told of, and what is shipped does not stand in for it.
TEST(Compare, ADamagedTableOfARecordingIsTold) {
  const support::Folder folder;
  const std::string file = folder / "a.stride";
  ASSERT_EQ(runCommand({"record", "sequential", "--engine", "host", "-o", file}, hostOnly()).code, 0);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database,
                         "INSERT INTO counters VALUES (1, 'sequential', 'no type', '+', '', '', 0, 256, 256, "
                         "'digits', 1, 0, '', 'gpu', '', '', '', '', '', 1)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  const CommandRun run = compared({"--engine", "host", "--right-engine", file});
  EXPECT_THAT(run.error, HasSubstr("is damaged"));
  EXPECT_THAT(run.out, HasSubstr("right: sequential."));
}

// The oracle of 256 threads.
TEST(Compare, TheTextHasAllRoundsAndWhatDiffers) {
  const CommandRun run = compared({});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("left: interleaved, contiguous."));
  EXPECT_THAT(run.out, HasSubstr("right: sequential."));
  EXPECT_THAT(run.out,
              HasSubstr("\n  4           8 | 16            16            1           8 | 1     24 | 3"));
  EXPECT_THAT(run.out, HasSubstr("3.92×, right is better"));
  EXPECT_THAT(run.out, HasSubstr("4 lines of the left kernel and 3 of the right one differ"));
  EXPECT_THAT(run.out, HasSubstr("\n<   13          unsigned index = 2 * s * tid;\n"));
  EXPECT_THAT(run.out, HasSubstr("\n>   12          if (tid < s)\n"));
  EXPECT_THAT(run.out, HasSubstr("\nleft: result 1138, expected 1138: equal\nright: result 1138"));
}

TEST(Compare, ARoundIsToldInSentences) {
  const CommandRun run = compared({"--round", "4"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out,
              HasSubstr("\nRound 4: both add with 16 threads of 1 warp. Each request takes 8 wavefronts "
                        "on the left and 1 on\nthe right, so the right one waits less.\n"));
  EXPECT_THAT(run.out, HasSubstr("\nleft: Stride 8: "));
  EXPECT_THAT(run.out, HasSubstr("\nright: Stride 16: "));
  EXPECT_THAT(run.out, Not(HasSubstr("Round 5"))) << "nor any other";
}

TEST(Compare, ByStride) {
  const CommandRun run = compared({"--by", "stride", "--round", "4"});
  EXPECT_THAT(run.out,
              HasSubstr("\nStride 8: 16 threads of 1 warp add on the left, 8 threads of 1 warp add on the"));
  const nlohmann::json told =
      nlohmann::json::parse(compared({"--by", "stride", "--round", "4", "--json"}).out);
  ASSERT_EQ(told.at("rounds").size(), 1u);
  EXPECT_EQ(told["rounds"][0]["left"]["round"], 4);
  EXPECT_EQ(told["rounds"][0]["right"]["round"], 5);
  EXPECT_EQ(told["rounds"][0]["right"]["stride"], 8);
}

TEST(Compare, TheJsonHasBothTotalsInFull) {
  const CommandRun run = compared({"--json"});
  EXPECT_EQ(run.code, 0);
  const nlohmann::json told = nlohmann::json::parse(run.out);
  EXPECT_EQ(told["format"], 1);
  EXPECT_EQ(told["locked_by"], "round");
  EXPECT_EQ(told["left"]["variant"], "interleaved_contiguous");
  EXPECT_EQ(told["left"]["experiment"]["threads"], 256);
  EXPECT_EQ(told["left"]["totals"],
            nlohmann::json::parse(R"({"shared_load_wavefronts":95,"shared_store_wavefronts":55,
            "shared_load_conflicts":70,"shared_store_conflicts":35})"));
  EXPECT_EQ(told["right"]["totals"],
            nlohmann::json::parse(R"({"shared_load_wavefronts":25,"shared_store_wavefronts":20,
            "shared_load_conflicts":0,"shared_store_conflicts":0})"));
  ASSERT_EQ(told["rounds"].size(), 10u);
  EXPECT_EQ(figure(told["rounds"][4]["figures"], "wavefronts"),
            nlohmann::json::parse(
                R"({"name":"wavefronts","unit":"count","left":24,"right":3,"better":"right","factor":8})"));
  const nlohmann::json inStrides = figure(told["figures"], "wavefronts_in_strides");
  EXPECT_EQ(inStrides["left"], 141);
  EXPECT_EQ(inStrides["right"], 36);
  EXPECT_NEAR(inStrides["factor"].get<double>(), 141.0 / 36, 1e-9);
  const nlohmann::json conflicts = figure(told["figures"], "all_bank_conflicts");
  EXPECT_EQ(conflicts["better"], "right");
  EXPECT_EQ(conflicts["factor"], nullptr) << "nothing is left of them";
  ASSERT_EQ(told["source"].size(), 4u);
  EXPECT_EQ(told["source"][1]["left"]["line"], 13);
  EXPECT_EQ(told["source"][1]["right"], nullptr);
}

TEST(Compare, AnOptionStandsForBothSidesOrForOne) {
  const nlohmann::json told =
      nlohmann::json::parse(compared({"--type", "int64", "--threads", "64", "--right-threads", "128",
                                      "--left-data", "ramp", "--json"})
                                .out);
  EXPECT_EQ(told["left"]["experiment"]["type"], "int64");
  EXPECT_EQ(told["right"]["experiment"]["type"], "int64");
  EXPECT_EQ(told["left"]["experiment"]["threads"], 64);
  EXPECT_EQ(told["right"]["experiment"]["threads"], 128);
  EXPECT_EQ(told["left"]["experiment"]["data"], "ramp");
  EXPECT_EQ(told["right"]["experiment"]["data"], "digits");
  // 64 threads have 8 rounds, 128 have 9.
  ASSERT_EQ(told["rounds"].size(), 9u);
  EXPECT_EQ(told["rounds"][8]["left"], nullptr);
  EXPECT_EQ(told["rounds"][8]["right"]["round"], 8);
}

TEST(Compare, WrongUseNamesTheOptionAsItWasTyped) {
  const auto said = [](std::initializer_list<std::string> more) {
    const CommandRun run = compared(more);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    return run.error;
  };
  EXPECT_THAT(said({"--left-type", "flot"}), HasSubstr("--left-type flot"));
  EXPECT_THAT(said({"--right-threads", "x"}), HasSubstr("--right-threads"));
  EXPECT_THAT(said({"--by", "strid"}), HasSubstr("did you mean stride?"));
  EXPECT_THAT(said({"--round", "10"}), HasSubstr("--round 10 is not there: the rounds are 0 to 9."));
  EXPECT_THAT(said({"--round", "5-2"}), HasSubstr("--round 5-2"));
  EXPECT_THAT(said({"--right-engine", "hosts"}), HasSubstr("hosts"));
  EXPECT_EQ(runCommand({"compare", "sequential"}).code, 2);
  EXPECT_EQ(runCommand({"compare"}).code, 2);
  EXPECT_EQ(runCommand({"compare", "sequential", "sequential", "sequential"}).code, 2);
  const CommandRun unknown = runCommand({"compare", "sequential", "sequental", "--engine", "host"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("Did you mean 'sequential'?"));
}

// The wrong result comes from a block that leaves values out.
TEST(Compare, AWrongResultOnEitherSideEndsWithOne) {
  EXPECT_EQ(runCommand({"compare", "missing_barrier", "sequential", "--engine", "host"}).code, 1);
  EXPECT_EQ(runCommand({"compare", "sequential", "missing_barrier", "--engine", "host"}).code, 1);
}

TEST(Compare, WhatIsMissingEndsWithThree) {
  EXPECT_EQ(compared({"--right-engine", "gpu"}).code, 3) << "there is none";
  EXPECT_EQ(compared({"--left-engine", "/nowhere/a.stride"}).code, 3);
}

// ---- What was recorded and measured.

Services withRecords() {
  Services services = hostOnly();
  services.sources.shipped.of<model::ClockRecord>() = [] {
    std::vector<model::ClockRecord> records;
    for (const char* variant : {"interleaved_contiguous", "sequential"}) {
      model::Experiment experiment{.variant = variant, .threads = 256, .elements = 256};
      const std::uint64_t each = experiment.variant == "sequential" ? 50 : 100;
      records.push_back(support::standInRecord(hostTrace(experiment), model::ClockedGrid::Alone, 41,
                                               [each](std::size_t mark) { return each * mark; }));
      records.back().executor.device = "NVIDIA H100";
    }
    return records;
  };
  services.sources.shipped.of<model::TimingRecord>() = [] {
    std::vector<model::TimingRecord> records;
    for (const char* variant : {"interleaved_contiguous", "sequential"})
      records.push_back({.subject = {.kind = model::SubjectKind::Variant, .id = variant},
                         .timingCase = {.elements = 1 << 24},
                         .threads = 256,
                         .executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H100"},
                         .samples = {{1, std::string_view(variant) == "sequential" ? 80.0f : 120.0f}}});
    return records;
  };
  return services;
}

TEST(Compare, RecordedFiguresNameTheirGpu) {
  const CommandRun text = compared({}, withRecords());
  EXPECT_THAT(text.out, HasSubstr("\n2^24 elements, recorded on NVIDIA H100\n"));
  EXPECT_THAT(text.out, HasSubstr("1.50×, right is better"));
  EXPECT_THAT(text.out, HasSubstr("\ncycles of one block, recorded on NVIDIA H100\n"));
  const nlohmann::json told = nlohmann::json::parse(compared({"--json"}, withRecords()).out);
  const nlohmann::json time = figure(told["figures"], "time");
  EXPECT_EQ(time["left"], 120);
  EXPECT_EQ(time["unit"], "microseconds");
  EXPECT_EQ(time["left_origin"], nlohmann::json::parse(R"({"kind":"recorded","device":"NVIDIA H100"})"));
  EXPECT_EQ(time["better"], "right");
  EXPECT_EQ(figure(told["rounds"][1]["figures"], "round_cycles")["factor"], 2);
  EXPECT_EQ(figure(told["figures"], "instructions"), nullptr) << "nothing was counted";
}

// A recording stands on one side and the CPU executor on the other.
TEST(Compare, ARecordingBesideAnEngine) {
  const support::Folder folder;
  const std::string file = (folder.path() / "gpu.stride").string();
  model::Trace trace = hostTrace({.variant = "sequential", .threads = 256, .elements = 256});
  trace.executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H200"};
  ASSERT_TRUE(archive::writeRecording(file, {&trace, 1}, false, {}));
  const CommandRun run = runCommand(
      {"compare", "sequential", "sequential", "--left-engine", "host", "--right-engine", file, "--json"});
  EXPECT_EQ(run.code, 0) << run.error;
  const nlohmann::json told = nlohmann::json::parse(run.out);
  EXPECT_EQ(told["left"]["engine"]["kind"], "host");
  EXPECT_EQ(told["right"]["engine"]["kind"], "recorded");
  EXPECT_EQ(told["right"]["engine"]["device"], "NVIDIA H200");
  for (const nlohmann::json& each : told["figures"]) EXPECT_EQ(each["left"], each["right"]) << each;
  EXPECT_EQ(told["source"], nlohmann::json::array());
}

}  // namespace
}  // namespace stridescope::cli
