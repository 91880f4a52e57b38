// Which piece of a person's text stands at a place.
#pragma once

#include <string>
#include <string_view>

namespace stridescope::engine::access {

// The access at that place of the text, as far as it can be told: "tile[threadIdx.y][threadIdx.x]"; at the
// sign of a quotient or a remainder that; else the statement. `line` and `column` are 1-based; column 0:
// unknown.
struct TextPiece {
  int column = 1, length = 0;
  std::string text;
};
TextPiece pieceAt(std::string_view text, int line, int column);

}  // namespace stridescope::engine::access
