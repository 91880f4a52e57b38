// `timeline` and `why`: what they print of a GPU, here a stand-in, and of recordings without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "archive/recording_file.h"
#include "command_run.h"
#include "kernels/catalog.h"
#include "support/grid_records.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using model::Counter;
using testing::HasSubstr;

// Records of whatever is asked for; sequential takes half the time of others, with half the instructions.
template <class Record>
Record ofExperiment(Record record, const model::Experiment& experiment) {
  record.experiment = experiment;
  record.kernelHash = model::hashOf(kernels::kernelText(experiment));
  return record;
}
model::CostRecord costOf(const model::Experiment& experiment) {
  model::CostRecord record = ofExperiment(support::roundCost(), experiment);
  record.experiment.elements = experiment.elements;
  if (experiment.variant != "sequential")
    record.microseconds = 200, record.lowerQuartile = 199, record.upperQuartile = 201;
  return record;
}
model::CounterRecord countersOf(const model::Experiment& experiment) {
  model::CounterRecord record;
  record = ofExperiment(record, experiment);
  record.executor = support::standInGpu();
  const double instructions = experiment.variant == "sequential" ? 40e6 : 80e6;
  record.launches = {{.grid = 1000, .block = 256, .values = {{Counter::Instructions, instructions}}}};
  return record;
}

model::PeelRecord pricesOf(const model::Experiment& experiment) {
  return ofExperiment(support::smallPrices(experiment.variant), experiment);
}

class MeasuringDevice : public measure::TimingDevice {
 public:
  MeasuringDevice() {
    using model::Experiment;
    measures<model::TimelineRecord>(
        [](const Experiment& experiment, engine::JobControl&) -> Result<model::TimelineRecord> {
          if (experiment.elements > (1u << 20)) return usageError("Too many blocks.");
          return ofExperiment(support::smallTimeline(), experiment);
        });
    measures<model::CostRecord>(
        [](const Experiment& experiment, engine::JobControl&) { return costOf(experiment); });
    measures<model::CounterRecord>(
        [](const Experiment& experiment, engine::JobControl&) { return countersOf(experiment); });
    measures<model::PeelRecord>(
        [](const Experiment& experiment, engine::JobControl&) { return pricesOf(experiment); });
  }
  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase&,
                                                        std::span<const model::TimingSubject>,
                                                        engine::JobControl&) override {
    return unavailable("Not asked for.");
  }
  Result<measure::Timed> sample(std::size_t, engine::JobControl&) override {
    return unavailable("Not asked for.");
  }

 private:
  measure::TimingDeviceFacts facts_;
};

Services withDevice() {
  Services services = withGpu(
      [](const model::Experiment& experiment) -> Result<model::Trace> { return hostTrace(experiment); });
  services.sources.timing.makeGpu =
      [](unsigned, engine::JobControl&) -> Result<std::unique_ptr<measure::TimingDevice>> {
    return std::make_unique<MeasuringDevice>();
  };
  return services;
}

Services withoutDevice() {
  Services services = withDevice();
  services.sources.timing.makeGpu =
      [](unsigned, engine::JobControl&) -> Result<std::unique_ptr<measure::TimingDevice>> {
    return unavailable("There is no GPU here.");
  };
  return services;
}

const model::Experiment kSmall{.variant = "sequential", .threads = 256, .elements = 3072};

