#include "narration/caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/event_groups.h"
#include "model/array_names.h"
#include "narration/caption_parts.h"
#include "narration/devices.h"
#include "narration/load_sentence.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/threads.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

bool touchesShared(const analysis::Round& round) {
  return std::ranges::any_of(round.requests, [](const analysis::Request& request) { return request.shared; });
}

// Tells the sectors of a stride in device memory, and the banks of one in shared memory.
std::string memoryClause(const RoundAt& at) {
  return touchesShared(at.round()) ? bankClause(at) : sectorClause(at);
}

std::string paddingClause(const RoundAt& at) {
  const auto words = paddedWordsApart(at);
  return words ? fmt::format("with the padding between them the operands are {} apart", count(*words, "word"))
               : std::string();
}

template <class Visit>
void forEachSharedAccess(const RoundAt& at, Visit visit) {
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      if (event.inShared()) visit(operation, operation.warp * model::kWarpSize + lane, event);
    });
  }
}

// The warp that alone touches shared memory from this round to the end of the launch; nullopt: several do, or
// the end is not told.
std::optional<unsigned> onlyWarpFromHereOn(const RoundAt& at) {
  if (at.analysis.goesOn) return std::nullopt;
  std::optional<unsigned> only;
  for (std::size_t index = at.index; index < at.analysis.rounds.size(); ++index)
    for (const analysis::WarpOperation& operation : at.analysis.rounds[index].operations) {
      if (!analysis::isAccess(operation.kind) || !analysis::firstEventOf(operation, at.launch).inShared())
        continue;
      if (only && *only != operation.warp) return std::nullopt;
      only = operation.warp;
    }
  return only;
}

// No element is touched by two warps in the round.
bool warpsKeepApart(const RoundAt& at) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, unsigned> warpOf;
  bool apart = true;
  forEachSharedAccess(at, [&](const analysis::WarpOperation& operation, unsigned, const model::Event& event) {
    const auto [entry, fresh] = warpOf.try_emplace({event.sharedArray(), event.offset()}, operation.warp);
    apart = apart && (fresh || entry->second == operation.warp);
  });
  return apart;
}

// Why a warp barrier, and no block barrier, ends the round.
std::string barrierClause(const RoundAt& at) {
  if (at.warps() == 1) return "the block is one warp, so a warp barrier is enough";
  if (const auto only = onlyWarpFromHereOn(at))
    return fmt::format("only warp {} exchanges data from here on, so a warp barrier is enough",
                       figure(*only));
  return warpsKeepApart(at) ? "each warp works on its own part of shared memory, so a warp barrier is enough"
                            : "";
}

// In a tail without a guard all lanes of the warp combine, though fewer and fewer results are ever read.
std::string usedClause(const RoundAt& at) {
  const unsigned active = at.round().activeLanes;
  const auto useful = unsigned(std::ranges::count(at.work().work, true, &analysis::ThreadWork::useful));
  if (useful == 0 || useful >= active) return {};
  return fmt::format("only {} of the {} results {} used", figure(useful), figure(active),
                     useful == 1 ? "is" : "are");
}

// Who reads and who stores in shared memory, and what is read.
struct SharedUse {
  std::set<unsigned> readers, storers;
  std::string array, first;  // "slots", "slots[0]"
  std::size_t elements = 0;  // distinct ones that are read
};

SharedUse sharedUse(const RoundAt& at) {
  SharedUse use;
  std::set<std::pair<std::uint32_t, std::uint64_t>> places;
  forEachSharedAccess(
      at, [&](const analysis::WarpOperation& operation, unsigned thread, const model::Event& event) {
        if (operation.kind == model::EventKind::Load) places.insert({event.sharedArray(), event.offset()});
        (operation.kind == model::EventKind::Load ? use.readers : use.storers).insert(thread);
      });
  use.elements = places.size();
  if (places.empty()) return use;
  const model::Array& array = at.launch.recorded().shared[places.begin()->first];
  use.array = array.name;
  use.first = array.bytes == array.elementBytes
                  ? array.name
                  : model::placeName(array, places.begin()->second, 1, model::Digits::Plain);
  return use;
}

