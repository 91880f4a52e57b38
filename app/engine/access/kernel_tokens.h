// A person's text cut into words and single signs, with the brackets that match; comments, literals and
// directives are passed over, and the directives told apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stridescope::engine::access {

struct Token {
  std::size_t begin = 0, end = 0;
  int line = 1;
  bool isWord = false;  // an identifier or a number
};

struct Include {
  std::size_t begin = 0, end = 0;  // of the directive
  std::string name;
  bool isQuoted = false;
};

struct Macro {
  std::string name, body;
};

// What cannot be read: where, and why.
using TextFault = std::pair<int, std::string>;

class KernelTokens {
 public:
  // A text of which read() found no fault. The text outlives this.
  std::optional<TextFault> read(std::string_view text);

  std::string_view text() const { return text_; }
  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t i) const { return tokens_[i]; }
  std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                              : std::string_view();
  }
  bool is(std::size_t i, std::string_view what) const { return word(i) == what; }
  bool has(std::size_t begin, std::size_t end, std::string_view what) const;
  std::size_t partner(std::size_t i) const { return partner_[i]; }  // of a bracket

  const std::vector<Include>& includes() const { return includes_; }
  const std::vector<Macro>& macros() const { return macros_; }
  // Where each directive begins and ends, from its # on.
  const std::vector<std::pair<std::size_t, std::size_t>>& directives() const { return directives_; }

 private:
  class Scanner;
  std::optional<TextFault> matchBrackets();

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partner_;
  std::vector<Include> includes_;
  std::vector<Macro> macros_;
  std::vector<std::pair<std::size_t, std::size_t>> directives_;
};

bool isWordCharacter(char c);

}  // namespace stridescope::engine::access
