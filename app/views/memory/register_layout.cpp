#include "views/memory/register_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/event_groups.h"
#include "narration/memory_words.h"

namespace stridescope::views {
namespace {

LaneColumn columnOf(const narration::RoundAt& at, unsigned thread) {
  LaneColumn column;
  column.thread = thread;
  column.lane = column.source = thread % model::kWarpSize;
  const auto& exchange = at.round().exchanges[thread];
  if (!exchange) return column;
  column.takesPart = true;
  column.source = exchange->sourceLane % model::kWarpSize;
  const auto& identities = at.work().registerIdentity;
  column.identity = thread < identities.size() && identities[thread];
  column.useful =
      !column.identity && thread < at.work().registerUseful.size() && at.work().registerUseful[thread];
  column.given = narration::exchangedText(at, *exchange, exchange->given);
  column.after = narration::registerText(at, thread);
  return column;
}

void findFeeding(RegisterBand& band) {
  const bool anyUseful = std::ranges::any_of(band.lanes, &LaneColumn::useful);
  for (LaneColumn& column : band.lanes) {
    if (!column.useful) continue;
    column.feeds = true;
    if (band.kind == model::EventKind::Shuffle && column.source < band.lanes.size())
      band.lanes[column.source].feeds =
          band.lanes[column.source].takesPart && !band.lanes[column.source].identity;
  }
  if (band.kind != model::EventKind::Shuffle && anyUseful)
    for (LaneColumn& column : band.lanes) column.feeds = column.takesPart;
}

// The lanes by which groups are counted, in their order.
std::vector<unsigned> anchorsOf(const RegisterBand& band) {
  std::vector<unsigned> anchors;
  for (const LaneColumn& column : band.lanes)
    if (band.kind == model::EventKind::Shuffle ? column.useful : column.feeds) anchors.push_back(column.lane);
  return anchors;
}

// Marks the lanes of the groups [first, last). Gives their number.
std::size_t bringIntoView(RegisterBand& band, const std::vector<unsigned>& anchors, std::size_t first,
                          std::size_t last) {
  for (LaneColumn& column : band.lanes) column.inView = false;
  for (std::size_t group = first; group < std::min(last, anchors.size()); ++group) {
    LaneColumn& anchor = band.lanes[anchors[group]];
    anchor.inView = true;
    if (band.kind == model::EventKind::Shuffle && anchor.source < band.lanes.size())
      band.lanes[anchor.source].inView |=
          band.lanes[anchor.source].takesPart && !band.lanes[anchor.source].identity;
  }
  return std::size_t(std::ranges::count(band.lanes, true, &LaneColumn::inView));
}

// How many groups are in view unless the person says otherwise; 0: not even one fits its values.
std::size_t groupsThatFit(RegisterBand& band, const std::vector<unsigned>& anchors,
                          const RegisterLayoutInput& input, float value) {
  for (std::size_t groups = std::bit_ceil(anchors.size()); groups > 0; groups /= 2) {
    std::size_t most = 0;  // lanes in view, wherever the view lies
    for (std::size_t first = 0; first < anchors.size(); first += groups)
      most = std::max(most, bringIntoView(band, anchors, first, first + groups));
    const std::size_t strips = band.lanes.size() - most;
    if (float(most) * value + float(strips) * input.leastLane <= input.width) return groups;
  }
  return 0;
}

void chooseView(RegisterBand& band, const RegisterLayoutInput& input, float value) {
  const std::vector<unsigned> anchors = anchorsOf(band);
  band.groups = anchors.size();
  const std::size_t fitting = groupsThatFit(band, anchors, input, value);
  band.groupsInView =
      std::min(band.groups, input.groupsInView.value_or(fitting == 0 ? band.groups : fitting));
  band.firstGroup = 0;
  if (band.groupsInView > 0 && !band.everything()) {
    const std::size_t aligned =
        groupOf(band, input.heldLane.value_or(0)).value_or(0) / band.groupsInView * band.groupsInView;
    band.firstGroup = std::min(input.firstGroup.value_or(aligned), band.groups - band.groupsInView);
  }
  bringIntoView(band, anchors, band.firstGroup, band.firstGroup + band.groupsInView);
}

// How wide the lanes in view and the strips are.
struct LaneWidths {
  float inView = 0, strip = 0;
};

constexpr float kComfort = 1.3f;  // a value's lane is this much wider than the value, where there is room

LaneWidths widthsOf(const RegisterBand& band, const RegisterLayoutInput& input, float value) {
  const float even = input.width / float(band.lanes.size());
  const auto inView = std::ranges::count(band.lanes, true, &LaneColumn::inView);
  const auto strips = std::ptrdiff_t(band.lanes.size()) - inView;
  const float preferred = value * kComfort;
  if (inView == 0 || strips == 0 || preferred <= even) return {even, even};
  const float strip =
      std::min(even, std::max(input.leastLane, (input.width - preferred * float(inView)) / float(strips)));
  return {(input.width - strip * float(strips)) / float(inView), strip};
}

constexpr float kLaneRounding = 1;  // a lane's edges are whole pixels; a value's width has padding

// What is alike in a row: lanes in view or strips, and values that count or those that merely were there.
using LikeLanes = std::pair<bool, bool>;
LikeLanes likeOf(const LaneColumn& column, bool counts) { return {column.inView, counts}; }

// Values of identities alone are not printed.
bool isPrinted(const LaneColumn& column, bool counts) {
  return column.takesPart && (counts || !column.identity);
}

void findFits(std::span<RegisterBand> bands, const std::function<float(const std::string&)>& textWidth) {
  std::set<LikeLanes> given, after;  // of which at least one value does not fit
  for (const RegisterBand& band : bands)
    for (const LaneColumn& column : band.lanes) {
      const float room = column.span.width() + kLaneRounding;
      if (isPrinted(column, column.feeds) && textWidth(column.given) > room)
        given.insert(likeOf(column, column.feeds));
      if (isPrinted(column, column.useful) && textWidth(column.after) > room)
        after.insert(likeOf(column, column.useful));
    }
  for (RegisterBand& band : bands)
    for (LaneColumn& column : band.lanes) {
      column.givenFits = !given.contains(likeOf(column, column.feeds));
      column.afterFits = !after.contains(likeOf(column, column.useful));
    }
}

}  // namespace

std::vector<unsigned> exchangingWarps(const narration::RoundAt& at) {
  std::vector<unsigned> warps;
  const auto& exchanges = at.round().exchanges;
  for (unsigned thread = 0; thread < exchanges.size(); ++thread)
    if (exchanges[thread] && (warps.empty() || warps.back() != thread / model::kWarpSize))
      warps.push_back(thread / model::kWarpSize);
  return warps;
}

std::optional<std::size_t> groupOf(const RegisterBand& band, unsigned lane) {
  const std::vector<unsigned> anchors = anchorsOf(band);
  for (std::size_t group = 0; group < anchors.size(); ++group)
    if (anchors[group] == lane) return group;
  for (std::size_t group = 0; group < anchors.size(); ++group)
    if (band.kind == model::EventKind::Shuffle && band.lanes[anchors[group]].source == lane) return group;
  return std::nullopt;
}

RegisterBand readRegisters(const narration::RoundAt& at, unsigned warp) {
  RegisterBand band{.warp = warp, .kind = model::EventKind::Shuffle, .lanes = {}};
  const unsigned first = warp * model::kWarpSize, end = std::min(first + model::kWarpSize, at.launch.block);
  for (unsigned thread = first; thread < end; ++thread) {
    band.lanes.push_back(columnOf(at, thread));
    if (at.round().exchanges[thread]) band.kind = at.round().exchanges[thread]->kind;
  }
  findFeeding(band);
  return band;
}

float widestValue(const RegisterBand& band, const std::function<float(const std::string&)>& textWidth) {
  float widest = 0;
  for (const LaneColumn& column : band.lanes) {
    if (column.feeds) widest = std::max(widest, textWidth(column.given));
    if (column.useful) widest = std::max(widest, textWidth(column.after));
  }
  return widest;
}

void layOutRegisters(RegisterBand& band, const RegisterLayoutInput& input) {
  const float value = std::max(input.leastValue, widestValue(band, input.textWidth));
  chooseView(band, input, value);
  const LaneWidths widths = widthsOf(band, input, value);
  float x = 0;
  for (LaneColumn& column : band.lanes) {
    const float next = x + (column.inView ? widths.inView : widths.strip);
    column.span = {std::round(x), std::round(next)};
    x = next;
  }
  findFits({&band, 1}, input.textWidth);
}

void placeLike(std::span<RegisterBand> bands, const RegisterBand& other,
               const std::function<float(const std::string&)>& textWidth) {
  for (RegisterBand& band : bands)
    for (std::size_t lane = 0; lane < std::min(band.lanes.size(), other.lanes.size()); ++lane) {
      band.lanes[lane].span = other.lanes[lane].span;
      band.lanes[lane].inView = other.lanes[lane].inView;
    }
  findFits(bands, textWidth);
}

}  // namespace stridescope::views
