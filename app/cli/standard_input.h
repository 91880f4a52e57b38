// Standard input as a file of numbers or lists: `--input -`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stridescope::cli {

inline constexpr std::string_view kStandardInput = "-";  // as an option has it in place of a file
inline constexpr const char* kStandardInputName = "standard input";

// It is read once, to its end, however many runs it is for.
class StandardInput {
 public:
  // Waits for the end. On a terminal, standard error is told first what is waited for. Errors: more bytes
  // than a file of numbers may have, a failure to read.
  const Result<std::string>& text();

 private:
  std::optional<Result<std::string>> text_;
};

}  // namespace stridescope::cli
