// Functions that a kernel calls, told apart from the loops and branches around their
// calls.
#include <gtest/gtest.h>

#include "analysis/warp_operations.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

// One kernel text for the tests below. Sites of functions stand before those of the kernel.
constexpr std::string_view kText = R"(
__device__ T shift(T* data, unsigned i)
{
    T x = data[i + 1];
    data[i] = x;
    return x;
}
__device__ void spin(T* data, unsigned n)
{
    for (unsigned k = 0; k < n; ++k)
        data[n] = k;
}
__global__ void kernel(T* data, bool cond)
{
    unsigned tid = threadIdx.x;
    for (unsigned r = 0; r < 2; ++r) {
        if (cond)
            data[0] = 1;
        shift(data, tid);
        data[2] = 2;
    }
    spin(data, tid);
    spin(data, 3 - tid);
    shift(data, tid);
}
)";

struct Kernel {
  explicit Kernel(unsigned threads) : b(threads) {
    b.useKernelText(kText);
    data = b.sharedArray("data", 64);
    shiftLoad = b.site({.kind = model::SiteKind::Load, .text = "data[i + 1]"});
    shiftStore = b.site({.kind = model::SiteKind::Store, .text = "data[i]"});
    spinLoop = b.site({.kind = model::SiteKind::Loop, .text = "k < n"});
    spinStore = b.site({.kind = model::SiteKind::Store, .text = "data[n]", .loops = {int(spinLoop)}});
    loop = b.site({.kind = model::SiteKind::Loop, .text = "r < 2"});
    const std::vector<int> in{int(loop)};
    branch = b.site({.kind = model::SiteKind::Branch, .text = "cond", .loops = in, .occurrence = 2});
    before = b.site({.kind = model::SiteKind::Store, .text = "data[0]", .loops = in});
    after = b.site({.kind = model::SiteKind::Store, .text = "data[2]", .loops = in});
  }
  void shift(unsigned t) {
    b.load(t, shiftLoad, data, t + 1);
    b.store(t, shiftStore, data, t, 1);
  }
  void spin(unsigned t, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
      b.branch(t, spinLoop, true);
      b.store(t, spinStore, data, n, k);
    }
    b.branch(t, spinLoop, false);
  }
  using Step = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Step> steps() const {
    const model::Trace trace = b.build();
    const SiteTable sites(trace);
    MemoryBudget budget;
    const auto timelines = lineUpWarps(trace.launches[0], sites, budget).warps;
    std::vector<Step> steps;
    for (const WarpOperation& operation : timelines.at(0).operations)
      steps.emplace_back(operation.site, operation.mask);
    return steps;
  }
  TraceBuilder b;
  std::uint32_t data, shiftLoad, shiftStore, spinLoop, spinStore, loop, branch, before, after;
};
using Step = Kernel::Step;

TEST(KernelFunctions, TellWhereACallStands) {
  const Kernel k(1);
  const model::Trace trace = k.b.build();
  const KernelFunctions functions(trace.kernel, trace.sites.size());
  const auto shift = functions.functionOf(k.shiftLoad), spin = functions.functionOf(k.spinLoop),
             kernel = functions.functionOf(k.loop);
  EXPECT_EQ(functions.kernelOf(trace.launches[0]), kernel);
  EXPECT_NE(shift, spin);
  EXPECT_NE(shift, kernel);
  EXPECT_TRUE(functions.calls(kernel, shift));
  EXPECT_FALSE(functions.calls(shift, spin));
  EXPECT_EQ(functions.nextCall(kernel, shift, 0), k.after);  // all sites before data[2]
  EXPECT_EQ(functions.nextCall(kernel, spin, k.after), k.after + 1);
  EXPECT_EQ(functions.nextCall(kernel, shift, k.after + 1), k.after + 1);
  EXPECT_EQ(functions.nextCall(kernel, spin, k.after + 2), std::nullopt);
}

