#include "twin/trouble.h"

#include <fmt/format.h>

#include <algorithm>

#include "twin/round_kind.h"
#include "twin/wording.h"

namespace stridescope {
namespace {

constexpr std::size_t kRacesTold = 6;

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

// " (line 9)"
std::string inLine(const RoundAt& at, std::uint32_t site) {
  if (site >= at.trace.sites.size()) return {};
  return fmt::format(" (line {})", at.trace.sites[site].line);
}

// What puts the two accesses in an order.
std::string_view remedyFor(const Race& race) {
  const bool sameStore = race.first.site == race.second.site && race.first.kind == EventKind::Store &&
                         race.second.kind == EventKind::Store;
  if (sameStore) return "Let one thread write it.";
  if (race.first.thread / kWarpSize != race.second.thread / kWarpSize)
    return "A __syncthreads() between the two accesses orders them.";
  return "Lanes of one warp need not run in lockstep: a __syncwarp() between the two accesses orders them.";
}

}  // namespace

std::string raceSentence(const RoundAt& at, const Race& race) {
  const RoundAt second = inRound(at, race.round), first = inRound(at, roundOfFirst(at, race));
  const auto& arrays = race.shared ? at.launch.shared : at.launch.buffers;
  const std::string when = first.index == second.index ? "in the same round" : "in " + nameInSentence(first);
  const bool valueInDoubt = race.first.kind == EventKind::Load || race.second.kind == EventKind::Load;
  return fmt::format(
      "Race in {}: thread {} {} {}[{}]{}, which thread {} {} {}{}, and no barrier stands between. {} {}",
      nameInSentence(second), figure(race.second.thread), present(race.second.kind), arrays[race.array].name,
      figure(race.element), inLine(at, race.second.site), figure(race.first.thread), past(race.first.kind),
      when, inLine(at, race.first.site),
      valueInDoubt ? "The value may be the old or the new one." : "Either value may remain.",
      remedyFor(race));
}

std::string cutSentence(const RoundAt& at) {
  if (!at.launch.cut) return {};
  const std::string size = sizeOf(at.launch.events.size() * sizeof(Event));
  if (at.analysis.rounds.empty()) return fmt::format("This trace was cut at {}.", size);
  const RoundAt last = inRound(at, at.analysis.rounds.size() - 1);
  if (const auto element = last.round().outputElement)
    return fmt::format(
        "This trace was cut at {} in element {} of {}. What the merge did from there on was not recorded. To "
        "see more of its elements, take a smaller block; to see later ones, give what is left of the lists "
        "as "
        "lists of your own.",
        size, figure(*element + 1), figure(at.launch.elements));
  return fmt::format("This trace was cut at {} after {}. The rounds after it were not recorded.", size,
                     nameInSentence(last));
}

std::vector<std::string> troubleOf(const RoundAt& at) {
  std::vector<std::string> sentences;
  const auto& races = at.analysis.races;
  for (std::size_t i = 0; i < std::min(races.size(), kRacesTold); ++i)
    sentences.push_back(raceSentence(at, races[i]));
  if (races.size() > kRacesTold)
    sentences.push_back(fmt::format("And {} more {} of other lines or in other rounds.",
                                    figure(races.size() - kRacesTold),
                                    races.size() == kRacesTold + 1 ? "race" : "races"));
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
