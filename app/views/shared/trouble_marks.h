// What went wrong in the shown round, as the panels mark it: a race's element, the threads, the sites. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "session/replay.h"

namespace stridescope::views {

struct TroubleMarks {
  const analysis::Race* race = nullptr;   // the one of the round that is shown
  std::size_t races = 0;                  // how many the round has
  std::optional<std::uint64_t> element;   // the race's, in the launch's stage (memory_stage.h)
  std::optional<unsigned> problemThread;  // that of the round's first problem
  std::vector<std::uint32_t> threads, sites;

  bool thread(std::uint32_t thread) const;
  bool site(std::uint32_t site) const;
};

// Marks the round's first race that the hovered thread or element takes part in, else its first race; then
// the problems. Empty without a run.
TroubleMarks troubleMarks(const session::Replay& replay);

// Where the launch's races and problems show: the first pass of each, and every pass in which a thread read
// what the passes before had not left. Requires replay.run().
std::vector<session::Playhead> troubledPlaces(const session::Replay& replay, unsigned launch);

// The next place with a race after the playhead (direction +1) or before it (-1): the first pass of each
// round that shows one, over all launches; beyond the last the first again. nullopt: there is none, or no
// run.
std::optional<session::Playhead> nextRace(const session::Replay& replay, int direction);

}  // namespace stridescope::views
