#include "narration/merge_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/event_groups.h"
#include "narration/memory_sentence.h"
#include "narration/memory_words.h"
#include "narration/round_facts.h"
#include "narration/round_kind.h"
#include "narration/wording.h"

namespace stridescope::narration {
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

std::string loadedSentence(const RoundAt& at) {
  const std::size_t live = threadsThatLoadValues(at), all = at.launch.block;
  std::string text =
      fmt::format("{}: {} {} the head of {} list into shared memory", titleOf(at), count(live, "thread"),
                  live == 1 ? "puts" : "put", live == 1 ? "its" : "their");
  if (live < all)
    text += fmt::format("; {} {} none left", count(all - live, "thread"), all - live == 1 ? "has" : "have");
  return text + ".";
}

std::string comparedSentence(const RoundAt& at) {
  const auto& work = at.work().work;
  const auto compared =
      std::ranges::count_if(work, [](const analysis::ThreadWork& own) { return own.a && own.b; });
  const auto kept = std::ranges::count(work, true, &analysis::ThreadWork::kept);
  const auto moved = compared - kept;
  std::string text = fmt::format("{}: {} of {} {} two heads", titleOf(at), figure(std::uint64_t(compared)),
                                 count(at.launch.block, "thread"), compared == 1 ? "compares" : "compare");
  if (moved == 0) return text + "; none takes the other one.";
  return text + fmt::format("; {} {} the other one, with its list's number.", figure(std::uint64_t(moved)),
                            moved == 1 ? "takes" : "take");
}

std::string writtenSentence(const RoundAt& at) {
  std::string value, place, list;
  std::uint32_t thread = 0;
  for (const DeviceWrite& write : deviceWrites(at)) {
    const model::Array& buffer = at.launch.buffers[write.buffer];
    const std::string word = groupedElement(WordPrinter(buffer).brief(write.bits));
    if (buffer.role == model::ParameterRole::Merged) {
      value = word;
      place = fmt::format("{}[{}]", buffer.name, figure(write.element));
      thread = write.thread;
    } else if (buffer.role == model::ParameterRole::Origin) {
      list = word;
    }
  }
  if (place.empty()) return fmt::format("{}: nothing is written.", titleOf(at));
  std::string text = fmt::format("{}: thread {} writes {} to {}", titleOf(at), figure(thread), value, place);
  if (list.empty()) return text + ".";
  return text + fmt::format(", from list {}, and that list moves on by one.", list);
}

std::string fullWarpsSentence(const RoundAt& at) {
  const std::vector<WarpFill> working = workingWarps(at);
  const auto partial =
      std::ranges::count_if(working, [](const WarpFill& fill) { return fill.active < fill.lanes; });
  if (at.warps() == 1) return {};
  if (working.size() == 1)
    return fmt::format("1 of {} warps works, {}.", at.warps(), partial == 0 ? "and is full" : "in part");
  return fmt::format("{} of {} warps {}, {} of them partly.", working.size(), at.warps(),
                     working.size() == 1 ? "works" : "work",
                     partial == 0 ? "none" : figure(std::uint64_t(partial)));
}

}  // namespace

std::vector<std::string> mergeSentences(const RoundAt& at) {
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {loadedSentence(at), memorySentence(at, false)};
    case RoundKind::Write:
      return {writtenSentence(at)};
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return {comparedSentence(at), fullWarpsSentence(at), memorySentence(at, true)};
    default:
      return {fmt::format("{}: {} of {} {}.", titleOf(at), figure(at.round().activeLanes),
                          count(at.launch.block, "thread"), at.round().activeLanes == 1 ? "works" : "work"),
              memorySentence(at, false)};
  }
}

}  // namespace stridescope::narration
