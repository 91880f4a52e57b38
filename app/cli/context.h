// What every command has at hand.
#pragma once

#include "cli/command_line.h"
#include "base/result.h"

namespace stridescope {

struct Context {
  Streams& streams;
  const Services& services;
  std::ostream* terminal = nullptr;  // for ProgressLine alone; null: progress is not shown
};

// Tells the failure on standard error; gives the exit code that belongs to it.
ExitCode tell(const Context& context, const Error& error);

}  // namespace stridescope
