// The command line: list, step, record, time, shot, verify, doctor; without arguments the window.
//
// Standard output carries only the result; which engine runs, progress and failures go to standard error.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

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

// What the command line writes, on its way out: everything is made printable (base/plain_text.h), with
// newlines and tabs. So no text from a file, a driver or the command line itself reaches the terminal as it
// is, whoever prints it.

// For an ostream of its own; what is written to that goes to `target`, at once.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::ostream& target) : target_(target) {}
  ~PrintableBuffer() override;

 private:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* data, std::streamsize size) override;
  int sync() override;
  void write(std::string_view text);

  std::ostream& target_;
  std::string begun_;  // the beginning of a character whose end has not been written yet
};

}  // namespace stridescope::cli
