#include "narration/memory_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "analysis/requests.h"
#include "analysis/snapshots.h"
#include "model/arithmetic.h"
#include "narration/requests.h"
#include "narration/wording.h"

namespace stridescope::narration {

WordPrinter::WordPrinter(const model::Array& array, std::uint64_t within, unsigned width)
    : type_(array.type), bytes_(array.elementBytes) {
  for (model::MemberType member : array.members) {
    const bool isRead = member.offset >= within && member.offset + member.bytes - within <= width;
    member.offset -= unsigned(within);
    if (isRead) members_.push_back(std::move(member));
  }
}

WordPrinter::WordPrinter(model::ElementType type) : type_(type), bytes_(model::bytesOf(type)) {}

std::string WordPrinter::exact(std::uint64_t bits) const {
  if (type_) return model::printElement(*type_, bits);
  if (members_.empty()) return std::to_string(bits);
  constexpr unsigned kBits = 8;
  std::string text;
  for (const model::MemberType& member : members_) {
    const bool isKnown = member.offset + member.bytes <= sizeof(bits);
    text += text.empty() ? "" : ", ";
    text += isKnown ? model::printNumber(member, bits >> kBits * member.offset) : "...";
    if (!isKnown) break;
  }
  return members_.size() == 1 ? text : "(" + text + ")";
}

std::string WordPrinter::brief(std::uint64_t bits) const {
  const bool allSet = bytes_ == sizeof(std::uint32_t) && std::uint32_t(bits) == ~std::uint32_t{0};
  return !type_ && members_.empty() && allSet ? "none" : exact(bits);
}

WordPrinter printerOf(const model::Trace& trace, const model::LaunchTrace& launch,
                      const analysis::Operand& operand) {
  if (!operand.placed) return WordPrinter(trace.experiment.type);
  const model::Array& array = (operand.shared ? launch.recorded().shared : launch.buffers)[operand.array];
  return model::bringsElements(array.role) ? WordPrinter(trace.experiment.type)
         : array.members.empty()           ? WordPrinter(array)
                                           : WordPrinter(array, operand.within, operand.width);
}

std::string operandName(const model::LaunchTrace& launch, const analysis::Operand& operand,
                        model::Digits digits) {
  const model::Array& array = (operand.shared ? launch.recorded().shared : launch.buffers)[operand.array];
  const model::MemberType* const member = model::memberAt(array, operand.within, operand.width);
  return model::elementName(array, operand.element, digits) +
         (member == nullptr ? std::string() : model::memberSuffix(*member));
}

std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event) {
  const model::Array& array = launch.arrayOf(event);
  if (array.members.empty()) return WordPrinter(array).brief(event.value);
  const std::uint64_t within = event.offset() % std::max(1u, array.elementBytes);
  const std::vector<model::Event>& events = launch.recorded().events;
  const std::less<const model::Event*> isBefore;
  const bool isRecorded = !events.empty() && !isBefore(&event, events.data()) &&
                          isBefore(&event, events.data() + events.size() - 1);
  constexpr unsigned kHalf = sizeof(event.value);
  // The other half of 16 bytes stands in the event behind this one.
  const bool isWhole = isRecorded && (&event)[1].isUpperHalfOf(event);
  // Bytes that are accessed as a number of another type, which is not known here.
  if (array.elementBytes == 1 && event.width() > 1)
    return isWhole ? fmt::format("0x{:016x}{:016x}", (&event)[1].value, event.value)
                   : fmt::format("0x{:0{}x}", event.value, 2 * std::min(event.width(), kHalf));
  if (!isWhole) return WordPrinter(array, within, event.width()).brief(event.value);
  std::string lower = WordPrinter(array, within, kHalf).brief(event.value),
              upper = WordPrinter(array, within + kHalf, kHalf).brief((&event)[1].value);
  const auto bare = [](std::string text) {
    return text.starts_with('(') ? text.substr(1, text.size() - 2) : text;
  };
  return "(" + bare(std::move(lower)) + ", " + bare(std::move(upper)) + ")";
}

std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array) {
  return snapshotWords(at, array,
                       {model::NumberKind::Bytes, at.launch.recorded().shared[array].elementBytes});
}

std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array,
                                                        const model::MemberType& cell) {
  const std::size_t begin = analysis::SharedLayout(at.launch).beginOf(array) + cell.offset;
  const std::size_t elementBytes = std::max(1u, at.launch.recorded().shared[array].elementBytes);
  std::vector<std::optional<std::uint64_t>> words(std::size_t(at.launch.recorded().shared[array].bytes) /
                                                  elementBytes);
  for (std::size_t element = 0; element < words.size(); ++element)
    words[element] = at.round().snapshot.word(begin + element * elementBytes, std::max(1u, cell.bytes));
  return words;
}

