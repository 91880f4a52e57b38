// What stands on the lines of a person's own kernel in the editor: what executes, the values, conflicts,
// races and what a compiler found. Beside the code and under it, so that the code stays where it is typed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/own_kernel.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"
#include "views/source/source_lines.h"

namespace stridescope::views {

struct KernelMarks {
  std::map<int, SourceLine> executing;     // by 1-based line; empty while the text is not what ran
  std::vector<int> troubled;               // lines with a race or a problem of the round, ascending
  std::vector<session::TextFault> faults;  // of the text's lines
  bool stand = false;                      // the text is what ran
};
KernelMarks marksOf(const ViewContext& view);

// Where one of the editor's rows stands.
struct KernelRow {
  int line = 0;                       // 1-based
  float top = 0;                      // screen pixels
  float textLeft = 0;                 // where the first column stands, scrolled
  float glyph = 0, height = 0;        // a column's width, the row's height
  float viewLeft = 0, viewRight = 0;  // what of the text's area can be seen
  float windowLeft = 0;               // the editor's left edge
  bool hasCaret = false;              // the person types there: nothing covers the code
};

// Lines under accesses, and behind the code their values and the conflict's figure.
void drawKernelRow(ViewContext& view, ImDrawList& list, const KernelMarks& marks, const KernelRow& row,
                   const std::string& code);

// Which column a 1-based byte of a line stands in, from 0 on; tabs go to the next multiple of the tab's
// width.
inline constexpr int kTabColumns = 4;
int visualColumn(const std::string& code, int byte);

// The access of an executing line at a visual column; nothing: none is there.
std::optional<std::uint32_t> siteAtColumn(const KernelMarks& marks, int line, const std::string& code,
                                          int column);

// What stands under the text: what is wrong with it, that the marks are gone and why, or whose values they
// are.
struct KernelNote {
  std::string text;
  bool isFault = false;
};
KernelNote noteOf(const ViewContext& view, const KernelMarks& marks);

// The commands on a person's own kernel.
std::vector<CommandEntry> kernelEntries();

}  // namespace stridescope::views
