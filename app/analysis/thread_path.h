// Where a thread stands in the kernel: the functions that it is in, and in each of them the loops and how
// often each has gone round. From it and the thread's next event comes the position by which the lanes of a
// warp are lined up.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "analysis/site_table.h"

namespace stridescope::analysis {

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
  void start(const SiteTable& sites);

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
  std::uint32_t place_ = 0, end_ = 0;
  ThreadPath path_;
  Position position_;
};

}  // namespace stridescope::analysis
