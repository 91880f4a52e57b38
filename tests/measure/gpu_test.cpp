// On a real GPU: every subject that is offered gives the right result, again and again, and the ceilings are
// plausible. Skipped without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "analysis/analysis.h"
#include "analysis/requests.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/gpu/timed_subject.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

struct GpuTiming : testing::Test {
  std::unique_ptr<TimingDevice> device;
  engine::JobControl job;
  void SetUp() override {
    auto made = gpu::makeGpuTimingDevice(0);
    if (!made) GTEST_SKIP() << made.error().sentence;
    device = std::move(*made);
  }

  static std::vector<model::TimingSubject> subjects(model::ElementType type, model::Operator op) {
    std::vector<model::TimingSubject> all = variantSubjects(type, op);
    for (model::TimingSubject& baseline : baselineSubjects(type, op))
      if (baseline.kind == model::SubjectKind::GpuBaseline) all.push_back(std::move(baseline));
    return all;
  }

  void expectRight(const model::TimingCase& timingCase) {
    const auto all = subjects(timingCase.type, timingCase.op);
    const auto prepared = device->prepare(timingCase, all, job);
    ASSERT_TRUE(prepared) << prepared.error().sentence;
    const std::uint64_t expected = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
    for (int repetition = 0; repetition < 3; ++repetition)
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!(*prepared)[i].unavailable.empty()) continue;
        const auto timed = device->sample(i, job);
        ASSERT_TRUE(timed) << all[i].id << ": " << timed.error().sentence;
        EXPECT_EQ(timed->resultBits, expected)
            << all[i].id << " " << model::nameOf(timingCase.type) << " " << model::nameOf(timingCase.op)
            << " n " << timingCase.elements << ": "
            << wrongResultText(timingCase.type, timed->resultBits, expected);
        EXPECT_GT(timed->microseconds, 0);
      }
  }
};

TEST_F(GpuTiming, EverySubjectIsRightInEveryTypeAndOperator) {
  for (const model::ElementType type : model::kElementTypes)
    for (const model::Operator op : model::kOperators)
      if (isTimed(type, op)) expectRight({.type = type, .op = op, .elements = 1'000'003});
}

