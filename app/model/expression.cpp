#include "model/expression.h"

namespace stridescope::model {
namespace {

using Number = std::optional<std::uint32_t>;

constexpr std::uint32_t kBits = 32;

Number applied(ExpressionKind kind, std::uint32_t a) {
  switch (kind) {
    case ExpressionKind::Not:
      return a == 0;
    case ExpressionKind::Negate:
      return 0 - a;
    case ExpressionKind::Complement:
      return ~a;
    default:
      return a;
  }
}

Number applied(ExpressionKind kind, std::uint32_t a, std::uint32_t b) {
  switch (kind) {
    case ExpressionKind::LogicalOr:
      return a != 0 || b != 0;
    case ExpressionKind::LogicalAnd:
      return a != 0 && b != 0;
    case ExpressionKind::Or:
      return a | b;
    case ExpressionKind::Xor:
      return a ^ b;
    case ExpressionKind::And:
      return a & b;
    case ExpressionKind::Equal:
      return a == b;
    case ExpressionKind::NotEqual:
      return a != b;
    case ExpressionKind::Less:
      return a < b;
    case ExpressionKind::Greater:
      return a > b;
    case ExpressionKind::LessOrEqual:
      return a <= b;
    case ExpressionKind::GreaterOrEqual:
      return a >= b;
    case ExpressionKind::ShiftLeft:
      return b < kBits ? Number(a << b) : Number();
    case ExpressionKind::ShiftRight:
      return b < kBits ? Number(a >> b) : Number();
    case ExpressionKind::Add:
      return a + b;
    case ExpressionKind::Subtract:
      return a - b;
    case ExpressionKind::Multiply:
      return a * b;
    case ExpressionKind::Divide:
      return b == 0 ? Number() : Number(a / b);
    case ExpressionKind::Remainder:
      return b == 0 ? Number() : Number(a % b);
    default:
      return {};
  }
}

}  // namespace

std::optional<std::uint32_t> valueOf(const Expression& expression, const ValueOfName& valueOfName) {
  std::vector<Number> values;
  for (const ExpressionNode& node : expression.nodes) {
    const auto operand = [&](std::size_t i) { return values[node.operands[i]]; };
    switch (node.kind) {
      case ExpressionKind::Number:
        values.emplace_back(node.value);
        break;
      case ExpressionKind::Name:
        values.push_back(valueOfName(expression.words[node.value]));
        break;
      case ExpressionKind::Not:
      case ExpressionKind::Negate:
      case ExpressionKind::Plus:
      case ExpressionKind::Complement:
        values.push_back(operand(0) ? applied(node.kind, *operand(0)) : Number());
        break;
      case ExpressionKind::Choice:
        values.push_back(operand(0) ? operand(*operand(0) != 0 ? 1 : 2) : Number());
        break;
      default:
        values.push_back(operand(0) && operand(1) ? applied(node.kind, *operand(0), *operand(1)) : Number());
    }
  }
  return values.empty() ? Number() : values.back();
}

std::string printed(const Expression& expression,
                    const std::function<std::optional<std::string>(const ExpressionWord&)>& replaced) {
  std::string text;
  for (const ExpressionWord& word : expression.words) {
    if (word.spaced) text += ' ';
    const auto other = word.isName ? replaced(word) : std::nullopt;
    text += other ? *other : word.text;
  }
  return text;
}

}  // namespace stridescope::model
