// stridescope time, with stand-in devices: the table, CSV and JSON say what was sampled, and wrong requests
// are sentences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "archive/printable_labels.h"
#include "archive/recording_file.h"
#include "cli/command_line.h"
#include "cli/time_options.h"
#include "engine/host/host_engine.h"
#include "model/experiment_fields.h"
#include "stand_in.h"
#include "support/hostile_text.h"

namespace stridescope::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct TimeCommand : testing::Test {
  std::shared_ptr<StandInBehaviour> gpu = std::make_shared<StandInBehaviour>(),
                                    cpu = std::make_shared<StandInBehaviour>(),
                                    group = std::make_shared<StandInBehaviour>();
  std::shared_ptr<StandInClock> clock = std::make_shared<StandInClock>();
  cli::Services services;
  std::string out, error;

  TimeCommand() {
    gpu->microseconds = {{"interleaved_modulo", 40}, {"sequential", 10}, {"cub", 20}};
    services.sources.timing.makeGpu = [this](unsigned,
                                             engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
      return makeStandIn(TimingDeviceKind::Gpu, gpu, clock);
    };
    services.sources.timing.makeCpu = [this]() -> Result<std::unique_ptr<TimingDevice>> {
      return makeStandIn(TimingDeviceKind::Cpu, cpu, clock);
    };
    services.sources.timing.makeGpus = [this](unsigned gpus,
                                              engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
      if (gpus > 2) return unavailable("3 GPUs were asked for, and the driver lists 2.");
      group->gpus = gpus;
      return makeStandIn(TimingDeviceKind::SeveralGpus, group, clock);
    };
    services.sources.timing.now = [this] { return clock->now(); };
  }

  int run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "time");
    return runAll(std::move(arguments));
  }
  int runAll(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "stridescope");
    std::ostringstream outStream, errorStream;
    cli::Streams streams{outStream, errorStream, false};
    const int code = cli::runCommandLine(int(arguments.size()), arguments.data(), streams, services);
    out = outStream.str();
    error = errorStream.str();
    return code;
  }
};

TEST_F(TimeCommand, PrintsATable) {
  EXPECT_EQ(run({"interleaved_modulo", "sequential", "--baselines", "--size", "2^20", "--samples", "9"}), 0);
  EXPECT_THAT(out, HasSubstr("int +, 2^20 elements"));
  EXPECT_THAT(out, HasSubstr("Stand-in GPU; memory latency 500 ns; an empty launch 5.00 µs"));
  EXPECT_THAT(out, HasSubstr("10.00"));
  EXPECT_THAT(out, HasSubstr("4.00x"));                   // sequential over the first
  EXPECT_THAT(out, HasSubstr("0.500 (0.500 to 0.500)"));  // over CUB
  EXPECT_THAT(out, HasSubstr("Stand-in CPU"));
  EXPECT_EQ(error, "");
}

// One GPU takes 20 + n/1000 us, two 30 + n/2000: equal at n = 20 000.
struct TimeOverSeveral : TimeCommand {
  TimeOverSeveral() {
    group->microseconds = {{"one_gpu", 20}, {"nvlink_message", 30}, {"nccl_reduce", 60}};
    group->microsecondsPerElement = {{"one_gpu", 1e-3}, {"nvlink_message", 5e-4}, {"nccl_reduce", 5e-4}};
  }
};

TEST_F(TimeOverSeveral, OneGpuAloneStandsFirst) {
  EXPECT_EQ(run({"nvlink_message", "nccl_reduce", "--gpus", "2", "-n", "1000", "--samples", "9"}), 0)
      << error;
  EXPECT_THAT(out, HasSubstr("2 x Stand-in GPU; links: copies 390 GB/s, loads 360 GB/s, a message 0.740 µs; "
                             "NCCL 2.28.3"));
  const auto one = out.find("one GPU alone"), message = out.find("message over NVLink"),
             nccl = out.find("ncclReduce");
  EXPECT_LT(one, message);
  EXPECT_LT(message, nccl);
  EXPECT_NE(nccl, std::string::npos);
  EXPECT_THAT(out, HasSubstr("1.452 (1.452 to 1.452)"));  // 30.5 over 21
  EXPECT_THAT(out, HasSubstr("0.504 (0.504 to 0.504)"));  // 30.5 over 60.5
  EXPECT_EQ(error, "");
}

