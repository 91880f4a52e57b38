#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "analysis/requests.h"
#include "analysis/snapshots.h"
#include "base/plain_text.h"
#include "narration/caption.h"
#include "narration/carved_memory.h"
#include "narration/memory_words.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/threads.h"
#include "narration/wording.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "views/transport/round_text.h"

namespace stridescope::views {
namespace {

std::string partOf(std::uint64_t part, std::uint64_t all, const char* noun) {
  return figure(part) + " of " + narration::count(all, noun);
}

HoverLine threadLine(const narration::RoundAt& at, unsigned thread) {
  const narration::ThreadLine line = narration::threadLineOf(at, thread);
  HoverLine found{
      .tag = "thread " + figure(thread),
      .pieces = {"warp " + std::to_string(line.warp) + " lane " + std::to_string(line.lane), line.formula}};
  for (const narration::ThreadAccess& access : line.accesses) found.pieces.push_back(access.text());
  return found;
}

std::string sectorText(const analysis::SectorUse& use) {
  return narration::count(use.sectors, "sector") +
         (use.sectors > use.ideal ? " instead of " + figure(use.ideal) : "");
}

HoverLine warpLine(const narration::RoundAt& at, unsigned warp) {
  unsigned active = 0;
  const unsigned lanes = lanesOf(at.launch, warp);
  for (unsigned lane = 0; lane < lanes; ++lane)
    active += at.round().lanes[warp * model::kWarpSize + lane] == analysis::LaneState::Active;
  HoverLine line{.tag = "warp " + std::to_string(warp),
                 .pieces = {"threads " + figure(warp * model::kWarpSize) + " to " +
                                figure(warp * model::kWarpSize + lanes - 1),
                            partOf(active, lanes, "lane") + " active"}};
  for (const narration::NamedRequest& request : narration::bankRequests(at)) {
    unsigned wavefronts = 0, way = 0;
    for (const std::uint32_t index : request.request->operations)
      if (const analysis::WarpOperation& operation = at.round().operations[index]; operation.warp == warp) {
        wavefronts += operation.banks.wavefronts;
        way = std::max(way, operation.banks.way);
      }
    if (wavefronts > 0)
      line.pieces.push_back(request.name + ": " + narration::count(wavefronts, "wavefront") +
                            (way > 1 ? ", " + std::to_string(way) + "-way" : ""));
  }
  for (const narration::NamedRequest& request : narration::deviceRequests(at)) {
    analysis::SectorUse use;
    for (const std::uint32_t index : request.request->operations)
      if (const analysis::WarpOperation& operation = at.round().operations[index]; operation.warp == warp) {
        use.sectors += operation.sectors;
        use.ideal += operation.idealSectors;
      }
    if (use.sectors > 0) line.pieces.push_back(request.name + ": " + sectorText(use));
  }
  return line;
}

// How many lanes of the group that asks most of the bank ask for a word of it.
std::size_t mostLanesAsking(const narration::RoundAt& at, const analysis::WarpOperation& operation,
                            unsigned bank) {
  const analysis::BankMap map = analysis::mapBanks(analysis::addressesOf(operation, at.launch),
                                                   operation.kind == model::EventKind::Store);
  std::array<std::set<std::uint64_t>, model::kWarpSize> words{};
  std::array<std::size_t, model::kWarpSize> lanes{};
  for (std::uint32_t mask = operation.mask; mask != 0; mask &= mask - 1) {
    const auto lane = unsigned(std::countr_zero(mask));
    for (unsigned i = 0; i < map.wordsPerLane; ++i)
      if (const analysis::LaneWord& word = map.lanes[lane][i]; word.bank == bank) {
        words[lane / map.lanesPerGroup].insert(word.word);
        ++lanes[lane / map.lanesPerGroup];
      }
  }
  const auto most = std::ranges::max_element(words, {}, &std::set<std::uint64_t>::size);
  return lanes[std::size_t(most - words.begin())];
}

// For each request, how many words of the bank one group of lanes asks for at most.
HoverLine bankLine(const narration::RoundAt& at, unsigned bank) {
  HoverLine line{.tag = "bank " + std::to_string(bank), .pieces = {}};
  for (const narration::NamedRequest& request : narration::bankRequests(at)) {
    std::size_t most = 0, lanes = 0;
    for (const std::uint32_t index : request.request->operations) {
      const analysis::WarpOperation& operation = at.round().operations[index];
      if (operation.banks.words[bank] > most)
        most = operation.banks.words[bank], lanes = mostLanesAsking(at, operation, bank);
    }
    line.pieces.push_back(request.name + ": " +
                          (most == 0 ? std::string("nothing")
                                     : narration::count(most, "word") + " for " +
                                           narration::count(lanes, "lane") + " of a warp"));
  }
  if (line.pieces.empty()) line.pieces.emplace_back("shared memory is not touched in this round");
  return line;
}

std::string valueIn(const std::vector<std::optional<std::uint64_t>>& words, const MemoryStage& stage,
                    std::uint64_t element) {
  if (element >= words.size() || !words[element]) return stage.inDevice() ? "unknown" : "never written";
  return grouped(narration::WordPrinter(stage.array()).brief(*words[element]));
}

// The same of an element of several members: "n 3, mean 1.5".
std::string membersIn(const analysis::Snapshot& snapshot, const narration::RoundAt& at,
                      const MemoryStage& stage, const session::Hover& hover) {
  const std::uint64_t begin =
      analysis::SharedLayout(at.launch).beginOf(hover.array) + hover.index * stage.array().elementBytes;
  std::string text;
  bool isKnown = false;
  for (const model::MemberType& member : stage.array().members) {
    const auto bits = snapshot.word(std::size_t(begin + member.offset), member.bytes);
    isKnown = isKnown || bits.has_value();
    text += (text.empty() ? "" : ", ") + member.name + " " +
            (bits ? grouped(model::printNumber(member, *bits)) : "never written");
  }
  return isKnown ? text : "never written";
}

// What the element holds after the round or pass, and before it if anything came before.
struct ElementTexts {
  std::string after;
  std::optional<std::string> before;
};
ElementTexts textsOf(const narration::RoundAt& at, const MemoryStage& stage, const session::Hover& hover) {
  ElementTexts texts;
  const bool isLaterPass = at.pass != nullptr && at.pass->pass > 0;
  const analysis::Snapshot* const before = isLaterPass     ? &at.pass->before
                                           : at.index == 0 ? nullptr
                                                           : &at.analysis.rounds[at.index - 1].snapshot;
  if (!stage.inDevice() && hover.index < stage.elements() &&
      narration::isCarved(at.trace, at.launch, hover.array)) {
    const narration::CarvedMemory memory(at, hover.array);
    const auto textIn = [&](const analysis::Snapshot& snapshot) {
      const std::string text = memory.text(snapshot, memory.cellOf(hover.index));
      return text.empty() ? "never written" : text.starts_with("0x") ? text : grouped(text);
    };
    texts.after = textIn(at.round().snapshot);
    if (before != nullptr) texts.before = textIn(*before);
    return texts;
  }
  if (stage.array().members.size() < 2 || stage.inDevice() || hover.index >= stage.elements()) {
    texts.after = valueIn(stage.wordsAfter(at), stage, hover.index);
    if (const auto words = stage.wordsBefore(at)) texts.before = valueIn(*words, stage, hover.index);
    return texts;
  }
  texts.after = membersIn(at.round().snapshot, at, stage, hover);
  if (before != nullptr) texts.before = membersIn(*before, at, stage, hover);
  return texts;
}

// Where the element lies: what serves it.
std::string placeText(const MemoryStage& stage, std::uint64_t element) {
  const std::uint64_t offset = (stage.first() + element) * stage.array().elementBytes;
  if (stage.inDevice()) return "sector " + figure(offset / analysis::kSectorBytes);
  return "bank " + std::to_string(offset / analysis::kBankBytes % analysis::kBankCount);
}

// Whose operand or result the element is in this round.
std::vector<std::string> usesOf(const narration::RoundAt& at, const MemoryStage& stage, std::uint64_t element,
                                const LinkedHighlight& linked) {
  std::string readers, writers;
  for (const analysis::ThreadWork& work : at.work().work) {
    if (!linked.thread(work.thread)) continue;
    const auto is = [&](const std::optional<analysis::Operand>& operand) {
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

// "thread 3", "threads 3, 4, 5 and 29 more"
std::string threadsText(const std::set<unsigned>& threads) {
  constexpr std::size_t kNamed = 4;
  std::string text = threads.size() == 1 ? "thread " : "threads ";
  std::size_t named = 0;
  for (const unsigned thread : threads) {
    if (named == kNamed) return text + " and " + figure(threads.size() - kNamed) + " more";
    text += (named++ == 0 ? "" : ", ") + figure(thread);
  }
  return text;
}

// Who reads it and who stores to it in this round, of a kernel whose operands may not be known.
std::vector<std::string> accessesOf(const narration::RoundAt& at, const MemoryStage& stage,
                                    std::uint64_t element) {
  std::set<unsigned> readers, storers;
  const std::uint64_t bytes = std::max(1u, stage.array().elementBytes);
  const std::uint64_t begin = (stage.first() + element) * bytes;
  for (const analysis::WarpOperation& operation : at.round().operations)
    for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = unsigned(std::countr_zero(lanes));
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      if (!stage.holds(event) || event.offset() >= begin + bytes || event.offset() + event.width() <= begin)
        continue;
      const unsigned thread = operation.warp * model::kWarpSize + lane;
      if (operation.kind != model::EventKind::Store) readers.insert(thread);
      if (operation.kind != model::EventKind::Load) storers.insert(thread);
    }
  std::vector<std::string> uses;
  if (!readers.empty()) uses.push_back("read by " + threadsText(readers));
  if (!storers.empty()) uses.push_back("stored by " + threadsText(storers));
  if (uses.empty()) uses.emplace_back("not touched in this round");
  return uses;
}

// `whole`: all rounds are told, so that it is known what is still needed.
HoverLine elementLine(const narration::RoundAt& at, const session::Hover& hover,
                      const LinkedHighlight& linked, bool whole) {
  const MemoryStage stage(at.launch, at.analysis, hover.array);
  const std::uint64_t element = hover.index;
  if (!stage.exists()) return {"element " + figure(element), {"not in this launch"}};
  HoverLine line{.tag = stage.nameOf(element), .pieces = {}};
  const ElementTexts texts = textsOf(at, stage, hover);
  const bool isSame = !texts.before || *texts.before == texts.after;
  line.pieces.push_back(isSame ? texts.after : *texts.before + " becomes " + texts.after);
  line.pieces.push_back(placeText(stage, element));
  const bool isOwn = model::leavesArrays(at.trace);
  for (std::string& use : isOwn ? accessesOf(at, stage, element) : usesOf(at, stage, element, linked))
    line.pieces.push_back(std::move(use));
  const std::vector<bool>& live = stage.liveAfter(at.work());
  if (whole && element < live.size())
    line.pieces.emplace_back(live[element] ? "still needed" : "no longer needed");
  return line;
}

HoverLine siteLine(const narration::RoundAt& at, std::uint32_t id) {
  constexpr std::size_t kMaxValues = 4;
  const model::Site& site = at.trace.sites[id];
  HoverLine line{.tag = "line " + std::to_string(site.line), .pieces = {inOneLine(site.text)}};
  unsigned executions = 0, taken = 0, wavefronts = 0, ideal = 0;
  analysis::SectorUse sectors;
  std::map<unsigned, std::uint32_t> lanesOfWarp;
  bool branch = false;
  std::string values;
  std::size_t shown = 0;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.site != id) continue;
    lanesOfWarp[operation.warp] |= operation.mask;
    executions += unsigned(std::popcount(operation.mask));
    taken += unsigned(std::popcount(operation.taken));
    branch |= operation.kind == model::EventKind::Branch;
    wavefronts += operation.banks.wavefronts;
    ideal += operation.banks.ideal;
    sectors.sectors += operation.sectors;
    sectors.ideal += operation.idealSectors;
    if (operation.kind != model::EventKind::Load && operation.kind != model::EventKind::Store) continue;
    for (std::uint32_t mask = operation.mask; mask != 0 && shown <= kMaxValues; mask &= mask - 1, ++shown) {
      const model::Event& event =
          at.launch.recorded().events[operation.event[unsigned(std::countr_zero(mask))]];
      if (shown == kMaxValues)
        values += ", …";
      else
        values += (values.empty() ? "" : ", ") + grouped(narration::printedAccess(at.launch, event));
    }
  }
  if (executions == 0) {
    line.pieces.emplace_back("not executed in this round");
    return line;
  }
  unsigned threads = 0;
  for (const auto& [warp, lanes] : lanesOfWarp) threads += unsigned(std::popcount(lanes));
  line.pieces.push_back(narration::count(threads, "thread") + " of " +
                        narration::count(lanesOfWarp.size(), "warp"));
  if (branch) line.pieces.push_back("true in " + figure(taken) + " of " + figure(executions));
  if (wavefronts > 0)
    line.pieces.push_back(narration::count(wavefronts, "wavefront") +
                          (wavefronts > ideal ? " instead of " + figure(ideal) : ""));
  if (sectors.sectors > 0) line.pieces.push_back(sectorText(sectors));
  if (!values.empty()) line.pieces.push_back(values);
  return line;
}

}  // namespace

HoverLine hoverLineOf(const session::Replay& replay, const session::Hover& hover,
                      const LinkedHighlight& linked) {
  const narration::RoundAt at = roundAt(replay);
  switch (hover.kind) {
    case session::HoverKind::Thread:
      if (hover.index < at.launch.block) return threadLine(at, unsigned(hover.index));
      return {"thread " + figure(hover.index), {"not in this launch"}};
    case session::HoverKind::Warp:
      if (hover.index < at.warps()) return warpLine(at, unsigned(hover.index));
      return {"warp " + figure(hover.index), {"not in this launch"}};
    case session::HoverKind::Element:
      return elementLine(at, hover, linked, replay.run()->toCome.empty());
    case session::HoverKind::Bank:
      return bankLine(at, unsigned(hover.index));
    case session::HoverKind::Site:
      return siteLine(at, std::uint32_t(hover.index));
    case session::HoverKind::Round: {
      if (const auto* const coming = comingRound(replay, hover.launch, unsigned(hover.index)))
        return {.tag = coming->tick, .pieces = {kHiddenWords}, .words = true};
      const narration::RoundAt other = roundAt(replay, hover.launch, unsigned(hover.index));
      HoverLine line{
          .tag = narration::tickOf(other), .pieces = narration::captionOf(other).sentences, .words = true};
      if (std::string cycles = cyclesSentence(replay, hover.launch, hover.index); !cycles.empty())
        line.pieces.insert(line.pieces.begin(), std::move(cycles));
      return line;
    }
  }
  return {};
}

}  // namespace stridescope::views
