#include "instrument/expression_reader.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

using model::Expression;
using model::ExpressionKind;
using model::ExpressionNode;

struct BinaryOperator {
  std::string_view text;
  int precedence = 0;  // a higher one binds tighter
  ExpressionKind kind{};
};

constexpr std::array<BinaryOperator, 18> kBinaryOperators{{{"||", 1, ExpressionKind::LogicalOr},
                                                           {"&&", 2, ExpressionKind::LogicalAnd},
                                                           {"|", 3, ExpressionKind::Or},
                                                           {"^", 4, ExpressionKind::Xor},
                                                           {"&", 5, ExpressionKind::And},
                                                           {"==", 6, ExpressionKind::Equal},
                                                           {"!=", 6, ExpressionKind::NotEqual},
                                                           {"<", 7, ExpressionKind::Less},
                                                           {">", 7, ExpressionKind::Greater},
                                                           {"<=", 7, ExpressionKind::LessOrEqual},
                                                           {">=", 7, ExpressionKind::GreaterOrEqual},
                                                           {"<<", 8, ExpressionKind::ShiftLeft},
                                                           {">>", 8, ExpressionKind::ShiftRight},
                                                           {"+", 9, ExpressionKind::Add},
                                                           {"-", 9, ExpressionKind::Subtract},
                                                           {"*", 10, ExpressionKind::Multiply},
                                                           {"/", 10, ExpressionKind::Divide},
                                                           {"%", 10, ExpressionKind::Remainder}}};

const BinaryOperator* operatorOf(std::string_view text) {
  for (const BinaryOperator& each : kBinaryOperators)
    if (each.text == text) return &each;
  return nullptr;
}

// 256, 0xffffffff, 32u
std::optional<std::uint32_t> literal(std::string_view text) {
  while (!text.empty() && (text.back() == 'u' || text.back() == 'U')) text.remove_suffix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Reads the words from `first` on; its functions return the index of the node that they made.
class TreeReader {
 public:
  TreeReader(Expression& expression, std::size_t first) : expression_(expression), at_(first) {}

  // nullopt, and no nodes: this is no expression of whole numbers.
  std::optional<std::size_t> whole() {
    const std::size_t root = choice(0);
    if (!failed_ && at_ == expression_.words.size()) return root;
    expression_.nodes.clear();
    return std::nullopt;
  }

 private:
  static constexpr int kMaxDepth = 64;

  std::string_view word(std::size_t ahead = 0) const {
    return at_ + ahead < expression_.words.size() ? expression_.words[at_ + ahead].text : std::string_view();
  }
  bool take(std::string_view wanted) { return word() == wanted ? (++at_, true) : false; }
  std::size_t fail() {
    failed_ = true;
    at_ = expression_.words.size();
    return 0;
  }
  std::size_t add(ExpressionNode node) {
    expression_.nodes.push_back(node);
    return expression_.nodes.size() - 1;
  }

  std::size_t choice(int depth) {
    const std::size_t condition = binary(1, depth);
    if (!take("?")) return condition;
    const std::size_t yes = choice(depth + 1);
    if (!take(":")) return fail();
    const std::size_t no = choice(depth + 1);
    return add({.kind = ExpressionKind::Choice, .operands = {condition, yes, no}});
  }

  // A >> is two tokens, because it may close two template lists.
  bool isShiftRight() const { return word() == ">" && word(1) == ">" && !expression_.words[at_ + 1].spaced; }

  std::size_t binary(int lowest, int depth) {
    std::size_t left = unary(depth);
    while (!failed_) {
      const bool shift = isShiftRight();
      const BinaryOperator* const op = operatorOf(shift ? ">>" : word());
      if (op == nullptr || op->precedence < lowest) break;
      at_ += shift ? 2 : 1;
      const std::size_t right = binary(op->precedence + 1, depth + 1);
      left = add({.kind = op->kind, .operands = {left, right}});
    }
    return left;
  }

  std::size_t unary(int depth) {
    if (depth > kMaxDepth || at_ >= expression_.words.size()) return fail();
    for (const auto& [text, kind] :
         {std::pair{"!", ExpressionKind::Not}, std::pair{"-", ExpressionKind::Negate},
          std::pair{"+", ExpressionKind::Plus}, std::pair{"~", ExpressionKind::Complement}})
      if (take(text)) {
        const std::size_t operand = unary(depth + 1);
        return add({.kind = kind, .operands = {operand}});
      }
    if (take("(")) {
      const std::size_t inner = choice(depth + 1);
      return take(")") ? inner : fail();
    }
    const std::size_t index = at_++;
    // The brackets of a call or a subscript are no operator: they are left over, and whole() fails.
    if (expression_.words[index].isName)
      return add({.kind = ExpressionKind::Name, .value = std::uint32_t(index)});
    const auto value = literal(expression_.words[index].text);
    return value ? add({.kind = ExpressionKind::Number, .value = *value}) : fail();
  }

  Expression& expression_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// The words alone. `plain` becomes false where a template list is among them.
Expression wordsOf(const Source& source, TokenRange range, const NamesAt& names, bool& plain) {
  Expression expression;
  for (int i = range.first; i <= range.last; ++i) {
    model::ExpressionWord word{.text = std::string(source[i].text),
                               .spaced = i > range.first && source[i].offset > source[i - 1].end(),
                               .isName = source.isIdentifier(i),
                               .name = names[std::size_t(i)]};
    plain = plain && !(source.is(i, "<") && source.opens(i));
    if (word.isName && source.is(i + 1, ".") && source.isIdentifier(i + 2)) {
      word.text += "." + std::string(source[i + 2].text);
      word.name = -1;
      i += 2;
    }
    expression.words.push_back(std::move(word));
  }
  return expression;
}

}  // namespace

model::Expression readExpression(const Source& source, TokenRange range, const NamesAt& names) {
  bool plain = true;
  Expression expression = wordsOf(source, range, names, plain);
  if (plain) TreeReader(expression, 0).whole();
  return expression;
}

model::Expression readStep(const Source& source, TokenRange step, const NamesAt& names, int stepped) {
  bool plain = true;
  Expression expression = wordsOf(source, step, names, plain);
  auto& words = expression.words;
  auto& nodes = expression.nodes;
  if (!plain || words.size() < 2) return expression;
  const auto nameAt = [](std::size_t word) {
    return ExpressionNode{.kind = ExpressionKind::Name, .value = std::uint32_t(word)};
  };
  const std::size_t target = words[0].isName ? 0 : 1;
  if (words[target].name != stepped) return expression;
  const std::string_view op = words[1 - target].text;
  if (words.size() == 2 && (op == "++" || op == "--")) {
    nodes = {nameAt(target),
             {.kind = ExpressionKind::Number, .value = 1},
             {.kind = op == "++" ? ExpressionKind::Add : ExpressionKind::Subtract, .operands = {0, 1}}};
    return expression;
  }
  if (target != 0 || words.size() < 3 || (op != "=" && !isCompoundAssignment(op))) return expression;
  const BinaryOperator* const combines = operatorOf(op.substr(0, op.size() - 1));
  const auto by = TreeReader(expression, 2).whole();
  if (!by || combines == nullptr) return expression;
  nodes.push_back(nameAt(0));
  nodes.push_back({.kind = combines->kind, .operands = {nodes.size() - 1, *by}});
  return expression;
}

}  // namespace stridescope::instrument
