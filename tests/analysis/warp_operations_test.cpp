// How the lanes of a warp are lined up: hand-made logs with one warp of a few threads.
#include "analysis/warp_operations.h"

#include <gtest/gtest.h>

#include "model/trace_check.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

// An operation as "site:mask".
using Step = std::pair<std::uint32_t, std::uint32_t>;

std::vector<AlignedWarp> timelinesOf(const model::Trace& trace) {
  const SiteTable sites(trace);
  const model::LaunchTrace& launch = trace.launches.at(0);
  MemoryBudget budget;
  return lineUpWarps(launch, sites, budget).warps;
}

std::vector<Step> stepsOf(const TraceBuilder& builder) {
  std::vector<Step> steps;
  const AlignedWarp timeline = timelinesOf(builder.build()).at(0);
  for (const WarpOperation& operation : timeline.operations)
    steps.emplace_back(operation.site, operation.mask);
  return steps;
}

TEST(LineUp, LanesOfABranchMeetAgainBehindIt) {
  TraceBuilder b(4);
  const auto data = b.sharedArray("data", 4);
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "tid < 2"});
  const auto then = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = 1"});
  const auto otherwise = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = 2"});
  const auto after = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  for (unsigned t = 0; t < 4; ++t) {
    b.branch(t, branch, t < 2);
    b.store(t, t < 2 ? then : otherwise, data, t, 1);
    b.load(t, after, data, t);
  }
  EXPECT_EQ(stepsOf(b),
            (std::vector<Step>{{branch, 0b1111}, {then, 0b0011}, {otherwise, 0b1100}, {after, 0b1111}}));
  const AlignedWarp timeline = timelinesOf(b.build()).at(0);
  EXPECT_EQ(timeline.operations[0].taken, 0b0011u);
  EXPECT_EQ(timeline.operations[0].kind, model::EventKind::Branch);
}

TEST(LineUp, OperationsPointAtTheirLanesEvents) {
  TraceBuilder b(3);
  const auto data = b.sharedArray("data", 4);
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "tid != 1"});
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "data[tid + 1]"});
  for (unsigned t = 0; t < 3; ++t) {
    b.branch(t, branch, t != 1);
    if (t != 1) b.load(t, load, data, t + 1);
  }
  const model::Trace trace = b.build();
  const WarpOperation operation = timelinesOf(trace).at(0).operations.at(1);
  EXPECT_EQ(operation.mask, 0b101u);
  for (const unsigned lane : {0u, 2u})
    EXPECT_EQ(trace.launches[0].recorded().events[operation.event[lane]].offset(), (lane + 1) * 4) << lane;
}

// Lane 1 skips the first time that lane 0 comes to the load. By the text they would be lined up; the recorder
// saw that they were not together.
TEST(LineUp, LanesAreTogetherWhereTheRecorderSawThem) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 2);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  for (unsigned t = 0; t < 2; ++t)
    for (unsigned i = t; i < 2; ++i) b.load(t, load, data, t);
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{load, 0b11}, {load, 0b01}}));

  model::Trace trace = b.build();
  trace.launches[0].recorded().issues = {0, 1, 1};  // lane 0's two loads, then lane 1's
  ASSERT_EQ(model::faultOf(trace), std::nullopt);
  std::vector<Step> steps;
  const AlignedWarp timeline = timelinesOf(trace).at(0);
  for (const WarpOperation& operation : timeline.operations)
    steps.emplace_back(operation.site, operation.mask);
  EXPECT_EQ(steps, (std::vector<Step>{{load, 0b01}, {load, 0b11}}));

  trace.launches[0].recorded().issues.pop_back();
  EXPECT_NE(model::faultOf(trace), std::nullopt);
}

// for (i = 0; i < trips(tid); ++i) data[tid] ...
TEST(LineUp, LoopsOfDifferentLengthKeepTheirIterationsTogether) {
  TraceBuilder b(3);
  const auto data = b.sharedArray("data", 4);
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "i < tid"});
  const auto body = b.site({.kind = model::SiteKind::Load, .text = "data[tid]", .loops = {int(loop)}});
  const auto after = b.site({.kind = model::SiteKind::Load, .text = "data[0]"});
  for (unsigned t = 0; t < 3; ++t) {
    for (unsigned i = 0; i < t; ++i) {
      b.branch(t, loop, true);
      b.load(t, body, data, t);
    }
    b.branch(t, loop, false);
    b.load(t, after, data, 0);
  }
  EXPECT_EQ(stepsOf(b),
            (std::vector<Step>{
                {loop, 0b111}, {body, 0b110}, {loop, 0b110}, {body, 0b100}, {loop, 0b100}, {after, 0b111}}));
}

