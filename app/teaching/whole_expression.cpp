#include "teaching/whole_expression.h"

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace stridescope::teaching {
namespace {

using Number = std::optional<std::uint32_t>;

struct BinaryOperator {
  std::string_view text;
  int precedence = 0;  // higher binds tighter
  Number (*apply)(std::uint32_t a, std::uint32_t b) = nullptr;
};

constexpr std::array<BinaryOperator, 18> kBinaryOperators{{
    {"||", 1, [](std::uint32_t a, std::uint32_t b) -> Number { return a != 0 || b != 0; }},
    {"&&", 2, [](std::uint32_t a, std::uint32_t b) -> Number { return a != 0 && b != 0; }},
    {"|", 3, [](std::uint32_t a, std::uint32_t b) -> Number { return a | b; }},
    {"^", 4, [](std::uint32_t a, std::uint32_t b) -> Number { return a ^ b; }},
    {"&", 5, [](std::uint32_t a, std::uint32_t b) -> Number { return a & b; }},
    {"==", 6, [](std::uint32_t a, std::uint32_t b) -> Number { return a == b; }},
    {"!=", 6, [](std::uint32_t a, std::uint32_t b) -> Number { return a != b; }},
    {"<", 7, [](std::uint32_t a, std::uint32_t b) -> Number { return a < b; }},
    {">", 7, [](std::uint32_t a, std::uint32_t b) -> Number { return a > b; }},
    {"<=", 7, [](std::uint32_t a, std::uint32_t b) -> Number { return a <= b; }},
    {">=", 7, [](std::uint32_t a, std::uint32_t b) -> Number { return a >= b; }},
    {"<<", 8, [](std::uint32_t a, std::uint32_t b) -> Number { return b < 32 ? Number(a << b) : Number(); }},
    {">>", 8, [](std::uint32_t a, std::uint32_t b) -> Number { return b < 32 ? Number(a >> b) : Number(); }},
    {"+", 9, [](std::uint32_t a, std::uint32_t b) -> Number { return a + b; }},
    {"-", 9, [](std::uint32_t a, std::uint32_t b) -> Number { return a - b; }},
    {"*", 10, [](std::uint32_t a, std::uint32_t b) -> Number { return a * b; }},
    {"/", 10, [](std::uint32_t a, std::uint32_t b) -> Number { return b == 0 ? Number() : Number(a / b); }},
    {"%", 10, [](std::uint32_t a, std::uint32_t b) -> Number { return b == 0 ? Number() : Number(a % b); }},
}};

const BinaryOperator* operatorAt(std::string_view text) {
  for (const BinaryOperator& each : kBinaryOperators)
    if (each.text == text) return &each;
  return nullptr;
}

// 256, 0xffffffff, 32u
Number literal(std::string_view text) {
  while (!text.empty() && (text.back() == 'u' || text.back() == 'U')) text.remove_suffix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? Number(value) : Number();
}

class Evaluator {
 public:
  Evaluator(const KernelText& text, Words words, const ValueOf& valueOf)
      : text_(text), at_(words.first), end_(words.last), valueOf_(valueOf) {}

  Number whole() {
    const Number value = choice(0);
    return at_ == end_ ? value : Number();
  }

 private:
  static constexpr int kMaxDepth = 64;

  std::string_view word() const { return at_ < end_ ? text_.at(at_) : std::string_view(); }
  bool take(std::string_view wanted) { return word() == wanted ? (++at_, true) : false; }

  Number choice(int depth) {
    const Number condition = binary(1, depth);
    if (!take("?")) return condition;
    const Number yes = choice(depth + 1);
    if (!take(":")) return {};
    const Number no = choice(depth + 1);
    return condition ? (*condition != 0 ? yes : no) : Number();
  }

  Number binary(int least, int depth) {
    Number left = unary(depth);
    for (const BinaryOperator* op = operatorAt(word()); op != nullptr && op->precedence >= least;
         op = operatorAt(word())) {
      ++at_;
      const Number right = binary(op->precedence + 1, depth + 1);
      left = left && right ? op->apply(*left, *right) : Number();
    }
    return left;
  }

  Number unary(int depth) {
    if (depth > kMaxDepth || at_ >= end_) return at_ = end_ + 1, Number();
    const auto applied = [&](auto apply) {
      const Number value = unary(depth + 1);
      return value ? Number(apply(*value)) : Number();
    };
    if (take("!")) return applied([](std::uint32_t a) -> std::uint32_t { return a == 0; });
    if (take("-")) return applied([](std::uint32_t a) -> std::uint32_t { return 0 - a; });
    if (take("+")) return applied([](std::uint32_t a) -> std::uint32_t { return a; });
    if (take("~")) return applied([](std::uint32_t a) -> std::uint32_t { return ~a; });
    if (take("(")) {
      const Number inner = choice(depth + 1);
      return take(")") ? inner : (at_ = end_ + 1, Number());
    }
    const std::size_t name = at_;
    if (!text_.isName(name)) return ++at_, literal(text_.at(name));
    at_ += text_.lengthAt(name);
    if (word() == "(" || word() == "[") return at_ = end_ + 1, Number();  // a call, or memory
    return valueOf_(name);
  }

  const KernelText& text_;
  std::size_t at_, end_;
  const ValueOf& valueOf_;
};

}  // namespace

std::optional<std::uint32_t> evaluate(const KernelText& text, Words words, const ValueOf& valueOf) {
  if (words.empty()) return std::nullopt;
  return Evaluator(text, words, valueOf).whole();
}

}  // namespace stridescope::teaching