TEST_F(TimeOverSeveral, SaysFromWhereOnTheSecondGpuPays) {
  EXPECT_EQ(run({"nvlink_message", "--sizes", "2^10..2^20", "--samples", "5"}), 0) << error;
  EXPECT_THAT(out, HasSubstr("2 GPUs take less time than one from n = 2^14.3 on (message over NVLink)."));
}

TEST_F(TimeOverSeveral, PrintsJsonAndCsv) {
  EXPECT_EQ(run({"--gpus", "2", "--size", "1000", "--samples", "4", "--json"}), 0) << error;
  const auto json = nlohmann::json::parse(out);
  ASSERT_EQ(json["timings"].size(), 8u);
  EXPECT_EQ(json["timings"][0]["subject"], "one_gpu");
  for (const auto& timing : json["timings"]) {
    EXPECT_EQ(timing["gpus"], 2);
    EXPECT_EQ(timing["kind"], "several gpus");
    EXPECT_EQ(timing["links"][0]["message_nanoseconds"], 740);
    const std::string id = timing["subject"];
    const bool leavesOne = id == "host_adds" || id == "nvlink_message" || id == "nccl_reduce";
    EXPECT_EQ(timing["time_over_one_gpu"].is_object(), leavesOne) << id;
    EXPECT_EQ(timing["time_over_nccl"].is_object(), !id.starts_with("nccl")) << id;
  }
  EXPECT_EQ(run({"nvlink_message", "--size", "1000", "--samples", "4", "--csv"}), 0) << error;
  EXPECT_THAT(out, HasSubstr("nvlink_message,several gpus,live"));
  EXPECT_THAT(out, HasSubstr(",2,1.45238,"));
}

TEST_F(TimeOverSeveral, WhatCannotBeIsASentence) {
  EXPECT_EQ(run({"sequential", "--gpus", "2"}), 2);
  EXPECT_THAT(error, HasSubstr("runs on one GPU"));
  EXPECT_EQ(run({"nvlink_message", "--gpus", "1"}), 2);
  EXPECT_EQ(run({"nvlink_message", "--gpus", "9"}), 2);
  EXPECT_EQ(run({"nvlink_message", "--graph"}), 2);
  EXPECT_THAT(error, HasSubstr("time takes no --graph with several GPUs"));
  EXPECT_EQ(run({"nvlink_message", "--baselines"}), 2);
  EXPECT_EQ(run({"nvlink_message", "--gpus", "3", "--samples", "3"}), 3);
  EXPECT_THAT(error, HasSubstr("3 GPUs were asked for"));
}

TEST_F(TimeOverSeveral, AWrongArrayIsNotTimed) {
  group->wrongArrays = {"ring"};
  EXPECT_EQ(run({"ring", "peer_loads", "-n", "1000", "--samples", "3"}), 1);
  EXPECT_THAT(error, HasSubstr("ring left a wrong element 7 on GPU 1 at n = 1000 and is not timed there."));
  EXPECT_THAT(out, HasSubstr("peer"));
}

TEST_F(TimeOverSeveral, AreKeptInARecording) {
  services.sources.makeHost = [] { return engine::host::makeHostEngine(); };
  const auto folder = std::filesystem::temp_directory_path() / ("several_gpus_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = folder / "a.stride";
  EXPECT_EQ(runAll({"record", "sequential", "--engine", "host", "-o", file.c_str(), "--timings-over", "2",
                    "--timing-sizes", "1000,4000"}),
            0)
      << error;
  EXPECT_THAT(out, HasSubstr("14 timings over several GPUs"));  // seven variants at two sizes
  const auto records = archive::readQuantity<model::GroupTimingRecord>(file);
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 14u);
  EXPECT_EQ(records->front().experiment.gpus, 2u);
  const auto links = archive::readQuantity<model::LinkRecord>(file);
  ASSERT_TRUE(links);
  ASSERT_EQ(links->size(), 1u);
  EXPECT_EQ(links->front().links.front().copyGigabytesPerSecond, 390);
  std::filesystem::remove_all(folder);
}

TEST_F(TimeCommand, TakesTheOlderSpellingOfBaselinesAndHidesIt) {
  EXPECT_EQ(run({"sequential", "--peers", "--size", "2^20", "--samples", "9"}), 0) << error;
  EXPECT_THAT(out, HasSubstr("Stand-in CPU"));
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_THAT(out, HasSubstr("--baselines"));
  EXPECT_EQ(out.find("--peers"), std::string::npos);
  EXPECT_EQ(run({"sequential", "--nonsense"}), 2);
  EXPECT_EQ(error.find("--peers"), std::string::npos);
}

