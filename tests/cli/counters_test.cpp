// `counters`: what it prints of a GPU, here a stand-in, and of recordings without one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/analysis.h"
#include "analysis/requests.h"
#include "archive/recording_file.h"
#include "command_run.h"
#include "kernels/catalog.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using model::Counter;
using testing::HasSubstr;
using testing::Not;

// What an H200 counted of interleaved_contiguous, 256 threads, one block, int (ncu, CUDA 13.0, driver 580).
std::vector<model::CounterValue> contiguous() {
  return {{Counter::SharedLoadWavefronts, 95}, {Counter::SharedStoreWavefronts, 55},
          {Counter::SharedLoadConflicts, 70},  {Counter::SharedStoreConflicts, 35},
          {Counter::Instructions, 1064},       {Counter::AchievedOccupancy, 12.25}};
}

model::CounterRecord recordOf(const model::Experiment& experiment, std::vector<model::CounterValue> values,
                              std::size_t launches = 1) {
  model::CounterRecord record{
      .experiment = experiment,
      .kernelHash = model::hashOf(kernels::kernelText(experiment)),
      .executor = {
          .kind = model::EngineKind::Gpu, .device = "Stand-in GPU", .recordedOn = "2026-01-02T03:04:05Z"}};
  record.launches.assign(launches, {.grid = 1, .block = experiment.threads, .values = std::move(values)});
  return record;
}

using Count = std::function<Result<model::CounterRecord>(const model::Experiment&)>;

class CountingDevice : public measure::TimingDevice {
 public:
  explicit CountingDevice(Count count) {
    measures<model::CounterRecord>(
        [count = std::move(count)](const model::Experiment& experiment, engine::JobControl&) {
          return count(experiment);
        });
  }
  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase&,
                                                        std::span<const model::TimingSubject>,
                                                        engine::JobControl&) override {
    return unavailable("This device only counts.");
  }
  Result<measure::Timed> sample(std::size_t, engine::JobControl&) override {
    return unavailable("This device only counts.");
  }

 private:
  measure::TimingDeviceFacts facts_;
};

Services counting(Count count) {
  Services services = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = hostTrace(experiment);
    trace.executor.kind = model::EngineKind::Gpu;
    return trace;
  });
  services.sources.timing.makeGpu =
      [count](unsigned, engine::JobControl&) -> Result<std::unique_ptr<measure::TimingDevice>> {
    return std::make_unique<CountingDevice>(count);
  };
  return services;
}

Services withoutGpu() {
  Services services = counting({});
  services.sources.timing.makeGpu =
      [](unsigned, engine::JobControl&) -> Result<std::unique_ptr<measure::TimingDevice>> {
    return unavailable("There is no GPU here.");
  };
  return services;
}

const std::vector<std::string> kContiguous{"counters", "interleaved_contiguous"};

TEST(Counters, StandBesideTheModel) {
  const CommandRun run = runCommand(kContiguous, counting([](const model::Experiment& experiment) {
                                      return recordOf(experiment, contiguous());
                                    }));
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr("launch 0 (1 in all): 1 block of 256 threads\n"));
  EXPECT_THAT(run.out,
              HasSubstr("  Shared loads, wavefronts                         95             95  equal\n"));
  EXPECT_THAT(run.out, HasSubstr("  Instructions executed                             -           1064\n"));
  EXPECT_THAT(run.out, HasSubstr("12.2 %\n"));
  EXPECT_THAT(run.out, HasSubstr("  Branches                                          -              -\n"));
  EXPECT_THAT(run.out, HasSubstr("4 of 4 modelled counters equal\n"));
}

// As of a chip that has none of them.
TEST(Counters, ThatCountedNothingAreNoSuccess) {
  const Services nothing =
      counting([](const model::Experiment& experiment) { return recordOf(experiment, {}); });
  for (const std::vector<std::string>& arguments :
       {kContiguous, std::vector<std::string>{"counters", "interleaved_contiguous", "--json"},
        std::vector<std::string>{"verify", "sequential", "--counters"}}) {
    const CommandRun run = runCommand(arguments, nothing);
    EXPECT_EQ(run.code, 3) << arguments.front();
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.error, HasSubstr("Nothing was counted of"));
    EXPECT_THAT(run.error, HasSubstr("stridescope: No counters could be read.\n"));
  }
}

