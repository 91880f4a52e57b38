// The macros of a text that settled_text.h makes plain.
#pragma once

#include <string>

#include "text_edits.h"

namespace stridescope::engine::access {

// Blanks keep the columns of what follows.
inline void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (text[i] != '\n') text[i] = ' ';
}

// "<vector>" and its like: C++'s own, of which device code uses nothing, because the text pass takes no name
// of std. They define no macro but those that begin with an underscore.
bool isHeaderOfHosts(const std::string& included);

// Leaves out the macros that nothing uses, and expands those that are no plain constants; leaves out what
// else of the preprocessor's lines only the host needs. Gives where columns were before.
TextEdits settleMacros(std::string& text);

}  // namespace stridescope::engine::access
