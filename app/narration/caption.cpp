#include "narration/caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/event_groups.h"
#include "narration/load_sentence.h"
#include "narration/memory_sentence.h"
#include "narration/merge_sentences.h"
#include "narration/register_sentences.h"
#include "narration/round_facts.h"
#include "narration/round_kind.h"
#include "narration/wording.h"
#include "narration/write_sentence.h"

namespace stridescope::narration {
namespace {

unsigned lanesIn(const RoundAt& at, analysis::LaneState state) {
  return unsigned(std::ranges::count(at.round().lanes, state));
}

// "half of its lanes are off", "31 of its 32 lanes are off", "half of the lanes of each are off".
std::string lanesOff(const WarpFill& fill, bool one) {
  const unsigned off = fill.lanes - fill.active;
  const std::string part = 2 * off == fill.lanes ? "half" : figure(off);
  const char* verb = off == 1 ? "is" : "are";
  if (2 * off == fill.lanes)
    return fmt::format("half of {} off", one ? "its lanes are" : "the lanes of each are");
  if (one) return fmt::format("{} of its {} lanes {} off", part, fill.lanes, verb);
  return fmt::format("{} of the {} lanes of each {} off", part, fill.lanes, verb);
}

std::string warpsSentence(const RoundAt& at) {
  const std::vector<WarpFill> working = workingWarps(at);
  if (working.empty()) return {};
  const unsigned total = at.warps();
  const bool one = working.size() == 1;
  const bool all = working.size() == total;
  const auto full = std::ranges::count_if(working, [](const WarpFill& w) { return w.active == w.lanes; });
  const bool allFull = std::size_t(full) == working.size();
  if (all && allFull)
    return total == 1   ? "The only warp is full."
           : total == 2 ? "Both warps are full."
                        : fmt::format("All {} warps are full.", total);

  std::string text = all ? (total == 1   ? "The only warp works"
                            : total == 2 ? "Both warps work"
                                         : fmt::format("All {} warps work", total))
                         : fmt::format("{} of {} warps {}", working.size(), total, one ? "works" : "work");
  const bool alike = std::ranges::all_of(working, [&](const WarpFill& w) {
    return w.active == working[0].active && w.lanes == working[0].lanes;
  });
  if (allFull)
    return text + (one ? ", and it is full." : working.size() == 2 ? ", both full." : ", all full.");
  if (alike) return text + ", and " + lanesOff(working[0], one) + ".";
  return text + fmt::format(": {} full, {} partial.", full, long(working.size()) - full);
}

std::string strideSentence(const RoundAt& at) {
  const unsigned active = at.round().activeLanes;
  const std::string verb = combines(at.trace.experiment.op, active != 1);
  if (active == at.launch.block)
    return fmt::format("{}: all {} {}.", titleOf(at), count(active, "thread"), verb);
  return fmt::format("{}: {} of {} {}.", titleOf(at), figure(active), count(at.launch.block, "thread"), verb);
}

unsigned usefulThreads(const RoundAt& at) {
  return unsigned(std::ranges::count(at.work().work, true, &analysis::ThreadWork::useful));
}

// In a tail without a guard all lanes of the warp combine, though fewer and fewer results are ever read.
std::string warpStrideSentence(const RoundAt& at, const std::vector<WarpFill>& working) {
  const unsigned active = at.round().activeLanes, useful = usefulThreads(at);
  std::string text = fmt::format("{}: {} of {} {}", titleOf(at), count(active, "thread"),
                                 warpsInWords(working), combines(at.trace.experiment.op, active != 1));
  if (useful > 0 && useful < active)
    text += fmt::format(", and {} of the results {} used", figure(useful), useful == 1 ? "is" : "are");
  return text + ".";
}

std::string otherWarpsSentence(const RoundAt& at, const std::vector<WarpFill>& working) {
  const unsigned others = at.warps() - unsigned(working.size());
  if (others == 0) return warpsSentence(at);
  const bool finished = lanesIn(at, analysis::LaneState::IdleWarp) == 0;
  const char* verb =
      finished ? (others == 1 ? "has finished" : "have finished") : (others == 1 ? "is idle" : "are idle");
  return fmt::format("The other {} {}, so the barrier is the warp's, not the block's.",
                     others == 1 ? std::string("warp") : count(others, "warp"), verb);
}

// What a round that only reads reads.
struct ReadElements {
  std::size_t elements = 0;  // distinct ones
  std::string array, first;  // "slots", "slots[0]"
};

ReadElements readElements(const RoundAt& at) {
  ReadElements read;
  std::set<std::pair<std::uint32_t, std::uint64_t>> places;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Load) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.events[operation.event[lane]];
      if (event.inShared()) places.insert({event.sharedArray(), event.offset()});
    });
  }
  read.elements = places.size();
  if (places.empty()) return read;
  const model::Array& array = at.launch.shared[places.begin()->first];
  read.array = array.name;
  read.first =
      array.bytes == array.elementBytes
          ? array.name
          : fmt::format("{}[{}]", array.name, places.begin()->second / std::max(1u, array.elementBytes));
  return read;
}

