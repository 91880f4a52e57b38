#include "views/chrome/hover_line.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "analysis/bank_conflicts.h"
#include "analysis/sectors.h"
#include "base/plain_text.h"
#include "narration/caption.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/thread_line.h"
#include "narration/word_printer.h"
#include "narration/wording.h"
#include "views/maps/map_bytes.h"
#include "views/memory/memory_stage.h"

namespace stridescope {
namespace {

RoundAt shownRound(const Session& session, const Playhead& at) {
  return {session.run()->trace, session.run()->trace.launches[at.launch],
          session.run()->analysis.launches[at.launch], session.run()->flow[at.launch], at.round};
}

std::string partOf(std::uint64_t part, std::uint64_t all, const char* noun) {
  return figure(part) + " of " + count(all, noun);
}

HoverLine threadLine(const RoundAt& at, unsigned thread) {
  const ThreadLine line = threadLineOf(at, thread);
  HoverLine found{
      .tag = "thread " + figure(thread),
      .pieces = {"warp " + std::to_string(line.warp) + " lane " + std::to_string(line.lane), line.formula}};
  for (const ThreadAccess& access : line.accesses) found.pieces.push_back(access.text());
  return found;
}

std::string sectorText(const SectorUse& use) {
  return count(use.sectors, "sector") + (use.sectors > use.ideal ? " instead of " + figure(use.ideal) : "");
}

HoverLine warpLine(const RoundAt& at, unsigned warp) {
  unsigned active = 0;
  const unsigned lanes = lanesOf(at.launch, warp);
  for (unsigned lane = 0; lane < lanes; ++lane)
    active += at.round().lanes[warp * kWarpSize + lane] == LaneState::Active;
  HoverLine line{
      .tag = "warp " + std::to_string(warp),
      .pieces = {"threads " + figure(warp * kWarpSize) + " to " + figure(warp * kWarpSize + lanes - 1),
                 partOf(active, lanes, "lane") + " active"}};
  for (const NamedRequest& request : namedRequests(at)) {
    unsigned wavefronts = 0, way = 0;
    for (const std::size_t index : request.operations)
      if (const WarpOperation& operation = at.round().operations[index]; operation.warp == warp) {
        wavefronts += operation.banks.wavefronts;
        way = std::max(way, operation.banks.way);
      }
    if (wavefronts > 0)
      line.pieces.push_back(request.name + ": " + count(wavefronts, "wavefront") +
                            (way > 1 ? ", " + std::to_string(way) + "-way" : ""));
  }
  for (const NamedRequest& request : namedDeviceRequests(at)) {
    SectorUse use;
    for (const std::size_t index : request.operations)
      if (const WarpOperation& operation = at.round().operations[index]; operation.warp == warp) {
        use.sectors += operation.sectors;
        use.ideal += operation.idealSectors;
      }
    if (use.sectors > 0) line.pieces.push_back(request.name + ": " + sectorText(use));
  }
  return line;
}

// How many lanes of the group that asks most of the bank ask for a word of it.
std::size_t mostLanesAsking(const RoundAt& at, const WarpOperation& operation, unsigned bank) {
  const BankMap map = mapBanks(addressesOf(operation, at.launch), operation.kind == EventKind::Store);
  std::array<std::set<std::uint64_t>, kWarpSize> words{};
  std::array<std::size_t, kWarpSize> lanes{};
  for (std::uint32_t mask = operation.mask; mask != 0; mask &= mask - 1) {
    const auto lane = unsigned(std::countr_zero(mask));
    for (unsigned i = 0; i < map.wordsPerLane; ++i)
      if (const LaneWord& word = map.lanes[lane][i]; word.bank == bank) {
        words[lane / map.lanesPerGroup].insert(word.word);
        ++lanes[lane / map.lanesPerGroup];
      }
  }
  const auto most = std::ranges::max_element(words, {}, &std::set<std::uint64_t>::size);
  return lanes[std::size_t(most - words.begin())];
}

// For each request, how many words of the bank one group of lanes asks for at most.
HoverLine bankLine(const RoundAt& at, unsigned bank) {
  HoverLine line{.tag = "bank " + std::to_string(bank), .pieces = {}};
  for (const NamedRequest& request : namedRequests(at)) {
    std::size_t most = 0, lanes = 0;
    for (const std::size_t index : request.operations) {
      const WarpOperation& operation = at.round().operations[index];
      if (operation.banks.words[bank] > most)
        most = operation.banks.words[bank], lanes = mostLanesAsking(at, operation, bank);
    }
    line.pieces.push_back(request.name + ": " +
                          (most == 0 ? std::string("nothing")
                                     : count(most, "word") + " for " + count(lanes, "lane") + " of a warp"));
  }
  if (line.pieces.empty()) line.pieces.emplace_back("shared memory is not touched in this round");
  return line;
}

std::string valueAfter(const RoundAt& at, const MemoryStage& stage, std::uint64_t element) {
  const auto words = stage.wordsAfter(at.index);
  if (element >= words.size() || !words[element]) return stage.inDevice() ? "unknown" : "never written";
  return groupedElement(WordPrinter(at.trace, stage.array()).brief(*words[element]));
}

// Where the element lies: what serves it.
std::string placeText(const MemoryStage& stage, std::uint64_t element) {
  const std::uint64_t offset = (stage.first() + element) * stage.array().elementBytes;
  if (stage.inDevice()) return "sector " + figure(offset / kSectorBytes);
  return "bank " + std::to_string(offset / kBankBytes % kBankCount);
}

// Whose operand or result the element is in this round.
std::vector<std::string> usesOf(const RoundAt& at, const MemoryStage& stage, std::uint64_t element,
                                const Twins& twins) {
  std::string readers, writers;
  for (const ThreadWork& work : at.work().work) {
    if (!twins.thread(work.thread)) continue;
    const auto is = [&](const std::optional<Operand>& operand) {
      return stage.holds(operand) && stage.placeOf(*operand) == element;
    };
    const std::string name = " thread " + figure(work.thread);
    if (is(work.a)) readers += (readers.empty() ? "A of" : ", A of") + name;
    if (is(work.b)) readers += (readers.empty() ? "B of" : ", B of") + name;
    if (is(work.result)) writers += (writers.empty() ? "result of" : ", result of") + name;
  }
  std::vector<std::string> uses;
  if (!readers.empty()) uses.push_back(readers);
  if (!writers.empty()) uses.push_back(writers);
  if (uses.empty()) uses.emplace_back("not touched in this round");
  return uses;
}

HoverLine elementLine(const RoundAt& at, std::uint64_t element, const Twins& twins) {
  const MemoryStage stage(at.launch, at.analysis);
  if (!stage.exists()) return {"element " + figure(element), {"not in this launch"}};
  HoverLine line{.tag = stage.array().name + "[" + std::to_string(stage.first() + element) + "]",
                 .pieces = {}};
  const std::string after = valueAfter(at, stage, element);
  if (at.index > 0) {
    RoundAt before = at;
    --before.index;
    const std::string was = valueAfter(before, stage, element);
    line.pieces.push_back(was == after ? after : was + " becomes " + after);
  } else {
    line.pieces.push_back(after);
  }
  line.pieces.push_back(placeText(stage, element));
  for (std::string& use : usesOf(at, stage, element, twins)) line.pieces.push_back(std::move(use));
  const std::vector<bool>& live = stage.liveAfter(at.work());
  if (element < live.size()) line.pieces.emplace_back(live[element] ? "still needed" : "no longer needed");
  return line;
}

HoverLine siteLine(const RoundAt& at, std::uint32_t id) {
  constexpr std::size_t kMostValues = 4;
  const Site& site = at.trace.sites[id];
  HoverLine line{.tag = "line " + std::to_string(site.line), .pieces = {inOneLine(site.text)}};
  unsigned executions = 0, taken = 0, wavefronts = 0, ideal = 0;
  SectorUse sectors;
  std::map<unsigned, std::uint32_t> lanesOfWarp;
  bool branch = false;
  std::string values;
  std::size_t shown = 0;
  for (const WarpOperation& operation : at.round().operations) {
    if (operation.site != id) continue;
    lanesOfWarp[operation.warp] |= operation.mask;
    executions += unsigned(std::popcount(operation.mask));
    taken += unsigned(std::popcount(operation.taken));
    branch |= operation.kind == EventKind::Branch;
    wavefronts += operation.banks.wavefronts;
    ideal += operation.banks.ideal;
    sectors.sectors += operation.sectors;
    sectors.ideal += operation.idealSectors;
    if (operation.kind != EventKind::Load && operation.kind != EventKind::Store) continue;
    for (std::uint32_t mask = operation.mask; mask != 0 && shown <= kMostValues; mask &= mask - 1, ++shown) {
      const Event& event = at.launch.events[operation.event[unsigned(std::countr_zero(mask))]];
      if (shown == kMostValues)
        values += ", …";
      else
        values += (values.empty() ? "" : ", ") + groupedElement(printedAccess(at.trace, at.launch, event));
    }
  }
  if (executions == 0) {
    line.pieces.emplace_back("not executed in this round");
    return line;
  }
  unsigned threads = 0;
  for (const auto& [warp, lanes] : lanesOfWarp) threads += unsigned(std::popcount(lanes));
  line.pieces.push_back(count(threads, "thread") + " of " + count(lanesOfWarp.size(), "warp"));
  if (branch) line.pieces.push_back("true in " + figure(taken) + " of " + figure(executions));
  if (wavefronts > 0)
    line.pieces.push_back(count(wavefronts, "wavefront") +
                          (wavefronts > ideal ? " instead of " + figure(ideal) : ""));
  if (sectors.sectors > 0) line.pieces.push_back(sectorText(sectors));
  if (!values.empty()) line.pieces.push_back(values);
  return line;
}

}  // namespace

HoverLine hoverLineOf(const Session& session, const Hover& hover, const Twins& twins) {
  const RoundAt at = shownRound(session, session.playhead());
  switch (hover.kind) {
    case HoverKind::Thread:
      if (hover.index < at.launch.block) return threadLine(at, unsigned(hover.index));
      return {"thread " + figure(hover.index), {"not in this launch"}};
    case HoverKind::Warp:
      if (hover.index < at.warps()) return warpLine(at, unsigned(hover.index));
      return {"warp " + figure(hover.index), {"not in this launch"}};
    case HoverKind::Element:
      return elementLine(at, hover.index, twins);
    case HoverKind::Bank:
      return bankLine(at, unsigned(hover.index));
    case HoverKind::Site:
      return siteLine(at, std::uint32_t(hover.index));
    case HoverKind::Round: {
      const RoundAt other = shownRound(session, {hover.launch, unsigned(hover.index)});
      HoverLine line{.tag = tickOf(other), .pieces = captionOf(other).sentences, .words = true};
      return line;
    }
  }
  return {};
}

}  // namespace stridescope
