// Lines the lanes of a warp up again: from each thread's own events to the operations that the warp's lanes
// made together. Where the trace says which lanes ran together (model::BlockTrace::issues), they do here.
// Else the source says it, and so this is modelled:
//
// - Lanes whose next events have the same site, kind, array, width and iteration of every loop go together.
//   If there are several such groups, the one that is furthest behind in the text goes first: after a branch
//   the lanes meet again at the first place that both sides reach.
// - Warp barriers, shuffles, votes and reductions are rendezvous: a lane waits until every lane of its mask
//   that still has events in this barrier interval has come to the same operation. A lane whose partners
//   never come goes on when no other lane of the warp can.
// - A block barrier ends the interval: it is taken when no lane of the warp can do anything else.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "base/memory_limits.h"
#include "model/trace.h"

namespace stridescope::analysis {

// The text of a kernel, prepared for walking through events: which loops a site stands in, which step
// and function it belongs to, and where the functions call each other.

// Events do not tell that a function was called; the kernel's model does.
class KernelFunctions {
 public:
  // Without a model the text counts as one function.
  KernelFunctions(const model::KernelModel& kernel, std::size_t sites);

  std::uint32_t functionOf(std::uint32_t site) const { return functionOf_[site]; }
  // The __global__ function that was launched; of a text with one, that one.
  std::uint32_t kernelOf(const model::LaunchTrace& launch) const;

  bool calls(std::uint32_t caller, std::uint32_t callee) const;

  // Where `caller` calls `callee` for the first time after it has passed `passed` of the text's sites: the
  // number of sites with lesser ids than what is evaluated after the call. nullopt if the text has no such
  // call.
  std::optional<std::uint32_t> nextCall(std::uint32_t caller, std::uint32_t callee,
                                        std::uint32_t passed) const;

 private:
  std::vector<std::uint32_t> functionOf_;  // per site
  std::vector<model::KernelCall> calls_;   // in the order of the text
  std::uint32_t kernel_ = 0;               // the first __global__ function
  std::vector<bool> isKernel_;             // per function; empty: there is no other
};

class SiteTable {
 public:
  explicit SiteTable(const model::Trace& trace);

  // The loops around the site, outermost first. A Loop site and the loads of its condition stand in their own
  // loop.
  std::span<const std::uint32_t> loopsOf(std::uint32_t site) const {
    return std::span(loops_).subspan(firstLoop_[site], firstLoop_[site + 1] - firstLoop_[site]);
  }
  const KernelFunctions& functions() const { return functions_; }
  bool isLoop(std::uint32_t site) const { return isLoop_[site]; }
  // Whether the trace tells which way threads went at the source's branches: the text pass knows them all,
  // and so does the access recorder where it has any.
  bool tellBranches() const { return tellBranches_; }
  // The first site of the step of straight-line code (model::SiteModel) that the site belongs to.
  std::optional<std::uint32_t> stepOf(std::uint32_t site) const {
    return step_[site] == kNoStep ? std::nullopt : std::optional(step_[site]);
  }

 private:
  static constexpr std::uint32_t kNoStep = ~0u;

  KernelFunctions functions_;
  std::vector<std::uint32_t> loops_, firstLoop_;
  std::vector<std::uint32_t> step_;
  std::vector<bool> isLoop_;
  bool tellBranches_ = false;
};

// Where a thread stands in the kernel: the functions that it is in, and in each of them the loops and how
// often each has gone round. From it and the thread's next event comes the position by which the lanes of a
// warp are lined up.

// How far a thread has come: the thread with the lesser position is behind. From the kernel inwards it holds
// each loop's site and the number of its iteration, each call's place among the caller's sites, and at last
// the event's own site and what it does.
class Position {
 public:
  void clear() { words_.clear(); }
  void enterLoop(std::uint32_t loopSite, std::uint64_t iteration) { add(2 * loopSite + 2, iteration); }
  // A call behind the first `sitesBefore` sites; `count` is its index among the calls there.
  void enterCall(std::uint32_t sitesBefore, std::uint32_t count) { add(2 * sitesBefore + 1, count); }
  void arrive(std::uint32_t site, std::uint32_t act) { add(2 * site + 2, act); }
  // In place of loops and calls: the instruction that the lanes executed together.
  void execute(std::uint32_t issue) { add(0, issue); }

