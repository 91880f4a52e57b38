// Which system calls a process may still make, kept by the kernel's seccomp; the filters are built by
// libseccomp.
//
// They hold for good, also over exec, whoever runs the process. Each lists what is allowed. A person's code
// that makes another call is sent SIGSYS; a compiler is told that there is no such call.
#pragma once

#include <linux/filter.h>

#include <vector>

#include "base/result.h"

namespace stridescope::engine::sandbox {

class CallFilter {
 public:
  explicit CallFilter(std::vector<sock_filter> program = {}) : program_(std::move(program)) {}

  // Enforces the filter in every thread of the process; call it after giveUpPrivileges(). It makes only
  // system calls, so a child of fork may call it. False: nothing is forbidden, and errno says why.
  bool enforce() const;

 private:
  std::vector<sock_filter> program_;  // empty: forbids nothing
};

// Where the kernel has no seccomp, these forbid nothing: sandboxSupport() tells.

// The filter for the process that loads a person's code, whose constructors run then. It allows what the
// loader does: opening files for reading (which ones is for Landlock to say), mapping them, no memory that
// may be both written and executed; and what callingFilter() allows. It contains a person's code by itself:
// that code can spoil the next filter.
Result<CallFilter> loadingFilter();

// For the same process from then on, where what only the loader needs is over: memory that cannot be
// executed, the worker's socket, standard output and error, the time, waiting for its own threads, its end.
// rt_sigprocmask is ignored: abort and a thread's end call it.
Result<CallFilter> callingFilter();

// For a compiler: files (which ones is for Landlock to say), memory, processes and threads of its own. No
// socket, no signal to others, no other process's memory, no namespace, no other user.
Result<CallFilter> compilingFilter();

}  // namespace stridescope::engine::sandbox
