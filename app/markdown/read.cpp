#include "markdown/read.h"

#include <md4c.h>

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <charconv>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/plain_text.h"

namespace stridescope::markdown {
namespace {

// Entities of a Markdown text: MD4C finds them and leaves what they stand for to its callers.

using Utf8 = boost::locale::utf::utf_traits<char>;
using boost::locale::utf::code_point;

constexpr code_point kReplacement = 0xfffd;

constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kNames{{{"amp", "&"},
                                                                                {"apos", "'"},
                                                                                {"copy", "©"},
                                                                                {"deg", "°"},
                                                                                {"ge", "≥"},
                                                                                {"gt", ">"},
                                                                                {"hellip", "…"},
                                                                                {"le", "≤"},
                                                                                {"lt", "<"},
                                                                                {"mdash", "—"},
                                                                                {"micro", "µ"},
                                                                                {"middot", "·"},
                                                                                {"minus", "−"},
                                                                                {"nbsp", "\u00a0"},
                                                                                {"ndash", "–"},
                                                                                {"ne", "≠"},
                                                                                {"quot", "\""},
                                                                                {"rarr", "→"},
                                                                                {"times", "×"}}};

std::string numbered(std::string_view digits) {
  const bool isHex = digits.starts_with('x') || digits.starts_with('X');
  if (isHex) digits.remove_prefix(1);
  code_point code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
  const bool isCharacter = error == std::errc() && end == digits.data() + digits.size() && code != 0 &&
                           boost::locale::utf::is_valid_codepoint(code);
  std::string text;
  Utf8::encode(isCharacter ? code : kReplacement, std::back_inserter(text));
  return text;
}

// "&amp;", "&#955;", "&#x3bb;": what it stands for, as UTF-8. A number that no character has is U+FFFD, as
// CommonMark has it. Of HTML's names those that a text of this kind needs are known; another one stays as it
// is.
std::string entityText(std::string_view entity) {
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.starts_with('#')) return numbered(name.substr(1));
  const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == kNames.end() ? entity : found->second);
}

constexpr std::string_view kDoing = "reading a Markdown text";

// The first line that begins with too many marks; 0: none.
std::size_t tooDeepLine(std::string_view text) {
  static constexpr std::string_view kBlanks = " \t", kMarks = " \t>+*-0123456789.)";
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const bool isEmpty = text.find_first_not_of(kBlanks) >= end;
    if (!isEmpty && std::min(text.find_first_not_of(kMarks), end) > kMaxLineMarks) return line;
    const std::size_t ending = text.substr(end).starts_with("\r\n") ? 2 : 1;
    text.remove_prefix(std::min(end + ending, text.size()));
  }
  return 0;
}