// A lane that skips the body of an iteration waits for the others, although its own next event is the same
// site that they came from: iterations tell the two apart.
TEST(LineUp, ALaneThatSkipsAnIterationDoesNotRunAhead) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 2);
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "i < 2"});
  const std::vector<int> in{int(loop)};
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "(i + tid) % 2 == 0", .loops = in});
  const auto body = b.site({.kind = model::SiteKind::Load, .text = "data[tid]", .loops = in});
  for (unsigned t = 0; t < 2; ++t) {
    for (unsigned i = 0; i < 2; ++i) {
      b.branch(t, loop, true);
      b.branch(t, branch, (i + t) % 2 == 0);
      if ((i + t) % 2 == 0) b.load(t, body, data, t);
    }
    b.branch(t, loop, false);
  }
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{loop, 0b11},
                                           {branch, 0b11},
                                           {body, 0b01},
                                           {loop, 0b11},
                                           {branch, 0b11},
                                           {body, 0b10},
                                           {loop, 0b11}}));
}

TEST(LineUp, NestedLoopsBeginAnewInEveryIteration) {
  // Lane 0 goes round the inner loop twice and then once, lane 1 once and then twice.
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 2);
  const auto outer = b.site({.kind = model::SiteKind::Loop, .text = "i < 2"});
  const auto inner = b.site({.kind = model::SiteKind::Loop, .text = "j < trips", .loops = {int(outer)}});
  const auto body =
      b.site({.kind = model::SiteKind::Load, .text = "data[tid]", .loops = {int(outer), int(inner)}});
  for (unsigned t = 0; t < 2; ++t) {
    for (unsigned i = 0; i < 2; ++i) {
      b.branch(t, outer, true);
      const unsigned trips = i == t ? 2 : 1;
      for (unsigned j = 0; j < trips; ++j) {
        b.branch(t, inner, true);
        b.load(t, body, data, t);
      }
      b.branch(t, inner, false);
    }
    b.branch(t, outer, false);
  }
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{outer, 0b11},
                                           {inner, 0b11},
                                           {body, 0b11},
                                           {inner, 0b11},
                                           {body, 0b01},
                                           {inner, 0b01},
                                           {outer, 0b11},
                                           {inner, 0b11},
                                           {body, 0b11},
                                           {inner, 0b11},
                                           {body, 0b10},
                                           {inner, 0b10},
                                           {outer, 0b11}}));
}

// while (data[i] < limit): the condition's load stands before it and belongs to the iteration that it opens.
TEST(LineUp, ConditionsLoadsDoNotOvertakeTheBodyBeforeThem) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 4);
  const int loopId = 1;
  const auto condition = b.site({.kind = model::SiteKind::Load, .text = "data[i]", .loops = {loopId}});
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "data[i] < limit"});
  const auto body = b.site({.kind = model::SiteKind::Store, .text = "data[tid]", .loops = {loopId}});
  for (unsigned t = 0; t < 2; ++t)
    for (unsigned i = 0; i < 2; ++i) {
      b.load(t, condition, data, i);
      b.branch(t, loop, i == 0);
      if (i == 0 && t == 1) b.store(t, body, data, t, 1);
    }
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{
                            {condition, 0b11}, {loop, 0b11}, {body, 0b10}, {condition, 0b11}, {loop, 0b11}}));
}

// do data[tid] ... while (c): the body stands before the condition.
TEST(LineUp, DoWhileBodiesBelongToTheConditionThatFollows) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 2);
  const int loopId = 2;
  const auto first = b.site({.kind = model::SiteKind::Load, .text = "data[0]", .loops = {loopId}});
  const auto branchy = b.site({.kind = model::SiteKind::Load, .text = "data[1]", .loops = {loopId}});
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "again"});
  // Lane 0 goes round three times, lane 1 twice and skips the second load in its first.
  for (unsigned i = 0; i < 3; ++i) {
    b.load(0, first, data, 0);
    b.load(0, branchy, data, 1);
    b.branch(0, loop, i < 2);
  }
  for (unsigned i = 0; i < 2; ++i) {
    b.load(1, first, data, 0);
    if (i == 1) b.load(1, branchy, data, 1);
    b.branch(1, loop, i < 1);
  }
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{first, 0b11},
                                           {branchy, 0b01},
                                           {loop, 0b11},
                                           {first, 0b11},
                                           {branchy, 0b11},
                                           {loop, 0b11},
                                           {first, 0b01},
                                           {branchy, 0b01},
                                           {loop, 0b01}}));
}

