#include "narration/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "analysis/event_groups.h"
#include "analysis/requests.h"
#include "base/plain_text.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

std::string_view nounOf(model::EventKind kind) {
  return kind == model::EventKind::Load ? "load" : kind == model::EventKind::Store ? "store" : "atomic";
}

// A, B, ..., Z, AA, AB, ...
std::string lettersOf(std::size_t index) {
  std::string letters(1, char('A' + index % 26));
  for (index /= 26; index > 0; index /= 26) letters.insert(letters.begin(), char('A' + --index % 26));
  return letters;
}

// Two loads are lettered as the operands that they bring are, which is not always the order of the text.
bool loadsBBeforeA(const RoundAt& at, const std::vector<const analysis::Request*>& list) {
  std::vector<std::uint32_t> loads;
  for (const analysis::Request* request : list)
    if (request->kind == model::EventKind::Load) loads.push_back(request->site);
  const auto& work = at.flow[at.index].work;
  return loads.size() == 2 && std::ranges::any_of(work, [&](const analysis::ThreadWork& own) {
           return own.a && own.b && own.b->site == loads[0] && own.a->site == loads[1];
         });
}

}  // namespace

std::vector<NamedRequest> namedRequests(const RoundAt& at) {
  const std::vector<const analysis::Request*> list = analysis::listRequests(at.whole());
  std::map<model::EventKind, std::size_t> all, before;
  for (const analysis::Request* request : list) ++all[request->kind];
  const bool swapped = loadsBBeforeA(at, list);
  std::vector<NamedRequest> named;
  for (const analysis::Request* request : list) {
    NamedRequest& entry = named.emplace_back();
    entry.request = request;
    entry.name = nounOf(request->kind);
    const bool other = swapped && request->kind == model::EventKind::Load;
    if (all[request->kind] > 1)
      entry.name += " " + lettersOf(other ? 1 - before[request->kind]++ : before[request->kind]++);
    if (request->site >= at.trace.sites.size()) continue;
    const model::Site& site = at.trace.sites[request->site];
    entry.text = inOneLine(site.text);
    entry.line = site.line;
  }
  if (at.pass != nullptr) {  // named as in the whole round
    for (NamedRequest& entry : named) entry.request = analysis::findRequest(at.round(), *entry.request);
    std::erase_if(named, [](const NamedRequest& entry) { return entry.request == nullptr; });
  }
  return named;
}

std::vector<NamedRequest> bankRequests(const RoundAt& at) {
  std::vector<NamedRequest> named = namedRequests(at);
  std::erase_if(named, [](const NamedRequest& entry) { return !entry.request->hasWavefronts(); });
  return named;
}

std::vector<NamedRequest> deviceRequests(const RoundAt& at) {
  std::vector<NamedRequest> named = namedRequests(at);
  std::erase_if(named, [](const NamedRequest& entry) { return entry.request->shared; });
  return named;
}

