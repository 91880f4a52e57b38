// A kernel's text cut into tokens. Comments and white space fall away; every token knows its place.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
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

}  // namespace stridescope::instrument
