#include "analysis/grid_timeline.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <numeric>
#include <queue>
#include <set>

namespace stridescope::analysis {
namespace {

// The rows' multiprocessors: the GPU's, and whatever number a mark names beyond.
std::size_t rowCount(const model::TimelineRecord& record) {
  std::size_t count = record.multiprocessors;
  for (const model::LaunchTimeline& launch : record.launches)
    for (const model::BlockRun& run : launch.blocks)
      count = std::max<std::size_t>(count, std::size_t{run.multiprocessor} + 1);
  return count;
}

void findBars(const model::TimelineRecord& record, GridTimeline& timeline) {
  timeline.bars.reserve(model::blockCount(record));
  for (std::size_t launch = 0; launch < record.launches.size(); ++launch) {
    const auto& blocks = record.launches[launch].blocks;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const model::BlockRun& run = blocks[block];
      timeline.rows[run.multiprocessor].bars.push_back(std::uint32_t(timeline.bars.size()));
      timeline.bars.push_back({.launch = std::uint32_t(launch),
                               .row = run.multiprocessor,
                               .slot = 0,
                               .block = block,
                               .time = {run.start, run.start + run.nanoseconds}});
    }
  }
}

// The GPU's timer goes in steps of 32 ns on an H100 and an H200, and a block that makes room may be read to
// end after the next one starts: in the shipped recording (NVIDIA H200) 16 times, and by 96 ns at most.
constexpr std::uint64_t kReadLate = 96;

// The slots of a multiprocessor, in time: asked for moments that do not run back, so that each block is
// looked at a few times, however many are there at once.
class Slots {
 public:
  // The lowest that is free when a block starts; one that ends at that moment has made room. Where `resident`
  // are there and none is free, so has one that is read to end a little later. Else a new one.
  std::uint32_t take(const TimeSpan& block, unsigned resident) {
    pass(ending_, block.begin + kReadLate, [&](const Ending& ended) {
      if (endOf_[ended.slot] == ended.end && nearlyFree_.insert(ended.slot).second) ended_.push(ended);
    });
    pass(ended_, block.begin, [&](const Ending& ended) {
      if (endOf_[ended.slot] == ended.end && nearlyFree_.erase(ended.slot) != 0) free_.insert(ended.slot);
    });
    const auto slot = lowest(resident);
    endOf_[slot] = block.end;
    ending_.push({block.end, slot});
    return slot;
  }
  std::size_t count() const { return endOf_.size(); }

 private:
  struct Ending {
    std::uint64_t end = 0;
    std::uint32_t slot = 0;
    friend auto operator<=>(const Ending&, const Ending&) = default;
  };
  using Queue = std::priority_queue<Ending, std::vector<Ending>, std::greater<>>;

  template <class Visit>
  static void pass(Queue& queue, std::uint64_t until, const Visit& visit) {
    while (!queue.empty() && queue.top().end <= until) {
      const Ending ended = queue.top();
      queue.pop();
      visit(ended);
    }
  }

  std::uint32_t lowest(unsigned resident) {
    for (auto* slots : {&free_, &nearlyFree_}) {
      if (slots->empty() || (slots == &nearlyFree_ && endOf_.size() < resident)) continue;
      const std::uint32_t slot = *slots->begin();
      slots->erase(slots->begin());
      return slot;
    }
    endOf_.push_back(0);
    return std::uint32_t(endOf_.size() - 1);
  }

  std::vector<std::uint64_t> endOf_;           // when each slot's last block ends
  Queue ending_, ended_;                       // those, by their end; what was taken since is passed over
  std::set<std::uint32_t> free_, nearlyFree_;  // the latter within kReadLate
};

void findSlots(const model::TimelineRecord& record, GridTimeline& timeline, GridRow& row) {
  const auto byBegin = [&](std::uint32_t a, std::uint32_t b) {
    const BlockBar &first = timeline.bars[a], &second = timeline.bars[b];
    return std::pair(first.time.begin, a) < std::pair(second.time.begin, b);
  };
  std::ranges::sort(row.bars, byBegin);
  Slots slots;
  for (const std::uint32_t index : row.bars) {
    BlockBar& bar = timeline.bars[index];
    bar.slot = slots.take(bar.time, record.launches[bar.launch].residentBlocks);
  }
  timeline.slots = std::max(timeline.slots, unsigned(slots.count()));
}

LaunchTimes timesOf(const model::LaunchTimeline& launch, std::size_t rows, unsigned multiprocessors) {
  LaunchTimes times{.time = {~std::uint64_t{0}, 0},
                    .blocks = launch.blocks.size(),
                    .residentBlocks = launch.residentBlocks};
  std::vector<bool> used(rows);
  for (const model::BlockRun& run : launch.blocks) {
    times.time.begin = std::min<std::uint64_t>(times.time.begin, run.start);
    times.time.end = std::max(times.time.end, std::uint64_t(run.start) + run.nanoseconds);
    times.lastStart = std::max<std::uint64_t>(times.lastStart, run.start);
    used[run.multiprocessor] = true;
  }
  times.used = unsigned(std::ranges::count(used, true));
  const double atOnce = double(launch.residentBlocks) * multiprocessors;
  if (atOnce > 0) times.waves = double(times.blocks) / atOnce;
  double all = 0, inTail = 0;
  for (const model::BlockRun& run : launch.blocks) {
    const std::uint64_t end = run.start + run.nanoseconds;
    all += double(run.nanoseconds);
    if (end > times.lastStart) inTail += double(end - std::max<std::uint64_t>(run.start, times.lastStart));
  }
  if (times.time.length() > 0) times.averageResident = all / double(times.time.length());
  if (times.tail().length() > 0) times.tailResident = inTail / double(times.tail().length());
  return times;
}

}  // namespace