HeadLists::HeadLists(const RoundAt& at) : at_(at) {
  if (!at.round().outputElement || !at.analysis.headArrays) return;
  arrays_ = *at.analysis.headArrays;
  printer_.emplace(at.launch.recorded().shared[arrays_.lists]);
}

std::string HeadLists::of(std::uint64_t element, bool afterTheRound) const {
  if (!printer_ || (!afterTheRound && at_.index == 0)) return {};
  const model::Array& lists = at_.launch.recorded().shared[arrays_.lists];
  const analysis::Snapshot& snapshot =
      at_.analysis.rounds[afterTheRound ? at_.index : at_.index - 1].snapshot;
  const std::size_t begin = analysis::SharedLayout(at_.launch).beginOf(arrays_.lists);
  const auto bits = snapshot.word(begin + std::size_t(element) * lists.elementBytes, lists.elementBytes);
  return bits ? printer_->brief(*bits) : std::string();
}

namespace {

std::string shuffleFormula(const RoundAt& at, const analysis::LaneExchange& exchange, std::uint32_t thread) {
  const model::Operator op = model::operatorOf(at.trace);
  const auto text = [&](std::uint64_t bits) { return grouped(exchangedText(at, exchange, bits)); };
  const std::string given = text(exchange.given), received = text(exchange.received);
  const bool fetched = analysis::fetches(exchange, at.trace);
  if (fetched) return fmt::format("receives {} from lane {}", received, exchange.sourceLane);
  std::string formula = exchange.sourceLane == thread % model::kWarpSize
                            ? expression(op, "own", "own, as no lane stands there")
                            : expression(op, "own", fmt::format("lane {}'s", exchange.sourceLane));
  formula += " = " + expression(op, given, received);
  if (exchange.after) formula += " = " + text(*exchange.after);
  return formula + (exchange.replayed ? " (replayed)" : "");
}

}  // namespace

std::string exchangedText(const RoundAt& at, const analysis::LaneExchange& exchange, std::uint64_t bits) {
  const model::ElementType type = at.trace.experiment.type;
  const bool element = exchange.kind != model::EventKind::Vote && exchange.width == model::bytesOf(type);
  return element ? model::printElement(type, bits) : std::to_string(bits);
}

std::string registerText(const RoundAt& at, std::uint32_t thread) {
  const analysis::LaneExchange& exchange = *at.round().exchanges[thread];
  return exchange.after ? exchangedText(at, exchange, *exchange.after) : "?";
}

std::string exchangeFormula(const RoundAt& at, std::uint32_t thread) {
  if (thread >= at.round().exchanges.size() || !at.round().exchanges[thread]) return {};
  const analysis::LaneExchange& exchange = *at.round().exchanges[thread];
  if (exchange.kind == model::EventKind::Shuffle) return shuffleFormula(at, exchange, thread);
  const auto text = [&](std::uint64_t bits) { return grouped(exchangedText(at, exchange, bits)); };
  if (exchange.kind == model::EventKind::Vote)
    return fmt::format("votes {}, result {}", text(exchange.given), text(exchange.received));
  return fmt::format("input {}, result {} in all lanes", text(exchange.given), text(exchange.received));
}

namespace {

// What requests are counted in: wavefronts of shared memory, sectors of device memory.
enum class Unit : std::uint8_t { Wavefront, Sector };

// What one request cost each warp, or all warps together if they differ.
struct Cost {
  unsigned units = 0, ideal = 0, way = 0;
  bool each = true;       // every warp paid this; else it is the sum
  unsigned warps = 0;     // that made the request
  unsigned requests = 0;  // warp-level
  bool repeats = false;   // some warp makes it several times
  bool exceeds() const { return units > ideal; }
  // Whether the two can be told together; sums must also be over as many requests.
  bool looksLike(const Cost& other) const {
    return units == other.units && ideal == other.ideal && way == other.way && each == other.each &&
           (each || requests == other.requests);
  }
};

struct RequestCost {
  bool load = false;
  std::string name;  // "load A"
  Cost cost;
  std::string reason;  // why a request to device memory touches more sectors than it needs; else empty