std::string textOf(const MD_ATTRIBUTE& attribute) {
  std::string text;
  for (std::size_t i = 0; attribute.size > 0 && attribute.substr_offsets[i] < attribute.size; ++i) {
    const MD_OFFSET begin = attribute.substr_offsets[i], end = attribute.substr_offsets[i + 1];
    const std::string_view part(attribute.text + begin, end - begin);
    text += attribute.substr_types[i] == MD_TEXT_ENTITY ? entityText(part) : std::string(part);
  }
  return text;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), places_(text) {}

  Result<std::vector<Block>> read() {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return kept(self, [&](Reader& reader) { reader.enterBlock(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return kept(self, [&](Reader& reader) { reader.leaveBlock(type); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return kept(self, [&](Reader& reader) { return reader.enterSpan(type, detail); });
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return kept(self, [&](Reader& reader) { reader.leaveSpan(type); });
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return kept(self, [&](Reader& reader) { reader.take(type, {text, size}); });
    };
    const int ended = md_parse(text_.data(), MD_SIZE(text_.size()), &parser, this);
    if (fault_ || ended != 0) return tl::unexpected(fault_.value_or(outOfMemory(kDoing)));
    return std::move(blocks_);
  }

 private:
  // MD4C is C, so that nothing may be thrown through it: an error is kept, and ends the reading. MD4C ends at
  // once for a negative result alone.
  template <class Work>
  static int kept(void* self, Work work) {
    Reader& reader = *static_cast<Reader*>(self);
    auto done = withoutExceptions(kDoing, [&] { return work(reader); });
    if (done) return 0;
    reader.fault_ = std::move(done).error();
    return -1;
  }

  void enterBlock(MD_BLOCKTYPE type, const void* detail) {
    close();
    switch (type) {
      case MD_BLOCK_QUOTE:
        ++quotes_;
        break;
      case MD_BLOCK_UL:
        lists_.emplace_back();
        break;
      case MD_BLOCK_OL:
        lists_.emplace_back(static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start);
        break;
      case MD_BLOCK_LI:
        itemBegins_ = true;
        number_ = lists_.back();
        if (lists_.back()) ++*lists_.back();
        break;
      case MD_BLOCK_H:
        open().kind = BlockKind::Heading;
        open().level = static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level;
        break;
      case MD_BLOCK_CODE:
        open().kind = BlockKind::Code;
        break;
      default:
        break;
    }
  }

  void leaveBlock(MD_BLOCKTYPE type) {
    close();
    if (type == MD_BLOCK_QUOTE) --quotes_;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type == MD_BLOCK_LI) itemBegins_ = false;
  }

  Result<void> enterSpan(MD_SPANTYPE type, const void* detail) {
    ++spans_[type];
    if (type == MD_SPAN_A) {
      const auto& link = *static_cast<const MD_SPAN_A_DETAIL*>(detail);
      return enterLink(link.href, link.title, false);
    }
    if (type == MD_SPAN_IMG) {
      const auto& image = *static_cast<const MD_SPAN_IMG_DETAIL*>(detail);
      return enterLink(image.src, image.title, true);
    }
    return {};
  }

  // Where one stands within another, as an image in a link's words, the outer one counts.
  Result<void> enterLink(const MD_ATTRIBUTE& target, const MD_ATTRIBUTE& title, bool image) {
    targetBytes_ += std::size_t(target.size) + title.size;
    if (targetBytes_ > kMaxTargetBytes)
      return limitMet("The targets and titles of all links together are longer than " +
                      std::to_string(kMaxTargetBytes >> 20) +
                      " MiB, because each reference repeats its definition. Shorten the definitions.");
    if (link_) return {};
    Link link{.target = textOf(target), .image = image};
    const std::optional<std::size_t> at = target.size > 0 ? byteOf(target.text) : std::nullopt;
    link.verbatim = at.has_value();
    placeLink(link, at.value_or(wordsEnd_));
    awaitsWords_ = !at;
    open().links.push_back(std::move(link));
    link_ = open().links.size() - 1;
    return {};
  }

  // MD4C leaves spans that it never entered where brackets overlap, as in ![]([)[]]().
  void leaveSpan(MD_SPANTYPE type) {
    if (spans_[type] > 0) --spans_[type];
    if (type != MD_SPAN_A && type != MD_SPAN_IMG) return;
    awaitsWords_ = false;
    if (spans_[MD_SPAN_A] + spans_[MD_SPAN_IMG] == 0) link_.reset();
  }

  void take(MD_TEXTTYPE type, std::string_view text) {
    if (const auto at = byteOf(text.data()); at && !text.empty()) {
      if (awaitsWords_) placeLink(block_->links.back(), *at);
      awaitsWords_ = false;
      wordsEnd_ = *at + text.size();
    }
    std::string& words = pieceNow().text;
    switch (type) {
      case MD_TEXT_NULLCHAR:
        words += '\0';
        break;
      case MD_TEXT_BR:
        words += '\n';
        break;
      case MD_TEXT_SOFTBR:
        words += ' ';
        break;
      case MD_TEXT_ENTITY:
        words += entityText(text);
        break;
      default:
        words += text;
    }
  }

  // The piece that words go to which have the marks of now.
  Piece& pieceNow() {
    Block& block = open();
    Piece piece{.emphasis = spans_[MD_SPAN_EM] > 0,
                .strong = spans_[MD_SPAN_STRONG] > 0,
                .code = spans_[MD_SPAN_CODE] > 0 || block.kind == BlockKind::Code};
    piece.link = link_;
    const auto marksOf = [](const Piece& one) {
      return std::tie(one.emphasis, one.strong, one.code, one.link);
    };
    if (!block.pieces.empty() && marksOf(block.pieces.back()) == marksOf(piece)) return block.pieces.back();
    return block.pieces.emplace_back(std::move(piece));
  }

  // The block that words go to. MD4C says nothing of the paragraphs of a list without empty lines.
  Block& open() {
    if (!block_) {
      block_.emplace();
      block_->quotes = quotes_;
      block_->lists = unsigned(lists_.size());
      block_->beginsItem = itemBegins_;
      if (itemBegins_) block_->number = number_;
      itemBegins_ = false;
    }
    return *block_;
  }

  void close() {
    if (!block_) return;
    Block block = std::move(*block_);
    block_.reset();
    spans_ = {};  // none goes on in another block
    link_.reset();
    const bool isCode = block.kind == BlockKind::Code;
    if (isCode && !block.pieces.empty() && block.pieces.back().text.ends_with('\n'))
      block.pieces.back().text.pop_back();
    for (Piece& piece : block.pieces) {
      std::ranges::replace(piece.text, '\t', ' ');
      piece.text = printable(piece.text, Lines::Many);
    }
    std::erase_if(block.pieces, [](const Piece& piece) { return piece.text.empty(); });
    if (!block.pieces.empty() || !block.links.empty()) blocks_.push_back(std::move(block));
  }

  void placeLink(Link& link, std::size_t byte) const {
    const Place place = places_.of(byte);
    link.line = place.line;
    link.column = place.column;
  }

  // Where the text has it. MD4C also hands out texts of its own: line breaks, targets without their escapes.
  std::optional<std::size_t> byteOf(const char* text) const {
    const std::less<> before;
    if (before(text, text_.data()) || before(text_.data() + text_.size(), text)) return std::nullopt;
    return std::size_t(text - text_.data());
  }

  std::string_view text_;
  Places places_;
  std::vector<Block> blocks_;
  std::optional<Error> fault_;
  std::optional<Block> block_;                      // the one that is being read
  unsigned quotes_ = 0;                             // open ones
  std::vector<std::optional<unsigned>> lists_;      // open ones: the next number of an ordered one
  bool itemBegins_ = false;                         // no block of the open item has been read,
  std::optional<unsigned> number_;                  // which has this number
  std::array<std::size_t, MD_SPAN_U + 1> spans_{};  // open ones, by their types
  std::optional<std::size_t> link_;                 // of the open block: the outermost that is open
  std::size_t targetBytes_ = 0;
  std::size_t wordsEnd_ = 0;  // of the words that were read last
  bool awaitsWords_ = false;  // the last link's place is where its words begin
};

}  // namespace

Result<std::vector<Block>> read(std::string_view text) {
  if (text.size() > std::numeric_limits<MD_SIZE>::max() / 2)
    return limitMet("A Markdown text has less than 2 GiB. Divide it.");
  if (const std::size_t line = tooDeepLine(text); line != 0)
    return limitMet("Line " + std::to_string(line) + " begins with more than " +
                    std::to_string(kMaxLineMarks) +
                    " bytes of blanks and of marks of quotes and lists. Nest them less deeply.");
  return Reader(text).read();
}

std::string wordsOf(const Block& block) {
  std::string words;
  for (const Piece& piece : block.pieces) words += piece.text;
  return words;
}

namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

Places::Places(std::string_view text) {
  charactersBefore_.reserve(text.size() + 1);
  charactersBefore_.push_back(0);
  for (std::size_t at = 0; at < text.size(); ++at) {
    charactersBefore_.push_back(charactersBefore_.back() + (beginsCharacter(text[at]) ? 1 : 0));
    const bool endsLine = text[at] == '\n' || (text[at] == '\r' && text.substr(at + 1, 1) != "\n");
    if (endsLine) lineBegins_.push_back(at + 1);
  }
}

Place Places::of(std::size_t byte) const {
  const auto next = std::ranges::upper_bound(lineBegins_, byte);
  const std::size_t begin = *std::prev(next);
  return {std::size_t(next - lineBegins_.begin()), charactersBefore_[byte] - charactersBefore_[begin] + 1};
}

}  // namespace stridescope::markdown
