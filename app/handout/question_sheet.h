// A sheet of questions as text, Markdown or HTML: the questions with the kernel's text, and apart from them
// the answers with their reasons.
#pragma once

#include <string>

#include "model/trace.h"
#include "teaching/sheet.h"

namespace stridescope::handout {

inline constexpr unsigned kSheetQuestions = 12;  // unless another number is asked for

// Within kTextColumns of narration/text_maps.h.
std::string sheetText(const model::Trace& trace, const teaching::Sheet& sheet);
std::string sheetMarkdown(const model::Trace& trace, const teaching::Sheet& sheet);
// One file that refers to nothing outside it; printed, the answers begin on a page of their own.
std::string sheetHtml(const model::Trace& trace, const teaching::Sheet& sheet);

}  // namespace stridescope::handout
