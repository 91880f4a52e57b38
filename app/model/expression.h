// Expressions of whole numbers in a kernel's text, as in indices and conditions, and what the names in them
// stand for. The text pass reads them (instrument/instrument.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stridescope::model {

enum class ExpressionKind : std::uint8_t {
  Number,
  Name,
  Not,
  Negate,
  Plus,
  Complement,
  LogicalOr,
  LogicalAnd,
  Or,
  Xor,
  And,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessOrEqual,
  GreaterOrEqual,
  ShiftLeft,
  ShiftRight,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Choice,  // a ? b : c
};

struct ExpressionNode {
  ExpressionKind kind{};
  std::uint32_t value = 0;                // a Number's value; a Name's index into Expression::words
  std::array<std::size_t, 3> operands{};  // indices of earlier nodes, as many as the kind has
};

// A token of the text; a member's name and what it belongs to, as in "threadIdx.x", are one word.
struct ExpressionWord {
  std::string text{};
  bool spaced = false;  // white space or a comment stands before it
  bool isName = false;
  int name = -1;  // index into KernelExpressions::names; -1: its value is not told by the text
};

struct Expression {
  std::vector<ExpressionWord> words{};  // as the text has them
  // The last one is the whole. Empty: it is no expression of whole numbers, or calls a function, or reads
  // memory.
  std::vector<ExpressionNode> nodes{};
};

enum class NameKind : std::uint8_t {
  Declared,   // unsigned index = 2 * s * tid;
  Stepped,    // the variable of a for: for (unsigned s = 1; s < n; s *= 2)
  Parameter,  // of a function
};

// A name whose value follows from the text.
struct NamedNumber {
  NameKind kind{};
  std::string name{};
  bool isBool = false;
  bool reassigned = false;  // anywhere but in its declaration and its own for's step
  Expression value{};       // what it is declared as; empty for a Parameter
  Expression next{};  // of a Stepped: what a step makes of it, in which its name stands for the value before
  int loop = -1;      // of a Stepped: the site of the for's condition; -1: it has none
  bool ofKernel = false;                // a Parameter of the kernel, which has no calls in the text
  std::vector<Expression> arguments{};  // of a Parameter: what each call of the function passes for it
};

struct KernelExpressions {
  std::vector<NamedNumber> names{};
  std::vector<Expression> conditions{};  // by site; empty for what is neither a Branch nor a Loop
};

// What a name stands for; nullopt: it is not known.
using ValueOfName = std::function<std::optional<std::uint32_t>(const ExpressionWord&)>;

// The value as an unsigned number of 32 bits, in which the kernels count; true is 1. nullopt: a name that
// matters is not known, something is divided by 0 or shifted by 32 bits or more, or there are no nodes.
std::optional<std::uint32_t> valueOf(const Expression& expression, const ValueOfName& valueOfName);

// As the text has it in one line, with each name replaced for which `replaced` gives a text.
std::string printed(const Expression& expression,
                    const std::function<std::optional<std::string>(const ExpressionWord&)>& replaced);

}  // namespace stridescope::model