  // They can be told together.
  bool looksLike(const RequestCost& other) const {
    return cost.looksLike(other.cost) && reason == other.reason;
  }
};

struct Units {
  unsigned taken = 0, ideal = 0;
  friend bool operator==(const Units&, const Units&) = default;
};

Units unitsOf(const analysis::WarpOperation& operation, Unit unit) {
  if (unit == Unit::Sector) return {operation.sectors, operation.idealSectors};
  return {operation.banks.wavefronts, operation.banks.ideal};
}

Units unitsOf(const analysis::Request& request, Unit unit) {
  if (unit == Unit::Sector) return {request.sectors, request.idealSectors};
  return {request.wavefronts, request.ideal};
}

Cost costOf(const analysis::Round& round, const NamedRequest& named, Unit unit) {
  const auto one = [&](std::uint32_t operation) { return unitsOf(round.operations[operation], unit); };
  const std::vector<std::uint32_t>& operations = named.request->operations;
  const Units sum = unitsOf(*named.request, unit);
  Cost cost{.units = sum.taken,
            .ideal = sum.ideal,
            .way = named.request->way,
            .each = true,
            .warps = 0,
            .requests = named.request->requests};
  std::set<std::uint32_t> warps;
  for (const std::uint32_t operation : operations) {
    warps.insert(round.operations[operation].warp);
    cost.each = cost.each && one(operation) == one(operations[0]);
  }
  cost.warps = unsigned(warps.size());
  cost.repeats = cost.requests > cost.warps;
  if (cost.each && !operations.empty()) {
    cost.units = one(operations[0]).taken;
    cost.ideal = one(operations[0]).ideal;
  }
  return cost;
}

// Loads before stores.
std::vector<RequestCost> costsOf(const RoundAt& at, Unit unit) {
  std::vector<RequestCost> costs;
  for (const NamedRequest& named : unit == Unit::Sector ? deviceRequests(at) : bankRequests(at))
    if (named.request->kind != model::EventKind::Atomic)
      costs.push_back({named.request->kind == model::EventKind::Load, named.name,
                       costOf(at.round(), named, unit),
                       unit == Unit::Sector ? sectorReason(at, named) : std::string()});
  return costs;
}

struct Clause {
  std::string subject;
  bool plural = false;
  Cost cost;
  std::string reason;  // the same for all its requests
};

// "Each load", "the load A", "each store", ... for requests of one kind that cost the same.
std::string subjectOf(const std::vector<RequestCost>& costs, bool load, bool alone) {
  const auto number = std::ranges::count(costs, load, &RequestCost::load);
  const std::string noun = load ? "load" : "store";
  return (alone && number == 1 ? "the " : "each ") + noun;
}

// The cost of requests that are told together.
Cost together(std::span<const RequestCost> costs) {
  Cost all = costs.front().cost;
  for (const RequestCost& request : costs) {
    all.warps = std::max(all.warps, request.cost.warps);
    all.repeats = all.repeats || request.cost.repeats;
  }
  return all;
}

// One clause where everything cost the same, else one for the loads (or each of them) and one for the stores.
std::vector<Clause> clausesOf(const std::vector<RequestCost>& costs) {
  const auto sameCost = [](const RequestCost& a, const RequestCost& b) { return a.looksLike(b); };
  const auto firstStore = std::ranges::find(costs, false, &RequestCost::load);
  const bool loads = firstStore != costs.begin(), stores = firstStore != costs.end();
  if (std::adjacent_find(costs.begin(), costs.end(), std::not_fn(sameCost)) == costs.end()) {
    if (loads && stores)
      return {{subjectOf(costs, true, true) + " and " + subjectOf(costs, false, true), true, together(costs),
               costs.front().reason}};
    // A single request that several warps make is told of each of them: "Each store takes 1 wavefront."
    // What is a sum over all of them is the load's.
    const Cost all = together(costs);
    return {{subjectOf(costs, loads, all.warps == 1 || !all.each), false, all, costs.front().reason}};
  }
  std::vector<Clause> clauses;
  const bool loadsAlike = std::adjacent_find(costs.begin(), firstStore, std::not_fn(sameCost)) == firstStore;
  const bool storesAlike = std::adjacent_find(firstStore, costs.end(), std::not_fn(sameCost)) == costs.end();
  if (loads && loadsAlike)
    clauses.push_back(
        {subjectOf(costs, true, true), false, together({costs.begin(), firstStore}), costs.front().reason});
  else
    for (auto load = costs.begin(); load != firstStore; ++load)
      clauses.push_back({load->name, false, load->cost, load->reason});
  if (stores && storesAlike)
    clauses.push_back(
        {subjectOf(costs, false, true), false, together({firstStore, costs.end()}), firstStore->reason});
  else
    for (auto store = firstStore; store != costs.end(); ++store)
      clauses.push_back({store->name, false, store->cost, store->reason});
  return clauses;
}

std::string priceOf(const Clause& clause, bool single, Unit unit) {
  const Cost& cost = clause.cost;
  std::string text = count(cost.units, unit == Unit::Sector ? "sector" : "wavefront");
  if (!cost.each)
    text += fmt::format(" over {}", count(cost.requests, "request"));
  else if (cost.repeats)
    text += " each time";
  else if (cost.warps > 1 && !single)
    text += " per warp";
  if (cost.exceeds()) text += " instead of " + figure(cost.ideal);
  return text;
}

// The reason that all of them have, to stand in front; empty if they have several, which each clause tells.
std::string commonReason(const std::vector<RequestCost>& costs) {
  const bool one = std::ranges::all_of(
      costs, [&](const RequestCost& cost) { return cost.reason == costs.front().reason; });
  return one && !costs.empty() ? costs.front().reason : std::string();
}

// Where loads of 8 or 16 bytes need fewer wavefronts than stores at the same addresses would: by what rule.
std::string mergedLoadsClause(const RoundAt& at) {
  for (const NamedRequest& named : bankRequests(at)) {
    if (named.request->kind != model::EventKind::Load) continue;
    for (const std::uint32_t operation : named.request->operations) {
      const analysis::LaneAddresses addresses =
          analysis::addressesOf(at.round().operations[operation], at.launch);
      const analysis::BankMap map = analysis::mapBanks(addresses, false);
      if (map.mergedWith == 0 || map.use.ideal == analysis::findBankConflicts(addresses, true).ideal)
        continue;
      return fmt::format(
          "{}-byte loads merge two {} of a warp where lanes i and i ^ {} share an address or one is "
          "inactive; "
          "stores never merge",
          addresses.width, map.wordsPerLane == 2 ? "halves" : "quarters", map.mergedWith);
    }
  }
  return {};
}

std::string clausesInWords(const RoundAt& at, Unit unit, std::string_view whenIdeal) {
  const std::vector<RequestCost> costs = costsOf(at, unit);
  if (costs.empty()) return {};
  const std::vector<Clause> clauses = clausesOf(costs);
  const bool single = costs.size() == 1, isCommon = !commonReason(costs).empty();
  const bool anyExceeds = std::ranges::any_of(costs, [](const RequestCost& r) { return r.cost.exceeds(); });
  const std::string verb = unit == Unit::Sector ? "touch" : "take";

  std::string text;
  for (const Clause& clause : clauses) {
    if (!text.empty()) text += "; ";
    const std::string_view ending = clause.plural ? "" : unit == Unit::Sector ? "es" : "s";
    text += fmt::format("{} {}{} {}", clause.subject, verb, ending, priceOf(clause, single, unit));
    if (clause.cost.exceeds() && unit == Unit::Wavefront) text += ", " + wayConflict(clause.cost.way);
    if (!clause.reason.empty() && !isCommon) text += ", " + clause.reason;
  }
  if (!anyExceeds) text += whenIdeal;
  if (const std::string merged = unit == Unit::Wavefront ? mergedLoadsClause(at) : ""; !merged.empty())
    text += "; " + merged;
  return text;
}

// The most lanes that one operation of the requests to device memory has; 0 if there are none.
unsigned mostLanesOfARequest(const RoundAt& at) {
  unsigned most = 0;
  for (const NamedRequest& named : deviceRequests(at))
    for (const std::uint32_t operation : named.request->operations)
      most = std::max(most, unsigned(std::popcount(at.round().operations[operation].mask)));
  return most;
}

// "because ..., this" or "...: this".
std::string reasoned(const std::string& reason, std::string_view joint, const std::string& clauses) {
  return clauses.empty() ? std::string() : fmt::format("{}{}{}", reason, joint, clauses);
}

}  // namespace

