// What `compare` prints: two runs side by side, their rounds, what differs, and the lines of their kernels
// that do.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "analysis/locked_rounds.h"
#include "cli/compared_run.h"
#include "cli/parse.h"

namespace stridescope::cli {

struct Comparison {
  const ComparedRun& left;
  const ComparedRun& right;
  analysis::LockedBy by = analysis::LockedBy::Round;
  std::optional<RoundRange> rounds = std::nullopt;  // only these, and more of each

  std::vector<analysis::LockedRound> locked() const {
    return analysis::lockedRounds(left.analysis, right.analysis, by);
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
