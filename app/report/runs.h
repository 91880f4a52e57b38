// The catalogue and runs as text and as JSON: one run, as `step` prints it, and two side by side, as
// `compare` does: their rounds, what differs, and the lines of their kernels that do.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/compared_sides.h"
#include "analysis/run_differences.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "measure/timing_rows.h"
#include "model/trace.h"
#include "report/json_writer.h"

namespace stridescope::report {

// The catalogue's variants: what each changes, and what it can run.
std::string catalogueText();
void writeCatalogueJson(std::ostream& out);

// Rounds of a run, counted from 0, both ends included.
struct RoundRange {
  std::size_t first = 0, last = 0;
  bool contains(std::size_t round) const { return first <= round && round <= last; }
  friend bool operator==(const RoundRange&, const RoundRange&) = default;
};

// With `rounds` only these, each with the punch cards of its requests and the marked source as well. With
// `cycles` each round says what it cost.
std::string stepText(const lab::Run& run, const std::optional<RoundRange>& rounds,
                     const lab::RunCycles* cycles = nullptr);

// The variant, what is asked for, and who executes it; and at the end what came of it.
std::string headingOf(const model::Trace& trace);
std::string resultLine(const model::Trace& trace);

inline constexpr int kStepJsonFormat = 1;

// Writes one line, as it comes to it. Element values are strings, so that 64-bit ones survive. `rounds`
// leaves out the rounds outside it, for all launches; totals, races and problems are those of the whole run.
// After the round with which the text outgrows the budget no more follow, and a problem of the kind "limit"
// says so. With `cycles` each round says what it cost. False: rounds were left out for the budget.
bool writeStepJson(std::ostream& out, const lab::Run& run, const std::optional<RoundRange>& rounds,
                   MemoryBudget& budget, const lab::RunCycles* cycles = nullptr);

// Members of the JSON of a run: launches with their rounds, totals, races and problems, as writeStepJson()
// has them.
bool writeWhatHappened(JsonWriter& json, const lab::Run& run, const std::optional<RoundRange>& rounds,
                       MemoryBudget& budget, const lab::RunCycles* cycles = nullptr);
// As text: each launch with its rounds and what went wrong in it, and the totals.
std::string whatHappened(const lab::Run& run, const std::optional<RoundRange>& rounds,
                         const lab::RunCycles* cycles = nullptr);

// Members of the JSON of a run: the experiment, who ran it and what came of it. `exact`: the result without
// the limits of its type, if it is another.
void writeOutcome(JsonWriter& json, const model::Trace& trace,
                  const std::optional<std::string>& exact = std::nullopt);
// "totals": over all rounds and launches, {"shared_load_wavefronts":95,...}.
void writeTotals(JsonWriter& json, const analysis::Totals& totals);

// "load", "store", "atomic"; "other".
std::string_view accessName(model::EventKind kind);

// The blocks of a run that were recorded beside the first of each launch.

// A block by itself, as the only one of a run of a single launch.
lab::Run runOfBlock(const model::Trace& trace, std::size_t launch, std::size_t block);

// Calls for each of them, launch after launch, with the launch's number and the block's run.
void eachOtherBlock(const model::Trace& trace,
                    const std::function<void(std::size_t launch, const lab::Run& run)>& visit);

// Two runs side by side.

struct ComparedRun {
  lab::KnownRun known{};
  std::optional<measure::ComparedTime> time{};

  const lab::Run& run() const { return known.run; }
  // nullopt: the side has no round there.
  analysis::ComparedSide side(unsigned launch, std::optional<unsigned> round) const;
};

struct Comparison {
  analysis::BothSides<ComparedRun> runs;
  analysis::LockedBy by = analysis::LockedBy::Round;
  std::optional<RoundRange> rounds = std::nullopt;  // only these, and more of each

  std::vector<analysis::LockedRound> locked() const {
    return analysis::lockedRounds(runs.left.run().analysis, runs.right.run().analysis, by);
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

}  // namespace stridescope::report
