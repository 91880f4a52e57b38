#include <gtest/gtest.h>

#include <sstream>

#include "cli/command_line.h"

namespace stridescope::cli {
namespace {

std::string through(const std::vector<std::string>& pieces) {
  std::ostringstream target;
  {
    PrintableBuffer buffer(target);
    std::ostream out(&buffer);
    for (const std::string& piece : pieces) out << piece;
  }
  return target.str();
}

TEST(PrintableBuffer, LetsTextThroughAtOnce) {
  std::ostringstream target;
  PrintableBuffer buffer(target);
  std::ostream out(&buffer);
  out << "a line\n\tand " << 7 << '\n';
  EXPECT_EQ(target.str(), "a line\n\tand 7\n");
}

TEST(PrintableBuffer, ReplacesTheRest) { EXPECT_EQ(through({"a\x1b[2J\r\n\xff"}), "a\\u001b[2J\\r\n\\xff"); }

TEST(PrintableBuffer, PutsCharactersThatCameInPiecesTogether) {
  EXPECT_EQ(through({"\xe4", "\xb8", "\xad", "\xf0\x9f", "\x98\x80"}), "\xe4\xb8\xad\xf0\x9f\x98\x80");
  EXPECT_EQ(through({"\xe2\x80", "\xae"}), "\\u202e");
  EXPECT_EQ(through({"\xe2\x80", "z"}), "\\xe2\\x80z");
  EXPECT_EQ(through({"a\xe2\x80"}), "a\\xe2\\x80");  // the end
}

TEST(PrintableBuffer, WritesWhatIsLarge) {
  std::string text;
  while (text.size() < 300'000) text += "0123456789\xc3\xa9";
  EXPECT_EQ(through({text}), text);
  EXPECT_EQ(through({text + "\x07" + text}), text + "\\u0007" + text);
}

TEST(PrintableBuffer, TellsThatTheTargetFailed) {
  std::ostringstream target;
  target.setstate(std::ios::badbit);
  PrintableBuffer buffer(target);
  std::ostream out(&buffer);
  out << "lost";
  EXPECT_FALSE(out);
}

}  // namespace
}  // namespace stridescope::cli