TEST_F(TimeCommand, NamesTheTypesInTheHelpAsStepDoes) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_THAT(out, HasSubstr(std::string(model::experimentField("type").help)));
}

TEST_F(TimeCommand, PrintsCsvWithAsManyFieldsAsItsHead) {
  EXPECT_EQ(run({"sequential", "--baselines", "--sizes", "2^10..2^12", "--samples", "5", "--csv"}), 0);
  std::istringstream lines(out);
  std::string head, line;
  std::getline(lines, head);
  const auto fields = [](const std::string& text) { return std::ranges::count(text, ','); };
  int rows = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(fields(line), fields(head)) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 3 * 8);
  EXPECT_THAT(
      out,
      HasSubstr("sequential,variant,live,\"Stand-in GPU\",,int,'+,2048,256,0,0,5,10.0000,10.0000,10.0000"));
}

TEST_F(TimeCommand, PrintsJson) {
  EXPECT_EQ(run({"interleaved_modulo", "sequential", "--size", "1000", "--samples", "4", "--json"}), 0);
  const auto json = nlohmann::json::parse(out);
  EXPECT_EQ(json["format"], 1);
  ASSERT_EQ(json["timings"].size(), 2u);
  const auto& sequential = json["timings"][1];
  EXPECT_EQ(sequential["subject"], "sequential");
  EXPECT_EQ(sequential["elements"], 1000);
  EXPECT_EQ(sequential["samples"], 4);
  EXPECT_DOUBLE_EQ(sequential["median_us"], 10);
  EXPECT_DOUBLE_EQ(sequential["gigabytes_per_second"], 0.4);
  EXPECT_DOUBLE_EQ(sequential["time_over_first"]["median"], 0.25);
  EXPECT_TRUE(sequential["time_over_cub"].is_null());
  EXPECT_EQ(sequential["device"]["latency_nanoseconds"], 500);
  EXPECT_EQ(sequential["device"]["launch_microseconds"], 5);
}

TEST_F(TimeCommand, EndsWithOneWhenAResultIsWrong) {
  gpu->wrongFromCall["sequential"] = 0;
  EXPECT_EQ(run({"interleaved_modulo", "sequential", "--samples", "4"}), 1);
  EXPECT_THAT(error, HasSubstr("sequential gave"));
  EXPECT_THAT(out, Not(HasSubstr("sequential ")));
}

// Names of a recording that a spreadsheet would run.
TEST_F(TimeCommand, CsvHasNoFormula) {
  services.sources.timing.makeGpu = [](unsigned,
                                       engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
    return unavailable("There is no GPU here.");
  };
  model::TimingRecord recorded{.subject = variantNamed("sequential"),
                               .timingCase = {.elements = 1 << 20},
                               .threads = 256,
                               .executor = {},
                               .samples = {{1, 7}}};
  recorded.executor.kind = model::EngineKind::Gpu;
  recorded.executor.device = "=HYPERLINK(\"http://localhost\")";
  recorded.executor.recordedOn = "@SUM(A1)";
  services.sources.shipped.of<model::TimingRecord>() = [recorded] { return std::vector{recorded}; };
  EXPECT_EQ(run({"sequential", "--size", "2^20", "--samples", "4", "--csv"}), 0) << error;
  EXPECT_THAT(out,
              HasSubstr("\nsequential,variant,recorded,\"'=HYPERLINK(\"\"http://localhost\"\")\",'@SUM(A1),"
                        "int,'+,1048576,256,"));
}

TEST_F(TimeCommand, TimesTheCpuWhereThereIsNoGpu) {
  services.sources.timing.makeGpu = [](unsigned,
                                       engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
    return unavailable("There is no GPU here.");
  };
  model::TimingRecord recorded{.subject = variantNamed("sequential"),
                               .timingCase = {.elements = 1 << 20},
                               .threads = 256,
                               .executor = {},
                               .samples = {{1, 7}}};
  recorded.executor.kind = model::EngineKind::Gpu;
  recorded.executor.device = "NVIDIA H100";
  recorded.executor.recordedOn = "2026-11-21T03:00:00Z";
  services.sources.shipped.of<model::TimingRecord>() = [recorded] { return std::vector{recorded}; };
  EXPECT_EQ(run({"sequential", "--size", "2^20", "--samples", "4"}), 0);
  EXPECT_THAT(error, HasSubstr("There is no GPU here."));
  EXPECT_THAT(out, HasSubstr("Stand-in CPU"));
  EXPECT_THAT(out, HasSubstr("recorded on NVIDIA H100, 2026-11-21"));
}

