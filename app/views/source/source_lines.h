// What the Source panel says about each line of the kernel in a round. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "session/replay.h"
#include "views/shared/linked_highlight.h"

namespace stridescope::views {

struct SourceAccess {
  std::uint32_t site = 0;      // index into Trace::sites
  int column = 0, length = 0;  // 1-based bytes, as the site's
  bool writes = false;
  std::string value;  // the shown thread's, printed; empty if it did not get there
  std::string array;  // that was accessed last; empty: none was
};

struct SourceLine {
  unsigned way = 0;                        // highest of the line's shared requests; 0: none
  unsigned branchTrue = 0, branchAll = 0;  // executions by threads of the block; branchAll 0: no branch here
  unsigned branchThreads = 0;              // the block's that execute it, in a loop perhaps several times
  unsigned warpTrue = 0, warpAll = 0;      // the same by the shown thread's warp alone
  int branchColumn = 0, branchLength = 0;  // its condition's, as the site's
  std::uint32_t branchSite = 0;
  std::vector<SourceAccess> accesses;  // in the order of their columns
};

// Some threads of the block took the branch, some did not.
inline bool goesBothWays(const SourceLine& line) {
  return line.branchTrue > 0 && line.branchTrue < line.branchAll;
}

// The lines that execute in the replay's round, by 1-based number. Requires replay.run().
std::map<int, SourceLine> executingLines(const session::Replay& replay, unsigned thread);

// The thread whose values are shown: the one that what is pointed at belongs to (LinkedHighlight::owner),
// else the lowest that touches memory in the round. `linked` is the replay's.
unsigned shownThread(const session::Replay& replay, const LinkedHighlight& linked);

// It is pointed at itself, or its element is: its values light up, too.
bool isPointedThread(const session::Replay& replay, const LinkedHighlight& linked);

// Whose values they are, and why.
std::string shownThreadNote(const session::Replay& replay, const LinkedHighlight& linked);

// What a site's accesses found or left, a thread a line, the lowest ones: "thread 5   data[88]   22". Empty
// if nobody made one in the round.
std::vector<std::string> valuesAtSite(const session::Replay& replay, std::uint32_t site,
                                      std::size_t mostLines);

// The next round that executes the line, after the last one again the first; nullopt: none does.
std::optional<session::Playhead> nextRoundOf(const session::Replay& replay, int line);

std::vector<std::string> splitLines(const std::string& text);

}  // namespace stridescope::views
