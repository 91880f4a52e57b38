// Where a text of a person's own kernel is at fault, as a compiler says it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace stridescope::session {

// What a compiler found, by the person's own lines.
struct TextFault {
  int line = 0, column = 0;  // 1-based; 0: unknown
  std::string what;
};

// Those in what a compiler printed of the file, else the place that the sentence names. Empty: it is about no
// line.
std::vector<TextFault> faultsOf(const Error& error, const std::string& fileName);

}  // namespace stridescope::session
