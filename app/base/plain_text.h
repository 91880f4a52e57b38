// Text from elsewhere (a file, a driver, a compiler, the command line), made fit for a terminal, a window and
// the clipboard: it cannot move the cursor, ring, hide or reorder what stands beside it, or break a line in
// two.
//
// What is replaced, and by what:
// - control characters (U+0000 to U+001F, U+007F to U+009F): \n, \r, \t, else \u001b
// - those that change the direction of text (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and
//   Unicode's line and paragraph separators (U+2028, U+2029): \u202e
// - each byte that is no UTF-8: \xff
// Everything else stays as it is, the backslash too: this is for reading, it is not meant to be turned back.
// Text that is printable already stays the same, so that calling it twice does no harm. Within a JSON string
// the forms of characters are JSON's own, so that JSON remains what it was.
//
// Where it is called: where a trace, an index or timings are read from a recording or come from a worker
// (makeLabelsPrintable, archive/printable_labels.h); for all that the command line writes
// (cli/command_line.h); where the window takes in errors and paths, and gives to the clipboard. The texts
// that are compared, hashed or compiled (a kernel's text and what sites quote of it, its preamble, a person's
// combine and identity) are kept as they are, and made printable where they are shown.
#pragma once

#include <string>
#include <string_view>

namespace stridescope {

enum class Lines {
  One,   // a name, a sentence, a path: line breaks and tabs are replaced
  Many,  // a log, a source text: newline and tab stay
};

std::string printable(std::string_view text, Lines lines = Lines::One);

// A piece of a source text as one printable line: blanks and line breaks next to each other are one blank.
std::string inOneLine(std::string_view source);

// How many bytes at the beginning of `text` printable() leaves as they are.
std::size_t printableLength(std::string_view text, Lines lines);

// At most so many bytes from the beginning, ending between two characters.
std::string_view cutBetweenCharacters(std::string_view text, std::size_t bytes);

}  // namespace stridescope
