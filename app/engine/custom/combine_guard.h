// Keeps watch over a person's combine in the process that runs it and may fail: limits of time and memory, no
// process beside it (no_processes.h), and a last word on standard error that says which operands it was that
// crashed or did not end.
//
// Of a process's whole life, since signals are: it is set up once, in a worker, and for one combine.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/host/host_engine.h"

namespace stridescope {

struct GuardLimits {
  std::chrono::milliseconds call{2000};    // of the processor's time, for one combine(a, b)
  std::chrono::seconds all{3600};          // of the processor's time, for the process's whole life
  std::uint64_t memoryBytes = 4ull << 30;  // of address space, beyond what the process has now
};

// The combine to run in place of this one.
CompiledCombine guarded(const CompiledCombine& combine, const GuardLimits& limits = {});

// The guard's last word among what a process wrote to standard error: "combine(1, 0) was stopped by SIGFPE
// (Floating point exception)"; empty: it said none.
std::string lastWordOf(const std::string& standardError);

}  // namespace stridescope
