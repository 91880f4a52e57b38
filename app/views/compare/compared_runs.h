// What is known of both sides where they stand, and what differs: worked out again when one of them changes,
// and kept for the frames between.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "analysis/compared_sides.h"
#include "narration/compared.h"
#include "session/comparison.h"
#include "session/measurements.h"
#include "views/shared/linked_highlight.h"

namespace stridescope::views {

// What one side's panels light.
struct SideMarks {
  LinkedHighlight linked;
  TroubleMarks trouble;
};

// The rounds of both as sentences take them; nothing of a side that has none there.
class RoundsOfBoth {
 public:
  RoundsOfBoth(const session::Comparison& comparison);
  narration::ComparedRounds both() const { return {left_ ? &*left_ : nullptr, right_ ? &*right_ : nullptr}; }

 private:
  std::optional<narration::RoundAt> left_, right_;
};

class ComparedRuns {
 public:
  // Call it in each frame, before anything draws it.
  void refresh(const session::Comparison& comparison, const session::Measurements& measurements);

  // These are of the last refresh(). Empty without two runs.
  const narration::ComparedTable& table() const { return table_; }
  const analysis::SourceDifference& source() const { return source_; }
  const SideMarks& marks(analysis::Side side) const { return marks_[side]; }

 private:
  // What the table is made of, on one side.
  struct Seen {
    std::shared_ptr<const lab::Run> run;
    session::Playhead at;
    bool hasRound = false;
    std::array<const void*, 3> measured{};  // clocks, counters, cost
    std::array<bool, 3> live{};
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  static Seen seen(const session::Comparison& comparison, analysis::Side side);

  analysis::BothSides<Seen> seen_;
  analysis::BothSides<std::optional<session::Hover>> hover_;
  std::shared_ptr<const measure::TimingSnapshot> times_;
  session::TimingChoices choices_;
  narration::ComparedTable table_;
  analysis::SourceDifference source_;
  analysis::BothSides<SideMarks> marks_;
};

}  // namespace stridescope::views
