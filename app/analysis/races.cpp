#include "analysis/races.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/snapshots.h"

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
  RaceFinder(const model::LaunchTrace& launch, std::span<const model::Site> sites, const MemoryBudget& budget)
      : launch_(launch),
        sites_(sites),
        budget_(budget),
        uses_(usesOf(launch)),
        clocks_(model::warpsOf(launch.block)) {}

  RaceSearch find(const std::vector<Round>& rounds) {
    if (std::ranges::none_of(uses_, &SpaceUse::written)) return {};
    parts_ = PartOrder(launch_.recorded(), rounds);
    if (parts_.isUnknown()) return {.races = {}, .endedIn = 0, .isOrderUnknown = true};
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      round_ = std::uint32_t(i);
      foundPairs_.clear();
      for (const WarpOperation& operation : rounds[i].operations) {
        look(operation);
        if (comparisons_ > kMaxComparisons || races_.size() > kMaxRaces || !budget_.has(history_.bytes()))
          return {.races = std::move(races_), .endedIn = round_};
      }
      if (rounds[i].endsWith == RoundEnd::BlockBarrier) history_.forgetAll();
    }
    return {.races = std::move(races_)};
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
      width_ = std::uint8_t(event.width());
      acts_ = parts_.isEmpty() ? 0 : parts_.actsBefore(threadOf(operation, lane), operation.event[lane]);
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
          past.kind == operation.kind && past.width == width_ && past.acts == acts_ &&
          supersedes(past, operation, lane))
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
                          .acts = acts_,
                          .next = 0,
                          .site = std::uint16_t(operation.site),
                          .kind = operation.kind,
                          .width = width_});
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
    if (past.width == width_ && keepApart(past, operation)) return std::nullopt;
    std::uint32_t lanes = past.warp == operation.warp
                              ? clocks_[operation.warp].unordered(past.lanes, past.phase, lane)
                              : past.lanes;
    if (!parts_.isEmpty()) lanes = notOrderedByParts(past, lanes, threadOf(operation, lane));
    if (lanes == 0) return std::nullopt;
    return past.warp * model::kWarpSize + lowestLane(lanes);
  }

  // Atomic operations, or volatile accesses that hand over. A count by `++` of a volatile word loses updates,
  // though nothing but its loads and stores hand over.
  bool keepApart(const PastAccess& past, const WarpOperation& operation) const {
    const bool atomic = isAtomic(past.kind, past.site), other = isAtomic(operation.kind, operation.site);
    if (atomic && other) return true;
    const bool areStores = past.kind == model::EventKind::Store && operation.kind == model::EventKind::Store;
    return !areStores && (atomic || handsOver(past.site)) && (other || handsOver(operation.site));
  }
  bool isAtomic(model::EventKind kind, std::uint32_t site) const {
    return kind == model::EventKind::Atomic || (site < sites_.size() && sites_[site].isAtomic);
  }
  bool handsOver(std::uint32_t site) const { return site < sites_.size() && sites_[site].handsOver; }

  std::uint32_t notOrderedByParts(const PastAccess& past, std::uint32_t lanes, std::uint32_t thread) const {
    std::uint32_t left = 0;
    forEachLane(lanes, [&](unsigned lane) {
      if (!parts_.orders(past.warp * model::kWarpSize + lane, past.acts, thread, acts_)) left |= bitOf(lane);
    });
    return left;
  }

  void report(const PastAccess& past, std::uint32_t pastThread, const WarpOperation& operation, unsigned lane,
              const Piece& piece) {
    const std::uint32_t sites = std::min<std::uint32_t>(past.site, operation.site) << 16 |
                                std::max<std::uint32_t>(past.site, operation.site);
    const bool acrossWarps = past.warp != operation.warp;
    const auto [found, isNew] = foundPairs_.try_emplace(sites, races_.size());
    if (isNew) races_.emplace_back();
    Race& race = races_[found->second];
    comparisons_ += kReportTakes;
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
    race.offset = piece.number * uses_[piece.space].pieceBytes;
    race.element = race.offset / array.elementBytes;
    race.first = {pastThread, past.site, past.kind};
    race.second = {threadOf(operation, lane), operation.site, operation.kind};
  }

  // Some ten seconds; a variant of the catalogue needs a few for each of its events.
  static constexpr std::uint64_t kMaxComparisons = 2'000'000'000;
  static constexpr std::uint64_t kReportTakes = 16;  // as long as so many comparisons
  static constexpr std::size_t kMaxRaces = 1 << 16;

  const model::LaunchTrace& launch_;
  const std::span<const model::Site> sites_;
  const MemoryBudget& budget_;
  std::uint64_t comparisons_ = 0;
  std::array<SpaceUse, kSpaces> uses_;
  PartOrder parts_;
  std::uint32_t acts_ = 0;  // that the lane that is looked at made at barriers of a part (PartOrder)
  std::uint8_t width_ = 0;  // bytes of its access
  std::vector<WarpClock> clocks_;
  AccessHistory history_;
  std::vector<Race> races_;
  // By the two sites of a race of this round: its place in races_.
  std::unordered_map<std::uint32_t, std::size_t> foundPairs_;
  std::uint32_t round_ = 0;
};

}  // namespace