TEST(Timeline, ShowsLaunchesAndBlocks) {
  const CommandRun run = runCommand({"timeline", "sequential", "--size", "3072"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr("Marked on NVIDIA H100 80GB HBM3, 4 SMs: n = 3072"));
  EXPECT_THAT(run.out, HasSubstr("Launch 0 (2 in all): 12 blocks of 256 threads, 1.5 waves"));
  EXPECT_THAT(run.out, HasSubstr("\nbetween launches 0 and 1    3.00 µs to 4.00 µs, 1.00 µs\n"));
}

TEST(Timeline, AsJsonHasEveryBlock) {
  const CommandRun run = runCommand({"timeline", "sequential", "-n", "3072", "--json"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  const auto printed = nlohmann::json::parse(run.out);
  EXPECT_EQ(printed["format"], 1);
  EXPECT_EQ(printed["grid"], 12);
  EXPECT_EQ(printed["threads"], 256);
  EXPECT_EQ(printed["engine"]["kind"], "gpu");
  EXPECT_EQ(printed["experiment"]["data"], "digits");
  EXPECT_EQ(printed["multiprocessors"], 4);
  ASSERT_EQ(printed["launches"].size(), 2u);
  EXPECT_EQ(printed["launches"][0]["waves"], 1.5);
  EXPECT_EQ(printed["launches"][1]["start"], 4000);
  ASSERT_EQ(printed["blocks"].size(), 13u);
  EXPECT_EQ(
      printed["blocks"][9],
      nlohmann::json(
          {{"launch", 0}, {"block", 9}, {"multiprocessor", 0}, {"slot", 1}, {"start", 2000}, {"end", 3000}}));
}

TEST(Timeline, WithoutAGpuIsTheNewestRecordedOne) {
  Services services = withoutDevice();
  services.sources.shipped.of<model::TimelineRecord>() = [] {
    model::TimelineRecord older = ofExperiment(support::smallTimeline(), kSmall), newer = older,
                          other = older;
    older.executor.recordedOn = "2025-01-01T00:00:00Z";
    older.multiprocessors = 8;
    other.kernelHash = "of another text";
    other.executor.recordedOn = "2027-01-01T00:00:00Z";
    return std::vector{newer, older, other};
  };
  // A reduction's time does not depend on the values.
  const CommandRun run =
      runCommand({"timeline", "sequential", "--size", "3072", "--data", "ones", "--json"}, services);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.error, HasSubstr("There is no GPU here."));
  const auto printed = nlohmann::json::parse(run.out);
  EXPECT_EQ(printed["engine"]["kind"], "recorded");
  EXPECT_EQ(printed["engine"]["recorded_on"], "2026-11-24T03:00:00Z");
  EXPECT_EQ(printed["experiment"]["data"], "ones");
  EXPECT_EQ(printed["multiprocessors"], 4);
}

TEST(Timeline, ThatNobodyHasIsASentence) {
  EXPECT_EQ(runCommand({"timeline", "sequential", "-n", "3072"}, withoutDevice()).code, 3);
  EXPECT_EQ(runCommand({"timeline"}, withDevice()).code, 2);
  EXPECT_EQ(runCommand({"timeline", "sequential", "-n", "9", "--size", "9"}, withDevice()).code, 2);
  EXPECT_EQ(runCommand({"timeline", "sequential", "--size", "many"}, withDevice()).code, 2);
  const CommandRun large = runCommand({"timeline", "sequential", "-n", "2^24"}, withDevice());
  EXPECT_EQ(large.code, 3);
  EXPECT_THAT(large.error, HasSubstr("Too many blocks."));
}

TEST(Why, TellsPricesBoundsAndWhatDiffers) {
  const CommandRun run = runCommand({"why", "sequential", "--size", "2^20"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out,
              HasSubstr("The write costs most: 40.0 µs of 95.0 µs. A grid of as many blocks that does"));
  EXPECT_THAT(run.out,
              HasSubstr("\n  stride 128                           1      3.00         2.50 to 3.50\n"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("grids that do nothing"))) << "the grid has a price";
  EXPECT_THAT(run.out, HasSubstr("\n  instructions issued                100.0 µs\n"));
  EXPECT_THAT(run.out,
              HasSubstr("From interleaved_contiguous:\n50 % of the time: 200.0 µs before, 100.0 µs after."));
  EXPECT_THAT(
      run.out,
      HasSubstr("The steps differ most in stride 128: 50.0 µs\nless. All steps together take 50.0 µs less."));
}

TEST(Why, AsJson) {
  const CommandRun run = runCommand({"why", "sequential", "--size", "2^20", "--json"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  const auto printed = nlohmann::json::parse(run.out);
  EXPECT_EQ(printed["microseconds"], 100);
  EXPECT_EQ(printed["bounds"][0]["kind"], "instructions");
  EXPECT_EQ(printed["bounds"][1]["kind"], "memory");
  EXPECT_DOUBLE_EQ(printed["bounds"][1]["microseconds"], 4.194304);
  EXPECT_EQ(printed["gpu"]["latency_nanoseconds"], 500);
  EXPECT_EQ(printed["peel"]["steps"][1]["kind"], "load");
  const auto& change = printed["change"];
  EXPECT_EQ(change["from"], "interleaved_contiguous");
  EXPECT_EQ(change["ratio"], 0.5);
  ASSERT_EQ(change["largest"].size(), 1u);
  EXPECT_EQ(change["largest"][0]["stride"], 128);
  EXPECT_EQ(change["figures"]["instructions"]["factor"], 0.5);
  double sum = 0;
  for (const auto& step : change["steps"]) sum += step["change_us"].get<double>();
  EXPECT_DOUBLE_EQ(sum, -50);
}

TEST(Why, WithoutAGpuIsRecorded) {
  Services services = withoutDevice();
  services.sources.shipped.of<model::CostRecord>() = [] { return std::vector{costOf(kSmall)}; };
  const CommandRun run = runCommand({"why", "sequential", "-n", "3072", "--json"}, services);
  EXPECT_EQ(run.code, 0) << run.error;
  const auto printed = nlohmann::json::parse(run.out);
  EXPECT_EQ(printed["engine"]["kind"], "recorded");
  EXPECT_FALSE(printed.contains("change")) << "of the one before nothing is recorded";
}

TEST(Why, PeeledTellsThePriceOfEachStep) {
  const CommandRun run = runCommand({"why", "sequential", "--size", "2^10", "--peel"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out,
              HasSubstr("\n  grid that does nothing                      1.00         0.50 to 1.50\n"));
  EXPECT_THAT(run.out,
              HasSubstr("\n  stride 128                           1      3.00         2.50 to 3.50\n"));
  EXPECT_THAT(run.out,
              HasSubstr("\n  write                                9     40.00       39.00 to 41.00\n"));
  EXPECT_THAT(run.out, HasSubstr("\n  the whole                                  95.00\n"));
  EXPECT_THAT(
      run.out,
      HasSubstr("Ending the kernel costs more than 15 % of its time here, so the shape of the steps holds"));
}

TEST(Why, PeeledAsJson) {
  const CommandRun run =
      runCommand({"why", "sequential", "--size", "2^10", "--peel", "--json"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  const auto printed = nlohmann::json::parse(run.out);
  const auto& peel = printed["peel"];
  EXPECT_EQ(peel["engine"]["device"], printed["engine"]["device"]);
  EXPECT_EQ(peel["samples"], 61);
  EXPECT_EQ(peel["clean_us"], 80);
  EXPECT_EQ(peel["whole_us"], 95);
  EXPECT_EQ(peel["adds_up"], false);
  ASSERT_EQ(peel["steps"].size(), 11u);
  EXPECT_EQ(peel["steps"][0]["kind"], "empty");
  EXPECT_EQ(peel["steps"][0]["round"], nullptr);
  EXPECT_EQ(peel["steps"][1]["kind"], "load");
  EXPECT_EQ(peel["steps"][2]["kind"], "stride");
  EXPECT_EQ(peel["steps"][2]["stride"], 128);
  EXPECT_EQ(peel["steps"][10]["kind"], "write");
  EXPECT_EQ(peel["steps"][10]["round"], 9);
  double sum = 0;
  for (const auto& step : peel["steps"]) sum += step["us"].get<double>();
  EXPECT_DOUBLE_EQ(sum, peel["whole_us"]);
}

TEST(Why, PeeledWithoutAGpuIsRecorded) {
  EXPECT_EQ(runCommand({"why", "sequential", "-n", "3072", "--peel"}, withoutDevice()).code, 3);
  Services services = withoutDevice();
  services.sources.shipped.of<model::PeelRecord>() = [] { return std::vector{pricesOf(kSmall)}; };
  const CommandRun run = runCommand({"why", "sequential", "-n", "3072", "--peel", "--json"}, services);
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(nlohmann::json::parse(run.out)["engine"]["kind"], "recorded");
}

TEST(Record, KeepsPrices) {
  const support::Folder folder;
  const std::string file = (folder / "a.stride").string();
  const CommandRun run = runCommand({"record", "sequential", "-o", file, "--prices"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr(": 3 runs' prices\n"));
  const auto peels = archive::readQuantity<model::PeelRecord>(file);
  ASSERT_TRUE(peels) << peels.error().sentence;
  ASSERT_EQ(peels->size(), 3u);
  EXPECT_EQ(peels->front().steps, pricesOf(kSmall).steps);
}

TEST(Record, KeepsTimelinesAndCosts) {
  const support::Folder folder;
  const std::string file = (folder / "a.stride").string();
  const CommandRun run =
      runCommand({"record", "sequential", "-o", file, "--timelines", "--costs"}, withDevice());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr(": 2 timelines\n")) << "at 2^16 and 2^20; at 2^24 there are too many blocks";
  EXPECT_THAT(run.out, HasSubstr(" runs' costs\n"));
  EXPECT_EQ(archive::readQuantity<model::TimelineRecord>(file).value().size(), 2u);
  EXPECT_EQ(archive::readQuantity<model::CostRecord>(file).value().size(), 10u)
      << "one block's, and 2^10 to 2^26 by fours";

  // Without a GPU, from that recording.
  const std::string copy = (folder / "copy.stride").string();
  const CommandRun copied = runCommand(
      {"record", "warm_up", "--engine", "host", "-o", copy, "--measured-in", file}, withoutDevice());
  EXPECT_EQ(copied.code, 0) << copied.error;
  EXPECT_EQ(archive::readQuantity<model::CostRecord>(copy).value(),
            archive::readQuantity<model::CostRecord>(file).value());
  const CommandRun none = runCommand({"record", "warm_up", "--engine", "host", "-o",
                                      (folder / "none.stride").string(), "--measured-in", "/nowhere"},
                                     withoutDevice());
  EXPECT_NE(none.code, 0);
  EXPECT_FALSE(std::filesystem::exists((folder / "none.stride").string()));
}

}  // namespace
}  // namespace stridescope::cli
