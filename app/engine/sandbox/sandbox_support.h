// What this kernel has to contain a person's code with: Landlock for files, seccomp for system calls. A
// person's code is run where both are there.
#pragma once

#include <string>

namespace stridescope::engine::sandbox {

struct SandboxSupport {
  int landlock = 0;      // the version of its interface; 0: the kernel has none, or lets nobody use it
  bool seccomp = false;  // filters of system calls

  bool isComplete() const { return landlock > 0 && seccomp; }

  // Complete: what a person's code cannot do. Else: what is missing, what that means, and what to do.
  std::string sentence() const;
};

// What the running kernel, and a container around this process, support. Asks the kernel every time, which
// takes a few microseconds.
SandboxSupport sandboxSupport();

}  // namespace stridescope::engine::sandbox
