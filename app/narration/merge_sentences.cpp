#include "narration/merge_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/event_groups.h"
#include "narration/active_threads.h"
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
      place = fmt::format("{}[{}]", buffer.name, figure(write.element));
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

}  // namespace stridescope::narration
