#include "preprocessor_condition.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace stridescope::engine::access {
namespace {

// Without comments, and with its lines joined.
std::string plainLine(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) break;
    if (text.substr(i).starts_with("/*")) {
      const auto end = text.find("*/", i + 2);
      line += ' ';
      if (end == std::string_view::npos) break;
      i = end + 1;
      continue;
    }
    const bool isJoin = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n';
    if (isJoin) ++i;
    line += isJoin || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' ? ' ' : text[i];
  }
  return line;
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// By the precedence of C++'s operators.
class Evaluator {
 public:
  Evaluator(std::string_view text, const std::map<std::string, std::string>& macros,
            std::set<std::string>& undefined, int depth, int& steps)
      : macros_(macros), undefined_(undefined), depth_(depth), steps_(steps) {
    isReadable_ = cut(text);
  }

  std::optional<long long> value() {
    if (!isReadable_) return std::nullopt;
    const auto result = binary(0);
    return at_ == words_.size() ? result : std::nullopt;
  }

 private:
  static constexpr int kMaxDepth = 32;
  static constexpr int kMaxSteps = 4096;  // macros within macros

  bool cut(std::string_view text) {
    constexpr std::array<std::string_view, 8> kPairs{"&&", "||", "==", "!=", "<=", ">=", "<<", ">>"};
    for (std::size_t i = 0; i < text.size();) {
      std::size_t length = 1;
      if (text[i] == ' ') {
        ++i;
        continue;
      }
      if (isWordCharacter(text[i])) {
        while (i + length < text.size() && isWordCharacter(text[i + length])) ++length;
      } else if (std::ranges::count(kPairs, text.substr(i, 2)) != 0) {
        length = 2;
      } else if (std::string_view("!()<>+-*/%").find(text[i]) == std::string_view::npos) {
        return false;
      }
      words_.push_back(text.substr(i, length));
      i += length;
    }
    return true;
  }

  bool take(std::string_view word) {
    if (at_ == words_.size() || words_[at_] != word) return false;
    ++at_;
    return true;
  }

  static int levelOf(std::string_view sign) {
    constexpr std::array<std::array<std::string_view, 4>, 6> kLevels{{{"||", "", "", ""},
                                                                      {"&&", "", "", ""},
                                                                      {"==", "!=", "", ""},
                                                                      {"<", ">", "<=", ">="},
                                                                      {"+", "-", "", ""},
                                                                      {"*", "/", "%", ""}}};
    for (std::size_t level = 0; level < kLevels.size(); ++level)
      if (std::ranges::count(kLevels[level], sign) != 0) return int(level);
    return -1;
  }

  std::optional<long long> binary(int level) {
    constexpr int kLevels = 6;
    if (level == kLevels) return unary();
    auto left = binary(level + 1);
    while (left && at_ < words_.size() && levelOf(words_[at_]) == level) {
      const std::string_view sign = words_[at_++];
      const auto right = binary(level + 1);
      if (!right) return std::nullopt;
      left = applied(sign, *left, *right);
    }
    return left;
  }

  static std::optional<long long> applied(std::string_view sign, long long a, long long b) {
    if (sign == "||") return a != 0 || b != 0;
    if (sign == "&&") return a != 0 && b != 0;
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<") return a < b;
    if (sign == ">") return a > b;
    if (sign == "<=") return a <= b;
    if (sign == ">=") return a >= b;
    long long result = 0;
    if (sign == "+") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    if (sign == "-") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    if (sign == "*") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    if (b == 0 || b == -1) return std::nullopt;
    return sign == "/" ? a / b : a % b;
  }

  std::optional<long long> unary() {
    if (++nesting_ > kMaxDepth || at_ == words_.size()) return std::nullopt;
    auto result = operand();
    --nesting_;
    return result;
  }

  std::optional<long long> operand() {
    if (take("!")) {
      const auto value = unary();
      return value ? std::optional<long long>(*value == 0 ? 1 : 0) : std::nullopt;
    }
    if (take("-")) {
      const auto value = unary();
      return value ? applied("-", 0, *value) : std::nullopt;
    }
    if (take("+")) return unary();
    if (take("(")) {
      const auto value = binary(0);
      return take(")") ? value : std::nullopt;
    }
    const std::string word(words_[at_++]);
    if (word == "defined") {
      const bool isEnclosed = take("(");
      if (at_ == words_.size() || !isWordCharacter(words_[at_].front())) return std::nullopt;
      const std::string name(words_[at_++]);
      if (isEnclosed && !take(")")) return std::nullopt;
      return isDefined(name) ? 1 : 0;
    }
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return number(word);
    if (!isWordCharacter(word.front()) || word == "true" || word == "__has_include") return std::nullopt;
    if (word == "false" || !isDefined(word)) return 0;
    if (depth_ == kMaxDepth || ++steps_ > kMaxSteps) return std::nullopt;
    return Evaluator(macros_.at(word), macros_, undefined_, depth_ + 1, steps_).value();
  }

  bool isDefined(const std::string& name) {
    if (macros_.contains(name)) return true;
    undefined_.insert(name);
    return false;
  }

  static std::optional<long long> number(std::string_view word) {
    while (!word.empty() && std::string_view("uUlL").find(word.back()) != std::string_view::npos)
      word.remove_suffix(1);
    const bool isHex = word.starts_with("0x") || word.starts_with("0X");
    if (isHex) word.remove_prefix(2);
    const bool isOctal = !isHex && word.size() > 1 && word.front() == '0';
    long long value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value,
                                              isHex     ? 16
                                              : isOctal ? 8
                                                        : 10);
    if (fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

  const std::map<std::string, std::string>& macros_;
  std::set<std::string>& undefined_;
  int depth_ = 0, nesting_ = 0;
  int& steps_;
  bool isReadable_ = false;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Directive> directivesOf(const KernelTokens& tokens) {
  std::vector<Directive> all;
  for (const auto& [begin, end] : tokens.directives()) {
    const std::string line = trimmed(plainLine(tokens.text().substr(begin + 1, end - begin - 1)));
    std::size_t name = 0;
    while (name < line.size() && isWordCharacter(line[name])) ++name;
    all.push_back({line.substr(0, name), trimmed(line.substr(name)), begin, end});
  }
  return all;
}

std::pair<std::string, std::string> macroOf(const std::string& rest) {
  std::size_t name = 0;
  while (name < rest.size() && isWordCharacter(rest[name])) ++name;
  return {rest.substr(0, name), rest.substr(name)};
}

std::optional<long long> valueOfCondition(const std::string& expression,
                                          const std::map<std::string, std::string>& macros,
                                          std::set<std::string>& undefined) {
  int steps = 0;
  return Evaluator(expression, macros, undefined, 0, steps).value();
}

}  // namespace stridescope::engine::access
