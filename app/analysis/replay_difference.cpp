#include <string>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "analysis/event_groups.h"
#include "analysis/replay.h"
#include "analysis/snapshots.h"

namespace stridescope::analysis {
namespace {

using Difference = std::optional<std::string>;

std::string number(std::uint64_t n) { return std::to_string(n); }

// "data[4], byte 17 of shared memory, holds 3 but the stores leave 7"
std::string describe(const model::LaunchTrace& launch, std::size_t at, unsigned found, unsigned replayed) {
  const SharedLayout layout(launch);
  std::size_t array = 0;
  while (array + 1 < launch.recorded().shared.size() && layout.beginOf(array + 1) <= at) ++array;
  const std::size_t element = (at - layout.beginOf(array)) / launch.recorded().shared[array].elementBytes;
  return launch.recorded().shared[array].name + "[" + number(element) + "], byte " + number(at) +
         " of shared memory, holds " + number(found) + " where the recorded stores leave " + number(replayed);
}

Difference differenceFrom(const Replay& replay, const std::vector<std::uint8_t>& copy,
                          const model::LaunchTrace& launch) {
  for (std::size_t i = 0; i < copy.size() && i < replay.bytes().size(); ++i)
    if (replay.known()[i] && replay.bytes()[i] != copy[i])
      return describe(launch, i, copy[i], replay.bytes()[i]);
  return std::nullopt;
}

Difference differenceFrom(const Replay& replay, const model::Event& word, const model::LaunchTrace& launch) {
  const std::size_t begin = SharedLayout(launch).beginOf(word);
  for (unsigned i = 0; i < valueBytesOf(word); ++i) {
    const auto found = std::uint8_t(word.value >> (8 * i));
    if (replay.known()[begin + i] && replay.bytes()[begin + i] != found)
      return describe(launch, begin + i, found, replay.bytes()[begin + i]);
  }
  return std::nullopt;
}

// Walks through a launch and holds each copy against the stores up to it.
Difference differenceInLaunch(const model::LaunchTrace& launch, const std::vector<Round>& rounds,
                              std::size_t number_) {
  Replay replay(launch);
  CopiedWords copiedWords(launch);
  std::size_t blockBarriers = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    Difference difference;
    for (const WarpOperation& operation : rounds[i].operations) {
      replay.apply(operation);
      if (operation.kind != model::EventKind::WarpBarrier) continue;
      copiedWords.visitNext(operation, [&](const model::Event& word) {
        if (!difference) difference = differenceFrom(replay, word, launch);
        replay.adopt(word);
      });
    }
    if (rounds[i].endsWith == RoundEnd::BlockBarrier &&
        blockBarriers < launch.recorded().barrierCopies.size()) {
      const auto& copy = launch.recorded().barrierCopies[blockBarriers++];
      if (!difference) difference = differenceFrom(replay, copy, launch);
      replay.adopt(copy);
    }
    if (difference) return "Launch " + number(number_) + ", round " + number(i) + ": " + *difference + ".";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> replayDifference(const model::Trace& trace) {
  const Analysis analysis = analyse(trace);
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    if (auto difference = differenceInLaunch(trace.launches[i], analysis.launches[i].rounds, i))
      return difference;
  return std::nullopt;
}

}  // namespace stridescope::analysis
