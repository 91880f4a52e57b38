// A kernel's tokens with their brackets matched: what every later step of the text pass looks at.
#pragma once

#include <string_view>
#include <vector>

#include "instrument/tokens.h"

namespace stridescope::instrument {

struct Source {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<int> partner;  // each bracket's other one, < and > of template lists included; else -1

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

}  // namespace stridescope::instrument
