#include "narration/memory_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "analysis/sectors.h"
#include "narration/requests.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// What requests are counted in: wavefronts of shared memory, sectors of device memory.
enum class Unit : std::uint8_t { Wavefront, Sector };

// What one request cost: of each warp, or of all warps together where they differ.
struct Cost {
  unsigned units = 0, ideal = 0, way = 0;
  bool each = true;       // every warp paid this; else it is the sum
  unsigned warps = 0;     // that made the request
  unsigned requests = 0;  // warp-level, more than warps where a warp repeats it
  bool exceeds() const { return units > ideal; }
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct RequestCost {
  bool load = false;
  std::string name;  // "load A"
  Cost cost;
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
      costs.push_back(
          {named.request->kind == model::EventKind::Load, named.name, costOf(at.round(), named, unit)});
  return costs;
}

struct Clause {
  std::string subject;
  bool plural = false;
  Cost cost;
};

// "Each load", "the load A", "each store", ... for requests of one kind that cost the same.
std::string subjectOf(const std::vector<RequestCost>& costs, bool load, bool alone) {
  const auto number = std::ranges::count(costs, load, &RequestCost::load);
  const std::string noun = load ? "load" : "store";
  return (alone && number == 1 ? "the " : "each ") + noun;
}

// One clause where everything cost the same, else one for the loads (or each of them) and one for the stores.
std::vector<Clause> clausesOf(const std::vector<RequestCost>& costs) {
  const auto sameCost = [](const RequestCost& a, const RequestCost& b) { return a.cost == b.cost; };
  const auto firstStore = std::ranges::find(costs, false, &RequestCost::load);
  const bool loads = firstStore != costs.begin(), stores = firstStore != costs.end();
  if (std::adjacent_find(costs.begin(), costs.end(), std::not_fn(sameCost)) == costs.end()) {
    if (loads && stores)
      return {{subjectOf(costs, true, true) + " and " + subjectOf(costs, false, true), true, costs[0].cost}};
    // A single request that several warps make is told of each of them: "Each store takes 1 wavefront."
    return {{subjectOf(costs, loads, costs[0].cost.warps == 1), false, costs[0].cost}};
  }
  std::vector<Clause> clauses;
  const bool loadsAlike = std::adjacent_find(costs.begin(), firstStore, std::not_fn(sameCost)) == firstStore;
  const bool storesAlike = std::adjacent_find(firstStore, costs.end(), std::not_fn(sameCost)) == costs.end();
  if (loads && loadsAlike)
    clauses.push_back({subjectOf(costs, true, true), false, costs.front().cost});
  else
    for (auto load = costs.begin(); load != firstStore; ++load)
      clauses.push_back({load->name, false, load->cost});
  if (stores && storesAlike)
    clauses.push_back({subjectOf(costs, false, true), false, firstStore->cost});
  else
    for (auto store = firstStore; store != costs.end(); ++store)
      clauses.push_back({store->name, false, store->cost});
  return clauses;
}

std::string priceOf(const Clause& clause, bool single, Unit unit) {
  const Cost& cost = clause.cost;
  std::string text = count(cost.units, unit == Unit::Sector ? "sector" : "wavefront");
  if (!cost.each)
    text += fmt::format(" over {}", count(cost.requests, "request"));
  else if (cost.requests > cost.warps && unit == Unit::Wavefront)
    text += " each time";
  else if (cost.warps > 1 && !single)
    text += " per warp";
  if (cost.exceeds()) text += " instead of " + figure(cost.ideal);
  return text;
}

// What was paid for nothing, after a clause's price.
std::string reasonOf(const Cost& cost, Unit unit) {
  if (unit == Unit::Wavefront) return wayConflict(cost.way);
  return fmt::format("{} of {} bytes moved are not asked for",
                     figure((cost.units - cost.ideal) * analysis::kSectorBytes),
                     figure(cost.units * analysis::kSectorBytes));
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
  return text;
}

std::string sentenceOf(const RoundAt& at, Unit unit, std::string_view whenIdeal) {
  const std::vector<RequestCost> costs = costsOf(at, unit);
  if (costs.empty()) return {};
  const std::vector<Clause> clauses = clausesOf(costs);
  const bool single = costs.size() == 1;
  const bool anyExceeds = std::ranges::any_of(costs, [](const RequestCost& r) { return r.cost.exceeds(); });
  const std::string verb = unit == Unit::Sector ? "touch" : "take";

  std::string text;
  for (const Clause& clause : clauses) {
    if (!text.empty()) text += "; ";
    const std::string_view ending = clause.plural ? "" : unit == Unit::Sector ? "es" : "s";
    text += fmt::format("{} {}{} {}", clause.subject, verb, ending, priceOf(clause, single, unit));
    if (!clause.cost.exceeds()) continue;
    text += (clauses.size() == 1 ? ": " : ", ") + reasonOf(clause.cost, unit);
  }
  if (!anyExceeds) text += whenIdeal;
  return capitalised(text) + ".";
}

}  // namespace

std::string memorySentence(const RoundAt& at, bool tellNoConflict) {
  return sentenceOf(at, Unit::Wavefront, tellNoConflict ? ": no conflict" : "");
}

std::string sectorSentence(const RoundAt& at) {
  return sentenceOf(at, Unit::Sector, ": fully coalesced, the minimum");
}

}  // namespace stridescope::narration
