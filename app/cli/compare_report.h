// What `compare` prints: two runs side by side, their rounds, what differs, and the lines of their kernels
// that do.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/compared_sides.h"
#include "analysis/run_differences.h"
#include "cli/engine_choice.h"
#include "cli/options.h"
#include "lab/measured.h"
#include "measure/timing_rows.h"

namespace stridescope::cli {

// One side of `compare`.

struct ComparedRun {
  lab::KnownRun known{};
  std::optional<measure::ComparedTime> time{};
  std::uint64_t timedElements = 0;

  const lab::Run& run() const { return known.run; }
  // nullopt: the side has no round there.
  analysis::ComparedSide side(unsigned launch, std::optional<unsigned> round) const;
};

// Steps the experiment, and takes what is recorded of it. With `measures`, a GPU that executes it clocks a
// block and counts. `notes` tell what could not be measured.
Result<ComparedRun> comparedRun(const Context& context, const ChosenEngine& engine,
                                const std::string& engineName, const ExperimentRequest& request,
                                bool measures, std::vector<std::string>& notes, engine::JobControl& job);

// Recorded times of both, for as many elements.
void findTimes(const Context& context, ComparedRun& left, ComparedRun& right);

struct Comparison {
  const ComparedRun& left;
  const ComparedRun& right;
  analysis::LockedBy by = analysis::LockedBy::Round;
  std::optional<RoundRange> rounds = std::nullopt;  // only these, and more of each

  std::vector<analysis::LockedRound> locked() const {
    return analysis::lockedRounds(left.run().analysis, right.run().analysis, by);
  }
  // Rounds count as the left run's; where it has none, as the right one's.
  bool shows(const analysis::LockedRound& locked) const {
    return !rounds || rounds->contains(locked.round.left.value_or(locked.round.right.value_or(0)));
  }
};

// Within kTextColumns of narration/text_maps.h.
std::string compareText(const Comparison& comparison);

// One line, format 1.
inline constexpr int kCompareJsonFormat = 1;
void writeCompareJson(std::ostream& out, const Comparison& comparison);

}  // namespace stridescope::cli
