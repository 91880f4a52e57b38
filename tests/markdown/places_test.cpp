#include <gtest/gtest.h>

#include "markdown/read.h"

namespace stridescope::markdown {
namespace {

// "line:column" of each byte and of the end.
std::string placesIn(std::string_view text) {
  const Places places(text);
  std::string all;
  for (std::size_t byte = 0; byte <= text.size(); ++byte)
    all += std::to_string(places.of(byte).line) + ":" + std::to_string(places.of(byte).column) + " ";
  return all;
}

TEST(MarkdownPlaces, CountLinesAndCharactersFromOne) {
  EXPECT_EQ(placesIn(""), "1:1 ");
  EXPECT_EQ(placesIn("ab\nc"), "1:1 1:2 1:3 2:1 2:2 ");
  EXPECT_EQ(placesIn("a\r\n\rb"), "1:1 1:2 1:3 2:1 3:1 3:2 ");
  EXPECT_EQ(Places("µx").of(2).column, 2u) << "µ is two bytes and one character";
}

}  // namespace
}  // namespace stridescope::markdown
