#include "analysis/requests.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

Request& requestOf(std::vector<Request>& requests, const WarpOperation& operation, bool shared) {
  // A round has few sites, and one after another comes back to the same: search from the latest.
  for (std::size_t i = requests.size(); i-- > 0;) {
    Request& request = requests[i];
    if (request.site == operation.site && request.kind == operation.kind && request.shared == shared)
      return request;
  }
  Request& request = requests.emplace_back();
  request.site = operation.site;
  request.kind = operation.kind;
  request.shared = shared;
  return request;
}

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

void findMemoryUse(const model::LaunchTrace& launch, WarpOperation& operation) {
  if (!isAccess(operation.kind)) return;
  const LaneAddresses addresses = addressesOf(operation, launch);
  if (firstEventOf(operation, launch).inGlobal()) {
    const SectorUse use = countSectors(addresses);
    operation.sectors = use.sectors;
    operation.idealSectors = use.ideal;
  } else if (operation.kind != model::EventKind::Atomic) {
    operation.banks = findBankConflicts(addresses, operation.kind == model::EventKind::Store);
  }
}

std::vector<Request> sumRequests(const model::LaunchTrace& launch, const Round& round) {
  std::vector<Request> requests;
  for (std::uint32_t index = 0; index < round.operations.size(); ++index) {
    const WarpOperation& operation = round.operations[index];
    if (!isAccess(operation.kind)) continue;
    Request& request = requestOf(requests, operation, firstEventOf(operation, launch).inShared());
    request.operations.push_back(index);
    ++request.requests;
    request.wavefronts += operation.banks.wavefronts;
    request.ideal += operation.banks.ideal;
    request.way = std::max(request.way, operation.banks.way);
    std::ranges::transform(request.bankWords, operation.banks.words, request.bankWords.begin(),
                           [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
    request.broadcast = request.broadcast || operation.banks.broadcast;
    request.sectors += operation.sectors;
    request.idealSectors += operation.idealSectors;
  }
  std::ranges::sort(requests, [](const Request& a, const Request& b) {
    return std::tuple(a.site, a.kind, !a.shared) < std::tuple(b.site, b.kind, !b.shared);
  });
  return requests;
}

Totals totalsOf(const Round& round) {
  Totals totals;
  for (const Request& request : round.requests) {
    if (!request.shared) continue;
    if (request.kind == model::EventKind::Load) {
      totals.loadWavefronts += request.wavefronts;
      totals.loadConflicts += request.conflicts();
    } else if (request.kind == model::EventKind::Store) {
      totals.storeWavefronts += request.wavefronts;
      totals.storeConflicts += request.conflicts();
    }
  }
  return totals;
}

Totals totalsOf(const std::vector<Round>& rounds) {
  Totals totals;
  for (const Round& round : rounds) totals = totals + totalsOf(round);
  return totals;
}

Totals operator+(const Totals& a, const Totals& b) {
  return {a.loadWavefronts + b.loadWavefronts, a.storeWavefronts + b.storeWavefronts,
          a.loadConflicts + b.loadConflicts, a.storeConflicts + b.storeConflicts};
}

namespace {

unsigned amountOf(const Request& request, const WarpOperation& operation) {
  return request.shared ? operation.banks.wavefronts : operation.sectors;
}

template <class Counts>
std::optional<std::uint32_t> worstWhere(const Round& round, const Request& request, Counts counts) {
  std::optional<std::uint32_t> worst;
  for (const std::uint32_t index : request.operations) {
    const WarpOperation& operation = round.operations[index];
    if (!counts(operation)) continue;
    if (!worst || amountOf(request, operation) > amountOf(request, round.operations[*worst])) worst = index;
  }
  return worst;
}

// How many times the ideal was taken; 1 for what has none.
struct Excess {
  std::uint64_t taken = 1, ideal = 1;
  bool operator>(const Excess& other) const { return taken * other.ideal > other.taken * ideal; }
};

Excess excessOf(unsigned taken, unsigned ideal) { return ideal == 0 ? Excess{} : Excess{taken, ideal}; }

bool isWorse(const Request& request, const Request& than) {
  const Excess wavefronts = excessOf(request.wavefronts, request.ideal);
  const Excess thanWavefronts = excessOf(than.wavefronts, than.ideal);
  if (wavefronts > thanWavefronts || thanWavefronts > wavefronts) return wavefronts > thanWavefronts;
  const Excess sectors = excessOf(request.sectors, request.idealSectors);
  const Excess thanSectors = excessOf(than.sectors, than.idealSectors);
  if (sectors > thanSectors || thanSectors > sectors) return sectors > thanSectors;
  return than.broadcast && !request.broadcast;
}

}  // namespace

std::vector<const Request*> listRequests(const Round& round) {
  std::vector<const Request*> list;
  for (const Request& request : round.requests) list.push_back(&request);
  std::ranges::sort(list, {}, [](const Request* request) {
    return std::tuple(request->kind, request->site, !request->shared);
  });
  return list;
}

const Request* findRequest(const Round& round, const RequestId& id) {
  const auto found =
      std::ranges::find_if(round.requests, [&](const RequestId& other) { return other == id; });
  return found == round.requests.end() ? nullptr : &*found;
}

const Request* worstRequest(const Round& round) {
  const Request* worst = nullptr;
  for (const Request* request : listRequests(round))
    if (worst == nullptr || isWorse(*request, *worst)) worst = request;
  return worst;
}

std::uint32_t worstOperation(const Round& round, const Request& request) {
  return *worstWhere(round, request, [](const WarpOperation&) { return true; });
}

std::optional<std::uint32_t> worstOperationOfWarp(const Round& round, const Request& request, unsigned warp) {
  return worstWhere(round, request, [&](const WarpOperation& operation) { return operation.warp == warp; });
}

std::optional<std::uint32_t> worstOperationOfThread(const Round& round, const Request& request,
                                                    unsigned thread) {
  return worstWhere(round, request, [&](const WarpOperation& operation) {
    return operation.warp == thread / model::kWarpSize &&
           (operation.mask >> thread % model::kWarpSize & 1) != 0;
  });
}

namespace {

// Atomics in shared memory take wavefronts that the bank rule does not tell.
bool hasSharedAtomics(const LaunchAnalysis& analysis) {
  return std::ranges::any_of(analysis.rounds, [](const Round& round) {
    return std::ranges::any_of(round.requests, [](const Request& request) {
      return request.kind == model::EventKind::Atomic && request.shared;
    });
  });
}

}  // namespace

std::optional<double> modelled(model::Counter counter, const model::LaunchTrace& launch,
                               const LaunchAnalysis& analysis) {
  return launch.grid == 1 ? modelledOfBlock(counter, launch, analysis) : std::nullopt;
}

std::optional<double> modelledOfBlock(model::Counter counter, const model::LaunchTrace& launch,
                                      const LaunchAnalysis& analysis) {
  if (launch.recorded().cut || hasSharedAtomics(analysis)) return std::nullopt;
  const Totals& totals = analysis.totals;
  switch (counter) {
    case model::Counter::SharedLoadWavefronts:
      return double(totals.loadWavefronts);
    case model::Counter::SharedStoreWavefronts:
      return double(totals.storeWavefronts);
    case model::Counter::SharedLoadConflicts:
      return double(totals.loadConflicts);
    case model::Counter::SharedStoreConflicts:
      return double(totals.storeConflicts);
    default:
      return std::nullopt;
  }
}

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
