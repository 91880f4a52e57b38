#include "analysis/race_order.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/shared_layout.h"

namespace stridescope::analysis {
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
    made_.push_back({.thread = operation.warp * model::kWarpSize + lane,
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