bool storesShared(const RoundAt& at) {
  return std::ranges::any_of(at.round().requests, [](const analysis::Request& request) {
    return request.shared && request.kind == model::EventKind::Store;
  });
}

std::string readSentence(const RoundAt& at, const std::vector<WarpFill>& working) {
  const unsigned active = at.round().activeLanes;
  const std::string who = active == at.launch.block
                              ? "all " + count(active, "thread")
                              : fmt::format("{} of {}", count(active, "thread"), warpsInWords(working));
  const ReadElements read = readElements(at);
  const char* verb = active == 1 ? "reads" : "read";
  if (read.elements == 1) return fmt::format("{}: {} {} {}.", titleOf(at), who, verb, read.first);
  return fmt::format("{}: {} {} one element of {} each{}.", titleOf(at), who, verb, read.array,
                     storesShared(at) ? " and store it again" : "");
}

bool touchesShared(const analysis::Round& round) {
  return std::ranges::any_of(round.requests, [](const analysis::Request& request) { return request.shared; });
}

// In the launch's last round whoever takes no part returns without having done anything.
std::string finishedSentence(const RoundAt& at) {
  const bool last = at.index + 1 == at.analysis.rounds.size();
  const unsigned finished = last ? unsigned(at.round().lanes.size()) - at.round().activeLanes
                                 : lanesIn(at, analysis::LaneState::Finished);
  if (finished == 0) return {};
  return fmt::format("{} {} finished.", count(finished, "thread"), finished == 1 ? "has" : "have");
}

std::string otherSentence(const RoundAt& at) {
  const unsigned active = at.round().activeLanes;
  if (active == 0 && at.round().endsWith == analysis::RoundEnd::BlockBarrier)
    return fmt::format("{}: no thread touches memory; the block only meets at its barrier.", titleOf(at));
  if (active == 0) return fmt::format("{}: no thread touches memory.", titleOf(at));
  return fmt::format("{}: {} of {} {}.", titleOf(at), figure(active), count(at.launch.block, "thread"),
                     active == 1 ? "works" : "work");
}

// Of a stride in device memory the sectors are told, of one in shared memory the banks.
std::string costSentence(const RoundAt& at, bool tellNoConflict) {
  return touchesShared(at.round()) ? memorySentence(at, tellNoConflict) : sectorSentence(at);
}

std::vector<std::string> sentencesOf(const RoundAt& at) {
  const std::vector<WarpFill> working = workingWarps(at);
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {
          loadSentence(at),
          takesPart(at.round(), model::EventKind::WarpReduce) ? warpReduceSentence(at) : warpsSentence(at),
          costSentence(at, false), deviceWrites(at).empty() ? "" : alsoWritesSentence(at)};
    case RoundKind::Stride:
      return {strideSentence(at), warpsSentence(at), costSentence(at, true)};
    case RoundKind::WarpStride:
      return {warpStrideSentence(at, working), otherWarpsSentence(at, working), memorySentence(at, false)};
    case RoundKind::Shuffle:
      return {shuffleSentence(at), usefulSentence(at),
              touchesShared(at.round()) ? memorySentence(at, false)
                                        : std::string("Shared memory is not touched."),
              alsoWritesSentence(at)};
    case RoundKind::WarpReduce:
      return {fmt::format("{}: {}", titleOf(at), warpReduceSentence(at)), memorySentence(at, false),
              alsoWritesSentence(at)};
    case RoundKind::Read:
      return {readSentence(at, working), warpsSentence(at), memorySentence(at, false)};
    case RoundKind::Write:
      return {writeSentence(at), finishedSentence(at)};
    case RoundKind::Other:
      break;
  }
  return {otherSentence(at), warpsSentence(at), costSentence(at, false), alsoWritesSentence(at)};
}

}  // namespace

std::string Caption::text() const {
  std::string joined;
  for (const std::string& sentence : sentences) joined += (joined.empty() ? "" : " ") + sentence;
  return joined;
}

Caption captionOf(const RoundAt& at) {
  Caption caption{at.round().outputElement ? mergeSentences(at) : sentencesOf(at)};
  std::erase(caption.sentences, std::string());
  return caption;
}

}  // namespace stridescope::narration
