// Which pass an access belongs to, and what a thread brings into it, in texts made for the purpose.
#include "analysis/passes.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/lanes.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {
namespace {

using support::TraceBuilder;

std::vector<Pass> passesOf(const model::Trace& trace, std::size_t round) {
  const Analysis analysis = analyse(trace);
  return PassReader(trace, trace.launches[0]).read(analysis.launches[0].rounds.at(round));
}

// "0: 5 7 -> 12", a line for each entry.
std::string textOf(const Pass& pass) {
  std::string text;
  for (const PassWork& work : pass.work) {
    text += std::to_string(work.thread) + ":";
    for (const Operand& operand : work.operands) text += " " + std::to_string(operand.bits);
    text += " -> " + (work.result ? std::to_string(work.result->bits) : "?") + "\n";
  }
  return text;
}

// Thread 0 makes two trips, thread 1 none.
TEST(PassesOfATrace, WhatStandsAroundALoopBelongsToItsFirstOrLastPass) {
  TraceBuilder b(2);
  b.useKernelText(R"(__global__ void k(const T* in, T* out, unsigned n)
{
    unsigned tid = threadIdx.x;
    T value = in[9];
    for (unsigned i = tid; i < n; i += 2)
        value = combine(value, in[i]);
    out[tid] = value;
}
)");
  const auto in = b.buffer("in", 10), out = b.buffer("out", 2);
  for (unsigned i = 0; i < 10; ++i) b.poke(in, i, 100 + i);
  const auto before = b.site({.kind = model::SiteKind::Load, .text = "in[9]"});
  const auto first = b.site({.kind = model::SiteKind::Assign, .text = "value"});
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "i < n"});
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "in[i]", .loops = {int(loop)}});
  const auto sum =
      b.site({.kind = model::SiteKind::Assign, .text = "value", .loops = {int(loop)}, .occurrence = 2});
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "out[tid]"});
  for (unsigned t = 0; t < 2; ++t) {
    std::uint64_t value = b.assign(t, first, b.load(t, before, in, 9));
    for (unsigned i = 0; t == 0 && i < 2; ++i) {
      b.branch(t, loop, true);
      value = b.assign(t, sum, value + b.load(t, load, in, i));
    }
    b.branch(t, loop, false);
    b.store(t, store, out, t, value);
  }
  const auto passes = passesOf(b.build(), 0);
  ASSERT_EQ(passes.size(), 2u);
  EXPECT_EQ(textOf(passes[0]), "0: 109 100 -> 209\n1: 109 -> 109\n");
  EXPECT_EQ(textOf(passes[1]), "0: 209 101 -> 310\n1: 109 -> 109\n");
  EXPECT_EQ(passes[0].activeLanes, 1u);
  EXPECT_EQ(passes[1].activeLanes, 1u);
}

// What the caller's variable held is used up when the function was entered, a round before.
TEST(PassesOfATrace, AVariableGivenToAFunctionInAnEarlierRoundIsNoOperand) {
  TraceBuilder b(1);
  b.useKernelText(R"(__device__ T f(T* d, T v)
{
    d[0] = v;
    __syncthreads();
    v = combine(v, d[1]);
    return v;
}
__global__ void k(const T* in, T* out)
{
    __shared__ T data[2];
    T value = in[0];
    data[1] = in[1];
    value = f(data, value);
    out[0] = value;
}
)");
  const auto in = b.buffer("in", 2), out = b.buffer("out", 1), data = b.sharedArray("data", 2);
  b.poke(in, 0, 5);
  b.poke(in, 1, 7);
  const auto entry =
      b.site({.kind = model::SiteKind::Assign, .text = "v", .occurrence = 2});  // T v; __device__
  const auto give = b.site({.kind = model::SiteKind::Store, .text = "d[0]"});
  const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto read = b.site({.kind = model::SiteKind::Load, .text = "d[1]"});
  const auto sum = b.site({.kind = model::SiteKind::Assign, .text = "v", .occurrence = 4});
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "in[0]"});
  const auto first = b.site({.kind = model::SiteKind::Assign, .text = "value"});
  const auto second = b.site({.kind = model::SiteKind::Load, .text = "in[1]"});
  const auto keep = b.site({.kind = model::SiteKind::Store, .text = "data[1]"});
  const auto returned = b.site({.kind = model::SiteKind::Assign, .text = "value", .occurrence = 2});
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "out[0]"});
  b.assign(0, first, b.load(0, load, in, 0));
  b.store(0, keep, data, 1, b.load(0, second, in, 1));
  b.assign(0, entry, 5);
  b.store(0, give, data, 0, 5);
  b.blockBarrier(barrier);
  b.assign(0, sum, 5 + b.load(0, read, data, 1));
  b.assign(0, returned, 12);
  b.store(0, store, out, 0, 12);
  const model::Trace trace = b.build();
  ASSERT_FALSE(trace.kernel.operands.empty()) << "the text pass knows the text";
  const auto passes = passesOf(trace, 1);
  ASSERT_EQ(passes.size(), 1u);
  EXPECT_EQ(textOf(passes[0]), "0: 5 7 -> 12\n");
}

// The register is what the lane assigned, whatever the operator says.
TEST(PassesOfATrace, ALaneHoldsWhatItAssignedAfterAShuffle) {
  TraceBuilder b(32);
  b.useKernelText(R"(__global__ void k(T* out)
{
    T value = 1;
    T other = __shfl_down_sync(0xffffffff, value, 1);
    value = combine(value, other);
    out[0] = value;
}
)");
  const auto first = b.site({.kind = model::SiteKind::Assign, .text = "value"});
  const auto shuffle =
      b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_down_sync(0xffffffff, value, 1)"});
  const auto other = b.site({.kind = model::SiteKind::Assign, .text = "other"});
  const auto sum = b.site({.kind = model::SiteKind::Assign, .text = "value", .occurrence = 3});
  for (unsigned lane = 0; lane < 32; ++lane) b.assign(lane, first, 1);
  b.shuffle(
      shuffle, 0, [](unsigned lane) { return lane == 31 ? lane : lane + 1; }, [](unsigned) { return 1; });
  for (unsigned lane = 0; lane < 32; ++lane) {
    b.assign(lane, other, 1);
    b.assign(lane, sum, 40 + lane);
  }
  const model::Trace trace = b.build();
  const Analysis analysis = analyse(trace);
  const Round& round = analysis.launches[0].rounds.at(0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    ASSERT_TRUE(round.exchanges.at(lane));
    EXPECT_EQ(round.exchanges[lane]->after, 40 + lane);
    EXPECT_FALSE(round.exchanges[lane]->replayed);
  }
  EXPECT_EQ(originsOf(round).recorded, 32u);
}

}  // namespace
}  // namespace stridescope::analysis