// Beside those that load elements, the others only read a flag that the block shares.
std::string flagClause(const RoundAt& at) {
  const SharedUse use = sharedUse(at);
  const auto loading = std::ranges::count(at.work().work, true, &analysis::ThreadWork::ofElements);
  if (use.elements != 1 || !use.storers.empty() || use.readers.size() != at.launch.block ||
      std::size_t(loading) >= use.readers.size())
    return {};
  return fmt::format("all {} read the variable {}", count(use.readers.size(), "thread"), use.first);
}

std::string readClause(const RoundAt& at) {
  const SharedUse use = sharedUse(at);
  const std::string one = use.elements == 1 ? use.first : "one element of " + use.array;
  const std::string each = use.elements == 1 ? use.first : one + " each";
  if (use.storers.empty() && accumulates(at))
    return whoWorks(at, {combines(model::operatorOf(at.trace), true) + " " + each,
                         combines(model::operatorOf(at.trace), false) + " " + one});
  if (use.storers.empty()) return whoWorks(at, {"read " + each, "reads " + one});
  if (use.storers == use.readers) return whoWorks(at, {"copy " + each, "copies " + one});
  const bool single = use.readers.size() == 1;
  return fmt::format("{} of {} {} {}, and {} an element", figure(use.readers.size()),
                     count(at.launch.block, "thread"), single ? "reads" : "read", single ? one : each,
                     use.storers.size() == 1 ? "1 stores" : figure(use.storers.size()) + " store");
}

// What those do that do not write: in the launch's last round nothing.
std::string restClause(const RoundAt& at) {
  const unsigned others = at.launch.block - at.round().activeLanes;
  if (others == 0) return {};
  const std::string who =
      others == 1 ? "the other thread" : fmt::format("the other {} threads", figure(others));
  if (at.round().endsWith == analysis::RoundEnd::BlockBarrier)
    return fmt::format("{} {} at the barrier", who, others == 1 ? "waits" : "wait");
  return fmt::format("{} {} nothing left to do", who, others == 1 ? "has" : "have");
}

// Nothing is accessed: what the warps do all the same.
std::string guardsClause(const RoundAt& at) {
  std::set<unsigned> warps;
  for (const analysis::WarpOperation& operation : at.round().operations)
    if (operation.kind == model::EventKind::Branch) warps.insert(operation.warp);
  const bool elsewhere = std::ranges::any_of(at.round().others, [&](std::uint32_t act) {
    return at.launch.recorded().others[act].clusterRank >= 0;
  });
  std::string text = elsewhere ? "no thread touches memory of its own block" : "no thread touches memory";
  if (!warps.empty() && !elsewhere)
    text += fmt::format(", as {} only {} conditions", count(warps.size(), "warp"),
                        warps.size() == 1 ? "tests its" : "test their");
  if (at.round().endsWith == analysis::RoundEnd::BlockBarrier)
    text += "; the block only meets at its barrier";
  return text;
}

// What the races of a round of several passes come to: a write of an earlier pass may come too late, one of a
// later pass too early.
std::string raceClause(const RoundAt& at) {
  bool late = false, early = false;
  for (const analysis::Race& race : at.analysis.races) {
    if (race.round != at.index) continue;
    const bool firstWrites = race.first.kind != model::EventKind::Load;
    const analysis::Race::Access& write = firstWrites ? race.first : race.second;
    const analysis::Race::Access& read = firstWrites ? race.second : race.first;
    (std::tie(write.round, write.pass) < std::tie(read.round, read.pass) ? late : early) = true;
  }
  if (!late && !early) return {};
  return fmt::format("a thread may read what another has {}",
                     !early  ? "not yet written"
                     : !late ? "already overwritten"
                             : "not yet written, or has already overwritten");
}

