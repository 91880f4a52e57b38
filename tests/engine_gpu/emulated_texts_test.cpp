// The recording runtime's GPU half on the texts of tests/engine/texts: warp operations, 16-byte packs, shared
// variables, cooperative groups. What it records must equal what the CPU executor records of the same text.
#include <gmock/gmock.h>

#include "../engine/text_kernel.h"
#include "emulation/emulated_kernels.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/launch_recorder.h"
#include "recording/host/groups.h"
#include "stand_in.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/combine_warp.inc"
#include "instrumented/groups.inc"
#include "instrumented/rows.inc"
#include "instrumented/shared_variables.inc"
#include "instrumented/with_barriers.inc"
}  // namespace texts
namespace packed {
#include "instrumented/packs.inc"
}  // namespace packed

}  // namespace

namespace stridescope::engine::gpu {
namespace {

class EmulatedTexts : public StandInTest {
 protected:
  static constexpr unsigned kThreads = 96, kElements = kThreads * 16;

  void SetUp() override {
    StandInTest::SetUp();
    in.resize(kElements);
    for (unsigned i = 0; i < kElements; ++i) in[i] = int(i * i % 1009);
    out.assign(kElements, 0);
    counter.assign(1, 0);
  }

  // In the stand-in's memory, which is the host's.
  RecordedLaunch runEmulated(const std::string& name, unsigned parameters, const LaunchSize& size) {
    std::ifstream file(std::string(STRIDESCOPE_KERNEL_TEXTS) + "/" + name + ".cu");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto instrumented = instrument::instrument(text);
    const auto driver = loadDriver(places.driver);
    state->kernel = emulatedKernel(name);
    if (!instrumented || !driver || state->kernel == nullptr) {
      ADD_FAILURE() << name << " cannot be prepared";
      return {};
    }
    GpuDevice device(*driver, deviceFacts(**driver, 0).value(), ContextKind::Own);
    const auto entered = device.enter();
    LaunchRecorder recorder(device, {});
    std::vector<int> input = in;
    std::vector<int> output(kElements, 0);
    std::vector<unsigned> count(1, 0);
    const auto argumentOf = [](const char* parameter, auto& values) {
      return KernelArgument{parameter, 4, values.size() * 4, reinterpret_cast<std::uintptr_t>(values.data())};
    };
    std::vector<KernelArgument> arguments{argumentOf("in", input), argumentOf("out", output)};
    const bool counts = name == "shared_variables";
    if (counts) arguments.push_back(argumentOf("counter", count));
    if (arguments.size() < parameters)
      arguments.push_back({.name = "n", .bytes = 4, .value = kThreads - 10, .isBuffer = false});
    const auto module = GpuModule::load(device, {"image", name}, name);
    auto launch = recorder.record(**module, *instrumented, size, size.grid.count() - 1, arguments);
    if (!launch) {
      ADD_FAILURE() << launch.error().sentence;
      return {};
    }
    emulatedOut = output;
    return std::move(*launch);
  }

  template <auto kernel, class... Further>
  void expectSame(const std::string& name, Further&... further) {
    SCOPED_TRACE(name);
    Arguments arguments(in, out, further...);
    const auto inRuntime = [](const model::Dim3& shape) { return dim3(unsigned(shape.x), shape.y, shape.z); };
    const HandRun host = runText<kernel>(arguments, launchOf(inRuntime(size.grid), inRuntime(size.block)));
    const RecordedLaunch gpu = runEmulated(name, 2 + unsigned(sizeof...(Further)), size);
    EXPECT_TRUE(host.problems.empty());
    EXPECT_TRUE(gpu.trace.recorded().problems.empty());
    EXPECT_TRUE(gpu.finished);
    EXPECT_EQ(emulatedOut, out);
    ASSERT_EQ(gpu.trace.recorded().first, host.record.first);
    for (std::size_t i = 0; i < host.record.events.size(); ++i) {
      // Who comes when at an atomic is left to the machine, and so is what depends on it.
      ASSERT_EQ(gpu.trace.recorded().events[i].head, host.record.events[i].head) << i;
      ASSERT_EQ(gpu.trace.recorded().events[i].value, host.record.events[i].value) << i;
    }
    EXPECT_EQ(gpu.trace.recorded().barrierCopies.size(), host.record.barrierCopies.size());
    EXPECT_EQ(gpu.trace.recorded().copied.size(), host.record.copied.size());
  }

  std::vector<int> in, out, emulatedOut;
  std::vector<unsigned> counter;
  unsigned n = kThreads - 10;
  LaunchSize size{.grid = 1, .block = kThreads};
};

TEST_F(EmulatedTexts, CombineWarpAndAtomically) { expectSame<texts::combine_warp>("combine_warp"); }
TEST_F(EmulatedTexts, Packs) { expectSame<packed::packs>("packs", n); }
TEST_F(EmulatedTexts, SharedVariables) {
  expectSame<texts::shared_variables>("shared_variables", counter, n);
}
TEST_F(EmulatedTexts, ShufflesAndWarpBarriers) { expectSame<texts::with_barriers>("with_barriers"); }
TEST_F(EmulatedTexts, RowsOfThreadsAndOfBlocks) {
  size = {.grid = {3, 2, 2}, .block = {8, 2, 2}};
  expectSame<texts::rows>("rows");
}
TEST_F(EmulatedTexts, CooperativeGroups) { expectSame<texts::groups>("groups"); }

}  // namespace
}  // namespace stridescope::engine::gpu