Residency::Residency(std::vector<TimeSpan> blocks) {
  std::vector<std::pair<std::uint64_t, int>> changes;
  changes.reserve(2 * blocks.size());
  for (const TimeSpan& block : blocks) {
    if (block.length() == 0) continue;
    changes.emplace_back(block.begin, 1);
    changes.emplace_back(block.end, -1);
  }
  std::ranges::sort(changes);
  unsigned count = 0;
  double sum = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const std::uint64_t time = changes[i].first;
    if (!times_.empty()) sum += double(count) * double(time - times_.back());
    for (; i < changes.size() && changes[i].first == time; ++i) count += unsigned(changes[i].second);
    times_.push_back(time);
    counts_.push_back(count);
    sums_.push_back(sum);
    most_ = std::max(most_, count);
  }
}

double Residency::until(std::uint64_t time) const {
  const auto after = std::ranges::upper_bound(times_, time);
  if (after == times_.begin()) return 0;
  const std::size_t last = std::size_t(after - times_.begin()) - 1;
  return sums_[last] + double(counts_[last]) * double(time - times_[last]);
}

double Residency::average(const TimeSpan& span) const {
  if (span.end <= span.begin) return 0;
  return (until(span.end) - until(span.begin)) / double(span.length());
}

const BlockBar* GridTimeline::at(std::size_t row, unsigned slot, std::uint64_t time) const {
  for (const BlockBar* bar : resident(row, time))
    if (bar->slot == slot) return bar;
  return nullptr;
}

std::vector<const BlockBar*> GridTimeline::resident(std::size_t row, std::uint64_t time) const {
  std::vector<const BlockBar*> found;
  if (row >= rows.size()) return found;
  for (const std::uint32_t index : rows[row].bars) {
    const BlockBar& bar = bars[index];
    if (bar.time.begin > time) break;
    if (time < bar.time.end) found.push_back(&bar);
  }
  std::ranges::sort(found, {}, &BlockBar::slot);
  return found;
}

GridTimeline gridTimelineOf(const model::TimelineRecord& record) {
  GridTimeline timeline;
  timeline.rows.resize(rowCount(record));
  for (std::size_t row = 0; row < timeline.rows.size(); ++row)
    timeline.rows[row].multiprocessor = std::uint32_t(row);
  findBars(record, timeline);
  for (GridRow& row : timeline.rows) {
    findSlots(record, timeline, row);
    std::vector<TimeSpan> blocks;
    for (const std::uint32_t index : row.bars) blocks.push_back(timeline.bars[index].time);
    row.residency = Residency(std::move(blocks));
  }
  std::uint64_t before = 0;
  for (const model::LaunchTimeline& launch : record.launches) {
    const LaunchTimes& times =
        timeline.launches.emplace_back(timesOf(launch, timeline.rows.size(), record.multiprocessors));
    timeline.gaps.push_back({before, std::max(before, times.time.begin)});
    before = std::max(before, times.time.end);
  }
  timeline.nanoseconds = std::max(record.nanoseconds, before);
  timeline.gaps.push_back({before, timeline.nanoseconds});
  return timeline;
}

std::vector<std::uint8_t> residencyPicture(const GridTimeline& timeline, const TimeSpan& span,
                                           std::size_t columns) {
  std::vector<std::uint8_t> picture(timeline.rows.size() * columns);
  if (columns == 0 || timeline.slots == 0) return picture;
  std::vector<std::uint64_t> edges(columns + 1);
  for (std::size_t i = 0; i <= columns; ++i)
    edges[i] = span.begin + std::uint64_t(std::llround(double(i) / double(columns) * double(span.length())));
  for (std::size_t row = 0; row < timeline.rows.size(); ++row) {
    const Residency& residency = timeline.rows[row].residency;
    double before = residency.until(edges[0]);
    for (std::size_t column = 0; column < columns; ++column) {
      // A column narrower than a nanosecond shows the whole one.
      const bool narrow = edges[column + 1] == edges[column];
      const double after = residency.until(edges[column + 1] + (narrow ? 1 : 0));
      const double length = narrow ? 1 : double(edges[column + 1] - edges[column]);
      const double share = (after - before) / length / timeline.slots;
      if (share > 0)
        picture[row * columns + column] = std::uint8_t(std::clamp(std::lround(share * 255), 1L, 255L));
      if (!narrow) before = after;
    }
  }
  return picture;
}

}  // namespace stridescope::analysis
