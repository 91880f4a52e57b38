// A page of rounds as one HTML file that stands alone: its pictures, style and script are in it, and it asks
// nothing of a network. A browser without scripts shows all rounds one below the other.
#pragma once

#include <string>

#include "handout/html_document.h"

namespace stridescope::handout {

// Requires a variant, and of each a step.
std::string pageOf(const HtmlDocument& document);

}  // namespace stridescope::handout
