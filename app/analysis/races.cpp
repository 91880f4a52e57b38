#include "analysis/races.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "analysis/access_history.h"
#include "analysis/event_groups.h"
#include "analysis/lane_mask.h"
#include "analysis/race_order.h"

namespace stridescope::analysis {
namespace {

constexpr unsigned kSpaces = 16;

// How each space is used in the launch: only what is written can race, and the narrowest access tells how
// finely memory must be told apart.
struct SpaceUse {
  bool written = false;
  unsigned pieceBytes = 8;
};

std::array<SpaceUse, kSpaces> usesOf(const model::LaunchTrace& launch) {
  std::array<SpaceUse, kSpaces> uses{};
  for (const model::Event& event : launch.recorded().events) {
    if (!isAccess(event.kind())) continue;
    SpaceUse& use = uses[event.space()];
    use.written = use.written || isWrite(event.kind());
    use.pieceBytes = std::min(use.pieceBytes, event.width());
  }
  return uses;
}

class RaceFinder {
 public:
  RaceFinder(const model::LaunchTrace& launch, const MemoryBudget& budget)
      : launch_(launch), budget_(budget), uses_(usesOf(launch)), clocks_(model::warpsOf(launch.block)) {}

  RaceSearch find(const std::vector<Round>& rounds) {
    if (std::ranges::none_of(uses_, &SpaceUse::written)) return {};
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      round_ = std::uint32_t(i);
      foundPairs_.clear();
      for (const WarpOperation& operation : rounds[i].operations) {
        look(operation);
        if (comparisons_ > kMaxComparisons || !budget_.has(history_.bytes()))
          return {std::move(races_), round_};
      }
      if (rounds[i].endsWith == RoundEnd::BlockBarrier) history_.forgetAll();
    }
    return {std::move(races_), std::nullopt};
  }

 private:
  void look(const WarpOperation& operation) {
    if (operation.kind == model::EventKind::WarpBarrier) clocks_[operation.warp].meet(operation.mask);
    if (!isAccess(operation.kind)) return;
    for (std::uint32_t rest = operation.mask; rest != 0; rest &= rest - 1) {
      const auto lane = lowestLane(rest);
      const model::Event& event = launch_.recorded().events[operation.event[lane]];
      const SpaceUse& use = uses_[event.space()];
      if (!use.written) return;  // the lanes of one operation access one space
      const std::uint64_t first = event.offset() / use.pieceBytes;
      const std::uint64_t last = (event.offset() + event.width() - 1) / use.pieceBytes;
      for (std::uint64_t number = first; number <= last; ++number)
        lookAtPiece(operation, lane, {event.space(), number});
    }
  }

  struct Piece {
    std::uint32_t space;
    std::uint64_t number;  // counted from the start of the array, in the space's pieceBytes
  };

  void lookAtPiece(const WarpOperation& operation, unsigned lane, const Piece& piece) {
    std::uint32_t& head = history_.headOf(std::uint64_t(piece.space) << 60 | piece.number);
    std::uint32_t own = 0;  // an earlier access of this warp at this site
    for (std::uint32_t link = head; link != 0; link = history_.at(link).next, ++comparisons_) {
      const PastAccess& past = history_.at(link);
      if (own == 0 && past.warp == operation.warp && past.site == operation.site &&
          past.kind == operation.kind && supersedes(past, operation, lane))
        own = link;
      if (const auto other = racingThread(past, operation, lane))
        report(past, *other, operation, lane, piece);
    }
    if (own != 0) {
      PastAccess& past = history_.at(own);
      past.lanes = past.phase == clocks_[operation.warp].phase() ? past.lanes | bitOf(lane) : bitOf(lane);
      past.phase = clocks_[operation.warp].phase();
    } else {
      history_.add(head, {.warp = operation.warp,
                          .lanes = bitOf(lane),
                          .phase = clocks_[operation.warp].phase(),
                          .next = 0,
                          .site = std::uint16_t(operation.site),
                          .kind = operation.kind});
    }
  }

  // May the past access's entry be used for the lane's access now? In the same phase they share it. An access
  // of an earlier phase that is ordered before this one can be forgotten: whatever races with it races with
  // this one too.
  bool supersedes(const PastAccess& past, const WarpOperation& operation, unsigned lane) const {
    const WarpClock& clock = clocks_[operation.warp];
    return past.phase == clock.phase() || clock.unordered(past.lanes, past.phase, lane) == 0;
  }

  std::optional<std::uint32_t> racingThread(const PastAccess& past, const WarpOperation& operation,
                                            unsigned lane) const {
    if (!isWrite(past.kind) && !isWrite(operation.kind)) return std::nullopt;
    if (past.kind == model::EventKind::Atomic && operation.kind == model::EventKind::Atomic)
      return std::nullopt;
    const std::uint32_t lanes = past.warp == operation.warp
                                    ? clocks_[operation.warp].unordered(past.lanes, past.phase, lane)
                                    : past.lanes;
    if (lanes == 0) return std::nullopt;
    return past.warp * model::kWarpSize + lowestLane(lanes);
  }

  void report(const PastAccess& past, std::uint32_t pastThread, const WarpOperation& operation, unsigned lane,
              const Piece& piece) {
    const std::pair sites(std::min<std::uint32_t>(past.site, operation.site),
                          std::max<std::uint32_t>(past.site, operation.site));
    const bool acrossWarps = past.warp != operation.warp;
    const auto place = std::size_t(std::ranges::find(foundPairs_, sites) - foundPairs_.begin());
    const bool isNew = place == foundPairs_.size();
    if (isNew) foundPairs_.push_back(sites), races_.emplace_back();
    Race& race = races_[races_.size() - foundPairs_.size() + place];
    // Threads of different warps are the better example: nothing makes them wait for each other.
    if (!isNew && (race.acrossWarps || !acrossWarps)) return;
    race = {};
    race.acrossWarps = acrossWarps;
    race.round = round_;
    race.pass = operation.pass;
    race.shared = piece.space < recording::kGlobalSpace;
    race.array = piece.space - (race.shared ? recording::kSharedSpace : recording::kGlobalSpace);
    const model::Array& array =
        race.shared ? launch_.recorded().shared[race.array] : launch_.buffers[race.array];
    race.element = piece.number * uses_[piece.space].pieceBytes / array.elementBytes;
    race.first = {pastThread, past.site, past.kind};
    race.second = {operation.warp * model::kWarpSize + lane, operation.site, operation.kind};
  }

  // Some ten seconds; a variant of the catalogue needs a few for each of its events.
  static constexpr std::uint64_t kMaxComparisons = 2'000'000'000;

  const model::LaunchTrace& launch_;
  const MemoryBudget& budget_;
  std::uint64_t comparisons_ = 0;
  std::array<SpaceUse, kSpaces> uses_;
  std::vector<WarpClock> clocks_;
  AccessHistory history_;
  std::vector<Race> races_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> foundPairs_;  // in this round
  std::uint32_t round_ = 0;
};

}  // namespace

RaceSearch findRaces(const model::LaunchTrace& launch, const std::vector<Round>& rounds,
                     const MemoryBudget& budget) {
  RaceSearch search = RaceFinder(launch, budget).find(rounds);
  findOrders(launch, rounds, search.races);
  return search;
}

}  // namespace stridescope::analysis