// What was counted, but nothing that the model knows.
TEST(Counters, ThatCannotBeComparedVerifyNothing) {
  const CommandRun run =
      runCommand({"verify", "sequential", "--counters"}, counting([](const model::Experiment& experiment) {
                   return recordOf(experiment, {{Counter::Instructions, 1064}});
                 }));
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.error, HasSubstr("No counter could be held against the model"));
}

TEST(Counters, TellADifference) {
  const CommandRun run = runCommand(kContiguous, counting([](const model::Experiment& experiment) {
                                      auto values = contiguous();
                                      values[0].value = 90;
                                      values[3].value = 36;
                                      return recordOf(experiment, values);
                                    }));
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("95             90  -5\n"));
  EXPECT_THAT(run.out, HasSubstr("35             36  +1\n"));
  EXPECT_THAT(run.out, HasSubstr("2 of 4 modelled counters equal\n"));
}

TEST(Counters, NoRatioIsAbove100Percent) {
  const Services services = counting([](const model::Experiment& experiment) {
    auto values = contiguous();
    values.push_back({model::Counter::L2HitRate, 104.9});
    return recordOf(experiment, values);
  });
  const CommandRun run = runCommand(kContiguous, services);
  EXPECT_THAT(run.out, HasSubstr("        100.0 %\n"));
  EXPECT_THAT(run.out, HasSubstr("L2 hit rate: counted as 104.9 %, shown as 100.0 %."));
  std::vector<std::string> arguments = kContiguous;
  arguments.emplace_back("--json");
  const auto printed = nlohmann::json::parse(runCommand(arguments, services).out);
  const auto& counters = printed["cases"].at(0)["launches"].at(0)["counters"];
  EXPECT_EQ(counters["l2_hit_rate"]["measured"], 100);
  EXPECT_EQ(counters["l2_hit_rate"]["counted"], 104.9);
  EXPECT_FALSE(counters["shared_load_conflicts"].contains("counted"));
}

// Only one block of a launch of several was stepped: the model does not know the others.
TEST(Counters, OfManyBlocksAreNotModelled) {
  const CommandRun run = runCommand({"counters", "interleaved_contiguous", "-n", "512"},
                                    counting([](const model::Experiment& experiment) {
                                      auto record = recordOf(experiment, contiguous(), 2);
                                      record.launches[0].grid = 2;
                                      return record;
                                    }));
  EXPECT_THAT(run.out, HasSubstr("launch 0 (2 in all): 2 blocks of 256 threads\n"));
  EXPECT_THAT(run.out, HasSubstr("4 modelled counters equal\n")) << "of the second launch alone";
}

TEST(Counters, AsJson) {
  std::vector<std::string> arguments = kContiguous;
  arguments.emplace_back("--json");
  const auto printed =
      nlohmann::json::parse(runCommand(arguments, counting([](const model::Experiment& experiment) {
                                         return recordOf(experiment, contiguous());
                                       }))
                                .out);
  EXPECT_EQ(printed["format"], 1);
  const auto& one = printed["cases"].at(0);
  EXPECT_EQ(one["variant"], "interleaved_contiguous");
  EXPECT_EQ(one["engine"]["device"], "Stand-in GPU");
  EXPECT_EQ(one["experiment"]["threads"], 256);
  const auto& counters = one["launches"].at(0)["counters"];
  EXPECT_EQ(counters["shared_load_conflicts"]["modelled"], 70);
  EXPECT_EQ(counters["shared_load_conflicts"]["measured"], 70);
  EXPECT_EQ(counters["shared_load_conflicts"]["metric"],
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  EXPECT_TRUE(counters["instructions"]["modelled"].is_null());
  EXPECT_TRUE(counters["branches"]["measured"].is_null());
  EXPECT_EQ(printed["totals"]["equal"], 4);
}

TEST(Counters, OfAllVariantsLeaveOutWhatHasNone) {
  const CommandRun run =
      runCommand({"counters", "--all"},
                 counting([](const model::Experiment& experiment) -> Result<model::CounterRecord> {
                   if (experiment.variant != "sequential") return usageError("It has no counters.");
                   return recordOf(experiment, contiguous());
                 }));
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.error, HasSubstr("It has no counters."));
  EXPECT_THAT(run.out, HasSubstr("sequential int"));
}

