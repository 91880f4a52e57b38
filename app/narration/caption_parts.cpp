#include "narration/caption_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "base/numbers.h"
#include "model/array_names.h"
#include "model/operator_table.h"
#include "narration/memory_words.h"
#include "narration/round_kind.h"
#include "narration/threads.h"
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
  const model::OperatorFacts& words = model::factsOf(model::operatorOf(at.trace));
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
  return fmt::format("{} {} {} of {}{}{}", warpReductionInWords(at),
                     combines(model::operatorOf(at.trace), false),
                     lanes ? fmt::format("the {} registers", *lanes) : std::string("the registers"),
                     working.size() == 1 ? "" : "each of ", warpsInWords(working),
                     group ? ", and what it does inside is not seen" : "");
}

namespace {

std::size_t threadsThatLoadValues(const RoundAt& at) {
  std::set<std::uint32_t> threads;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Load) continue;
    const model::Event& event = analysis::firstEventOf(operation, at.launch);
    if (!event.inGlobal() || at.launch.buffers[event.buffer()].role != model::ParameterRole::ListValues)
      continue;
    analysis::forEachLane(operation.mask,
                          [&](unsigned lane) { threads.insert(operation.warp * model::kWarpSize + lane); });
  }
  return threads.size();
}

// How many lists the run merges: one per thread unless the experiment says how many.
std::size_t listsOf(const RoundAt& at) {
  const std::size_t given = at.trace.experiment.lists;
  return given == 0 ? at.launch.block : std::min<std::size_t>(given, at.launch.block);
}

std::string loadedClause(const RoundAt& at) {
  const std::size_t live = threadsThatLoadValues(at), all = at.launch.block;
  const std::size_t lists = std::max(listsOf(at), live), exhausted = lists - live, without = all - lists;
  std::string text = fmt::format("{} {} the head of {} list into shared memory",
                                 live == all ? "all " + count(all, "thread")
                                             : fmt::format("{} of {}", figure(live), count(all, "thread")),
                                 live == 1 ? "puts" : "put", live == 1 ? "its" : "their");
  if (exhausted > 0)
    text += fmt::format("; the other {} exhausted",
                        exhausted == 1 ? "list is" : fmt::format("{} lists are", figure(exhausted)));
  if (without > 0)
    text += fmt::format("; {} {} no list", count(without, "thread"), without == 1 ? "has" : "have");
  return text;
}

// How many threads took the other head.
std::string takenClause(const RoundAt& at) {
  const auto& work = at.work().work;
  const auto compared =
      std::ranges::count_if(work, [](const analysis::ThreadWork& own) { return own.a && own.b; });
  const auto kept = std::ranges::count(work, true, &analysis::ThreadWork::kept);
  const auto taken = std::uint64_t(compared - kept);
  if (taken == 0) return "no thread takes the other head, as none of them comes first";
  return fmt::format("{} the other head with its list's number, as {} first",
                     taken == 1 ? "1 thread takes" : count(taken, "thread") + " take",
                     taken == 1 ? "it comes" : "they come");
}

std::string writtenClause(const RoundAt& at) {
  std::string value, place, list;
  std::uint32_t thread = 0;
  for (const DeviceWrite& write : deviceWrites(at)) {
    const model::Array& buffer = at.launch.buffers[write.buffer];
    const std::string word = grouped(WordPrinter(buffer).brief(write.bits));
    if (buffer.role == model::ParameterRole::Merged) {
      value = word;
      place = model::elementName(buffer, write.element);
      thread = write.thread;
    } else if (buffer.role == model::ParameterRole::Origin) {
      list = word;
    }
  }
  if (place.empty()) return "nothing is written";
  if (list.empty())
    return fmt::format("thread {} writes {}, the least head, to {}", figure(thread), value, place);
  return fmt::format(
      "the least head is {}, of list {}: thread {} writes it to {}, and list {} moves on by one", value, list,
      figure(thread), place, list);
}

}  // namespace

std::vector<std::string> mergeSentences(const RoundAt& at) {
  const auto opened = [&](const std::string& clause) { return titleOf(at) + ": " + clause + "."; };
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {opened(loadedClause(at)), sentenceOf({sectorClause(at), conflictClause(at)})};
    case RoundKind::Write:
      return {opened(writtenClause(at)), sentenceOf({conflictClause(at)})};
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return {opened(whoWorks(at, {"compare two heads", "compares two heads"})),
              sentenceOf({takenClause(at), costClause(at)})};
    default:
      return {
          opened(at.round().activeLanes == 0 ? "no thread touches memory" : whoWorks(at, {"work", "works"})),
          sentenceOf({costClause(at)})};
  }
}

namespace {

std::string sharedPlace(const RoundAt& at, const analysis::Operand& value) {
  return operandName(at.launch, value);
}

std::string sharedValue(const RoundAt& at, const analysis::Operand& value) {
  return grouped(WordPrinter(at.launch.recorded().shared[value.array]).brief(value.bits));
}

// "the sum of 32 elements", "1 element".
std::string partOf(const RoundAt& at, const analysis::LostValue& lost) {
  const std::string elements = count(lost.of, "element");
  return lost.of == 1 ? elements : fmt::format("the {} of {}", nounOf(model::operatorOf(at.trace)), elements);
}

bool touches(const analysis::RoundFlow& flow, std::uint32_t array, std::uint64_t element) {
  const auto isIt = [&](const std::optional<analysis::Operand>& operand) {
    return operand && operand->placed && operand->shared && operand->array == array &&
           operand->element == element;
  };
  return std::ranges::any_of(flow.work, [&](const analysis::ThreadWork& work) {
    return isIt(work.a) || isIt(work.b) || isIt(work.result);
  });
}

}  // namespace

std::string lostClause(const RoundAt& at) {
  if (at.pass != nullptr) return {};
  std::string text;
  for (const analysis::LostValue& lost : at.flow[at.index].lost)
    text += fmt::format("{}no thread reads {} from here on: its {}, {}, is lost", text.empty() ? "" : "; ",
                        sharedPlace(at, lost.value), sharedValue(at, lost.value), partOf(at, lost));
  return text;
}

std::string missingClause(const RoundAt& at) {
  std::string text;
  for (const analysis::RoundFlow& flow : at.flow)
    for (const analysis::LostValue& lost : flow.lost)
      text += fmt::format("{}{}, {} in {}, is missing from it", text.empty() ? "" : "; ", partOf(at, lost),
                          sharedValue(at, lost.value), sharedPlace(at, lost.value));
  return text;
}

std::string waitingClause(const RoundAt& at) {
  if (at.pass != nullptr || at.index == 0 || !at.analysis.races.empty()) return {};
  const std::vector<std::vector<bool>>& before = at.flow[at.index - 1].liveAfter;
  const std::vector<std::vector<bool>>& after = at.work().liveAfter;
  std::optional<analysis::Operand> waiting;
  for (std::uint32_t array = 0; array < std::min(before.size(), after.size()); ++array)
    for (std::uint64_t element = 0; element < std::min(before[array].size(), after[array].size());
         ++element) {
      if (!before[array][element] || !after[array][element] || touches(at.work(), array, element)) continue;
      if (waiting) return {};
      waiting = {.shared = true, .array = array, .element = element};
    }
  if (!waiting) return {};
  return fmt::format("one value, {}, has no partner and waits for the next stride",
                     sharedPlace(at, *waiting));
}

}  // namespace stridescope::narration
