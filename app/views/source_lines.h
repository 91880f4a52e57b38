// What the Source panel says about each line of the kernel in a round. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/session.h"

namespace stridescope {

struct SourceAccess {
  int column = 0, length = 0;  // 1-based bytes, as the site's
  bool writes = false;
  std::string value;  // of the shown thread, printed; empty if it did not get there
};

struct SourceLine {
  unsigned way = 0;                        // highest of the line's shared requests; 0: none
  unsigned branchTrue = 0, branchAll = 0;  // executions by threads of the block; branchAll 0: no branch here
  std::vector<SourceAccess> accesses;      // in the order of their columns
};

// The lines that execute in the session's round, by 1-based number. Requires session.run().
std::map<int, SourceLine> executingLines(const Session& session, unsigned thread);

// The thread whose values are shown: the hovered one, else the lowest active one.
unsigned shownThread(const Session& session);

std::vector<std::string> splitLines(const std::string& text);

}  // namespace stridescope