TEST_F(GpuTiming, EverySubjectIsRightAtEverySize) {
  for (const std::uint64_t n :
       std::vector<std::uint64_t>{1, 2, 31, 256, 257, 1024, 65'537, 1 << 20, (1 << 24) + 1})
    expectRight({.elements = n});
}

TEST_F(GpuTiming, IsRightInEveryBlockSizeAsAGraphAndWithAWarmCache) {
  for (unsigned threads = 32; threads <= 1024; threads *= 2)
    expectRight({.elements = 100'000, .threads = threads});
  expectRight({.elements = 100'000, .graph = true});
  expectRight({.elements = 100'000, .warmL2 = true});
}

// A variant that cannot be timed says why; it is not left out silently, and most can.
TEST_F(GpuTiming, TimesMostOfTheCatalogue) {
  const auto all = subjects(model::ElementType::Int, model::Operator::Add);
  const auto prepared = device->prepare({.elements = 1 << 20}, all, job);
  ASSERT_TRUE(prepared);
  std::size_t ready = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ready += (*prepared)[i].unavailable.empty();
    if (!(*prepared)[i].unavailable.empty()) std::cout << (*prepared)[i].unavailable << "\n";
  }
  EXPECT_GE(2 * ready, all.size());
}

TEST_F(GpuTiming, MeasuresCeilingsBelowWhatTheMemoryIsBuiltFor) {
  const auto& ceiling = device->facts().ceiling;
  ASSERT_TRUE(ceiling);
  EXPECT_GT(ceiling->read.median, 10);
  if (ceiling->datasheet <= 0) return;
  EXPECT_LT(ceiling->read.median, 1.05 * ceiling->datasheet);
  EXPECT_GT(ceiling->read.median, 0.5 * ceiling->datasheet);
  EXPECT_LT(ceiling->copy.median, 1.05 * ceiling->datasheet);
}

TEST_F(GpuTiming, SaysWhereTheMemoryEnds) {
  const auto refused =
      device->prepare({.elements = 1ull << 40}, subjects(model::ElementType::Int, model::Operator::Add), job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_TRUE(device->isUsable());
}

// The clean text of every variant that a GPU runs, once, by its run plan. With the wrong ones, whose results
// may be wrong: under compute-sanitizer's racecheck each shows whether it has a shared-memory hazard
// (CleanText.* one by one; the analysis of races says which are to have one).

struct WithRunner : testing::Test {
  void SetUp() override {
    auto made = gpu::makeCleanRunner(0);
    if (!made) GTEST_SKIP() << "SKIPPED: " << made.error().sentence;
    runner = std::move(*made);
  }
  std::unique_ptr<gpu::CleanRunner> runner;
};

struct CleanText : WithRunner, testing::WithParamInterface<const kernels::Variant*> {};

TEST_P(CleanText, Runs) {
  const kernels::Variant& variant = *GetParam();
  const model::TimingCase timingCase{
      .op = variant.operators.front(),
      .elements = 3ull * variant.defaultThreads * variant.launch.elementsPerThread,
  };
  gpu::InputPool inputs(*runner);
  const auto filled = inputs.fill(timingCase, timingCase.elements);
  ASSERT_TRUE(filled) << filled.error().sentence;
  const auto passes = gpu::MemoryPasses::load(*runner);
  ASSERT_TRUE(passes) << passes.error().sentence;
  const gpu::CaseMemory memory{.inputPlace = inputs.first(), .room = timingCase.elements, .passes = &*passes};
  const auto subject = gpu::makeTimedVariant(*runner, {model::SubjectKind::Variant, std::string(variant.id)},
                                             timingCase, memory);
  ASSERT_TRUE(subject) << subject.error().sentence;
  const auto timed = (*subject)->run(inputs.next());
  ASSERT_TRUE(timed) << timed.error().sentence;
  if (variant.isWrong()) return;
  EXPECT_EQ(timed->resultBits, expectedResult(timingCase.type, timingCase.op, timingCase.elements));
}

std::vector<const kernels::Variant*> thatRunOnGpus() {
  std::vector<const kernels::Variant*> variants;
  for (const kernels::Variant& variant : kernels::catalog())
    if (variant.onlyOnCpu.empty() && !variant.merges()) variants.push_back(&variant);
  return variants;
}

INSTANTIATE_TEST_SUITE_P(Catalog, CleanText, testing::ValuesIn(thatRunOnGpus()),
                         [](const auto& one) { return std::string(one.param->id); });

struct EveryCleanKernel : WithRunner, testing::WithParamInterface<std::string_view> {};

// 0, 1, 2, ... through one block of 256 threads each: sums of 256 or 512 neighbours.
TEST_P(EveryCleanKernel, AddsUp) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const unsigned perBlock = 256 * variant.launch.elementsPerThread;
  model::Experiment experiment{.variant = std::string(variant.id), .threads = 256, .elements = perBlock};
  auto kernel = runner->load(experiment, gpu::TimedForm::Clean);
  ASSERT_TRUE(kernel) << kernel.error().sentence;
  std::vector<int> numbers(4 * std::size_t(perBlock));
  std::iota(numbers.begin(), numbers.end(), 0);
  auto in = runner->allocate(numbers.size() * 4), out = runner->allocate(16);
  ASSERT_TRUE(in && out);
  ASSERT_TRUE(
      runner->upload(**in, {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size() * 4}));
  ASSERT_TRUE((*kernel)->launch(
      {.grid = 4, .block = 256, .sharedBytes = 1024, .arguments = {(*in)->address(), (*out)->address()}}));
  ASSERT_TRUE(runner->wait());
  int sums[4] = {};
  ASSERT_TRUE(runner->download(**out, {reinterpret_cast<std::uint8_t*>(sums), 16}));
  for (int block = 0; block < 4; ++block) {
    const int first = block * int(perBlock), last = first + int(perBlock) - 1;
    EXPECT_EQ(sums[block], (first + last) * int(perBlock) / 2) << "block " << block;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryCleanKernel,
                         testing::Values("interleaved_modulo", "interleaved_contiguous", "sequential",
                                         "first_add_on_load", "unrolled_last_warp"),
                         [](const auto& one) { return std::string(one.param); });

// On a real GPU: what the hardware counts of shared memory is what the model says. Skipped without one, and
// where its counters cannot be read.

// The compiler may keep in a register what was just loaded, or load neighbouring words at once: then the
// hardware loads less often than the text says. docs/measured.md has these.
bool isOptimized(const kernels::Variant& variant) {
  return variant.merges() || variant.id == "warm_up" || variant.id == "warp_guarded" ||
         variant.id == "tile_columns";
}

// Known: in the text no store conflicts, but with 16 warps or more the counters tell of some, another number
// in each run, as wavefronts and as conflicts. docs/measured.md has it.
bool isDisturbed(const kernels::Variant& variant, model::Counter counter) {
  return variant.id == "warp_redux" && (counter == model::Counter::SharedStoreWavefronts ||
                                        counter == model::Counter::SharedStoreConflicts);
}

TEST(GpuCounters, OfSharedMemoryAreTheModels) {
  auto device = gpu::makeGpuTimingDevice(0);
  if (!device) GTEST_SKIP() << device.error().sentence;
  engine::JobControl job;
  unsigned compared = 0;
  for (const model::ElementType type : {model::ElementType::Int, model::ElementType::Int64,
                                        model::ElementType::Float, model::ElementType::Double})
    for (const kernels::Variant& variant : kernels::catalog())
      for (const unsigned threads : variant.threads) {
        if (variant.isWrong() || isOptimized(variant)) continue;
        model::Experiment asked{.variant = std::string(variant.id), .type = type, .threads = threads};
        asked.data = kernels::defaultData(variant.id, asked.op);
        const auto experiment = engine::checkedExperiment(asked, false);
        if (!experiment) continue;
        const auto record = (*device)->measure<model::CounterRecord>(*experiment, job);
        if (!record && record.error().kind == ErrorKind::Usage) continue;
        if (!record) GTEST_SKIP() << record.error().sentence;
        const auto trace = engine::host::makeHostEngine()->record(*experiment, job);
        ASSERT_TRUE(trace) << trace.error().sentence;
        const analysis::Analysis analysis = analysis::analyse(*trace);
        ASSERT_EQ(record->launches.size(), trace->launches.size());
        for (std::size_t i = 0; i < trace->launches.size(); ++i)
          for (const model::Counter counter : model::kCounters) {
            const auto expected = analysis::modelled(counter, trace->launches[i], analysis.launches[i]);
            const auto measured = record->launches[i].find(counter);
            if (!expected || !measured) continue;
            ++compared;
            if (isDisturbed(variant, counter)) {
              EXPECT_EQ(*measured - *expected,
                        *record->launches[i].find(model::Counter::SharedStoreConflicts))
                  << "as many wavefronts more as conflicts that the text does not have";
              continue;
            }
            EXPECT_EQ(*measured, *expected) << variant.id << " " << model::nameOf(type) << " " << threads
                                            << " threads, launch " << i << ": " << model::nameOf(counter);
          }
      }
  EXPECT_GT(compared, 400u);
}

}  // namespace
}  // namespace stridescope::measure
