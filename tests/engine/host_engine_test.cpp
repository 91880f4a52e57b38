// The CPU executor's results for every variant, type, operator and many sizes, against a plain loop that is
// written here and knows nothing of the program's own reference.
#include "engine/host/host_engine.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/trace_check.h"
#include "plain_loop.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine {
namespace {

// Integer results, and floating ones that no order changes, must be the plain loop's.
void expectPlainLoopsResult(Engine& engine, const model::Experiment& experiment) {
  SCOPED_TRACE(experiment.variant + " " + std::string(model::nameOf(experiment.type)) + " " +
               std::string(model::nameOf(experiment.op)) + " n=" + std::to_string(experiment.elements) +
               " threads=" + std::to_string(experiment.threads) + " " +
               std::string(model::nameOf(experiment.data)));
  JobControl job;
  const auto trace = engine.record(experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  for (const model::LaunchTrace& launch : trace->launches) EXPECT_TRUE(launch.recorded().problems.empty());
  const auto expected = plainLoop(experiment);
  // A tree of a floating product may overflow where a plain loop meets a 0 first, or overflows elsewhere.
  const bool mayOverflow = !expected && experiment.op == model::Operator::Multiply;
  const bool overflows = mayOverflow && (trace->result == "nan" || trace->result == "inf");
  EXPECT_TRUE(trace->ok || overflows)
      << trace->result << " for " << trace->expected << ": " << trace->checkNote;
  if (expected) {
    EXPECT_EQ(trace->result, *expected);
    EXPECT_EQ(trace->expected, *expected);
  }
}

class EveryVariant : public testing::TestWithParam<std::string> {};

TEST_P(EveryVariant, GivesThePlainLoopsResult) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const auto engine = host::makeHostEngine();
  support::Sweep sweep;
  for (model::ElementType type : variant.types)
    for (model::Operator op : variant.operators)
      for (std::uint64_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537})
        for (model::DataPattern data : model::kDataPatterns) {
          if (!model::isOffered(type, op)) continue;
          if (!sweep.takes()) continue;
          expectPlainLoopsResult(*engine, {.variant = std::string(variant.id),
                                           .type = type,
                                           .op = op,
                                           .threads = 256,
                                           .elements = n,
                                           .data = data});
        }
}

TEST_P(EveryVariant, RunsWithEveryLegalBlockSize) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const auto engine = host::makeHostEngine();
  for (unsigned threads : variant.threads)
    for (std::uint64_t n : {1u, threads - 1, threads, threads + 1, 3 * threads, 5000u})
      for (model::ElementType type : {model::ElementType::Int, model::ElementType::Double})
        expectPlainLoopsResult(*engine, {.variant = std::string(variant.id),
                                         .type = type,
                                         .threads = threads,
                                         .elements = n,
                                         .data = model::DataPattern::Random});
}

// The rungs of the ladder that offer everything; tests/kernels holds all variants over other sizes.
std::vector<std::string> variantIds() {
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalog())
    if (variant.family == kernels::Family::Ladder && variant.onlyThese.empty()) ids.emplace_back(variant.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryVariant, testing::ValuesIn(variantIds()),
                         [](const auto& each) { return each.param; });

// It is a text of the catalogue under another name and with another launch rule, so that there is compiled
// code for it.
model::Experiment experimentOfOwnKernel() {
  model::Kernel kernel = *kernels::findVariant("many_blocks");
  kernel.id = "of_my_own";
  kernel.threads = {32};
  kernel.defaultThreads = 32;
  model::Experiment experiment{.variant = kernel.id, .threads = 32, .elements = 100};
  experiment.kernel = Shared(std::move(kernel));
  return experiment;
}

// It keeps what the text pass says of the text before.
TEST(HostEngine, TellsOfEveryTextThatItRuns) {
  const auto engine = host::makeHostEngine();
  for (const char* variant : {"sequential", "warp_shuffle", "warp_shuffle", "sequential"}) {
    const model::Experiment experiment{.variant = variant, .threads = 64, .elements = 64};
    JobControl job;
    const auto ours = engine->record(experiment, job), anew = host::makeHostEngine()->record(experiment, job);
    ASSERT_TRUE(ours && anew) << variant;
    EXPECT_EQ(ours->sites, anew->sites) << variant;
    EXPECT_EQ(ours->launches, anew->launches) << variant;
  }
}

