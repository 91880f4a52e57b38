#include "twin/trouble.h"

#include <fmt/format.h>

#include "twin/round_kind.h"
#include "twin/wording.h"

namespace stridescope {
namespace {

RoundAt inRound(const RoundAt& at, std::size_t index) {
  return {at.trace, at.launch, at.analysis, at.flow, index};
}

bool touches(const RoundAt& at, const WarpOperation& operation, const Race& race) {
  const unsigned lane = race.first.thread % kWarpSize;
  if (operation.warp != race.first.thread / kWarpSize || operation.site != race.first.site ||
      operation.kind != race.first.kind || ((operation.mask >> lane) & 1) == 0)
    return false;
  const Event& event = at.launch.events[operation.event[lane]];
  if (event.inShared() != race.shared) return false;
  const std::uint32_t array = race.shared ? event.sharedArray() : event.buffer();
  const auto& arrays = race.shared ? at.launch.shared : at.launch.buffers;
  return array == race.array && event.offset() / std::max(1u, arrays[array].elementBytes) == race.element;
}

// The round in which the first of the two accesses was made: the latest up to the second's.
std::size_t roundOfFirst(const RoundAt& at, const Race& race) {
  for (std::size_t index = std::size_t(race.round) + 1; index-- > 0;)
    for (const WarpOperation& operation : at.analysis.rounds[index].operations)
      if (touches(at, operation, race)) return index;
  return race.round;
}

std::string_view present(EventKind kind) {
  return kind == EventKind::Load ? "reads" : kind == EventKind::Store ? "writes" : "updates";
}
std::string_view past(EventKind kind) {
  return kind == EventKind::Load ? "read" : kind == EventKind::Store ? "wrote" : "updated";
}

// Recorded so far, exactly: "64 MB", "512 kB", "1 200 bytes".
std::string sizeOf(std::uint64_t bytes) {
  constexpr std::uint64_t kKilo = 1024, kMega = kKilo * kKilo;
  if (bytes >= kMega && bytes % kMega == 0) return figure(bytes / kMega) + " MB";
  if (bytes >= kKilo && bytes % kKilo == 0) return figure(bytes / kKilo) + " kB";
  return count(bytes, "byte");
}

}  // namespace

std::string raceSentence(const RoundAt& at, const Race& race) {
  const RoundAt second = inRound(at, race.round), first = inRound(at, roundOfFirst(at, race));
  const auto& arrays = race.shared ? at.launch.shared : at.launch.buffers;
  const std::string when = first.index == second.index ? "in the same round" : "in " + nameInSentence(first);
  const bool valueInDoubt = race.first.kind == EventKind::Load || race.second.kind == EventKind::Load;
  return fmt::format(
      "Race in {}: thread {} {} {}[{}], which thread {} {} {}, and no barrier stands between. {}",
      nameInSentence(second), figure(race.second.thread), present(race.second.kind), arrays[race.array].name,
      figure(race.element), figure(race.first.thread), past(race.first.kind), when,
      valueInDoubt ? "The value may be the old or the new one." : "Either value may remain.");
}

std::string cutSentence(const RoundAt& at) {
  if (!at.launch.cut) return {};
  const std::string size = sizeOf(at.launch.events.size() * sizeof(Event));
  if (at.analysis.rounds.empty()) return fmt::format("This trace was cut at {}.", size);
  return fmt::format("This trace was cut at {} after {}. The rounds after it were not recorded.", size,
                     nameInSentence(inRound(at, at.analysis.rounds.size() - 1)));
}

std::vector<std::string> troubleOf(const RoundAt& at) {
  std::vector<std::string> sentences;
  for (const Race& race : at.analysis.races) sentences.push_back(raceSentence(at, race));
  for (const Problem& problem : at.analysis.problems) {
    const bool placed = problem.site >= 0 && std::size_t(problem.site) < at.trace.sites.size();
    sentences.push_back(placed ? fmt::format("{} (line {}: {})", problem.text,
                                             at.trace.sites[std::size_t(problem.site)].line,
                                             nameOf(problem.kind))
                               : fmt::format("{} ({})", problem.text, nameOf(problem.kind)));
  }
  if (std::string cut = cutSentence(at); !cut.empty()) sentences.push_back(std::move(cut));
  return sentences;
}

}  // namespace stridescope