// A round of several passes as a whole: nothing orders the threads from pass to pass but the barriers of
// warps.
std::vector<std::string> passesSentences(const RoundAt& at) {
  const bool barriers = takesPart(at.round(), model::EventKind::WarpBarrier);
  std::string text = fmt::format("{}: {} of {} {} in {} passes", titleOf(at), figure(at.round().activeLanes),
                                 count(at.launch.block, "thread"),
                                 at.round().activeLanes == 1 ? "works" : "work", figure(at.round().passes));
  const bool stores = !sharedUse(at).storers.empty();
  if (!barriers && stores) text += ", with no barrier between them";
  return {text + ".", sentenceOf({raceClause(at),
                                  stores || !touchesShared(at.round()) ? conflictClause(at) : bankClause(at),
                                  writeClause(at)})};
}

std::vector<std::string> otherSentences(const RoundAt& at) {
  if (at.round().activeLanes == 0) return {titleOf(at) + ": " + guardsClause(at) + "."};
  if (at.pass == nullptr && at.round().passes > 1) return passesSentences(at);
  const auto combining = unsigned(std::ranges::count_if(
      at.work().work, [](const analysis::ThreadWork& work) { return work.a && work.b && work.result; }));
  const std::string written = writeClause(at);
  if (combining == 0 || combining == at.round().activeLanes || written.empty())
    return {fmt::format("{}: {}.", titleOf(at), whoWorks(at, {"work", "works"})),
            sentenceOf({written, touchesShared(at.round()) ? costClause(at) : sectorClause(at)})};
  return {
      fmt::format("{}: {} of {} {}; {}.", titleOf(at), figure(combining), count(at.launch.block, "thread"),
                  combines(model::operatorOf(at.trace), combining != 1), written),
      sentenceOf({memoryClause(at)})};
}

std::vector<std::string> sentencesOf(const RoundAt& at) {
  const auto opened = [&](const std::string& clause) { return titleOf(at) + ": " + clause + "."; };
  const Verb combine = combiningVerb(model::operatorOf(at.trace));
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {opened(loadClause(at)),
              sentenceOf({sectorClause(at), flagClause(at),
                          takesPart(at.round(), model::EventKind::WarpReduce) ? warpReduceClause(at) : "",
                          hasConflict(at) ? wavefrontsClause(at) : "", writeClause(at)})};
    case RoundKind::Stride:
      // A round that loses something teaches what is lost. If the block works in device memory, what the last
      // stride leaves is the result.
      if (std::string lost = lostClause(at); !lost.empty())
        return {opened(whoWorks(at, combine)), sentenceOf({lost})};
      return {opened(whoWorks(at, combine)),
              sentenceOf({waitingClause(at), paddingClause(at), memoryClause(at),
                          touchesShared(at.round()) || at.round().activeLanes == 1 ? writeClause(at) : ""})};
    case RoundKind::WarpStride:
      return {opened(whoWorks(at, combine)), sentenceOf({usedClause(at), paddingClause(at), barrierClause(at),
                                                         costClause(at), writeClause(at)})};
    case RoundKind::Shuffle: {
      const std::string written = writeClause(at), cost = costClause(at);
      const bool inRegisters = written.empty() && cost.empty();
      return {opened(shuffleClause(at)),
              sentenceOf({neededClause(at), identityClause(at),
                          inRegisters ? "values go from register to register, without shared memory" : "",
                          cost, written})};
    }
    case RoundKind::WarpReduce:
      return {opened(warpReduceClause(at)), sentenceOf({costClause(at), writeClause(at)})};
    case RoundKind::Read:
      return {opened(readClause(at)), sentenceOf({bankClause(at)})};
    case RoundKind::Write:
      if (std::string missing = missingClause(at); !missing.empty())
        return {opened(writeClause(at)), sentenceOf({missing})};
      return {opened(writeClause(at)), sentenceOf({conflictClause(at), restClause(at)})};
    case RoundKind::Other:
      break;
  }
  return otherSentences(at);
}

// Several GPUs combine their arrays.
std::vector<std::string> arraySentences(const RoundAt& at) {
  const std::vector<std::string> clauses = arrayClauses(at);
  std::vector<std::string> sentences{titleOf(at) + ": " + clauses.front() + "."};
  for (std::size_t i = 1; i < clauses.size(); ++i) sentences.push_back(sentenceOf({clauses[i]}));
  return sentences;
}