TEST(HostEngine, RunsAKernelThatTheCatalogueDoesNotHave) {
  const auto engine = host::makeHostEngine({}, {}, [](const model::Kernel& kernel) {
    EXPECT_EQ(kernel.id, "of_my_own");
    return host::compiledIn(*kernels::findVariant("many_blocks"));
  });
  JobControl job;
  const model::Experiment experiment = experimentOfOwnKernel();
  const auto trace = engine->record(experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->experiment, experiment);
  EXPECT_EQ(trace->result, "4950");
  EXPECT_TRUE(trace->ok);
  EXPECT_EQ(trace->expected, "4950");
  ASSERT_EQ(trace->launches.size(), 2u);  // 100 elements, 32 per block: 4 blocks, then one
  EXPECT_EQ(trace->launches[0].buffers[0].role, model::ParameterRole::Input);
}

TEST(HostEngine, RefusesAKernelThatWasNotCompiled) {
  const auto engine = host::makeHostEngine();
  model::Experiment experiment = experimentOfOwnKernel();
  EXPECT_FALSE(host::compiledIn(*experiment.kernel.get()).empty()) << "its text is the catalogue's";
  model::Kernel changed = *experiment.kernel.get();
  changed.text += "// changed";
  EXPECT_TRUE(host::compiledIn(changed).empty());
  experiment.kernel = Shared(std::move(changed));
  JobControl job;
  const auto trace = engine->record(experiment, job);
  ASSERT_FALSE(trace);
  EXPECT_NE(trace.error().sentence.find("'of_my_own'"), std::string::npos) << trace.error().sentence;
}

TEST(HostEngine, FillsTheTrace) {
  const auto engine = host::makeHostEngine();
  JobControl job;
  const auto trace = engine->record(
      {.variant = "first_add_on_load", .threads = 64, .elements = 1000, .launch = 0, .block = 3}, job);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->executor.kind, model::EngineKind::Host);
  EXPECT_EQ(trace->executor.device, "CPU executor");
  EXPECT_FALSE(trace->executor.compiler.empty());
  std::tm date{};
  const char* const rest = strptime(trace->executor.recordedOn.c_str(), "%Y-%m-%dT%H:%M:%SZ", &date);
  ASSERT_TRUE(rest && *rest == '\0') << trace->executor.recordedOn;
  EXPECT_LT(std::abs(std::difftime(std::time(nullptr), timegm(&date))), 60);
  EXPECT_EQ(trace->kernelText, kernels::kernelText("first_add_on_load"));
  EXPECT_EQ(trace->preamble.find("using T = int;\n"), 0u);
  EXPECT_FALSE(trace->sites.empty());
  EXPECT_EQ(trace->result, "499500");
  ASSERT_EQ(trace->launches.size(), 2u);  // 1000 elements, 128 per block: 8 blocks, then one
  const model::LaunchTrace& launch = trace->launches[0];
  EXPECT_EQ(launch.grid, 8u);
  EXPECT_EQ(launch.block, 64u);
  EXPECT_EQ(launch.recorded().block, 3u);
  EXPECT_EQ(launch.elements, 1000u);
  EXPECT_EQ(launch.recorded().shared, (std::vector<model::Array>{{"data", 4, 256, model::ElementType::Int}}));
  EXPECT_EQ(launch.buffers, (std::vector<model::Array>{
                                {"in", 4, 4096, model::ElementType::Int, model::ParameterRole::Input},
                                {"out", 4, 32, model::ElementType::Int, model::ParameterRole::Output}}));
  EXPECT_EQ(launch.recorded().barrierCopies.size(), 7u);
  EXPECT_EQ(launch.recorded().first.size(), 65u);
  EXPECT_EQ(launch.recorded().events[0].buffer(), 0u);
  EXPECT_EQ(launch.recorded().events[0].offset() % 256, 0u);  // thread 0 of block 3 reads element 384 or 448
  EXPECT_EQ(trace->launches[1].elements, 8u);
  EXPECT_EQ(trace->launches[1].buffers[0].bytes, 512u);
}

TEST(HostEngine, RecordsTheSameInParallelAndAgain) {
  const model::Experiment experiment{.variant = "unrolled_last_warp",
                                     .type = model::ElementType::Double,
                                     .threads = 128,
                                     .elements = 3000,
                                     .data = model::DataPattern::Random};
  model::Experiment other = experiment;  // other threads' engines run another operator at the same time
  other.op = model::Operator::Max;
  const auto record = [](Engine& engine, const model::Experiment& what) {
    JobControl job;
    model::Trace trace = engine.record(what, job).value_or(model::Trace{});
    trace.executor.recordedOn.clear();  // the one thing that differs: the time
    return trace;
  };
  const auto engine = host::makeHostEngine();
  const model::Trace sum = record(*engine, experiment), most = record(*engine, other);
  ASSERT_FALSE(sum.launches.empty());
  EXPECT_NE(sum.result, most.result);
  std::vector<std::thread> threads;
  std::array<int, 4> same{};
  for (std::size_t i = 0; i < same.size(); ++i)
    threads.emplace_back([&, i] {
      const auto mine = host::makeHostEngine();
      for (int run = 0; run < 20; ++run)
        same[i] += i % 2 == 0 ? record(*mine, experiment) == sum : record(*mine, other) == most;
    });
  for (std::thread& thread : threads) thread.join();
  for (int count : same) EXPECT_EQ(count, 20);
}