TEST(LineUp, ABreakLeavesTheLoop) {
  // Lane 0 breaks out in the first iteration; in the next turn of the outer loop both start afresh.
  TraceBuilder b(2);
  const auto outer = b.site({.kind = model::SiteKind::Loop, .text = "i < 2"});
  const auto inner = b.site({.kind = model::SiteKind::Loop, .text = "true", .loops = {int(outer)}});
  const auto leave =
      b.site({.kind = model::SiteKind::Branch, .text = "done", .loops = {int(outer), int(inner)}});
  for (unsigned t = 0; t < 2; ++t) {
    for (unsigned i = 0; i < 2; ++i) {
      b.branch(t, outer, true);
      const unsigned trips = i == 0 ? t + 1 : 1;
      for (unsigned j = 0; j < trips; ++j) {
        b.branch(t, inner, true);
        b.branch(t, leave, j + 1 == trips);
      }
    }
    b.branch(t, outer, false);
  }
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{outer, 0b11},
                                           {inner, 0b11},
                                           {leave, 0b11},
                                           {inner, 0b10},
                                           {leave, 0b10},
                                           {outer, 0b11},
                                           {inner, 0b11},
                                           {leave, 0b11},
                                           {outer, 0b11}}));
}

// ---- Rendezvous.

TEST(LineUp, AShuffleWaitsForItsMask) {
  // Lanes 0 and 1 go straight to the shuffle; the others do something behind it in the text first.
  TraceBuilder b(32);
  const auto data = b.sharedArray("data", 32);
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "tid < 2"});
  const auto shuffle = b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_down_sync(m, v, 1)"});
  const auto detour = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  for (unsigned t = 0; t < 32; ++t) b.branch(t, branch, t < 2);
  for (unsigned t = 2; t < 32; ++t) b.load(t, detour, data, t);
  b.shuffle(
      shuffle, 0, [](unsigned lane) { return lane < 31 ? lane + 1 : lane; },
      [](unsigned lane) { return lane; });
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{branch, ~0u}, {detour, ~0b11u}, {shuffle, ~0u}}));
  const model::Trace trace = b.build();
  const WarpOperation operation = timelinesOf(trace).at(0).operations.back();
  EXPECT_EQ(operation.kind, model::EventKind::Shuffle);
  EXPECT_EQ(trace.launches[0].recorded().events[operation.event[3]].kind(), model::EventKind::Shuffle)
      << "not the Give before it";
}

TEST(LineUp, ReturnedLanesAreNotWaitedFor) {
  TraceBuilder b(4);
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "tid == 3"});
  const auto barrier = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()"});
  const auto after = b.site({.kind = model::SiteKind::Branch, .text = "tid == 0"});
  for (unsigned t = 0; t < 4; ++t) b.branch(t, branch, t == 3);
  for (unsigned t = 0; t < 3; ++t)
    b.raw(t, {recording::eventHead(~0u, barrier, model::EventKind::WarpBarrier, 0, 0), 0});
  for (unsigned t = 0; t < 3; ++t) b.branch(t, after, t == 0);
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{branch, 0b1111}, {barrier, 0b0111}, {after, 0b0111}}));
}

TEST(LineUp, MasksMeetOnTheirOwn) {
  // Each half has its own barrier; the lower half does not wait for the upper one, whose way is longer.
  TraceBuilder b(4);
  const auto data = b.sharedArray("data", 4);
  const auto work = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  const auto barrier = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp(half)"});
  for (unsigned t = 2; t < 4; ++t) b.load(t, work, data, t);
  b.warpBarrier(barrier, 0, 0b0011);
  b.warpBarrier(barrier, 0, 0b1100);
  const auto steps = stepsOf(b);
  EXPECT_EQ(steps, (std::vector<Step>{{barrier, 0b0011}, {work, 0b1100}, {barrier, 0b1100}}));
}

TEST(LineUp, AWarpBarrierMayBeReachedFromTwoPlaces) {
  TraceBuilder b(2);
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "tid == 0"});
  const auto here = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp(3)"});
  const auto there = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp(3)"});
  const auto barrierOf = [](std::uint32_t site) {
    return model::Event{recording::eventHead(0b11, site, model::EventKind::WarpBarrier, 0, 0), 0};
  };
  for (unsigned t = 0; t < 2; ++t) b.branch(t, branch, t == 0);
  b.raw(0, barrierOf(here));
  b.raw(1, barrierOf(there));
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{branch, 0b11}, {here, 0b11}}));
}

