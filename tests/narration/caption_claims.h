// Every number that a caption names, held against the trace: what the threads did is read off the events
// anew, and what that costs is counted by the bank rule written apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "narration/caption.h"

namespace stridescope::narration {

// What is wrong with a caption of the round or pass; empty if nothing is. Also where a number stands in it
// that belongs to no phrase known here.
std::vector<std::string> faultsOfCaption(const RoundAt& at, const Caption& caption);

// The same caption with its number `index` one too high; nullopt: it has not so many.
std::optional<Caption> withWrongNumber(Caption caption, std::size_t index);

}  // namespace stridescope::narration