// What the same threads of a round do.
struct Acts {
  std::vector<bool> threads;
  bool loads[2] = {false, false}, stores[2] = {false, false};  // in shared memory, in device memory
  bool atomics = false, exchanges = false;

  auto count() const { return unsigned(std::ranges::count(threads, true)); }
};

// By those who do it: first what the most threads do.
std::vector<Acts> actsOf(const RoundAt& at) {
  enum : std::size_t { SharedLoad, DeviceLoad, SharedStore, DeviceStore, Atomic, Exchange, Kinds };
  const analysis::Round& round = at.round();
  std::array<std::vector<bool>, Kinds> threads;
  for (std::vector<bool>& all : threads) all.resize(round.lanes.size());
  for (const analysis::WarpOperation& operation : round.operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    const bool shared = analysis::firstEventOf(operation, at.launch).inShared();
    const std::size_t kind = operation.kind == model::EventKind::Load ? (shared ? SharedLoad : DeviceLoad)
                             : operation.kind == model::EventKind::Store
                                 ? (shared ? SharedStore : DeviceStore)
                                 : Atomic;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const std::size_t thread = std::size_t(operation.warp) * model::kWarpSize + lane;
      if (thread < threads[kind].size()) threads[kind][thread] = true;
    });
  }
  for (std::size_t thread = 0; thread < std::min(round.exchanges.size(), round.lanes.size()); ++thread)
    threads[Exchange][thread] = round.exchanges[thread].has_value();
  std::vector<Acts> all;
  for (std::size_t kind = 0; kind < Kinds; ++kind) {
    if (std::ranges::none_of(threads[kind], std::identity())) continue;
    auto acts = std::ranges::find(all, threads[kind], &Acts::threads);
    if (acts == all.end()) acts = all.insert(all.end(), {.threads = threads[kind]});
    if (kind == SharedLoad || kind == DeviceLoad) acts->loads[kind - SharedLoad] = true;
    if (kind == SharedStore || kind == DeviceStore) acts->stores[kind - SharedStore] = true;
    if (kind == Atomic) acts->atomics = true;
    if (kind == Exchange) acts->exchanges = true;
  }
  std::ranges::stable_sort(all, std::greater(), &Acts::count);
  return all;
}

Verb verbOf(const Acts& acts) {
  const auto where = [](const bool(&in)[2]) -> std::string {
    return in[0] && in[1] ? "shared and device memory"
           : in[0]        ? "shared memory"
           : in[1]        ? "device memory"
                          : "";
  };
  const std::string loads = where(acts.loads), stores = where(acts.stores);
  std::vector<std::pair<std::string, std::string>> parts;  // of several, of one
  if (!loads.empty() && loads == stores) {
    parts.emplace_back("load from and store to " + loads, "loads from and stores to " + loads);
  } else {
    if (!loads.empty()) parts.emplace_back("load from " + loads, "loads from " + loads);
    if (!stores.empty()) parts.emplace_back("store to " + stores, "stores to " + stores);
  }
  if (acts.atomics) parts.emplace_back("do atomic operations", "does atomic operations");
  if (acts.exchanges) parts.emplace_back("exchange registers", "exchanges registers");
  Verb verb;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view between = i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
    verb.plural += std::string(between) + parts[i].first;
    verb.singular += std::string(between) + parts[i].second;
  }
  return verb;
}