// A text with two kernels: the launched one is the one that its events are in.
TEST(KernelFunctions, TellWhichKernelWasLaunched) {
  Kernel k(1);
  k.spin(0, 1);
  model::Trace trace = k.b.build();
  const auto spin = KernelFunctions(trace.kernel, trace.sites.size()).functionOf(k.spinLoop);
  trace.kernel.functions[spin].isKernel = true;
  EXPECT_EQ(KernelFunctions(trace.kernel, trace.sites.size()).kernelOf(trace.launches[0]), spin);
}

// Lane 1 has something to do before the call: lane 0 waits for it, though the function's sites have lesser
// ids.
TEST(DeviceFunctions, AreEnteredTogether) {
  Kernel k(2);
  for (unsigned t = 0; t < 2; ++t) {
    for (unsigned r = 0; r < 2; ++r) {
      k.b.branch(t, k.loop, true);
      k.b.branch(t, k.branch, t == r);
      if (t == r) k.b.store(t, k.before, k.data, 0, 1);
      k.shift(t);
      k.b.store(t, k.after, k.data, 2, 2);
    }
    k.b.branch(t, k.loop, false);
  }
  std::vector<Step> expected;
  for (unsigned r = 0; r < 2; ++r)
    expected.insert(expected.end(), {{k.loop, 0b11},
                                     {k.branch, 0b11},
                                     {k.before, 1u << r},
                                     {k.shiftLoad, 0b11},
                                     {k.shiftStore, 0b11},
                                     {k.after, 0b11}});
  expected.emplace_back(k.loop, 0b11);
  EXPECT_EQ(k.steps(), expected);
}

// Lane 0 calls in the first iteration only, lane 1 in the second only: two calls, never one.
TEST(DeviceFunctions, DoNotMixIterationsOfTheCallersLoop) {
  Kernel k(2);
  for (unsigned t = 0; t < 2; ++t) {
    for (unsigned r = 0; r < 2; ++r) {
      k.b.branch(t, k.loop, true);
      k.b.branch(t, k.branch, t == r);
      if (t == r) k.shift(t);
    }
    k.b.branch(t, k.loop, false);
  }
  std::vector<Step> expected;
  for (unsigned r = 0; r < 2; ++r)
    expected.insert(expected.end(),
                    {{k.loop, 0b11}, {k.branch, 0b11}, {k.shiftLoad, 1u << r}, {k.shiftStore, 1u << r}});
  expected.emplace_back(k.loop, 0b11);
  EXPECT_EQ(k.steps(), expected);
}

// Two calls in a row, with loops of different length: the second is another call, and its loop begins anew.
TEST(DeviceFunctions, CalledTwiceInARowAreTwoCalls) {
  Kernel k(2);
  for (unsigned t = 0; t < 2; ++t) {
    k.spin(t, t);      // 0 and 1 times
    k.spin(t, 2 - t);  // 2 and 1 times
  }
  EXPECT_EQ(k.steps(), (std::vector<Step>{{k.spinLoop, 0b11},
                                          {k.spinStore, 0b10},
                                          {k.spinLoop, 0b10},
                                          {k.spinLoop, 0b11},
                                          {k.spinStore, 0b11},
                                          {k.spinLoop, 0b11},
                                          {k.spinStore, 0b01},
                                          {k.spinLoop, 0b01}}));
}

// No site of the kernel stands between the two calls, and the second function stands before the first in the
// text.
TEST(DeviceFunctions, CalledOneAfterTheOtherKeepTheirOrder) {
  Kernel k(2);
  for (unsigned t = 0; t < 2; ++t) {
    k.spin(t, t);
    k.shift(t);
  }
  EXPECT_EQ(k.steps(), (std::vector<Step>{{k.spinLoop, 0b11},
                                          {k.spinStore, 0b10},
                                          {k.spinLoop, 0b10},
                                          {k.shiftLoad, 0b11},
                                          {k.shiftStore, 0b11}}));
}

}  // namespace
}  // namespace stridescope::analysis