RaceSearch findRaces(const model::LaunchTrace& launch, std::span<const model::Site> sites,
                     const std::vector<Round>& rounds, const MemoryBudget& budget) {
  RaceSearch search = RaceFinder(launch, sites, budget).find(rounds);
  findOrders(launch, rounds, search.races);
  return search;
}

AccessHistory::Slot& AccessHistory::find(std::uint64_t piece) {
  // Fibonacci hashing: neighbouring pieces spread over the table.
  std::size_t place = std::size_t((piece * 0x9e3779b97f4a7c15ull) >> 32) & (slots_.size() - 1);
  while (slots_[place].generation == generation_ && slots_[place].piece != piece)
    place = (place + 1) & (slots_.size() - 1);
  return slots_[place];
}

std::uint32_t& AccessHistory::headOf(std::uint64_t piece) {
  Slot* slot = &find(piece);
  if (slot->generation != generation_) {
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
      slot = &find(piece);
    }
    *slot = {piece, generation_, 0};
    ++used_;
  }
  return slot->head;
}

void AccessHistory::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old)
    if (slot.generation == generation_) find(slot.piece) = slot;
}

void AccessHistory::forgetAll() {
  ++generation_;
  used_ = 0;
  accesses_.clear();
}

void WarpClock::meet(std::uint32_t lanes) {
  ++phase_;
  PhasePerLane joined{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    for (std::size_t other = 0; other < model::kWarpSize; ++other)
      joined[other] = std::max(joined[other], seen_[lane][other]);
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) joined[lowestLane(rest)] = phase_;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    seen_[lane] = joined;
    std::uint32_t least = ~0u;
    for (std::size_t other = 0; other < model::kWarpSize; ++other)
      if (other != lane) least = std::min(least, joined[other]);
    seenOfAll_[lane] = least;
  }
}

std::uint32_t WarpClock::unorderedOneByOne(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const {
  std::uint32_t unordered = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto other = lowestLane(rest);
    if (phase >= seen_[lane][other]) unordered |= bitOf(other);
  }
  return unordered;
}

namespace {

// One access of any thread to the race's element.
struct Made {
  std::uint32_t thread = 0, site = 0, event = 0, round = 0, pass = 0;
  model::EventKind kind{};
  std::uint64_t value = 0;
  std::pair<std::uint32_t, std::uint32_t> when() const { return {round, pass}; }
};

enum class Order { Unknown, AsGiven, Reversed };

// What is known of one race's element between the block barriers around it.
class ElementStory {
 public:
  ElementStory(const model::LaunchTrace& launch, const std::vector<Round>& rounds, const Race& race)
      : launch_(launch), rounds_(rounds), race_(race) {
    begin_ = std::min<std::size_t>(race.round, rounds.size());
    while (begin_ > 0 && rounds[begin_ - 1].endsWith != RoundEnd::BlockBarrier) --begin_;
  }

  // Adds what it looked at to `looks`.
  void read(std::uint64_t& looks) {
    for (std::size_t index = begin_; index <= race_.round && index < rounds_.size(); ++index)
      for (const WarpOperation& operation : rounds_[index].operations) {
        ++looks;
        if (!isAccess(operation.kind) || !isInTheArray(firstEventOf(operation, launch_))) continue;
        looks += model::kWarpSize;
        forEachLane(operation.mask, [&](unsigned lane) { take(operation, std::uint32_t(index), lane); });
      }
  }

  // The events of both accesses; nullopt: they are not there.
  std::optional<std::pair<Made, Made>> accesses() const {
    const std::vector<Made> first = by(race_.first), second = by(race_.second);
    if (first.empty() || second.empty()) return std::nullopt;
    const auto storeFor = [](const Made& load, const std::vector<Made>& stores) {
      const auto before = std::ranges::find_if(stores.rbegin(), stores.rend(),
                                               [&](const Made& store) { return store.when() < load.when(); });
      return before != stores.rend() ? *before : stores.front();
    };
    if (race_.first.kind == model::EventKind::Load)
      return std::pair{first.back(), storeFor(first.back(), second)};
    if (race_.second.kind == model::EventKind::Load)
      return std::pair{storeFor(second.back(), first), second.back()};
    return std::pair{first.back(), second.back()};
  }

  Order orderOf(const Made& first, const Made& second) const {
    if (isUneven_ ||
        std::ranges::any_of(made_, [](const Made& made) { return made.kind == model::EventKind::Atomic; }))
      return Order::Unknown;
    if (first.kind == model::EventKind::Load)
      return orderOfLoad(first, second, Order::AsGiven, Order::Reversed);
    if (second.kind == model::EventKind::Load)
      return orderOfLoad(second, first, Order::Reversed, Order::AsGiven);
    return orderOfStores(first, second);
  }

