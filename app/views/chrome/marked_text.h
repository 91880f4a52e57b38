// Text in which some pieces answer to the pointer: the links of a lesson, words of the glossary.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/text.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct TextMark {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string target = {};         // a link has what stands behind its #, a word its term
  bool isLink = false;             // else a word of the glossary
  bool underlined = true;          // else only while the pointer is on it
  friend bool operator==(const TextMark&, const TextMark&) = default;
};

// Where drawWrapped puts a marked piece; two for a piece that is broken over two lines.
struct MarkedPlace {
  const TextMark* mark = nullptr;  // one of those given
  ImVec2 min, max;
};
std::vector<MarkedPlace> placesOf(std::span<const TextMark> marks, std::string_view text,
                                  const draw::TextStyle& style, ImVec2 topLeft, float widthPx,
                                  float lineHeightPx);

// The line under the piece, and for a word of the glossary under the pointer what it means. True when the
// piece was clicked. A link's label names it for keyboard focus and for tests.
bool drawMark(ViewContext& view, ImDrawList& list, const MarkedPlace& place, const std::string& label = {});

}  // namespace stridescope::views
