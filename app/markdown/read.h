// Reads Markdown, as CommonMark defines it, into a plain value: blocks one below the other, each with its
// words and its links. Lessons, tours and the glossary take what they need from it. HTML is text like any
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stridescope::markdown {

// A link's target, or an image's source, and where the text has it.
struct Link {
  std::string target = {};  // as it was meant: without escapes, and a reference resolved
  bool image = false;
  // From 1 on, columns in characters: where the target begins, which for a reference is in its definition. A
  // target with escapes or entities does not stand in the text as it is meant; `verbatim` is false then, and
  // the place is that of the link's words.
  std::size_t line = 1, column = 1;
  bool verbatim = true;
};

// Words with the same marks.
struct Piece {
  std::string text = {};  // printable (base/plain_text.h); a hard line break is \n, a soft one a blank
  bool emphasis = false, strong = false, code = false;
  std::optional<std::size_t> link = {};  // of the block's links
  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class BlockKind : std::uint8_t {
  Heading,
  Paragraph,
  Code,  // one piece, with its lines
};

struct Block {
  BlockKind kind = BlockKind::Paragraph;
  unsigned level = 0;                   // of a heading: 1 to 6
  unsigned quotes = 0, lists = 0;       // how many of them it lies in
  bool beginsItem = false;              // it is the first block of a list's item,
  std::optional<unsigned> number = {};  // which has a number if the list is ordered
  std::vector<Piece> pieces = {};       // in their order
  std::vector<Link> links = {};         // in their order; one without words has no piece
};

// A line may begin with so many bytes of blanks and of marks of quotes and lists. They bound how deeply
// blocks are nested, and with it the time that a text takes.
inline constexpr std::size_t kMaxLineMarks = 1000;
// The targets and titles of all links together may have so many bytes: each reference repeats its definition.
inline constexpr std::size_t kMaxTargetBytes = std::size_t{16} << 20;

// Rules and blocks without words and links are left out. Errors: a text beyond one of the limits above, or
// one that takes more memory than there is.
Result<std::vector<Block>> read(std::string_view text);

// The words of the block alone, as a person reads them.
std::string wordsOf(const Block& block);

// Lines and columns of a text, each found in the time of a search for its line: a text may have as many links
// as it has bytes, and all of them in one line.

struct Place {
  std::size_t line = 1, column = 1;  // from 1 on; the column in characters
};

class Places {
 public:
  explicit Places(std::string_view text);

  // Where a byte of the text stands, or where the text ends.
  Place of(std::size_t byte) const;

 private:
  std::vector<std::uint32_t> charactersBefore_;  // each byte, and the end
  std::vector<std::size_t> lineBegins_{0};
};

}  // namespace stridescope::markdown
