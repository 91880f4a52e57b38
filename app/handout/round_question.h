// What a page asks before it reveals a round.
#pragma once

#include <optional>

#include "handout/html_document.h"
#include "handout/told_run.h"

namespace stridescope::handout {

// With answers to choose from, and why (teaching/choice_question.h). nullopt: the round determines none, or
// the step is one of its passes, where most questions would have another answer than in the round.
std::optional<HtmlQuestion> questionOf(const ToldRun& run, const Place& place);

}  // namespace stridescope::handout