namespace {

constexpr std::size_t kMaxBanksNamed = 4;

// The distance in bytes from each lane of the mask to the next, if it is the same for all and not negative.
std::optional<std::uint64_t> bytesApart(const analysis::LaneAddresses& addresses, std::uint32_t mask) {
  std::optional<std::uint64_t> apart, last;
  bool one = true;
  analysis::forEachLane(mask, [&](unsigned lane) {
    const std::uint64_t offset = addresses.offset[lane];
    if (last && (offset < *last || (apart && offset - *last != *apart))) one = false;
    if (last) apart = offset - *last;
    last = offset;
  });
  return one ? apart : std::nullopt;
}

// "bank 0", "banks 0 and 16", "16 of 32 banks".
std::string banksInWords(const std::vector<unsigned>& banks) {
  if (banks.size() > kMaxBanksNamed) return fmt::format("{} of {} banks", banks.size(), analysis::kBankCount);
  std::string text = banks.size() == 1 ? "bank" : "banks";
  for (std::size_t i = 0; i < banks.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : i + 1 == banks.size() ? " and" : ",", banks[i]);
  return text;
}

struct Chosen {
  NamedRequest named;
  const analysis::WarpOperation* operation = nullptr;
};

std::vector<NamedRequest> loadsAndStores(std::vector<NamedRequest> requests) {
  std::erase_if(requests,
                [](const NamedRequest& named) { return named.request->kind == model::EventKind::Atomic; });
  return requests;
}

// The request that costs the most for what it needs, and its worst operation.
template <class Cost>
Chosen worstOf(const RoundAt& at, const std::vector<NamedRequest>& requests, Cost costOf) {
  const NamedRequest* worst = nullptr;
  std::pair<std::uint64_t, std::uint64_t> most{0, 1};
  for (const NamedRequest& named : requests) {
    const std::pair<std::uint64_t, std::uint64_t> cost = costOf(*named.request);
    if (worst != nullptr && cost.first * most.second <= most.first * cost.second) continue;
    worst = &named;
    most = cost;
  }
  return {*worst, &at.round().operations[analysis::worstOperation(at.round(), *worst->request)]};
}

// "load A", "the store".
std::string withArticle(const std::string& name) {
  return name.find(' ') == std::string::npos ? "the " + name : name;
}

std::string conflictReason(const RoundAt& at, const std::vector<NamedRequest>& requests) {
  const Chosen worst = worstOf(at, requests, [](const analysis::Request& request) {
    return std::pair<std::uint64_t, std::uint64_t>{request.wavefronts, std::max(1u, request.ideal)};
  });
  const BankPattern pattern = bankPattern(*worst.operation, at.launch);
  std::string text = "because ";
  if (pattern.apart)
    text += fmt::format("active lanes are {} apart, ", count(*pattern.apart, "word"));
  else
    text += "active lanes ask for different words of the same banks, ";
  text += fmt::format("{}{}", count(pattern.lanes, "lane"),
                      pattern.groupLanes == 16  ? " of half a warp"
                      : pattern.groupLanes == 8 ? " of a quarter of a warp"
                                                : "");
  if (requests.size() > 1)
    text += (pattern.groupLanes < model::kWarpSize ? " in " : " of ") + withArticle(worst.named.name);
  return text + fmt::format(" hit {}{}", pattern.banks.size() < analysis::kBankCount ? "only " : "",
                            banksInWords(pattern.banks));
}

bool hasNoGaps(std::uint32_t mask) {
  const std::uint64_t lanes = mask;
  return std::has_single_bit(lanes + (lanes & (~lanes + 1)));  // the lowest one carries through all of them
}

// What the operations of all these requests have in common.
struct Common {
  unsigned mostLanes = 0;         // the most that one operation has
  std::optional<unsigned> lanes;  // the number that each operation has
  unsigned warps = 0;
  bool neighbours = true;           // each active lane accesses what follows on the one's before
  bool withoutGaps = true;          // no lane between two active ones is inactive
  bool oneAddress = true;           // all lanes of an operation the same
  bool distinct = true;             // no two lanes the same
  std::set<std::uint64_t> apart{};  // bytes from a lane to the next active one; empty: some step back
};

Common commonOf(const RoundAt& at, const std::vector<NamedRequest>& requests) {
  Common common;
  bool forward = true;
  std::set<unsigned> warps, lanes;
  for (const NamedRequest& named : requests)
    for (const std::uint32_t index : named.request->operations) {
      const analysis::WarpOperation& operation = at.round().operations[index];
      const analysis::LaneAddresses addresses = analysis::addressesOf(operation, at.launch);
      const auto active = unsigned(std::popcount(operation.mask));
      warps.insert(operation.warp);
      lanes.insert(active);
      std::set<std::uint64_t> offsets;
      std::optional<std::uint64_t> last;
      analysis::forEachLane(operation.mask, [&](unsigned lane) {
        const std::uint64_t offset = addresses.offset[lane];
        forward = forward && (!last || offset > *last);
        if (last && offset > *last) common.apart.insert(offset - *last);
        last = offset;
        offsets.insert(offset);
      });
      common.distinct = common.distinct && offsets.size() == active;
      common.oneAddress = common.oneAddress && offsets.size() == 1;
      const bool sideBySide = bytesApart(addresses, operation.mask) == addresses.width;
      common.neighbours = common.neighbours && (active == 1 || sideBySide);
      common.withoutGaps = common.withoutGaps && hasNoGaps(operation.mask);
    }
  if (!forward) common.apart.clear();
  common.mostLanes = lanes.empty() ? 0 : *lanes.rbegin();
  if (lanes.size() == 1) common.lanes = *lanes.begin();
  common.warps = unsigned(warps.size());
  return common;
}

std::string neighboursOf(const Common& common) {
  return common.withoutGaps ? "neighbouring lanes" : "the active lanes";
}

// "because active lanes are 33 words apart, ", "because active lanes are 16 or 17 words apart, "; empty where
// they lie at more distances, or not at whole words.
std::string apartInWords(const Common& common) {
  const auto wholeWords = [](std::uint64_t bytes) { return bytes % analysis::kBankBytes == 0; };
  if (common.apart.empty() || common.apart.size() > 2 || !std::ranges::all_of(common.apart, wholeWords))
    return {};
  const std::uint64_t least = *common.apart.begin() / analysis::kBankBytes;
  const std::uint64_t most = *common.apart.rbegin() / analysis::kBankBytes;
  return fmt::format("because active lanes are {}{} apart, ",
                     least == most ? std::string() : fmt::format("{} or ", figure(least)),
                     count(most, "word"));
}

std::string noConflictReason(const RoundAt& at, const std::vector<NamedRequest>& requests) {
  const Common common = commonOf(at, requests);
  if (common.mostLanes == 1)
    return common.warps == 1 ? "a single lane cannot conflict" : "a single lane per warp cannot conflict";
  if (common.oneAddress) return "all active lanes of a warp ask for the same word";
  std::string text =
      common.neighbours ? neighboursOf(common) + " access neighbouring words, which lie in different banks"
      : common.distinct && common.lanes
          ? apartInWords(common) + fmt::format("the {} active lanes of {} hit different banks", *common.lanes,
                                               common.warps == 1 ? "the warp" : "a warp")
      : common.distinct ? "active lanes hit different banks"
                        : "active lanes that hit the same bank ask for the same word";
  // There is more than one group of lanes, each half a warp.
  const bool inGroups = std::ranges::any_of(
      requests, [](const NamedRequest& named) { return named.request->ideal > named.request->requests; });
  if (inGroups) text += ", and each half of a warp takes a wavefront for 8-byte elements";
  return text;
}

}  // namespace

