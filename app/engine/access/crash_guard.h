// Signals that a thread of a person's kernel causes (a division by zero, a trap, no stack left) become a call
// on a stack of its own, in place of the process's end.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace stridescope::engine::access {

struct Crash {
  int signal = 0;
  std::uint64_t instruction = 0, stack = 0;  // where the thread was
  std::uint64_t address = 0;                 // what it accessed, of SIGSEGV and SIGBUS
};

// From now on such a signal, while the executor runs a thread on the OS thread that it comes to, fails the
// running thread (recording::failThread) with what `tell` says of it. Any other one ends the process, as does
// one that `tell` itself causes.
void guardCrashes(std::pair<std::string, int> (*tell)(const Crash&));

}  // namespace stridescope::engine::access