// Labels of a recording that would take over a terminal, or a table.
TEST_F(TimeCommand, WritesPlainTextWhateverALabelHolds) {
  const std::string hostile = std::string(support::kHostileText) + ",\"x";
  services.sources.timing.makeGpu = [&](unsigned,
                                        engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
    return unavailable("There is no GPU here: " + hostile);
  };
  model::TimingRecord recorded;
  recorded.subject = {model::SubjectKind::GpuBaseline, "cub"};
  recorded.timingCase.elements = 1 << 20;
  recorded.samples = {{0, 2.0f}, {1, 2.5f}};
  recorded.executor = {model::EngineKind::Gpu, hostile, hostile, hostile, hostile, hostile};
  archive::makeLabelsPrintable(recorded);  // as they are read
  services.sources.shipped.of<model::TimingRecord>() = [recorded] { return std::vector{recorded}; };
  for (const char* format : {"--baselines", "--csv", "--json"}) {
    EXPECT_EQ(run({"sequential", "--baselines", "--size", "2^20", "--samples", "4", format}), 0) << error;
    EXPECT_EQ(support::hostileIn(out), "");
    EXPECT_EQ(support::hostileIn(error), "");
    EXPECT_THAT(out, HasSubstr("vil\\u0007")) << format;
    if (format == std::string("--json")) {
      EXPECT_FALSE(nlohmann::json::parse(out, nullptr, false).is_discarded()) << out;
    }
    if (format == std::string("--csv")) {
      EXPECT_THAT(out, HasSubstr(",\"\"x\",int,'+,1048576,"));
    }
  }
}

TEST_F(TimeCommand, SaysWhyASubjectIsNotTimed) {
  gpu->unavailable["sequential"] = "sequential cannot be timed today.";
  EXPECT_EQ(run({"interleaved_modulo", "sequential", "--samples", "4"}), 0);
  EXPECT_THAT(error, HasSubstr("sequential cannot be timed today."));
}

TEST_F(TimeCommand, LabelsAWarmCache) {
  EXPECT_EQ(run({"sequential", "--samples", "2", "--warm-l2"}), 0);
  EXPECT_THAT(out, HasSubstr("WARM L2"));
}

// stridescope record --timings, with a CPU executor for the traces.
struct RecordTimings : TimeCommand {
  std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("timed_" + std::to_string(::getpid()) + ".stride");

  RecordTimings() {
    services.sources.makeHost = [] { return engine::host::makeHostEngine(); };
  }
  ~RecordTimings() override { std::filesystem::remove(file); }
  int record() {
    return runAll({"record", "sequential", "--engine", "host", "--timings", "--timing-sizes", "2^10..2^12",
                   "-o", file.c_str()});
  }
};

