// The JSON of `step`, format 1, and of `list`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "analysis/analysis.h"
#include "cli/parse.h"
#include "kernels/catalog.h"
#include "trace/trace.h"

namespace stridescope {

inline constexpr int kStepJsonFormat = 1;

// Element values are strings, so that 64-bit ones survive. `rounds` leaves out the rounds outside it, for all
// launches; totals, races and problems are those of the whole run.
nlohmann::ordered_json stepJson(const Trace& trace, const Analysis& analysis,
                                const std::optional<RoundRange>& rounds);

nlohmann::ordered_json listJson(std::span<const Variant> variants);

// One line, ended by a newline; text that is not UTF-8 is replaced, never thrown on.
std::string printed(const nlohmann::ordered_json& json);

}  // namespace stridescope
