// What a process takes from itself before it runs a person's code. Nothing but system calls, so that a child
// of fork may call these.
#pragma once

namespace stridescope::engine::sandbox {

// Takes from the calling thread, and those that it starts, an administrator's rights over other people's
// files and processes and over the machine, and the gaining of rights by starting a program. FileRules and
// CallFilter need the latter, so call this before they are enforced. False: errno says why.
bool giveUpPrivileges();

// Every descriptor from this number on.
void closeFrom(unsigned first);

}  // namespace stridescope::engine::sandbox
