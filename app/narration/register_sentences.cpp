#include "narration/register_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "analysis/event_groups.h"
#include "analysis/exchanges.h"
#include "analysis/lane_use.h"
#include "model/operator_table.h"
#include "narration/active_threads.h"
#include "narration/round_facts.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// Which way the shuffle of this round goes.
std::string_view directionOf(const RoundAt& at) {
  const auto operation = operationOf(at, model::EventKind::Shuffle);
  if (operation == model::Operation::ShflDown) return "higher";
  if (operation == model::Operation::ShflUp) return "lower";
  return "away";
}

bool isShuffle(const std::optional<analysis::LaneExchange>& exchange) {
  return exchange && exchange->kind == model::EventKind::Shuffle;
}

// "lane 31", "lanes 24 to 31", "8 lanes".
std::string lanesInWords(std::uint32_t mask) {
  const unsigned first = analysis::lowestLane(mask), number = unsigned(std::popcount(mask));
  if (number == 1) return fmt::format("lane {}", first);
  if (mask == analysis::lanesBelow(2) << first) return fmt::format("lanes {} and {}", first, first + 1);
  if (mask != analysis::lanesBelow(number) << first) return count(number, "lane");
  return fmt::format("lanes {} to {}", first, first + number - 1);
}

// The same for all warps; nullopt if they differ.
std::optional<std::uint32_t> commonMask(const std::vector<ShuffleLanes>& warps,
                                        std::uint32_t ShuffleLanes::*mask) {
  for (const ShuffleLanes& lanes : warps)
    if (lanes.*mask != warps.front().*mask) return std::nullopt;
  return warps.front().*mask;
}

// Whether these lanes of the warp combine nothing with what they receive.
bool fetchesOnly(const RoundAt& at, unsigned warp, std::uint32_t lanes) {
  bool fetched = true;
  analysis::forEachLane(lanes, [&](unsigned lane) {
    const auto& exchange = at.round().exchanges[warp * model::kWarpSize + lane];
    fetched = fetched && exchange && analysis::fetches(*exchange, at.trace);
  });
  return fetched;
}

// Where the lanes that hold only the identity are others in each warp.
std::string identitiesOfTheBlock(const std::vector<ShuffleLanes>& warps) {
  int lanes = 0;
  for (const ShuffleLanes& warp : warps) lanes += std::popcount(warp.identity);
  return fmt::format("{} {} only the identity", count(std::uint64_t(lanes), "lane"),
                     lanes == 1 ? "holds" : "hold");
}

}  // namespace

std::vector<ShuffleLanes> shuffleLanes(const RoundAt& at) {
  std::map<unsigned, ShuffleLanes> byWarp;
  const auto& exchanges = at.round().exchanges;
  const std::vector<bool>& givesIdentity = at.work().registerGivesIdentity;
  for (std::size_t thread = 0; thread < exchanges.size(); ++thread) {
    if (!isShuffle(exchanges[thread])) continue;
    const auto warp = unsigned(thread / model::kWarpSize), lane = unsigned(thread % model::kWarpSize);
    const std::size_t source = std::size_t(warp) * model::kWarpSize + exchanges[thread]->sourceLane;
    ShuffleLanes& lanes = byWarp[warp];
    lanes.warp = warp;
    const std::uint32_t bit = analysis::bitOf(lane);
    if (source == thread)
      lanes.beyond |= bit;
    else if (source < exchanges.size() && isShuffle(exchanges[source]))
      lanes.served |= bit;
    else
      lanes.absent |= bit;
    if (thread < givesIdentity.size() && givesIdentity[thread]) lanes.identity |= bit;
  }
  std::vector<ShuffleLanes> list;
  for (const auto& [warp, lanes] : byWarp) list.push_back(lanes);
  return list;
}

