#include "twin/memory_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "twin/requests.h"
#include "twin/wording.h"

namespace stridescope {
namespace {

// What one request cost: of each warp, or of all warps together where they differ.
struct Cost {
  unsigned wavefronts = 0, ideal = 0, way = 0;
  bool each = true;       // every warp paid this; else it is the sum
  unsigned warps = 0;     // that made the request
  unsigned requests = 0;  // warp-level, more than warps where a warp repeats it
  bool conflicts() const { return wavefronts > ideal; }
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct RequestCost {
  bool load = false;
  std::string name;  // "load A"
  Cost cost;
};

Cost costOf(const Round& round, const NamedRequest& named) {
  const auto banksOf = [&](std::size_t operation) { return round.operations[operation].banks; };
  Cost cost{.wavefronts = named.request->wavefronts,
            .ideal = named.request->ideal,
            .way = named.request->way,
            .each = true,
            .warps = 0,
            .requests = named.request->requests};
  std::set<std::uint32_t> warps;
  for (std::size_t operation : named.operations) {
    warps.insert(round.operations[operation].warp);
    cost.each = cost.each && banksOf(operation).wavefronts == banksOf(named.operations[0]).wavefronts &&
                banksOf(operation).ideal == banksOf(named.operations[0]).ideal;
  }
  cost.warps = unsigned(warps.size());
  if (cost.each && !named.operations.empty()) {
    cost.wavefronts = banksOf(named.operations[0]).wavefronts;
    cost.ideal = banksOf(named.operations[0]).ideal;
  }
  return cost;
}

// Loads before stores.
std::vector<RequestCost> costsOf(const RoundAt& at) {
  std::vector<RequestCost> costs;
  for (const NamedRequest& named : namedRequests(at))
    costs.push_back({named.request->kind == EventKind::Load, named.name, costOf(at.round(), named)});
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

std::string priceOf(const Clause& clause, bool single) {
  const Cost& cost = clause.cost;
  std::string text = count(cost.wavefronts, "wavefront");
  if (!cost.each)
    text += fmt::format(" over {}", count(cost.requests, "request"));
  else if (cost.requests > cost.warps)
    text += " each time";
  else if (cost.warps > 1 && !single)
    text += " a warp";
  if (cost.conflicts()) text += " instead of " + figure(cost.ideal);
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

std::string memorySentence(const RoundAt& at, bool tellNoConflict) {
  const std::vector<RequestCost> costs = costsOf(at);
  if (costs.empty()) return {};
  const std::vector<Clause> clauses = clausesOf(costs);
  const bool single = costs.size() == 1;
  const bool anyConflict =
      std::ranges::any_of(costs, [](const RequestCost& r) { return r.cost.conflicts(); });

  std::string text;
  for (const Clause& clause : clauses) {
    if (!text.empty()) text += "; ";
    text +=
        fmt::format("{} {} {}", clause.subject, clause.plural ? "take" : "takes", priceOf(clause, single));
    if (!clause.cost.conflicts()) continue;
    text += (clauses.size() == 1 ? ": " : ", ") + wayConflict(clause.cost.way);
  }
  if (!anyConflict && tellNoConflict) text += ": no conflict";
  return capitalised(text) + ".";
}

}  // namespace stridescope
