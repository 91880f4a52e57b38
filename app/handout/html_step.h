// A step of a run in words: what a page says beside its pictures.
#pragma once

#include <string>
#include <string_view>

#include "handout/html_document.h"
#include "handout/told_run.h"

namespace stridescope::handout {

// The step without its pictures and its question.
HtmlStep stepOf(const ToldRun& run, const Place& place);

// Who is active, and what the panel of this id shows in the step: instead of its picture.
std::string altOf(const ToldRun& run, const Place& place, std::string_view panel);

}  // namespace stridescope::handout
