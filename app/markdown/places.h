// Lines and columns of a text, each found in the time of a search for its line: a text may have as many links
// as it has bytes, and all of them in one line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stridescope::markdown {

struct Place {
  std::size_t line = 1, column = 1;  // from 1 on; the column in characters
};

class Places {
 public:
  explicit Places(std::string_view text);

  // Of a byte of the text, or of its end.
  Place of(std::size_t byte) const;

 private:
  std::vector<std::uint32_t> charactersBefore_;  // each byte, and the end
  std::vector<std::size_t> lineBegins_{0};
};

}  // namespace stridescope::markdown
