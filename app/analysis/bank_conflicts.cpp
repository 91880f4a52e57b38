#include "analysis/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <span>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

// For x = 1 or x = 2: does every active lane find its partner inactive or at the same address?
bool partnersAgree(const LaneAddresses& addresses, unsigned x) {
  for (std::uint32_t rest = addresses.mask; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    const unsigned partner = lane ^ x;
    const bool partnerActive = contains(addresses.mask, partner);
    if (partnerActive && addresses.offset[partner] != addresses.offset[lane]) return false;
  }
  return true;
}

unsigned wordsPerLane(const LaneAddresses& addresses) {
  return std::clamp(addresses.width / kBankBytes, 1u, kMaxWordsPerAccess);
}

// x of the rule by which groups are merged; 0: they are not.
unsigned mergedWith(const LaneAddresses& addresses, bool isStore) {
  if (isStore || wordsPerLane(addresses) == 1) return 0;
  return partnersAgree(addresses, 1) ? 1 : partnersAgree(addresses, 2) ? 2 : 0;
}

unsigned lanesPerGroup(const LaneAddresses& addresses, bool isStore) {
  const unsigned lanes = model::kWarpSize / wordsPerLane(addresses);
  return mergedWith(addresses, isStore) != 0 ? 2 * lanes : lanes;
}

// Do two lanes ask for the same address? Needed where they may lie in different groups.
bool someAddressTwice(const LaneAddresses& addresses) {
  for (std::uint32_t rest = addresses.mask; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    for (std::uint32_t others = rest & (rest - 1); others != 0; others &= others - 1)
      if (addresses.offset[lowestLane(others)] == addresses.offset[lane]) return true;
  }
  return false;
}

// The distinct words that each bank must serve for one group.
class BankQueues {
 public:
  struct Place {
    unsigned rank;  // 0 for the bank's first word
    bool alreadyAsked;
  };

  Place ask(std::uint64_t word) {
    const auto bank = std::size_t(word % kBankCount);
    auto& queue = words_[bank];
    const unsigned length = length_[bank];
    for (unsigned rank = 0; rank < length; ++rank)
      if (queue[rank] == word) return {rank, true};
    queue[length] = word;
    length_[bank] = std::uint8_t(length + 1);
    longest_ = std::max(longest_, length + 1);
    return {length, false};
  }

  unsigned longest() const { return longest_; }
  unsigned length(std::size_t bank) const { return length_[bank]; }

  void clear() {
    length_ = {};
    longest_ = 0;
  }

 private:
  // A group asks for at most 32 words of one bank: 32 lanes of one word, or fewer lanes of neighbouring
  // words.
  std::array<std::array<std::uint64_t, model::kWarpSize>, kBankCount> words_;
  std::array<std::uint8_t, kBankCount> length_{};
  unsigned longest_ = 0;
};

// The rule, in one pass; `place(lane, index of its word, word, wavefront)` is told where each word went.
template <class Place>
BankUse serve(const LaneAddresses& addresses, bool isStore, Place place) {
  const unsigned words = wordsPerLane(addresses);
  const unsigned groupLanes = lanesPerGroup(addresses, isStore);
  BankUse use;
  BankQueues queues;
  for (unsigned first = 0; first < model::kWarpSize; first += groupLanes) {
    std::uint32_t lanes = addresses.mask & (lanesBelow(groupLanes) << first);
    if (lanes == 0) continue;
    queues.clear();
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = lowestLane(lanes);
      const std::uint64_t firstWord = addresses.offset[lane] / kBankBytes;
      for (unsigned i = 0; i < words; ++i) {
        const auto asked = queues.ask(firstWord + i);
        use.broadcast |= asked.alreadyAsked;
        place(lane, i, firstWord + i, use.wavefronts + asked.rank);
      }
    }
    use.wavefronts += queues.longest();
    use.way = std::max(use.way, queues.longest());
    for (std::size_t bank = 0; bank < kBankCount; ++bank)
      use.words[bank] = std::max(use.words[bank], std::uint8_t(queues.length(bank)));
    ++use.ideal;
  }
  use.broadcast =
      !isStore && (use.broadcast || (groupLanes < model::kWarpSize && someAddressTwice(addresses)));
  return use;
}

}  // namespace

BankUse findBankConflicts(const LaneAddresses& addresses, bool isStore) {
  return serve(addresses, isStore, [](unsigned, unsigned, std::uint64_t, unsigned) {});
}

BankMap mapBanks(const LaneAddresses& addresses, bool isStore) {
  BankMap map;
  map.wordsPerLane = wordsPerLane(addresses);
  map.lanesPerGroup = lanesPerGroup(addresses, isStore);
  map.mergedWith = mergedWith(addresses, isStore);
  map.use = serve(addresses, isStore, [&](unsigned lane, unsigned i, std::uint64_t word, unsigned wavefront) {
    map.lanes[lane][i] = {word, std::uint8_t(word % kBankCount), std::uint16_t(wavefront)};
  });
  return map;
}

LaneAddresses addressesOf(const WarpOperation& operation, const model::LaunchTrace& launch) {
  LaneAddresses addresses;
  if (!isAccess(operation.kind) || operation.mask == 0) return addresses;
  addresses.mask = operation.mask;
  addresses.width = firstEventOf(operation, launch).width();
  for (std::uint32_t rest = operation.mask; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    addresses.offset[lane] = launch.recorded().events[operation.event[lane]].offset();
  }
  return addresses;
}

SectorUse countSectors(const LaneAddresses& addresses) {
  std::array<std::uint64_t, model::kWarpSize> offsets{};
  std::size_t lanes = 0;
  for (std::uint32_t rest = addresses.mask; rest != 0; rest &= rest - 1)
    offsets[lanes++] = addresses.offset[lowestLane(rest)];
  const std::span used(offsets.data(), lanes);
  if (!std::ranges::is_sorted(used)) std::ranges::sort(used);

  SectorUse use;
  unsigned elements = 0;
  std::uint64_t nextSector = 0;  // the first one not counted yet
  for (std::size_t i = 0; i < lanes; ++i) {
    if (i == 0 || used[i] != used[i - 1]) ++elements;
    const std::uint64_t first = std::max(nextSector, used[i] / kSectorBytes);
    const std::uint64_t end = (used[i] + addresses.width - 1) / kSectorBytes + 1;
    if (end > first) {
      use.sectors += unsigned(end - first);
      nextSector = end;
    }
  }
  use.ideal = (elements * addresses.width + kSectorBytes - 1) / kSectorBytes;
  return use;
}

std::vector<SectorUse> worstSectorsByWarp(const Round& round, unsigned warps) {
  std::vector<SectorUse> worst(warps);
  for (const WarpOperation& operation : round.operations) {
    const SectorUse use{operation.sectors, operation.idealSectors};
    if (use.sectors > 0 && use.isWorseThan(worst.at(operation.warp))) worst[operation.warp] = use;
  }
  return worst;
}

SectorUse worstOf(const std::vector<SectorUse>& uses) {
  SectorUse worst;
  for (const SectorUse& use : uses)
    if (use.sectors > 0 && use.isWorseThan(worst)) worst = use;
  return worst;
}

}  // namespace stridescope::analysis