 private:
  unsigned elementBytes() const {
    return std::max(1u,
                    (race_.shared ? launch_.recorded().shared : launch_.buffers)[race_.array].elementBytes);
  }

  bool isInTheArray(const model::Event& event) const {
    if (race_.shared) return event.inShared() && event.sharedArray() == race_.array;
    return event.inGlobal() && event.buffer() == race_.array;
  }

  void take(const WarpOperation& operation, std::uint32_t round, unsigned lane) {
    const model::Event& event = launch_.recorded().events[operation.event[lane]];
    const std::uint64_t begin = race_.element * elementBytes(), end = begin + elementBytes();
    if (!isInTheArray(event) || event.offset() >= end || event.offset() + event.width() <= begin) return;
    isUneven_ = isUneven_ || event.offset() != begin || event.width() != elementBytes();
    made_.push_back({.thread = threadOf(operation, lane),
                     .site = operation.site,
                     .event = operation.event[lane],
                     .round = round,
                     .pass = operation.pass,
                     .kind = operation.kind,
                     .value = event.value});
  }

  // What the access made, in the order of the program.
  std::vector<Made> by(const Race::Access& access) const {
    std::vector<Made> found;
    std::ranges::copy_if(made_, std::back_inserter(found), [&](const Made& made) {
      return made.thread == access.thread && made.site == access.site && made.kind == access.kind;
    });
    std::ranges::sort(found, {}, &Made::event);
    return found;
  }

  // What was there before anything of this was made.
  std::optional<std::uint64_t> initial() const {
    if (begin_ == 0 || !race_.shared) return std::nullopt;
    return leftBy(rounds_[begin_ - 1]);
  }

  // What the element of shared memory is behind the round.
  std::optional<std::uint64_t> leftBy(const Round& round) const {
    const std::size_t place = SharedLayout(launch_).beginOf(race_.array) + race_.element * elementBytes();
    return round.snapshot.word(place, elementBytes());
  }

  // From where the load may have its value: each such place tells the same order, or it is unknown.
  Order orderOfLoad(const Made& load, const Made& store, Order loadFirst, Order storeFirst) const {
    bool before = false, after = false, otherwise = false;
    const auto was = initial();
    if (was) before = *was == load.value;
    for (const Made& made : made_) {
      if (made.kind != model::EventKind::Store || made.value != load.value) continue;
      if (made.thread == load.thread && made.event > load.event) continue;
      if (made.thread != store.thread)
        otherwise = true;
      else
        (made.event < store.event ? before : after) = true;
    }
    // In shared memory what nobody wrote is not known, but it is hardly a value that somebody writes.
    const bool fromNobody = !before && !after && !otherwise && !was;
    if (fromNobody) before = true;
    if (!was && !race_.shared && after) return Order::Unknown;
    if (otherwise || before == after) return Order::Unknown;
    return before ? loadFirst : storeFirst;
  }

  // By what remained; only a copy of memory tells.
  Order orderOfStores(const Made& first, const Made& second) const {
    const Round& round = rounds_[race_.round];
    const bool copied =
        round.endsWith == RoundEnd::BlockBarrier && round.snapshot.from == SnapshotFrom::Copied;
    if (!race_.shared || !copied) return Order::Unknown;
    const auto left = leftBy(round);
    if (!left || first.value == second.value) return Order::Unknown;
    for (const Made& made : made_)
      if (made.kind == model::EventKind::Store && made.value == *left && made.event != first.event &&
          made.event != second.event)
        return Order::Unknown;
    return second.value == *left ? Order::AsGiven : first.value == *left ? Order::Reversed : Order::Unknown;
  }

  const model::LaunchTrace& launch_;
  const std::vector<Round>& rounds_;
  const Race& race_;
  std::size_t begin_ = 0;  // the round behind the block barrier
  std::vector<Made> made_;
  bool isUneven_ = false;  // an access is not of the whole element
};

Race::Access accessOf(const Made& made) {
  return {.thread = made.thread,
          .site = made.site,
          .kind = made.kind,
          .event = made.event,
          .round = made.round,
          .pass = made.pass};
}

}  // namespace

void findOrders(const model::LaunchTrace& launch, const std::vector<Round>& rounds,
                std::vector<Race>& races) {
  constexpr std::uint64_t kMaxLooks = 200'000'000;  // looks at lanes, over all races: they take a second
  std::uint64_t looks = 0;
  for (Race& race : races) {
    if (looks > kMaxLooks) return;
    ElementStory story(launch, rounds, race);
    story.read(looks);
    const auto made = story.accesses();
    if (!made) continue;
    const Order order = story.orderOf(made->first, made->second);
    race.first = accessOf(made->first), race.second = accessOf(made->second);
    race.orderKnown = order != Order::Unknown;
    const bool reversed =
        race.orderKnown ? order == Order::Reversed : made->second.when() < made->first.when();
    if (reversed) std::swap(race.first, race.second);
    race.pass = 0;
    for (const Race::Access& access : {race.first, race.second})
      if (access.round == race.round) race.pass = std::max(race.pass, access.pass);
  }
}

}  // namespace stridescope::analysis
