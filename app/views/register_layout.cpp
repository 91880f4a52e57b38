#include "views/register_layout.h"

#include <algorithm>
#include <cmath>

#include "analysis/lane_mask.h"
#include "twin/register_words.h"

namespace stridescope {
namespace {

LaneColumn columnOf(const RoundAt& at, unsigned thread) {
  LaneColumn column;
  column.thread = thread;
  column.lane = column.source = thread % kWarpSize;
  const auto& exchange = at.round().exchanges[thread];
  if (!exchange) return column;
  column.takesPart = true;
  column.source = exchange->sourceLane % kWarpSize;
  column.useful = thread < at.work().registerUseful.size() && at.work().registerUseful[thread];
  column.given = exchangedText(at, *exchange, exchange->given);
  column.after = registerText(at, thread);
  return column;
}

void findFeeding(RegisterBand& band) {
  const bool anyUseful = std::ranges::any_of(band.lanes, &LaneColumn::useful);
  for (LaneColumn& column : band.lanes) {
    if (!column.useful) continue;
    column.feeds = true;
    if (band.kind == EventKind::Shuffle && column.source < band.lanes.size())
      band.lanes[column.source].feeds = band.lanes[column.source].takesPart;
  }
  if (band.kind != EventKind::Shuffle && anyUseful)
    for (LaneColumn& column : band.lanes) column.feeds = column.takesPart;
}

// How wide the wide lanes and the folded ones are.
struct LaneWidths {
  float wide = 0, folded = 0;
};

constexpr float kComfort = 1.3f;  // a value's lane is this much wider than the value, where there is room

LaneWidths widthsOf(const RegisterBand& band, float width, float leastLane, float neededForValue) {
  const float even = width / float(band.lanes.size());
  const auto feeding = std::ranges::count(band.lanes, true, &LaneColumn::feeds);
  const auto others = std::ptrdiff_t(band.lanes.size()) - feeding;
  const float wish = neededForValue * kComfort;
  if (feeding == 0 || others == 0 || wish <= even) return {even, even};
  const float folded = std::min(even, std::max(leastLane, (width - wish * float(feeding)) / float(others)));
  return {(width - folded * float(others)) / float(feeding), folded};
}

}  // namespace

std::vector<unsigned> exchangingWarps(const RoundAt& at) {
  std::vector<unsigned> warps;
  const auto& exchanges = at.round().exchanges;
  for (unsigned thread = 0; thread < exchanges.size(); ++thread)
    if (exchanges[thread] && (warps.empty() || warps.back() != thread / kWarpSize))
      warps.push_back(thread / kWarpSize);
  return warps;
}

RegisterBand layOutRegisters(const RoundAt& at, unsigned warp, float width, float leastLane,
                             const std::function<float(const std::string&)>& textWidth) {
  RegisterBand band{.warp = warp, .kind = EventKind::Shuffle, .lanes = {}};
  const unsigned first = warp * kWarpSize, end = std::min(first + kWarpSize, at.launch.block);
  for (unsigned thread = first; thread < end; ++thread) {
    band.lanes.push_back(columnOf(at, thread));
    if (at.round().exchanges[thread]) band.kind = at.round().exchanges[thread]->kind;
  }
  findFeeding(band);

  float widestGiven = 0, widestAfter = 0;
  for (const LaneColumn& column : band.lanes) {
    if (column.feeds) widestGiven = std::max(widestGiven, textWidth(column.given));
    if (column.useful) widestAfter = std::max(widestAfter, textWidth(column.after));
  }
  const LaneWidths widths = widthsOf(band, width, leastLane, std::max(widestGiven, widestAfter));
  band.givenFit = widestGiven <= widths.wide;
  band.afterFit = widestAfter <= widths.wide;
  float x = 0;
  for (LaneColumn& column : band.lanes) {
    const float next = x + (column.feeds ? widths.wide : widths.folded);
    column.span = {std::round(x), std::round(next)};
    x = next;
  }
  return band;
}

void placeLike(RegisterBand& band, const RegisterBand& other,
               const std::function<float(const std::string&)>& textWidth) {
  band.givenFit = band.afterFit = true;
  for (std::size_t lane = 0; lane < std::min(band.lanes.size(), other.lanes.size()); ++lane) {
    LaneColumn& column = band.lanes[lane];
    column.span = other.lanes[lane].span;
    if (column.feeds && textWidth(column.given) > column.span.width()) band.givenFit = false;
    if (column.useful && textWidth(column.after) > column.span.width()) band.afterFit = false;
  }
}

}  // namespace stridescope