TEST(HostEngine, TakesNoMoreThanItsMost) {
  JobControl job;
  const auto refused =
      host::makeHostEngine()->record({.variant = "sequential", .elements = (1u << 24) + 1}, job);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("at most 2^24 elements; 16\u202f777\u202f217 were asked for"),
            std::string::npos);
}

TEST(HostEngine, RefusesWhatIsNotInTheCatalogue) {
  JobControl job;
  EXPECT_FALSE(host::makeHostEngine()->record({.variant = "nothing"}, job));
  EXPECT_FALSE(host::makeHostEngine()->record({.variant = "sequential", .threads = 48}, job));
  EXPECT_FALSE(host::makeHostEngine()->record({.variant = "sequential", .threads = 100}, job));
}

TEST(HostEngine, StopsWhenAskedAndTellsItsProgress) {
  JobControl job;
  std::atomic<int> reports = 0;
  float last = 0;
  bool ascends = true;
  job.progress = [&](float fraction, const std::string& doing) {
    ascends = ascends && fraction >= last && fraction <= 1 && !doing.empty();
    last = fraction;
    ++reports;
  };
  std::thread canceller([&] {
    while (reports == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    job.cancel = true;
  });
  const auto trace =
      host::makeHostEngine()->record({.variant = "interleaved_modulo", .elements = 1u << 24}, job);
  canceller.join();
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Cancelled);
  EXPECT_TRUE(ascends);
  EXPECT_LT(last, 0.5f) << "most of the run was still to come";
}

TEST(HostEngine, CutsATraceThatIsTooLarge) {
  JobControl job;
  const auto trace = host::makeHostEngine({.eventsPerThread = 10, .traceBytes = 1 << 20})
                         ->record({.variant = "sequential", .threads = 64, .elements = 64}, job);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->launches[0].recorded().cut);
  EXPECT_EQ(trace->launches[0].recorded().problems[0].kind, model::ProblemKind::Limit);
  EXPECT_FALSE(trace->ok);
  EXPECT_EQ(trace->result, "");
}

// A float sum of ones stands still at 2^24: one thread for all elements, in their order.
TEST(HostEngine, OneThreadGoesThroughMoreElementsThanItsTraceHolds) {
  for (const std::uint64_t elements : {std::uint64_t{100'000}, std::uint64_t{1} << 20}) {
    JobControl job;
    const auto trace = host::makeHostEngine()->record({.variant = "left_to_right",
                                                       .type = model::ElementType::Float,
                                                       .threads = 1,
                                                       .elements = elements,
                                                       .data = model::DataPattern::Ones},
                                                      job);
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(std::stod(trace->result), double(elements));
    EXPECT_TRUE(trace->ok);
    const model::LaunchTrace& launch = trace->launches[0];
    EXPECT_TRUE(launch.recorded().cut);
    EXPECT_EQ(launch.recorded().events.size(), 1u << 18);
    ASSERT_EQ(launch.recorded().problems.size(), 1u);
    EXPECT_EQ(launch.recorded().problems[0].text,
              "Thread 0 made more than 262\u202f144 events; what the block does from there on is not "
              "recorded. Take "
              "fewer elements to see all of it.");
    EXPECT_EQ(model::faultOf(*trace), std::nullopt);
  }
}

TEST(HostEngine, AMergeOfMoreValuesThanItsTraceHoldsEnds) {
  JobControl job;
  const auto trace = host::makeHostEngine({.eventsPerThread = 1000})
                         ->record({.variant = "k_way_merge",
                                   .op = model::Operator::Min,
                                   .threads = 32,
                                   .elements = 200,
                                   .data = model::DataPattern::Random},
                                  job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_TRUE(trace->ok) << trace->result;
  EXPECT_TRUE(trace->launches[0].recorded().cut);
  EXPECT_EQ(trace->launches[0].recorded().problems.size(), 1u);
}

TEST(HostEngine, WarpsGoThroughMoreElementsThanTheTraceHolds) {
  JobControl job;
  const auto trace = host::makeHostEngine({.traceBytes = 1 << 20})
                         ->record({.variant = "block_of_warps", .threads = 64, .elements = 100'000}, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_TRUE(trace->ok) << trace->result << " for " << trace->expected;
  EXPECT_TRUE(trace->launches[0].recorded().cut);
  EXPECT_LE(trace->launches[0].recorded().events.size(), (1u << 20) / sizeof(model::Event));
}

}  // namespace
}  // namespace stridescope::engine