TEST(Counters, ThatCannotBeReadAreASentence) {
  const CommandRun run =
      runCommand(kContiguous, counting([](const model::Experiment&) -> Result<model::CounterRecord> {
                   return unavailable("Only administrators may read them.");
                 }));
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.error, HasSubstr("Only administrators may read them."));
}

TEST(Counters, WithoutAGpuAreTheRecordedOnes) {
  Services services = withoutGpu();
  EXPECT_EQ(runCommand(kContiguous, services).code, 3);
  EXPECT_THAT(runCommand(kContiguous, services).error, HasSubstr("There is no GPU here."));
  const model::Experiment experiment{
      .variant = "interleaved_contiguous",
      .threads = 256,
      .elements = 256,
      .data = kernels::defaultData("interleaved_contiguous", model::Operator::Add)};
  services.sources.shipped.of<model::CounterRecord>() = [&] {
    auto older = recordOf(experiment, {{Counter::Instructions, 1}});
    older.executor.recordedOn = "2025-01-01T00:00:00Z";
    auto otherKernel = recordOf(experiment, {{Counter::Instructions, 2}});
    otherKernel.kernelHash = "another text";
    auto otherSize = recordOf(experiment, {{Counter::Instructions, 3}});
    otherSize.experiment.threads = 128;
    return std::vector{recordOf(experiment, contiguous()), older, otherKernel, otherSize};
  };
  for (const char* engine : {"auto", "host"}) {
    const CommandRun run = runCommand({"counters", "interleaved_contiguous", "--engine", engine}, services);
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_THAT(run.out, HasSubstr("recorded on Stand-in GPU, 2026-01-02\n"));
    EXPECT_THAT(run.out, HasSubstr("1064\n"));
  }
  const CommandRun onTheGpu = runCommand({"counters", "interleaved_contiguous", "--engine", "gpu"}, services);
  EXPECT_EQ(onTheGpu.code, 3) << "who asks for the GPU wants that";
  const auto printed =
      nlohmann::json::parse(runCommand({"counters", "interleaved_contiguous", "--json"}, services).out);
  EXPECT_EQ(printed["cases"].at(0)["engine"]["kind"], "recorded");
  EXPECT_EQ(printed["cases"].at(0)["engine"]["recorded_on"], "2026-01-02T03:04:05Z");
  const CommandRun none = runCommand({"counters", "sequential", "--engine", "host"}, services);
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.error, HasSubstr("No counters are recorded of sequential int"));
}

TEST(Counters, GoIntoARecordingInEveryBlockSizeAndInAFullGrid) {
  const support::Folder folder;
  const std::string file = folder / "a.stride";
  const Services services =
      counting([](const model::Experiment& experiment) { return recordOf(experiment, contiguous()); });
  const CommandRun run =
      runCommand({"record", "interleaved_contiguous", "--counters", "--engine", "gpu", "-o", file}, services);
  ASSERT_EQ(run.code, 0) << run.error;
  const auto records = archive::readQuantity<model::CounterRecord>(file);
  ASSERT_TRUE(records) << records.error().sentence;
  const auto& variant = *kernels::findVariant("interleaved_contiguous");
  ASSERT_EQ(records->size(), variant.threads.size() + 3);
  for (const unsigned threads : variant.threads)
    EXPECT_EQ(std::ranges::count_if(*records,
                                    [&](const model::CounterRecord& record) {
                                      return record.experiment.threads == threads &&
                                             record.experiment.elements == threads;
                                    }),
              1)
        << threads;
  EXPECT_EQ(records->back().experiment.elements, 1u << 24);
  EXPECT_THAT(run.out, HasSubstr("runs' counters\n"));
  const CommandRun read = runCommand({"counters", "interleaved_contiguous", "--engine", file}, withoutGpu());
  EXPECT_EQ(read.code, 0) << read.error;
  EXPECT_THAT(read.out, HasSubstr("4 of 4 modelled counters equal\n"));
}

