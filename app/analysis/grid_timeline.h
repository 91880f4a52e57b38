// A reduction's blocks in time: on which multiprocessor, in which of its slots, in what waves; and when the
// GPU had nothing of it to do. Pure functions of a timeline record; all times are nanoseconds since the run's
// first event.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/clock_record.h"

namespace stridescope::analysis {

struct TimeSpan {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t length() const { return end - begin; }
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

// One block as a bar.
struct BlockBar {
  std::uint32_t launch = 0;
  std::uint32_t row = 0;    // its multiprocessor's
  std::uint32_t slot = 0;   // the lowest that was free when it started
  std::uint64_t block = 0;  // in its grid
  TimeSpan time{};
  friend bool operator==(const BlockBar&, const BlockBar&) = default;
};

// How many blocks a multiprocessor holds, from moment to moment, so that the average over any span of time is
// found quickly.
class Residency {
 public:
  Residency() = default;
  explicit Residency(std::vector<TimeSpan> blocks);
  // How many blocks were there on average over the span; 0 for an empty span.
  double average(const TimeSpan& span) const;
  double until(std::uint64_t time) const;  // blocks times nanoseconds, from the beginning
  unsigned most() const { return most_; }  // at once

 private:
  std::vector<std::uint64_t> times_;  // at which the number changes, ascending
  std::vector<unsigned> counts_;      // from there on
  std::vector<double> sums_;          // until there
  unsigned most_ = 0;
};

// One multiprocessor.
struct GridRow {
  std::uint32_t multiprocessor = 0;   // its number
  std::vector<std::uint32_t> bars{};  // indices into GridTimeline::bars, by their begin
  Residency residency{};
};

// One launch of the reduction.
struct LaunchTimes {
  TimeSpan time{};              // from the first block's start to the last one's end
  std::uint64_t lastStart = 0;  // when the last block starts; after it nothing replaces what ends (the tail)
  std::uint64_t blocks = 0;
  unsigned residentBlocks = 0;  // how many fit on a multiprocessor at once, as the driver computes
  unsigned used = 0;            // how many multiprocessors had a block of it
  // Blocks over the blocks that fit on the GPU at once; 0: that is not known.
  double waves = 0;
  double averageResident = 0;  // blocks on the whole GPU, over `time`
  double tailResident = 0;     // the same over the tail; 0 where that is empty
  TimeSpan tail() const { return {lastStart, time.end}; }
};

struct GridTimeline {
  std::vector<BlockBar> bars{};  // launch after launch, block after block
  std::vector<GridRow> rows{};   // by multiprocessors' numbers; those that had no block are there, too
  std::vector<LaunchTimes> launches{};
  std::vector<TimeSpan>
      gaps{};  // before the first launch, between two, and after the last: one more than launches
  std::uint64_t nanoseconds = 0;  // from the run's first event to its last, or to the last block's end
  unsigned slots = 0;             // per multiprocessor: the most that were in use at once

  // The bar of that row and slot at that moment; nullptr: none.
  const BlockBar* at(std::size_t row, unsigned slot, std::uint64_t time) const;
  // All bars of the row at that moment, by slot.
  std::vector<const BlockBar*> resident(std::size_t row, std::uint64_t time) const;
};

// Requires a record without a fault.
GridTimeline gridTimelineOf(const model::TimelineRecord& record);

// The picture of all multiprocessors over a span of time: `columns` for each row, row by row. Each the
// average number of blocks there, over `slots`: 0 is none, 255 is all; a little is at least 1.
std::vector<std::uint8_t> residencyPicture(const GridTimeline& timeline, const TimeSpan& span,
                                           std::size_t columns);

}  // namespace stridescope::analysis
