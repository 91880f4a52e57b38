// The command line: list, step, record, time, shot, verify, doctor; without arguments the window.
//
// Standard output carries only the result; which engine runs, progress and failures go to standard error.
#pragma once

#include <ostream>

#include "cli/services.h"

namespace stridescope::cli {

// The process's exit codes.
enum class ExitCode : int {
  Right = 0,
  Wrong = 1,    // a result is wrong or traces differ
  Usage = 2,    // the request makes no sense
  Missing = 3,  // an engine, a file or a permission is missing or failed
  Limit = 4,    // a limit was met during the run: what is printed is not whole, or there is nothing to print
};

// The exit code that belongs to a failure; one that was cancelled has Missing.
ExitCode exitCodeOf(const Error& error);

struct Streams {
  std::ostream& out;
  std::ostream& error;
  bool errorIsTerminal = false;  // progress is shown
};

// Everything is written through PrintableBuffer.

int runCommandLine(int argc, const char* const* argv, Streams& streams, const Services& services);

}  // namespace stridescope::cli