BankPattern bankPattern(const analysis::WarpOperation& operation, const model::LaunchTrace& launch) {
  const analysis::LaneAddresses addresses = analysis::addressesOf(operation, launch);
  const analysis::BankMap map = analysis::mapBanks(addresses, operation.kind == model::EventKind::Store);
  BankPattern worst;
  for (unsigned first = 0; first < model::kWarpSize; first += map.lanesPerGroup) {
    const std::uint32_t lanes = operation.mask & (analysis::lanesBelow(map.lanesPerGroup) << first);
    std::array<std::set<std::uint64_t>, analysis::kBankCount> words;
    analysis::forEachLane(lanes, [&](unsigned lane) {
      for (unsigned i = 0; i < map.wordsPerLane; ++i)
        words[map.lanes[lane][i].bank].insert(map.lanes[lane][i].word);
    });
    BankPattern pattern;
    pattern.lanes = unsigned(std::popcount(lanes));
    pattern.groupLanes = map.lanesPerGroup;
    for (unsigned bank = 0; bank < analysis::kBankCount; ++bank) {
      if (words[bank].empty()) continue;
      pattern.banks.push_back(bank);
      pattern.way = std::max(pattern.way, unsigned(words[bank].size()));
    }
    if (const auto apart = bytesApart(addresses, lanes)) pattern.apart = *apart / analysis::kBankBytes;
    if (pattern.way > worst.way) worst = pattern;
  }
  return worst;
}

std::string bankReason(const RoundAt& at) {
  const std::vector<NamedRequest> requests = loadsAndStores(bankRequests(at));
  if (requests.empty()) return {};
  const bool conflict =
      std::ranges::any_of(requests, [](const NamedRequest& named) { return named.request->conflicts() > 0; });
  return conflict ? conflictReason(at, requests) : noConflictReason(at, requests);
}

std::string idealSectorReason(const RoundAt& at) {
  const std::vector<NamedRequest> requests = loadsAndStores(deviceRequests(at));
  const bool ideal = std::ranges::all_of(requests, [](const NamedRequest& named) {
    return named.request->sectors == named.request->idealSectors;
  });
  if (requests.empty() || !ideal) return {};
  const Common common = commonOf(at, requests);
  if (common.mostLanes == 1)
    return common.warps == 1 ? "one lane needs one sector" : "one lane per warp needs one sector";
  if (common.oneAddress) return "all active lanes of a warp ask for the same element";
  return common.neighbours ? "because " + neighboursOf(common) + " access neighbouring elements"
                           : "because the active lanes' elements lie in as few sectors as they can";
}

std::string sectorReason(const RoundAt& at, const NamedRequest& named) {
  if (named.request->sectors == named.request->idealSectors) return {};
  const analysis::WarpOperation& operation =
      at.round().operations[analysis::worstOperation(at.round(), *named.request)];
  const analysis::LaneAddresses addresses = analysis::addressesOf(operation, at.launch);
  const unsigned bytes =
      std::max(1u, at.launch.buffers[analysis::firstEventOf(operation, at.launch).buffer()].elementBytes);
  const auto apart = bytesApart(addresses, operation.mask);
  if (apart == addresses.width) return "because the first lane's element does not begin a sector";
  if (apart == bytes)  // a struct's member, or a struct that is copied piece by piece
    return fmt::format("because each lane accesses {} of its element of {}", count(addresses.width, "byte"),
                       count(bytes, "byte"));
  if (apart && *apart % bytes == 0)
    return fmt::format("because active lanes are {} apart", count(*apart / bytes, "element"));
  return std::string("because ") + (hasNoGaps(operation.mask) ? "neighbouring" : "the active") +
         " lanes access elements that are not neighbours";
}

}  // namespace stridescope::narration
