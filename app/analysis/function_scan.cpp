#include "analysis/function_scan.h"

#include <algorithm>

namespace stridescope::analysis {
namespace {

bool isNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class FunctionScanner {
 public:
  explicit FunctionScanner(std::string_view text) : text_(text) {}

  std::vector<FunctionText> scan() {
    while (at_ < text_.size()) step();
    return std::move(functions_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (text_.substr(at_, 2) == "//" || (c == '#' && atLineStart_))
      skipLine();
    else if (text_.substr(at_, 2) == "/*")
      skipTo(text_.find("*/", at_ + 2), 2);
    else if (c == '"' || c == '\'')
      skipLiteral(c);
    else if (isNamePart(c))
      readName();
    else
      readSign(c);
  }

  void skipTo(std::size_t found, std::size_t length) {
    at_ = found == std::string_view::npos ? text_.size() : found + length;
  }

  // To the end of the line, or of the lines that a backslash joins to it.
  void skipLine() {
    do skipTo(text_.find('\n', at_), 1);
    while (at_ >= 2 && at_ < text_.size() && text_[at_ - 2] == '\\');
    atLineStart_ = true;
  }

  void skipLiteral(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
    lastSign_ = quote;
    name_ = {};
  }

  void readName() {
    const std::size_t begin = at_;
    const bool isNumber = text_[at_] >= '0' && text_[at_] <= '9';  // 1'000 has its separators
    while (at_ < text_.size() && (isNamePart(text_[at_]) || (isNumber && text_[at_] == '\''))) ++at_;
    name_ = {text_.substr(begin, at_ - begin), begin};
    sawGlobal_ = sawGlobal_ || name_.name == "__global__";
    lastSign_ = 'a';
    atLineStart_ = false;
  }

  void readSign(char c) {
    ++at_;
    if (c == '\n') atLineStart_ = true;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return;
    atLineStart_ = false;
    depth_ == 0 ? readOutside(c) : readInside(c);
    lastSign_ = c;
    name_ = {};
  }

  void readOutside(char c) {
    if (c == '(' && parentheses_++ == 0) candidate_ = name_.name;
    if (c == ')' && parentheses_ > 0) --parentheses_;
    if (c == '{' && lastSign_ == ')') {
      functions_.push_back(
          {.name = candidate_, .begin = at_ - 1, .end = text_.size(), .isKernel = sawGlobal_, .calls = {}});
      depth_ = 1;
    }
    if (c == '{' || c == '}' || c == ';') sawGlobal_ = false;
  }

  void readInside(char c) {
    if (c == '(' && !name_.name.empty()) functions_.back().calls.push_back(name_);
    if (c == '{') ++depth_;
    if (c == '}' && --depth_ == 0) functions_.back().end = at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool atLineStart_ = true;
  bool sawGlobal_ = false;
  char lastSign_ = ' ';         // the last one that is no blank; 'a' for a name
  NameInText name_;             // the name just before, if a name it was
  std::string_view candidate_;  // the name before the last parenthesis outside of functions
  unsigned depth_ = 0;          // braces within a function; 0: outside of functions
  unsigned parentheses_ = 0;    // outside of functions
  std::vector<FunctionText> functions_;
};

}  // namespace

std::vector<FunctionText> findFunctions(std::string_view text) { return FunctionScanner(text).scan(); }

}  // namespace stridescope::analysis