// A person's own kernel: who accesses what. What the values are for is not known. Lanes that touch device
// memory alone count as inactive where others touch shared memory: then each thing is told of those who do
// it.
std::vector<std::string> accessSentences(const RoundAt& at) {
  const std::vector<Acts> all = actsOf(at);
  if (all.empty()) return {titleOf(at) + ": " + guardsClause(at) + "."};
  const auto& lanes = at.round().lanes;
  const auto isActive = [&](std::size_t thread) { return lanes[thread] == analysis::LaneState::Active; };
  const auto everyThread = std::views::iota(std::size_t{0}, lanes.size());
  const bool allDo =
      std::ranges::all_of(everyThread, [&](std::size_t i) { return all.front().threads[i] == isActive(i); });
  const bool noneElse = std::ranges::all_of(all, [&](const Acts& acts) {
    return std::ranges::all_of(everyThread, [&](std::size_t i) { return !acts.threads[i] || isActive(i); });
  });
  const auto counted = [&](const Acts& acts) {
    const unsigned threads = acts.count();
    const Verb verb = verbOf(acts);
    const std::string whole = count(unsigned(lanes.size()), "thread");
    return fmt::format("{} {} {}", threads == lanes.size() ? "all" : figure(threads) + " of", whole,
                       threads == 1 ? verb.singular : verb.plural);
  };
  std::vector<std::string> sentences{fmt::format(
      "{}: {}.", titleOf(at), allDo && noneElse ? whoWorks(at, verbOf(all.front())) : counted(all.front()))};
  for (const Acts& acts : all | std::views::drop(1)) sentences.push_back(sentenceOf({counted(acts)}));
  const bool touchesDevice =
      std::ranges::any_of(all, [](const Acts& acts) { return acts.loads[1] || acts.stores[1]; });
  sentences.push_back(
      sentenceOf({touchesDevice ? sectorClause(at) : "", touchesShared(at.round()) ? costClause(at) : ""}));
  return sentences;
}

// What no map shows; of many acts the first ones. Copies of one instruction, as of a function that is called
// twice, are told once.
void addOtherActs(const RoundAt& at, std::vector<std::string>& sentences) {
  constexpr std::size_t kTold = 8;
  std::vector<std::string> told;
  for (const std::uint32_t act : at.round().others) {
    const std::string& sentence = at.launch.recorded().others[act].sentence;
    if (std::ranges::find(told, sentence) == told.end()) told.push_back(sentence);
  }
  sentences.insert(sentences.end(), told.begin(),
                   told.begin() + std::ptrdiff_t(std::min(kTold, told.size())));
  if (told.size() > kTold)
    sentences.push_back("In this round, there are " + figure(told.size() - kTold) + " more of these.");
}

}  // namespace

std::string Caption::text() const {
  std::string joined;
  for (const std::string& sentence : sentences) joined += (joined.empty() ? "" : " ") + sentence;
  return joined;
}

Caption captionOf(const RoundAt& at) {
  if (model::leavesArrays(at.trace)) {
    Caption caption{accessSentences(at)};
    addOtherActs(at, caption.sentences);
    std::erase(caption.sentences, std::string());
    return caption;
  }
  Caption caption{at.round().outputElement    ? mergeSentences(at)
                  : combinesArrays(at.launch) ? arraySentences(at)
                                              : sentencesOf(at)};
  if (const std::string message = messageClause(at); !message.empty() && !waitsForDevices(at))
    caption.sentences.push_back(sentenceOf({message}));
  std::erase(caption.sentences, std::string());
  if (const std::string wraps = wrapClause(at); !wraps.empty()) {
    if (caption.sentences.size() == 1)
      caption.sentences.push_back(sentenceOf({wraps}));
    else
      caption.sentences.back().replace(caption.sentences.back().size() - 1, 1, "; " + wraps + ".");
  }
  addOtherActs(at, caption.sentences);
  return caption;
}

namespace {

constexpr std::string_view kLanes = "lanes", kUtilization = "divergence", kBanks = "banks";

}  // namespace

CaptionSubject subjectOf(const RoundAt& at) {
  // The Shared memory panel and the source tell of races and problems.
  if (!troubleIn(at).empty()) return {};
  const analysis::Round& round = at.round();
  CaptionSubject subject;
  if (round.activeLanes > 0) subject.panels = {kLanes, kUtilization};
  if (!round.requests.empty()) subject.panels.push_back(kBanks);
  const bool conflicts = std::ranges::any_of(round.requests, [](const analysis::Request& request) {
    return request.conflicts() > 0 || request.sectors > request.idealSectors;
  });
  const analysis::LaneCounts lanes = lanesByUse(at);
  if (conflicts)
    subject.main = kBanks;
  else if (round.partialWarps > 0 || lanes.used < lanes.active())
    subject.main = kLanes;
  return subject;
}

}  // namespace stridescope::narration
