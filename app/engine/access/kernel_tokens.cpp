#include "kernel_tokens.h"

#include <algorithm>
#include <cctype>

namespace stridescope::engine::access {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

// A directive's lines that end in a backslash go on.
class KernelTokens::Scanner {
 public:
  explicit Scanner(KernelTokens& all) : text_(all.text_), all_(all) {}

  // The fault's line and what is wrong; nothing: all is well.
  std::optional<TextFault> scan() {
    bool atLineStart = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_, ++at_;
        atLineStart = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || (c == '\\' && peek(1) == '\n')) {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        if (!skipComment()) return TextFault(line_, "a comment has no end");
      } else if (c == '#' && atLineStart) {
        directive();
      } else if (c == 'R' && peek(1) == '"' && (at_ == 0 || !isWordCharacter(text_[at_ - 1]))) {
        if (!skipRaw()) return TextFault(line_, "a raw string has no end");
      } else if (c == '"' || c == '\'') {
        if (!skipLiteral(c)) return TextFault(line_, "a string has no end");
        atLineStart = false;
      } else {
        atLineStart = false;
        token();
      }
    }
    return std::nullopt;
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void advanceTo(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += int(std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end), '\n'));
    at_ = end;
  }

  bool skipComment() {
    const auto end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return false;
    advanceTo(end + 2);
    return true;
  }

  void directive() {
    std::size_t end = at_;
    do {
      end = text_.find('\n', end);
      if (end == std::string_view::npos) end = text_.size();
      const bool goesOn = end > 0 && end < text_.size() && text_[end - 1] == '\\';
      if (!goesOn) break;
      ++end;
    } while (end < text_.size());
    all_.directives_.emplace_back(at_, end);
    note(at_, end);
    advanceTo(end);
  }

  // #include "name", #include <name>, #define NAME body.
  void note(std::size_t begin, std::size_t end) {
    std::string_view line = text_.substr(begin + 1, end - begin - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("include")) {
      const auto open = line.find_first_of("\"<");
      const auto close = open == std::string_view::npos ? open : line.find_first_of("\">", open + 1);
      if (close == std::string_view::npos) return;
      all_.includes_.push_back(
          {begin, end, std::string(line.substr(open + 1, close - open - 1)), line[open] == '"'});
    } else if (line.starts_with("define")) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t", 6), line.size()));
      std::size_t name = 0;
      while (name < line.size() && isWordCharacter(line[name])) ++name;
      all_.macros_.push_back({std::string(line.substr(0, name)), std::string(line.substr(name))});
    }
  }

  bool skipRaw() {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) return false;
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const auto end = text_.find(close, open);
    if (end == std::string_view::npos) return false;
    advanceTo(end + close.size());
    return true;
  }

  bool skipLiteral(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] == '\n') return false;
    advanceTo(end + 1);
    return true;
  }

  void token() {
    Token next{at_, at_ + 1, line_, isWordCharacter(text_[at_])};
    if (next.isWord)
      while (next.end < text_.size() &&
             (isWordCharacter(text_[next.end]) ||
              (text_[next.end] == '\'' && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)))
        ++next.end;
    all_.tokens_.push_back(next);
    at_ = next.end;
  }

  std::string_view text_;
  KernelTokens& all_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::optional<TextFault> KernelTokens::read(std::string_view text) {
  text_ = text;
  if (auto fault = Scanner(*this).scan()) return fault;
  return matchBrackets();
}

bool KernelTokens::has(std::size_t begin, std::size_t end, std::string_view what) const {
  for (std::size_t i = begin; i < end; ++i)
    if (is(i, what)) return true;
  return false;
}

std::optional<TextFault> KernelTokens::matchBrackets() {
  partner_.assign(tokens_.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string_view sign = word(i);
    if (sign == "(" || sign == "[" || sign == "{") open.push_back(i);
    if (sign != ")" && sign != "]" && sign != "}") continue;
    const char wanted = sign == ")" ? '(' : sign == "]" ? '[' : '{';
    if (open.empty() || text_[tokens_[open.back()].begin] != wanted)
      return TextFault(tokens_[i].line, "the bracket " + std::string(sign) + " has no other one");
    partner_[open.back()] = i;
    partner_[i] = open.back();
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return TextFault(tokens_[open.back()].line,
                   "the bracket " + std::string(word(open.back())) + " has no end");
}

}  // namespace stridescope::engine::access