TEST(LineUp, AReturnMayCompleteAMeeting) {
  // Lanes 0 and 1 wait at two places for each other and for lane 2, which returns instead.
  TraceBuilder b(3);
  const auto data = b.sharedArray("data", 3);
  const auto branch = b.site({.kind = model::SiteKind::Branch, .text = "tid == 0"});
  const auto here = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp(7)"});
  const auto there = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp(7) "});
  const auto last = b.site({.kind = model::SiteKind::Load, .text = "data[2]"});
  for (unsigned t = 0; t < 3; ++t) b.branch(t, branch, t == 0);
  b.raw(0, {recording::eventHead(0b111, here, model::EventKind::WarpBarrier, 0, 0), 0});
  b.raw(1, {recording::eventHead(0b111, there, model::EventKind::WarpBarrier, 0, 0), 0});
  b.load(2, last, data, 2);
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{branch, 0b111}, {last, 0b100}, {here, 0b011}}));
}

TEST(LineUp, WhoseWaitIsInVainGoesOnInTheEnd) {
  // Lane 0 waits for lane 1 at a shuffle, which waits for lane 0 at another: no executor would end, a cut log
  // may.
  TraceBuilder b(2);
  const auto one = b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_sync(3, a, 0)"});
  const auto two = b.site({.kind = model::SiteKind::WarpOperation, .text = "__any_sync(3, b)"});
  const auto last = b.site({.kind = model::SiteKind::Branch, .text = "true"});
  b.raw(0, {recording::eventHead(0b11, one, model::EventKind::Shuffle, 0, 2), 0});
  b.raw(1, {recording::eventHead(0b11, two, model::EventKind::Vote, 0, 2), 0});
  for (unsigned t = 0; t < 2; ++t) b.branch(t, last, true);
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{one, 0b01}, {last, 0b01}, {two, 0b10}, {last, 0b10}}));
}

TEST(LineUp, BlockBarriersEndIntervals) {
  TraceBuilder b(33);
  const auto data = b.sharedArray("data", 33);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto after = b.site({.kind = model::SiteKind::Store, .text = "data[0]"});
  b.load(5, load, data, 5);
  b.blockBarrier(barrier);
  b.store(7, after, data, 0, 1);
  const auto timelines = timelinesOf(b.build());
  ASSERT_EQ(timelines.size(), 2u);
  EXPECT_EQ(timelines[0].intervalEnds, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(timelines[1].intervalEnds, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(timelines[1].operations.at(0).mask, 1u) << "the last warp has one thread";
}

// ---- Events that belong together.

TEST(LineUp, BothHalvesOfAWideAccessAreOneOperation) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 4, 16);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[tid + 2]"});
  for (unsigned t = 0; t < 2; ++t) {
    b.load(t, load, data, t);
    b.store(t, store, data, t + 2, 1);
  }
  EXPECT_EQ(stepsOf(b), (std::vector<Step>{{load, 0b11}, {store, 0b11}}));
}

// Whoever made the trace: what reads an operation takes its array and width from one lane.
TEST(WarpOperations, LanesOfOneOperationShareArrayAndWidth) {
  using recording::eventHead;
  TraceBuilder b(32);
  const auto data = b.sharedArray("data", 32);
  const auto out = b.buffer("out", 32);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "p[0]"});
  b.raw(0, {eventHead(0, load, model::EventKind::Load, data, 2), 0});
  b.raw(1, {eventHead(0, load, model::EventKind::Load, out, 2), 0});
  b.raw(2, {eventHead(0, load, model::EventKind::Load, data, 1), 0});
  b.raw(3, {eventHead(4, load, model::EventKind::Load, data, 2), 0});
  const model::Trace trace = b.build();
  const model::LaunchTrace& launch = trace.launches.at(0);
  const AlignedWarp timeline = timelinesOf(trace).at(0);
  EXPECT_EQ(timeline.operations.size(), 3u);
  for (const WarpOperation& operation : timeline.operations) {
    const model::Event& first =
        launch.recorded().events[operation.event[unsigned(std::countr_zero(operation.mask))]];
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((operation.mask >> lane & 1) == 0) continue;
      EXPECT_EQ(launch.recorded().events[operation.event[lane]].space(), first.space());
      EXPECT_EQ(launch.recorded().events[operation.event[lane]].width(), first.width());
    }
  }
}

}  // namespace
}  // namespace stridescope::analysis
