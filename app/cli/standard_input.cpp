#include "cli/standard_input.h"

#include <unistd.h>

#include <iostream>

#include "base/regular_file.h"
#include "engine/own_data.h"

namespace stridescope::cli {

const Result<std::string>& StandardInput::text() {
  if (text_) return *text_;
  if (::isatty(STDIN_FILENO) == 1)
    std::cerr << "Reading numbers from the terminal: one per line, then Ctrl+D.\n" << std::flush;
  text_ = readToEnd(STDIN_FILENO, kStandardInputName, engine::kMaxDataBytes);
  return *text_;
}

}  // namespace stridescope::cli
