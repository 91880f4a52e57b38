// The CPU's baselines against an independent loop, in every type and operator.
#include "measure/cpu/cpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

std::vector<model::TimingSubject> cpuBaselines() {
  std::vector<model::TimingSubject> baselines =
      baselineSubjects(model::ElementType::Int, model::Operator::Add);
  std::erase_if(baselines, [](const model::TimingSubject& baseline) {
    return baseline.kind != model::SubjectKind::CpuBaseline;
  });
  return baselines;
}

TEST(CpuDevice, ReducesEveryTypeAndOperatorRight) {
  const auto device = cpu::makeCpuTimingDevice().value();
  const auto baselines = cpuBaselines();
  ASSERT_EQ(baselines.size(), 4u);
  engine::JobControl job;
  for (const model::ElementType type : model::kElementTypes)
    for (const model::Operator op : model::kOperators) {
      if (!model::isOffered(type, op)) continue;
      for (const std::uint64_t n : std::vector<std::uint64_t>{1, 31, 100'003}) {
        const auto prepared =
            device->prepare({.type = type, .op = op, .elements = n, .warmL2 = true}, baselines, job);
        ASSERT_TRUE(prepared) << prepared.error().sentence;
        for (std::size_t i = 0; i < baselines.size(); ++i) {
          ASSERT_EQ((*prepared)[i].unavailable, "") << baselines[i].id;
          const auto timed = device->sample(i, job);
          ASSERT_TRUE(timed);
          EXPECT_EQ(timed->resultBits, expectedResult(type, op, n))
              << baselines[i].id << " " << model::nameOf(type) << " " << model::nameOf(op) << " " << n;
          EXPECT_GT(timed->microseconds, 0);
        }
      }
    }
}

std::vector<int> allowedCores() {
  const cpu_set_t cores = cpu::usableCores();
  std::vector<int> allowed;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &cores)) allowed.push_back(core);
  return allowed;
}

TEST(PinnedThread, StaysOnOneCoreUntilItEnds) {
  const std::vector<int> before = allowedCores();
  {
    const cpu::PinnedThread pinned(true);
    EXPECT_EQ(allowedCores(), std::vector<int>{sched_getcpu()});
  }
  EXPECT_EQ(allowedCores(), before);
  const cpu::PinnedThread free(false);
  EXPECT_EQ(allowedCores(), before);
}

// Who asks for samples goes on as before, whatever threads were pinned for them.
TEST(CpuDevice, LeavesTheCallersCoresAsTheyWere) {
  const std::vector<int> before = allowedCores();
  const auto device = cpu::makeCpuTimingDevice().value();
  engine::JobControl job;
  ASSERT_TRUE(device->prepare({.elements = 1000}, cpuBaselines(), job));
  for (std::size_t i = 0; i < cpuBaselines().size(); ++i) ASSERT_TRUE(device->sample(i, job));
  EXPECT_EQ(allowedCores(), before);
}

TEST(CpuDevice, NamesTheMachine) {
  const auto device = cpu::makeCpuTimingDevice().value();
  EXPECT_EQ(device->facts().executor.kind, model::EngineKind::Host);
  EXPECT_THAT(device->facts().executor.device, testing::ContainsRegex("thread"));
}

TEST(CpuDevice, SaysWhereTheMemoryEnds) {
  const auto device = cpu::makeCpuTimingDevice().value();
  engine::JobControl job;
  const auto prepared = device->prepare({.elements = 1ull << 45}, cpuBaselines(), job);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().kind, ErrorKind::Usage);
  EXPECT_THAT(prepared.error().sentence, testing::HasSubstr("2^45 elements"));
}

// A container may have less than the machine.
TEST(CpuFacts, MemoryEndsWhereTheGroupsLimitIs) {
  const auto root = std::filesystem::temp_directory_path() / ("groups_" + std::to_string(::getpid()));
  const auto outer = root / "machine.slice", inner = outer / "container";
  std::filesystem::create_directories(inner);
  const auto write = [](const std::filesystem::path& file, const char* text) { std::ofstream(file) << text; };
  const auto groups = root / "cgroup";
  write(groups, "4:memory:/elsewhere\n0::/machine.slice/container\n");
  const auto left = [&] { return cpu::memoryLeftToGroup(groups, root); };
  EXPECT_EQ(left(), std::nullopt) << "there are no limits";
  write(inner / "memory.max", "max\n");
  write(inner / "memory.current", "123\n");
  EXPECT_EQ(left(), std::nullopt);
  write(inner / "memory.max", "1000\n");
  write(inner / "memory.current", "700\n");
  EXPECT_EQ(left(), 300u);
  write(inner / "memory.stat", "anon 400\nfile 300\ninactive_file 200\nactive_file 50\n");
  EXPECT_EQ(left(), 550u) << "files' pages are given up";
  write(outer / "memory.max", "2000\n");
  write(outer / "memory.current", "1990\n");
  EXPECT_EQ(left(), 10u) << "of the group around it";
  write(outer / "memory.current", "2100\n");
  EXPECT_EQ(left(), 0u);
  EXPECT_LE(cpu::availableMemoryBytes(), cpu::memoryLeftToGroup().value_or(~0ull));
  std::filesystem::remove_all(root);
}

TEST(CpuInputs, RotateUnlessTheCacheShallBeWarm) {
  cpu::CpuInputs inputs;
  ASSERT_TRUE(inputs.fill({.elements = 1024}));
  const auto* first = inputs.next();
  EXPECT_NE(inputs.next(), first);
  ASSERT_TRUE(inputs.fill({.elements = 1024, .warmL2 = true}));
  first = inputs.next();
  EXPECT_EQ(inputs.next(), first);
}

}  // namespace
}  // namespace stridescope::measure
