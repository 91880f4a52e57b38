// A site: one access, branch, barrier or warp operation in a kernel's text. The text pass makes the table of
// them, the recording runtime names them by id, the trace keeps them.
#pragma once

#include <string>
#include <vector>

namespace recording {

enum class SiteKind : unsigned char {
  Load,
  Store,
  Update,
  Branch,
  Loop,
  BlockBarrier,
  WarpOperation,
  Atomic,
  Assign  // to a local variable of the element type
};

struct Site {
  int id = 0;              // index in the table; ids follow the order of evaluation within the text
  SiteKind kind{};         // Update: one site that reads and writes, as in a[i] += x
  int line = 0;            // 1-based, in the kernel's file without its preamble
  int column = 0;          // 1-based, in bytes
  int length = 0;          // bytes of text
  int statement = 0;       // number of the statement it stands in
  std::vector<int> loops;  // ids of the Loop sites around it, outermost first; a Loop site's own comes last
  std::string text;        // as written, for example data[tid + s]
  // Volatile accesses by which threads hand over to one another what they did: with one another and with
  // atomic ones they are no race, but for two that store.
  bool handsOver = false;
  // Loads and stores that are atomic operations: with one another and with others of their size they are no
  // race.
  bool isAtomic = false;
  friend bool operator==(const Site&, const Site&) = default;
};

}  // namespace recording
