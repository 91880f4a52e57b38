// Text and bytes within HTML.
#pragma once

#include <string>
#include <string_view>

#include "base/plain_text.h"

namespace stridescope::report {

// Printable, and nothing in it is markup: for text and for attributes in double quotes.
std::string escaped(std::string_view text, Lines lines = Lines::One);

// What a page of ours has beside text and its own style.
struct PageParts {
  std::string_view script = {};  // its only one, as it stands between the tags; empty: none
  bool pictures = false;         // as data: URLs
};

// The <meta> element that says so to a browser, for the beginning of the <head>: whatever stands in a
// recording, nothing else runs, and nothing is fetched, sent or framed.
std::string securityPolicy(const PageParts& parts);

std::string base64(std::string_view bytes);

}  // namespace stridescope::report