// What the CPU executor's trace says of one block.
model::CounterRecord asModelled(const model::Experiment& experiment) {
  const model::Trace trace = hostTrace(experiment);
  const analysis::Analysis analysis = analysis::analyse(trace);
  std::vector<model::CounterValue> values;
  for (const Counter counter : model::kCounters)
    if (const auto value = analysis::modelled(counter, trace.launches[0], analysis.launches[0]))
      values.push_back({counter, *value});
  return recordOf(experiment, values, trace.launches.size());
}

TEST(VerifyCounters, OfEveryTypeAndBlockSizeAreHeldAgainstTheModel) {
  std::vector<model::Experiment> asked;
  const CommandRun run =
      runCommand({"verify", "sequential", "--counters"}, counting([&](const model::Experiment& experiment) {
                   asked.push_back(experiment);
                   return asModelled(experiment);
                 }));
  EXPECT_EQ(run.code, 0) << run.error;
  ASSERT_EQ(asked.size(), 4 * kernels::findVariant("sequential")->threads.size());
  EXPECT_EQ(run.out, fmt::format("{0} of {0} equal\n", 4 * asked.size()));
}

TEST(VerifyCounters, ADifferenceIsALineAndWrongUnlessItIsKnown) {
  const auto oneLess = [](const model::Experiment& experiment) {
    auto record = asModelled(experiment);
    if (experiment.type == model::ElementType::Int && experiment.threads == 64)
      record.launches[0].values[0].value -= 1;
    return record;
  };
  const CommandRun sequential = runCommand({"verify", "sequential", "--counters"}, counting(oneLess));
  EXPECT_EQ(sequential.code, 1);
  EXPECT_THAT(sequential.out, HasSubstr("sequential int + digits, 64 threads, 64 elements, seed 1, launch 0: "
                                        "Shared loads, wavefronts modelled "));
  EXPECT_THAT(sequential.out, HasSubstr(": DIFFERENT\n"));
  EXPECT_THAT(sequential.out, HasSubstr(" equal, 1 DIFFERENT\n"));
  const CommandRun guarded =
      runCommand({"verify", "warp_guarded", "--counters"}, counting([](const model::Experiment& experiment) {
                   auto record = asModelled(experiment);
                   record.launches[0].values[0].value -= 1;
                   return record;
                 }));
  EXPECT_EQ(guarded.code, 0) << guarded.error;
  EXPECT_THAT(guarded.out, HasSubstr("Known: The compiler keeps in a register"));
  EXPECT_THAT(guarded.out, HasSubstr("known to differ\n"));
  EXPECT_THAT(guarded.out, Not(HasSubstr("DIFFERENT")));
}

TEST(VerifyCounters, WithoutAGpuAndARecordingIsMissing) {
  const CommandRun run = runCommand({"verify", "sequential", "--counters"}, withoutGpu());
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.error, HasSubstr("There is no GPU here."));
  EXPECT_EQ(runCommand({"verify", "early_result", "--counters"}, withoutGpu()).code, 2);
}

TEST(Counters, TakeOneVariantOrAll) {
  EXPECT_EQ(runCommand({"counters"}, withoutGpu()).code, 2);
  EXPECT_EQ(runCommand({"counters", "sequential", "--all"}, withoutGpu()).code, 2);
  EXPECT_EQ(runCommand({"counters", "nothing"}, withoutGpu()).code, 2);
  EXPECT_EQ(runCommand({"counters", "sequential", "--engine", "/no/such.stride"}, withoutGpu()).code, 3);
}

}  // namespace
}  // namespace stridescope::cli
