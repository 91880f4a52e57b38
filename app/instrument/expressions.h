// Where the operands of an expression begin and end. Enough of C++'s grammar to find the extent of a[i] and
// *p.
#pragma once

#include <vector>

#include "instrument/brackets.h"
#include "instrument/declarations.h"
#include "instrument/statements.h"

namespace stridescope::instrument {

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
  const Source& source_;
  const Declarations& declarations_;
  std::vector<bool> controlParenthesis_;
  std::vector<bool> unevaluated_;
};

}  // namespace stridescope::instrument