  // Leaves out everything behind the innermost loop.
  void keepLoops();
  // Whether `other` begins with this position and goes on.
  bool isAround(const Position& other) const;
  // Whether `other` is another trip of the same loops.
  bool isInTheLoopsOf(const Position& other) const;
  std::size_t size() const { return words_.size(); }

  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position&, const Position&) = default;

 private:
  // Sites take the even places, calls the odd ones between them.
  void add(std::uint64_t place, std::uint64_t detail) { words_.push_back(place << 48 | detail); }

  std::vector<std::uint64_t> words_;  // keeps its memory from event to event
};

class ThreadPath {
 public:
  // Back to the start of the kernel.
  void start(std::uint32_t kernel);

  // The thread's next event is of this site: calls and loops that the site is not in are left behind, those
  // around it are entered.
  void moveTo(std::uint32_t site, const SiteTable& sites);

  // The thread has passed the condition of the loop that it moved to.
  void pass(std::uint32_t loopSite, bool goesOn);

  // Finds the pass of an access by the site that was moved to: the trips of the loops around it; without
  // loops its step; else nothing.
  void locatePass(std::uint32_t site, const SiteTable& sites, Position& position) const;

  // The position of an event of the site moved to.
  void locate(const model::Event& event, Position& position) const;
  // The same where the recorder told which lanes executed it together.
  static void locateIssue(const model::Event& event, std::uint32_t issue, Position& position);

 private:
  struct Loop {
    std::uint32_t site;
    std::uint64_t passed;  // how often the condition has been found true since the loop was entered
  };
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t sitesPassed = 0;  // up to the last event in the function itself
    std::uint32_t calledAt = 0;     // the last call that it made: behind how many sites
    std::uint32_t calls = 0;        // calls since the last event in the function itself
    std::size_t firstLoop = 0;      // in loops_
  };

  void changeFunction(std::uint32_t function, const SiteTable& sites);
  void call(std::uint32_t function, const SiteTable& sites);
  void leaveCalls(std::size_t framesLeft);
  void locateFrames(std::uint32_t site, Position& position) const;
  // Gives false if the site shares no loop with those that the function was in.
  bool changeLoops(std::uint32_t site, const SiteTable& sites);

  std::vector<Frame> frames_;  // the kernel's first
  std::vector<Loop> loops_;
};

// One lane's way through its thread's events, one act of the lane after another.
class LaneCursor {
 public:
  // Stands before the thread's first act. `launch` must outlive the cursor's use.
  void start(const model::LaunchTrace& launch, std::uint32_t thread, const SiteTable& sites);

  bool atEnd() const { return place_ == end_; }
  const model::Event& event() const { return events_[place_]; }  // only if not atEnd()
  std::uint32_t eventIndex() const { return place_; }            // into LaunchTrace::events
  const Position& position() const { return position_; }

  // The pass that the current act, an access, belongs to.
  void locatePass(const SiteTable& sites, Position& position) const {
    path_.locatePass(event().site(), sites, position);
  }

  // Past the current act.
  void advance(const SiteTable& sites);

 private:
  // Finds the act at place_: past a Give to what it was given to, past a Give that was given to nothing, and
  // past what variables became.
  void settle(const SiteTable& sites);

  const model::Event* events_ = nullptr;
  const std::uint32_t* issues_ = nullptr;  // per event; null: the recorder did not tell
  std::uint32_t place_ = 0, end_ = 0;
  ThreadPath path_;
  Position position_;
};

// What one warp did in a launch.
struct AlignedWarp {
  // The operations in order of execution. A Give has no operation of its own: it stands before its Shuffle,
  // Vote or WarpReduce in the thread's events; a Value has none; the second half of a 16-byte access belongs
  // to the first. Banks and sectors are not filled in.
  std::vector<WarpOperation> operations;
  // Where each barrier interval ends in `operations`. An interval that a block barrier ends has that barrier
  // as its last operations; after the last barrier there may be one more.
  std::vector<std::uint32_t> intervalEnds;
};

struct AlignedWarps {
  std::vector<AlignedWarp> warps;
  // The passes that WarpOperation::pass names so far; the first is for accesses in no loop and no step.
  std::vector<Position> passes;
  bool cut = false;  // the budget ended: they hold the barrier intervals that all warps still had room for
};

AlignedWarps lineUpWarps(const model::LaunchTrace& launch, const SiteTable& sites, MemoryBudget& budget);

}  // namespace stridescope::analysis