bool hasConflict(const RoundAt& at) {
  return std::ranges::any_of(at.round().requests,
                             [](const analysis::Request& request) { return request.conflicts() > 0; });
}

std::string wavefrontsClause(const RoundAt& at) {
  return clausesInWords(at, Unit::Wavefront, ", no conflict");
}

std::string sectorsClause(const RoundAt& at) {
  // With one lane there is nothing to coalesce.
  return clausesInWords(at, Unit::Sector,
                        mostLanesOfARequest(at) == 1 ? "" : ", the minimum (fully coalesced)");
}

std::string bankClause(const RoundAt& at) {
  const std::string reason = bankReason(at);
  const bool told = reason.ends_with("cannot conflict");
  return reasoned(reason, ": ", told ? clausesInWords(at, Unit::Wavefront, "") : wavefrontsClause(at));
}

std::string conflictClause(const RoundAt& at) { return hasConflict(at) ? bankClause(at) : std::string(); }

std::string costClause(const RoundAt& at) { return hasConflict(at) ? bankClause(at) : wavefrontsClause(at); }

std::string sectorClause(const RoundAt& at) {
  std::string reason = idealSectorReason(at);
  if (reason.empty()) reason = commonReason(costsOf(at, Unit::Sector));
  if (reason.empty()) return sectorsClause(at);
  return reasoned(reason, reason.starts_with("because") ? ", " : ": ", sectorsClause(at));
}

}  // namespace stridescope::narration
