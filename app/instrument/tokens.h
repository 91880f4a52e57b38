// A kernel's text cut into tokens. Comments and white space fall away; every token knows its place.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "instrument/instrument.h"

namespace stridescope::instrument {

template <class T>
using Accepted = tl::expected<T, Refusal>;

enum class TokenKind : unsigned char { Identifier, Number, Text, Punctuation };

struct Token {
  TokenKind kind{};
  int offset = 0;         // bytes from the start of the text
  int line = 1;           // 1-based
  int column = 1;         // 1-based, in bytes
  std::string_view text;  // a part of the kernel's text, which must outlive the token

  int end() const { return offset + static_cast<int>(text.size()); }
};

struct TokenizedText {
  std::vector<Token> tokens;
  std::vector<Token> directives;  // whole lines that begin with #, without a comment at their end
};

// Refuses what cannot be cut into tokens safely: unterminated comments and strings, raw strings, a backslash
// at the end of a line, digraphs, stray characters.
Accepted<TokenizedText> tokenize(std::string_view text);

inline tl::unexpected<Refusal> refuse(const Token& token, std::string reason) {
  return tl::unexpected(Refusal{token.line, token.column, std::move(reason)});
}

// A kernel's tokens with their brackets matched: what every later step of the text pass looks at.

struct Source {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<int> partner;  // each bracket's other one, < and > of template lists included; else -1
  Preamble preamble = Preamble::Variant;

  int size() const { return static_cast<int>(tokens.size()); }
  const Token& operator[](int i) const { return tokens[static_cast<std::size_t>(i)]; }
  bool has(int i) const { return i >= 0 && i < size(); }
  bool is(int i, std::string_view word) const { return has(i) && (*this)[i].text == word; }
  bool isKind(int i, TokenKind kind) const { return has(i) && (*this)[i].kind == kind; }
  bool isIdentifier(int i) const { return isKind(i, TokenKind::Identifier); }
  int partnerOf(int i) const { return has(i) ? partner[static_cast<std::size_t>(i)] : -1; }
  bool opens(int i) const { return partnerOf(i) > i; }
  bool closes(int i) const { return has(i) && partnerOf(i) >= 0 && partnerOf(i) < i; }
  // The text from the start of one token to the end of another.
  std::string_view slice(int first, int last) const;
};

// Tokens first..last; empty if first > last.
struct TokenRange {
  int first = 0, last = -1;
  bool contains(int i) const { return i >= first && i <= last; }
  bool empty() const { return first > last; }
};

// One a token: the bracket that it stands in, or -1.
std::vector<int> enclosingBrackets(const Source& source);

// Matches ( [ {. Refuses brackets that do not match, and nesting too deep to be read.
Accepted<Source> matchBrackets(std::string_view text, std::vector<Token> tokens);

// The > that closes the template list opened at `open`, or -1 if what stands there is a comparison.
int findTemplateClose(const Source& source, int open);

// The preprocessor lines that a kernel's text may have: #pragma unroll, and #define of a plain constant.

struct Directives {
  std::unordered_set<std::string_view> constants;  // the names that the lines define
  std::vector<std::string> includes;               // "cooperative_groups.h"
};

// Refuses every line but plain constants, #pragma unroll and the headers of cooperative groups: what it could
// hide (an access, an operator, half a statement) would not be recorded.
Accepted<Directives> readDirectives(const std::vector<Token>& directives, Preamble preamble);

}  // namespace stridescope::instrument
