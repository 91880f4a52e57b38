// What a page asks before it reveals a round.
#pragma once

#include <optional>

#include "handout/html_document.h"
#include "handout/told_run.h"

namespace stridescope::handout {

// How many threads are active. nullopt: nothing is to be asked of the step.
std::optional<HtmlQuestion> questionOf(const ToldRun& run, const Place& place);

}  // namespace stridescope::handout