std::string shuffleClause(const RoundAt& at) {
  const std::vector<ShuffleLanes> warps = shuffleLanes(at);
  if (warps.empty()) return {};
  const model::OperatorFacts& words = model::factsOf(at.trace.experiment.op);
  const std::string where =
      fmt::format("the register {} {}", count(at.round().stride.value_or(0), "lane"), directionOf(at));
  const std::string in =
      warps.size() == 1 ? std::string() : fmt::format("in each of {} warps, ", figure(warps.size()));
  const std::string of =
      warps.size() == 1 ? fmt::format(" of warp {}", figure(warps[0].warp)) : std::string();
  const auto served = commonMask(warps, &ShuffleLanes::served),
             beyond = commonMask(warps, &ShuffleLanes::beyond),
             absent = commonMask(warps, &ShuffleLanes::absent);
  if (!served || !beyond || !absent)
    return fmt::format("{}each lane{} {} {}, if there is one", in, of, words.withRegister, where);

  std::vector<std::string> parts;
  const auto tell = [&](std::uint32_t lanes, std::string_view one, std::string_view many) {
    if (lanes == 0) return;
    parts.push_back(fmt::format("{}{} {}", lanesInWords(lanes), parts.empty() ? of : "",
                                std::popcount(lanes) == 1 ? one : many));
  };
  const std::string with(words.withRegister.substr(words.verb.size()));  // ends "takes the minimum with"
  tell(*served, fmt::format("{}{} {}", words.verb, with, where),
       fmt::format("{}{} {}", words.verbs, with, where));
  tell(*absent, fmt::format("asks for {}, but no lane there takes part: what it gets is undefined", where),
       fmt::format("ask for {}, but no lane there takes part: what they get is undefined", where));
  if (*beyond != 0 && fetchesOnly(at, warps.front().warp, *beyond))
    tell(*beyond, "has no lane there and gets its own value back",
         "have no lane there and get their own values back");
  else
    tell(*beyond, fmt::format("has no lane there and {}{} its own value", words.verb, with),
         fmt::format("have no lane there, so each {}{} its own value", words.verb, with));
  std::string text = in;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : "; ") + parts[i];
  return text;
}

std::string identityClause(const RoundAt& at) {
  const std::vector<ShuffleLanes> warps = shuffleLanes(at);
  if (warps.empty()) return {};
  const auto identity = commonMask(warps, &ShuffleLanes::identity);
  const ShuffleLanes& lanes = warps.front();
  // Where nobody put in what was loaded, values come from elsewhere.
  if (!identity) return identitiesOfTheBlock(warps);
  if (*identity == 0 || *identity == (lanes.served | lanes.beyond | lanes.absent)) return {};
  // Does anybody who holds a value receive one?
  const auto& exchanges = at.round().exchanges;
  bool changes = std::ranges::any_of(warps, [](const ShuffleLanes& warp) {
    return (warp.absent & ~warp.identity) != 0;  // it gets what nobody can tell
  });
  for (const ShuffleLanes& warp : warps)
    analysis::forEachLane(warp.served & ~warp.identity, [&](unsigned lane) {
      const unsigned source = exchanges[warp.warp * model::kWarpSize + lane]->sourceLane;
      changes = changes || !analysis::contains(warp.identity, source);
    });
  const bool one = std::popcount(*identity) == 1;
  return fmt::format("{} {} only the identity{}", lanesInWords(*identity), one ? "holds" : "hold",
                     changes ? "" : ", so this step changes no result");
}

std::string neededClause(const RoundAt& at) {
  const std::vector<WarpFill> working = activeThreads(at).working;
  if (at.work().registerUseful.empty() || working.empty()) return {};
  // What is made of identities alone is no result that anybody could need.
  const std::vector<analysis::LaneUse> uses = analysis::laneUses(at.round(), at.work());
  const auto countsIn = [&](const WarpFill& fill) {
    return analysis::countLanes(at.round(), uses, fill.warp * model::kWarpSize, fill.lanes);
  };
  const auto results =
      commonNumber(working, [&](const WarpFill& fill) { return countsIn(fill).ofElements(); });
  const auto needed = commonNumber(working, [&](const WarpFill& fill) { return countsIn(fill).used; });
  const analysis::LaneCounts all = analysis::countLanes(at.round(), uses);
  if (all.used == all.ofElements()) return {};
  const std::string_view which = all.identity > 0 ? " that hold an element" : "";
  const bool differ = !results || !needed;
  const std::string_view whose = differ ? " of the block" : working.size() == 1 ? "" : " per warp";
  return fmt::format("{} of the {} results{}{} {} still needed", figure(differ ? all.used : *needed),
                     figure(differ ? all.ofElements() : *results), whose, which,
                     (differ ? all.used : *needed) == 1 ? "is" : "are");
}

std::string warpReduceClause(const RoundAt& at) {
  const std::vector<WarpFill> working = activeThreads(at).working;
  const bool group = operationOf(at, model::EventKind::WarpReduce) == model::Operation::GroupReduce;
  const auto lanes = commonNumber(working, [](const WarpFill& fill) { return fill.active; });
  return fmt::format("{} {} {} of {}{}{}", warpReductionInWords(at), combines(at.trace.experiment.op, false),
                     lanes ? fmt::format("the {} registers", *lanes) : std::string("the registers"),
                     working.size() == 1 ? "" : "each of ", warpsInWords(working),
                     group ? ", and what it does inside is not seen" : "");
}

}  // namespace stridescope::narration
