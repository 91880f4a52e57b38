#include "views/maps/map_bytes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "analysis/sectors.h"

namespace stridescope {

unsigned warpsOf(const LaunchTrace& launch) { return (launch.block + kWarpSize - 1) / kWarpSize; }

unsigned lanesOf(const LaunchTrace& launch, unsigned warp) {
  return std::min(kWarpSize, launch.block - warp * kWarpSize);
}

MapBytes laneBytes(const LaunchTrace& launch, const Round& round) {
  MapBytes map{.columns = int(kWarpSize), .rows = int(warpsOf(launch)), .cells = {}};
  map.cells.assign(std::size_t(map.columns) * std::size_t(map.rows), 255);
  for (std::size_t thread = 0; thread < round.lanes.size(); ++thread)
    map.cells[thread] = std::uint8_t(round.lanes[thread]);
  return map;
}

RoundRange strideRounds(const LaunchAnalysis& analysis) {
  RoundRange range{0, unsigned(analysis.rounds.size())};
  // A block that works in device memory in place has nothing to load.
  const bool inPlace = std::ranges::any_of(analysis.deviceMemory.windows, &DeviceWindow::readToo);
  if (range.last > 1 && (usesShared(analysis) || !inPlace)) range.first = 1;
  // What follows the last barrier is the write, unless it has operands of its own.
  if (range.last > range.first && !analysis.rounds[range.last - 1].stride) --range.last;
  return range;
}

RoundRange mappedRounds(const LaunchAnalysis& analysis) {
  const RoundRange strides = strideRounds(analysis);
  return strides.count() > 0 ? strides : RoundRange{0, unsigned(analysis.rounds.size())};
}

RoundRange partOf(RoundRange all, unsigned current, unsigned most) {
  if (most == 0 || all.count() <= most) return all;
  const unsigned at = std::clamp(current, all.first, all.last - 1) - all.first;
  const unsigned first = std::min(all.first + at / most * most, all.last - most);
  return {first, first + most};
}

MapBytes activeLaneBytes(const LaunchTrace& launch, const LaunchAnalysis& analysis, RoundRange range) {
  MapBytes map{.columns = int(range.count()), .rows = int(warpsOf(launch)), .cells = {}};
  map.cells.assign(std::size_t(map.columns) * std::size_t(map.rows), 0);
  for (unsigned column = 0; column < range.count(); ++column) {
    const auto& lanes = analysis.rounds[range.first + column].lanes;
    for (std::size_t thread = 0; thread < lanes.size(); ++thread)
      if (lanes[thread] == LaneState::Active) ++map.cells[thread / kWarpSize * range.count() + column];
  }
  return map;
}

MapBytes bankBytes(const LaunchAnalysis& analysis, RoundRange range) {
  MapBytes map{.columns = int(kBankCount), .rows = int(range.count()), .cells = {}};
  map.cells.assign(std::size_t(kBankCount) * range.count(), 0);
  for (unsigned row = 0; row < range.count(); ++row) {
    for (const Request& request : analysis.rounds[range.first + row].requests)
      for (unsigned bank = 0; bank < kBankCount; ++bank) {
        auto& cell = map.cells[std::size_t(row) * kBankCount + bank];
        cell = std::max(cell, request.bankWords[bank]);
      }
  }
  return map;
}

MapBytes sectorBytes(const LaunchTrace& launch, const LaunchAnalysis& analysis, RoundRange range) {
  MapBytes map{.columns = int(warpsOf(launch)), .rows = int(range.count()), .cells = {}};
  for (unsigned round = range.first; round < range.last; ++round)
    for (const SectorUse& use : dearestSectorsByWarp(analysis.rounds[round], warpsOf(launch)))
      map.cells.push_back(std::uint8_t(std::min(use.sectors, kWarpSize)));
  return map;
}

std::optional<std::uint32_t> operationOf(const RoundFlow& flow, unsigned warp, RequestRole role) {
  for (const ThreadWork& work : flow.work) {
    if (work.thread / kWarpSize != warp) continue;
    const std::optional<Operand>& operand = role == RequestRole::LoadA   ? work.a
                                            : role == RequestRole::LoadB ? work.b
                                                                         : work.result;
    if (operand && !operand->inRegister) return operand->operation;
  }
  return std::nullopt;
}

namespace {

// Which lanes of the warp take part, in their order, and which do not.
void splitLanes(const LaunchTrace& launch, const WarpOperation& operation, PunchCard& card) {
  for (unsigned lane = 0; lane < lanesOf(launch, operation.warp); ++lane)
    (operation.mask >> lane & 1 ? card.lane : card.offLanes).push_back(lane);
}

}  // namespace

PunchCard punchCard(const LaunchTrace& launch, const WarpOperation& operation) {
  const LaneAddresses addresses = addressesOf(operation, launch);
  const BankMap banks = mapBanks(addresses, operation.kind == EventKind::Store);
  PunchCard card;
  card.use = banks.use;

  splitLanes(launch, operation, card);
  std::map<std::uint64_t, unsigned> askedBy;  // word -> lanes
  for (const unsigned lane : card.lane)
    for (unsigned i = 0; i < banks.wordsPerLane; ++i) ++askedBy[banks.lanes[lane][i].word];
  std::ranges::stable_sort(card.lane, {}, [&](unsigned lane) { return banks.lanes[lane][0].wavefront; });

  card.bytes = {.columns = int(kBankCount), .rows = int(card.lane.size()), .cells = {}};
  card.bytes.cells.assign(kBankCount * card.lane.size(), PunchCard::Empty);
  for (std::size_t row = 0; row < card.lane.size(); ++row) {
    const auto& asked = banks.lanes[card.lane[row]];
    card.wavefront.push_back(asked[0].wavefront);
    for (unsigned i = 0; i < banks.wordsPerLane; ++i)
      card.bytes.cells[row * kBankCount + asked[i].bank] =
          askedBy[asked[i].word] > 1 ? PunchCard::Shared : PunchCard::Asked;
  }
  return card;
}

PunchCard sectorCard(const LaunchTrace& launch, const WarpOperation& operation) {
  const LaneAddresses addresses = addressesOf(operation, launch);
  PunchCard card;
  splitLanes(launch, operation, card);
  std::map<std::uint64_t, unsigned> askedBy;  // sector -> lanes; an access never spans two, being aligned
  for (const unsigned lane : card.lane) ++askedBy[addresses.offset[lane] / kSectorBytes];

  card.bytes = {.columns = int(askedBy.size()), .rows = int(card.lane.size()), .cells = {}};
  card.bytes.cells.assign(askedBy.size() * card.lane.size(), PunchCard::Empty);
  for (std::size_t row = 0; row < card.lane.size(); ++row) {
    const auto sector = askedBy.find(addresses.offset[card.lane[row]] / kSectorBytes);
    const auto column = std::size_t(std::distance(askedBy.begin(), sector));
    card.bytes.cells[row * askedBy.size() + column] =
        sector->second > 1 ? PunchCard::Shared : PunchCard::Asked;
  }
  return card;
}

}  // namespace stridescope
