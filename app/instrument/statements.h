// The statements and expressions of a kernel's text.
#pragma once

#include <vector>

#include "instrument/declarations.h"
#include "instrument/tokens.h"

namespace stridescope::instrument {

// The statements of a kernel's text: which statement each token stands in, and its ifs and loops.

enum class ControlKind : unsigned char { If, IfConstexpr, While, For, DoWhile };

// An if or a loop. All members but `kind` are indices of tokens.
struct Control {
  ControlKind kind{};
  int keyword = 0;
  int open = 0, close = 0;                     // the parentheses after it
  int conditionFirst = 0, conditionLast = -1;  // empty if first > last
  int bodyFirst = 0, bodyLast = -1;
  int incrementFirst = 0, incrementLast = -1;  // a for's; empty if first > last

  bool isLoop() const {
    return kind == ControlKind::While || kind == ControlKind::For || kind == ControlKind::DoWhile;
  }
  bool hasCondition() const { return conditionFirst <= conditionLast; }
};

struct Statements {
  std::vector<int> statementOf;   // one a token; each part of a for's header counts as a statement
  std::vector<Control> controls;  // in the order of their keywords
  std::vector<bool> inFunction;   // one a token: inside the body of a function
};

// Refuses what is no statement, a range-based for, and conditions that declare.
Accepted<Statements> readStatements(const Source& source, const Declarations& declarations);

// Where the operands of an expression begin and end. Enough of C++'s grammar to find the extent of a[i] and
// *p.

class Expressions {
 public:
  Expressions(const Source& source, const Declarations& declarations, const Statements& statements);

  // Whether token i ends an operand, so that a * or & or [ after it is binary, or a subscript.
  bool endsOperand(int i) const;

  // Whether the ) at `close` ends a cast such as (T*).
  bool endsCast(int close) const;

  // Whether token i is a * or & with one operand.
  bool isUnary(int i) const { return !endsOperand(i - 1); }

  // The first token of the operand that ends at `last`, as in `box.rows(3)` before a [; -1 if it cannot be
  // read.
  int operandStart(int last) const;

  // The last token of the operand that begins at `first`, as after a *; -1 if it cannot be read.
  int operandEnd(int first) const;

  // The token after the full expression, or the operand of a comma, that token i stands in.
  int endOfFullExpression(int i) const;

  // Whether token i is never run: in sizeof(...), a template list, the condition of if constexpr.
  bool isUnevaluated(int i) const { return unevaluated_[static_cast<std::size_t>(i)]; }

 private:
  void findEnds();

  const Source& source_;
  const Declarations& declarations_;
  std::vector<bool> controlParenthesis_;
  std::vector<bool> unevaluated_;
  std::vector<int> ends_;  // one a token: endOfFullExpression()
};

}  // namespace stridescope::instrument