TEST_F(RecordTimings, AreWritten) {
  EXPECT_EQ(record(), 0) << error;
  EXPECT_THAT(out, HasSubstr(" timings"));
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(RecordTimings, OfSeveralReductionsAreWritten) {
  EXPECT_EQ(runAll({"record", "sequential", "--engine", "host", "--timings", "--timing-sizes", "2^10",
                    "--timing-reductions", "int:+,float:max", "-o", file.c_str()}),
            0)
      << error;
  const auto timings = archive::readQuantity<model::TimingRecord>(file);
  ASSERT_TRUE(timings);
  std::set<std::pair<model::ElementType, model::Operator>> reductions;
  for (const model::TimingRecord& timing : *timings)
    if (timing.subject.id == "sequential") reductions.insert({timing.timingCase.type, timing.timingCase.op});
  EXPECT_EQ(reductions, (std::set{std::pair{model::ElementType::Int, model::Operator::Add},
                                  std::pair{model::ElementType::Float, model::Operator::Max}}));
}

TEST_F(RecordTimings, AWrongReductionIsToldBeforeAnythingRuns) {
  for (const auto& [given, told] :
       {std::pair{"int", "takes types and operators such as int:+,float:max, not \"int\""},
        std::pair{"flot:+", "did you mean float?"}, std::pair{"int:plus", "is not one of"},
        std::pair{"int:+,", "takes types and operators"}, std::pair{"float:and", "is not timed"}}) {
    EXPECT_EQ(runAll({"record", "sequential", "--engine", "host", "--timings", "--timing-reductions", given,
                      "-o", file.c_str()}),
              2)
        << given;
    EXPECT_THAT(error, HasSubstr(told)) << given;
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST_F(RecordTimings, AreWrittenWholeOrNotAtAll) {
  int calls = 0;
  gpu->onSample = [&](const std::string&) {
    if (++calls == 50) ::raise(SIGINT);
  };
  EXPECT_EQ(record(), 3);
  EXPECT_THAT(error, HasSubstr("the timings are not whole, so nothing was written"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(RecordTimings, ThatFailAreNotWritten) {
  services.sources.timing.makeGpu = [](unsigned,
                                       engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
    return unavailable("There is no GPU here.");
  };
  services.sources.timing.makeCpu = []() -> Result<std::unique_ptr<TimingDevice>> {
    return unavailable("There is no CPU here.");
  };
  EXPECT_EQ(record(), 3);
  EXPECT_THAT(error, HasSubstr("There is no GPU here."));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(TimeCommand, RefusesWhatMakesNoSense) {
  for (const std::vector<const char*>& wrong :
       std::vector<std::vector<const char*>>{{"sequental"},
                                             {"sequential", "--all"},
                                             {"sequential", "--type", "flot"},
                                             {"sequential", "--type", "float", "--op", "xor"},
                                             {"sequential", "--size", "0"},
                                             {"sequential", "--size", "2^40"},
                                             {"sequential", "--sizes", "2^12..2^10"},
                                             {"sequential", "--sizes", "2^10", "--size", "4"},
                                             {"sequential", "--samples", "0"},
                                             {"sequential", "--seconds", "-1"},
                                             {"sequential", "--threads", "2000"},
                                             {"sequential", "--threads", "33"},
                                             {"sequential", "--csv", "--json"}}) {
    EXPECT_EQ(run(wrong), 2) << wrong.back();
    EXPECT_EQ(out, "");
    EXPECT_NE(error, "");
  }
}

TEST(TimeSizes, AfterNAreOneCountWhoseDigitsMayBeGrouped) {
  const auto sizesOf = [](const char* count) {
    cli::TimeOptions options;
    options.count = count;
    const auto plan = cli::readTimingPlan(options);
    return plan ? plan->sizes : std::vector<std::uint64_t>();
  };
  EXPECT_THAT(sizesOf("65,536"), ElementsAre(65536));
  EXPECT_THAT(sizesOf("1e6"), ElementsAre(1000000));
  EXPECT_THAT(sizesOf("1000,2^20"), ElementsAre(1000, 1 << 20)) << "it is no one count";
  EXPECT_TRUE(sizesOf("0").empty());
}

TEST(TimeSizes, VariantsAreNamedByAliasesToo) {
  cli::TimeOptions options;
  options.variants = {"reduce7", "shuffle", "reduce2"};
  const auto plan = cli::readTimingPlan(options);
  ASSERT_TRUE(plan) << plan.error().sentence;
  ASSERT_EQ(plan->subjects.size(), 2u);
  EXPECT_EQ(plan->subjects[0].id, "warp_shuffle");
  EXPECT_EQ(plan->subjects[1].id, "sequential");
}

TEST(TimeSizes, AreRangesOfPowersOrLists) {
  EXPECT_THAT(cli::parseSizes("--sizes", "2^10..2^13").value(), ElementsAre(1024, 2048, 4096, 8192));
  EXPECT_THAT(cli::parseSizes("--sizes", "1000..5000").value(), ElementsAre(1024, 2048, 4096));
  EXPECT_THAT(cli::parseSizes("--size", "1000,2^20").value(), ElementsAre(1000, 1 << 20));
  EXPECT_THAT(cli::parseSizes("--size", "64, 128 256").value(), ElementsAre(64, 128, 256));
  EXPECT_THAT(cli::parseSizes("--size", "65,536").value(), ElementsAre(65, 536)) << "in a list it separates";
  EXPECT_FALSE(cli::parseSizes("--size", "64,,128"));
  EXPECT_FALSE(cli::parseSizes("--size", "64,"));
  EXPECT_FALSE(cli::parseSizes("--sizes", "2^10..many"));
  EXPECT_FALSE(cli::parseSizes("--sizes", "1000..1010"));
}

}  // namespace
}  // namespace stridescope::measure
