// The JSON of `step`, format 1, and of `list`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <span>

#include "analysis/analysis.h"
#include "cli/parse.h"
#include "kernels/catalog.h"
#include "model/trace.h"

namespace stridescope::cli {

inline constexpr int kStepJsonFormat = 1;

// Writes one line. Element values are strings, so that 64-bit ones survive. `rounds` leaves out the rounds
// outside it, for all launches; totals, races and problems are those of the whole run. Written round by
// round; where the text outgrows the budget, no more rounds follow, and a problem of the kind "limit" says
// so.
void writeStepJson(std::ostream& out, const model::Trace& trace, const analysis::Analysis& analysis,
                   const std::optional<RoundRange>& rounds, MemoryBudget& budget);

nlohmann::ordered_json listJson(std::span<const kernels::Variant> variants);

// One line, ended by a newline; text that is not UTF-8 is replaced, never thrown on.
std::string printed(const nlohmann::ordered_json& json);

}  // namespace stridescope::cli
