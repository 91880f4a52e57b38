// `step` for a person: the caption of each round, its values, lanes, banks and requests; at the end the maps
// of the whole launch, the totals and the result. Within kTextColumns of narration/text_maps.h.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "lab/measured.h"
#include "model/trace.h"

namespace stridescope::cli {

// With `rounds` only these, each with the punch cards of its requests and the marked source as well.
std::string stepText(const lab::Run& run, const std::optional<RoundRange>& rounds,
                     const lab::RunCycles* cycles = nullptr);

// The variant, what is asked for, and who executes it; and at the end what came of it.
std::string headingOf(const model::Trace& trace);
std::string resultLine(const model::Trace& trace);

}  // namespace stridescope::cli
