// How one kind of cell looks in a grid: never by its colour alone.
#pragma once

#include "imgui.h"

namespace stridescope::draw {

struct CellStyle {
  ImU32 fill = 0;            // 0: nothing is filled
  ImU32 mark = 0;            // the colour of whichever marks are set
  bool hatch = false;        // diagonal lines: inactive, in a warp that works
  bool lineThrough = false;  // a line through the row, gaps included: in an idle warp
  bool cross = false;        // both diagonals: the thread has finished
  bool notch = false;        // the upper right corner is cut off: some lanes active, some not
  int outline = 0;           // drawn round its inside, units: operand B 2, rounds to come 1; never over 1 in
                             // cells narrower than 20

  bool operator==(const CellStyle&) const = default;
};

}  // namespace stridescope::draw
