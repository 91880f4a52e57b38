// Which texts may be compiled and run. A text that came with a file (an operator, later a kernel or an
// exercise) is compiled only after a person has seen exactly that text and has allowed it; a text that the
// person wrote is allowed as it is given. Engines ask before they compile; the command line and the window
// answer.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stridescope::engine {

// Calls may be made from any thread.
class CodeTrust {
 public:
  // The person wrote this text, or has seen it and said yes. Lasts as long as the object: nothing is kept on
  // the disk, so that the question comes again with the next start.
  void allow(std::string_view text);
  // What is allowed may also run where the kernel cannot confine it.
  void allowUnconfined();
  // Everything, whoever wrote it, also where the kernel cannot confine it: --trust-code.
  void allowAll();

  bool allows(std::string_view text) const;
  bool allowsUnconfined() const;

 private:
  mutable std::mutex mutex_;
  bool all_ = false, unconfined_ = false;
  std::set<std::string, std::less<>> texts_;
};

// What an engine answers instead of compiling. Its cause is ErrorCause::UntrustedCode, its details are the
// text.
Error untrustedCode(std::string_view text);
// The same for a text that is allowed, on a kernel that cannot confine it; `reason`, a sentence, says what it
// lacks. Its cause is ErrorCause::UnconfinedCode.
Error unconfinedCode(std::string_view text, std::string_view reason);

// One of the two: a person's yes is missing, not the code at fault.
bool asksForTrust(const Error& error);

}  // namespace stridescope::engine
