// The JSON of `step`, format 1.
#pragma once

#include <optional>
#include <ostream>

#include "analysis/analysis.h"
#include "cli/json_writer.h"
#include "cli/options.h"
#include "lab/measured.h"

namespace stridescope::cli {

inline constexpr int kStepJsonFormat = 1;

// Writes one line, as it comes to it. Element values are strings, so that 64-bit ones survive. `rounds`
// leaves out the rounds outside it, for all launches; totals, races and problems are those of the whole run.
// After the round with which the text outgrows the budget no more follow, and a problem of the kind "limit"
// says so. With `cycles` each round says what it cost. False: rounds were left out for the budget.
bool writeStepJson(std::ostream& out, const lab::Run& run, const std::optional<RoundRange>& rounds,
                   MemoryBudget& budget, const lab::RunCycles* cycles = nullptr);

// Over all rounds and launches: {"shared_load_wavefronts":95,...}.
void writeTotals(JsonWriter& json, const analysis::Totals& totals);

}  // namespace stridescope::cli
