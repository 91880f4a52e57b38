// What every command has at hand.
#pragma once

#include "base/plain_text.h"
#include "base/result.h"
#include "cli/command_line.h"

namespace stridescope::cli {

struct Context {
  Streams& streams;
  const Services& services;
  std::ostream* terminal = nullptr;  // for ProgressLine alone; null: progress is not shown
};

// Tells the failure on standard error; gives the exit code that belongs to it.
inline ExitCode tell(const Context& context, const Error& error) {
  context.streams.error << "stridescope: " << printable(error.sentence) << "\n";
  if (!error.details.empty()) context.streams.error << error.details << "\n";
  return exitCodeOf(error);
}

}  // namespace stridescope::cli
