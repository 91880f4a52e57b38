// The statements of a kernel's text: which statement each token stands in, and its ifs and loops.
#pragma once

#include <vector>

#include "instrument/brackets.h"
#include "instrument/declarations.h"

namespace stridescope::instrument {

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

}  // namespace stridescope::instrument
