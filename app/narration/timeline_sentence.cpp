#include "narration/timeline_sentence.h"

#include <cctype>
#include <cmath>

#include "base/numbers.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

constexpr double kCostWorthTelling = 0.08;  // a share of the time without marks
constexpr double kFewSlots = 0.005;

std::string microseconds(std::uint64_t nanoseconds) { return timeText(double(nanoseconds) / 1e3); }

std::string wavesText(double waves) {
  const double tenths = std::round(waves * 10) / 10;
  std::string text = factorText(tenths);
  if (const std::size_t point = text.find('.'); point != std::string::npos)
    while (text.ends_with('0') || text.ends_with('.')) {
      const bool wasPoint = text.ends_with('.');
      text.pop_back();
      if (wasPoint) break;
    }
  return text;
}

}  // namespace

std::string markedRun(MeasuredFrom from, const model::TimelineRecord& record) {
  const std::string who = from == MeasuredFrom::Recording ? "Recorded on " : "Marked on ";
  return who + record.executor.device + ", " + count(record.multiprocessors, "SM") +
         ": n = " + sizeText(record.experiment.elements) + ", the run with the median time of " +
         figure(record.runs) + ". " + timeText(record.markedMicroseconds) + " with a mark of each block, " +
         timeText(record.cleanMicroseconds) + " without.";
}

std::string launchTimes(const model::TimelineRecord& record, const analysis::GridTimeline& timeline,
                        std::size_t launch) {
  const analysis::LaunchTimes& times = timeline.launches[launch];
  std::string text;
  if (timeline.launches.size() > 1)
    text = "Launch " + figure(launch + 1) + " of " + figure(timeline.launches.size()) + ": ";
  text += count(times.blocks, "block") + " of " + count(record.launches[launch].block, "thread");
  const std::uint64_t atOnce = std::uint64_t(times.residentBlocks) * record.multiprocessors;
  if (times.waves > 1)
    text += ", " + wavesText(times.waves) + " waves of the " + figure(atOnce) + " that fit at once";
  else if (atOnce > 0)
    text += ", less than a wave: " + figure(atOnce) + " fit at once";
  text += ", in " + microseconds(times.time.length()) + ".";
  if (launch < timeline.gaps.size() && timeline.gaps[launch].length() > 0)
    text += " " + microseconds(timeline.gaps[launch].length()) + " pass " + gapName(timeline, launch) + ".";
  if (times.used < record.multiprocessors) {
    const unsigned idle = record.multiprocessors - times.used;
    text += " " + count(idle, "SM") + (idle == 1 ? " has" : " have") + " no block of it.";
  }
  const double filled = atOnce == 0 ? 0 : times.tailResident / double(atOnce);
  // A recording may say that fewer blocks fit at once than its own marks show.
  if (times.waves > 1 && times.tail().length() > 0 && filled > kFewSlots && filled <= 1)
    text += " After the last block's start, for " + microseconds(times.tail().length()) + ", " +
            percentText(filled) + " of the places are filled (the tail).";
  return text;
}

std::string gapName(const analysis::GridTimeline& timeline, std::size_t gap) {
  if (gap == 0) return "before the first block";
  if (gap == timeline.launches.size()) return "after the last block";
  return "between launches " + figure(gap) + " and " + figure(gap + 1);
}

std::string blockTimes(const analysis::GridTimeline& timeline, const analysis::BlockBar& bar) {
  std::string text = "block " + figure(bar.block) + " of " + figure(timeline.launches[bar.launch].blocks);
  if (timeline.launches.size() > 1) text += ", launch " + figure(bar.launch + 1);
  return text + ": SM " + figure(timeline.rows[bar.row].multiprocessor) + ", from " +
         microseconds(bar.time.begin) + ", for " + microseconds(bar.time.length());
}

std::string markingCost(const model::TimelineRecord& record) {
  if (record.cleanMicroseconds <= 0) return {};
  const double cost = record.markedMicroseconds / record.cleanMicroseconds - 1;
  if (cost <= kCostWorthTelling) return {};
  return "The marks cost " + percentText(cost) + " of the time, so bars are longer than without them.";
}

std::string noTimeline(const std::vector<std::uint64_t>& sizes) {
  std::string text =
      "No timeline is recorded of this kernel at this type, operator, block size, and n. A GPU that runs it "
      "here marks it, or one that records it with --timelines.";
  return sizes.empty() ? text : text + " " + recordedSizes(sizes);
}

}  // namespace stridescope::narration
