// All that a frame shows, to be compared with another one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workbench_ui.h"

namespace stridescope::views::test {

struct ShownFrame {
  std::string when;                             // what was done before
  std::vector<std::string> texts;               // with the windows that they are in, and where
  std::vector<std::string> grids;               // what they are painted with, and where
  std::map<std::string, std::uint64_t> shapes;  // for each window a hash of all that is drawn in it
  std::string title;                            // the window's
};

ShownFrame shownFrame(WorkbenchUi& ui, const std::string& when);

// What the first difference is between the two, without what is in a window whose name begins with one of
// `but`; empty: none.
std::string differenceOf(const ShownFrame& a, const ShownFrame& b, const std::vector<std::string>& but = {});

}  // namespace stridescope::views::test
