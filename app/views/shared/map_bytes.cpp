#include "views/shared/map_bytes.h"

#include <algorithm>
#include <map>

#include "analysis/requests.h"
#include "analysis/snapshots.h"

namespace stridescope::views {
namespace {

bool isShown(unsigned round, const ShownPass& shown) { return shown.pass != nullptr && shown.round == round; }

// As the map shows it: one pass of it, if that is what the playhead shows.
const analysis::Round& roundOf(const analysis::LaunchAnalysis& analysis, unsigned round,
                               const ShownPass& shown) {
  return isShown(round, shown) ? shown.pass->round : analysis.rounds[round];
}

}  // namespace

unsigned warpsOf(const model::LaunchTrace& launch) { return model::warpsOf(launch.block); }

unsigned lanesOf(const model::LaunchTrace& launch, unsigned warp) {
  return std::min(model::kWarpSize, launch.block - warp * model::kWarpSize);
}

MapBytes laneBytes(const model::LaunchTrace& launch, const analysis::Round& round,
                   const analysis::RoundFlow& flow) {
  const std::vector<analysis::LaneUse> uses = analysis::laneUses(round, flow);
  MapBytes map{.columns = int(model::kWarpSize), .rows = int(warpsOf(launch))};
  map.cells.assign(std::size_t(map.columns) * std::size_t(map.rows), 255);
  for (std::size_t thread = 0; thread < round.lanes.size(); ++thread) {
    const bool active = round.lanes[thread] == analysis::LaneState::Active;
    map.cells[thread] = active && uses[thread] == analysis::LaneUse::Unused ? kUnusedLane
                        : active && uses[thread] == analysis::LaneUse::Identity
                            ? kIdentityLane
                            : std::uint8_t(round.lanes[thread]);
  }
  return map;
}

RoundRange strideRounds(const analysis::LaunchAnalysis& analysis) {
  RoundRange range{0, unsigned(analysis.told())};
  // A block that works in device memory in place has nothing to load.
  const bool inPlace = std::ranges::any_of(analysis.deviceMemory.windows, &analysis::DeviceWindow::readToo);
  if (range.last > 1 && (analysis::usesShared(analysis) || !inPlace)) range.first = 1;
  // What follows the last barrier is the write, unless it has operands of its own: at one distance, at
  // another in each pass, or beside the write.
  const auto isWrite = [](const analysis::Round& round) {
    return !round.stride && round.passes == 1 && round.kind != analysis::RoundKind::Mixed;
  };
  if (range.last > range.first && isWrite(analysis.rounds[range.last - 1])) --range.last;
  return range;
}

RoundRange mappedRounds(const analysis::LaunchAnalysis& analysis) {
  const RoundRange strides = strideRounds(analysis);
  return strides.count() > 0 ? strides : RoundRange{0, unsigned(analysis.told())};
}

RoundRange partOf(RoundRange all, unsigned current, unsigned most) {
  if (most == 0 || all.count() <= most) return all;
  const unsigned at = std::clamp(current, all.first, all.last - 1) - all.first;
  const unsigned first = std::min(all.first + at / most * most, all.last - most);
  return {first, first + most};
}

MapBytes usedLaneBytes(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis,
                       const std::vector<analysis::RoundFlow>& flow, RoundRange range, ShownPass shown) {
  MapBytes map{.columns = int(range.count()), .rows = int(warpsOf(launch))};
  map.cells.assign(std::size_t(map.columns) * std::size_t(map.rows), 0);
  for (unsigned column = 0; column < range.count(); ++column) {
    const unsigned index = range.first + column;
    const analysis::Round& round = roundOf(analysis, index, shown);
    const std::vector<analysis::LaneUse> uses =
        analysis::laneUses(round, isShown(index, shown) ? shown.pass->flow : flow[index]);
    for (unsigned warp = 0; warp < warpsOf(launch); ++warp) {
      const analysis::LaneCounts lanes =
          analysis::countLanes(round, uses, std::size_t(warp) * model::kWarpSize, model::kWarpSize);
      map.cells[std::size_t(warp) * range.count() + column] =
          std::uint8_t(lanes.used + (lanes.used == lanes.active()              ? 0
                                     : lanes.active() == lanesOf(launch, warp) ? kMoreTakePart
                                                                               : kMoreOfSomeTakePart));
    }
  }
  return map;
}

MapBytes bankBytes(const analysis::LaunchAnalysis& analysis, RoundRange range, ShownPass shown) {
  MapBytes map{.columns = int(analysis::kBankCount), .rows = int(range.count())};
  map.cells.assign(std::size_t(analysis::kBankCount) * range.count(), 0);
  for (unsigned row = 0; row < range.count(); ++row) {
    for (const analysis::Request& request : roundOf(analysis, range.first + row, shown).requests)
      for (unsigned bank = 0; bank < analysis::kBankCount; ++bank) {
        auto& cell = map.cells[std::size_t(row) * analysis::kBankCount + bank];
        cell = std::max(cell, request.bankWords[bank]);
      }
  }
  return map;
}

MapBytes sectorBytes(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis,
                     RoundRange range) {
  MapBytes map{.columns = int(warpsOf(launch)), .rows = int(range.count())};
  for (unsigned round = range.first; round < range.last; ++round)
    for (const analysis::SectorUse& use :
         analysis::worstSectorsByWarp(analysis.rounds[round], warpsOf(launch)))
      map.cells.push_back(std::uint8_t(std::min(use.sectors, model::kWarpSize)));
  return map;
}

namespace {

// Which lanes of the warp take part, in their order, and which do not.
void splitLanes(const model::LaunchTrace& launch, const analysis::WarpOperation& operation, PunchCard& card) {
  for (unsigned lane = 0; lane < lanesOf(launch, operation.warp); ++lane)
    (operation.mask >> lane & 1 ? card.lane : card.offLanes).push_back(lane);
}

}  // namespace

PunchCard punchCard(const model::LaunchTrace& launch, const analysis::WarpOperation& operation) {
  const analysis::LaneAddresses addresses = analysis::addressesOf(operation, launch);
  const analysis::BankMap banks = analysis::mapBanks(addresses, operation.kind == model::EventKind::Store);
  const bool modelled = operation.kind != model::EventKind::Atomic;
  PunchCard card;
  if (modelled) card.use = banks.use;

  splitLanes(launch, operation, card);
  std::map<std::uint64_t, unsigned> askedBy;  // word -> lanes
  for (const unsigned lane : card.lane)
    for (unsigned i = 0; i < banks.wordsPerLane; ++i) ++askedBy[banks.lanes[lane][i].word];
  if (modelled)
    std::ranges::stable_sort(card.lane, {}, [&](unsigned lane) { return banks.lanes[lane][0].wavefront; });

  card.bytes = {.columns = int(analysis::kBankCount), .rows = int(card.lane.size())};
  card.bytes.cells.assign(analysis::kBankCount * card.lane.size(), PunchCard::Empty);
  for (std::size_t row = 0; row < card.lane.size(); ++row) {
    const auto& asked = banks.lanes[card.lane[row]];
    if (modelled) card.wavefront.push_back(asked[0].wavefront);
    for (unsigned i = 0; i < banks.wordsPerLane; ++i)
      card.bytes.cells[row * analysis::kBankCount + asked[i].bank] =
          askedBy[asked[i].word] > 1 ? PunchCard::Shared : PunchCard::Asked;
  }
  return card;
}

PunchCard sectorCard(const model::LaunchTrace& launch, const analysis::WarpOperation& operation) {
  const analysis::LaneAddresses addresses = analysis::addressesOf(operation, launch);
  PunchCard card;
  splitLanes(launch, operation, card);
  std::map<std::uint64_t, unsigned> askedBy;  // sector -> lanes; an access never spans two, being aligned
  for (const unsigned lane : card.lane) ++askedBy[addresses.offset[lane] / analysis::kSectorBytes];

  card.bytes = {.columns = int(askedBy.size()), .rows = int(card.lane.size())};
  card.bytes.cells.assign(askedBy.size() * card.lane.size(), PunchCard::Empty);
  for (std::size_t row = 0; row < card.lane.size(); ++row) {
    const auto sector = askedBy.find(addresses.offset[card.lane[row]] / analysis::kSectorBytes);
    const auto column = std::size_t(std::distance(askedBy.begin(), sector));
    card.bytes.cells[row * askedBy.size() + column] =
        sector->second > 1 ? PunchCard::Shared : PunchCard::Asked;
  }
  return card;
}

MemoryStage::MemoryStage(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis,
                         std::uint32_t array)
    : analysis_(analysis) {
  const std::vector<model::Array>& shared = launch.recorded().shared;
  if (!shared.empty()) {
    if (array >= shared.size()) return;
    array_ = &shared[array];
    arrayNumber_ = array;
    elements_ = array_->bytes / std::max(1u, array_->elementBytes);
    begin_ = analysis::SharedLayout(launch).beginOf(array);
    return;
  }
  const auto& windows = analysis.deviceMemory.windows;
  const auto inPlace = std::ranges::find(windows, true, &analysis::DeviceWindow::readToo);
  if (inPlace == windows.end()) return;
  window_ = std::size_t(inPlace - windows.begin());
  arrayNumber_ = inPlace->buffer;
  array_ = &launch.buffers[arrayNumber_];
  first_ = inPlace->first;
  elements_ = inPlace->elements;
}

bool MemoryStage::holds(const model::Event& event) const {
  if (event.inShared()) return holds(true, event.sharedArray());
  return event.inGlobal() && holds(false, event.buffer());
}

const std::vector<bool>& MemoryStage::liveAfter(const analysis::RoundFlow& flow) const {
  return window_ ? flow.deviceLiveAfter[*window_] : flow.liveAfter[arrayNumber_];
}

MemoryStage::Words MemoryStage::wordsAfter(std::size_t round) const {
  if (window_) return analysis_.deviceMemory.wordsAfter(*window_, round);
  return wordsOf(analysis_.rounds[round].snapshot);
}

MemoryStage::Words MemoryStage::wordsAfter(const narration::RoundAt& at) const {
  return window_ ? wordsAfter(at.index) : wordsOf(at.round().snapshot);
}

std::optional<MemoryStage::Words> MemoryStage::wordsBefore(const narration::RoundAt& at) const {
  if (at.pass != nullptr && at.pass->pass > 0 && !window_) return wordsOf(at.pass->before);
  return at.index == 0 ? std::nullopt : std::optional(wordsAfter(at.index - 1));
}

MemoryStage::Words MemoryStage::wordsOf(const analysis::Snapshot& snapshot) const {
  Words words(elements_);
  const std::size_t bytes = std::max(1u, array_->elementBytes);
  for (std::size_t element = 0; element < words.size(); ++element)
    words[element] = snapshot.word(begin_ + element * bytes, bytes);
  return words;
}

}  // namespace stridescope::views
