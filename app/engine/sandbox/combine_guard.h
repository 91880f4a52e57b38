// Keeps watch over a person's combine in the process that runs it and may fail: limits of time and memory,
// and a last word on standard error that says which operands it was that crashed or did not end. It is there
// for the sentence: what keeps the process from doing harm is in confinement.h, and what
// ends it for certain in the process that started it (WorkerLimits).
//
// It holds for a process's whole life, as signal handlers do: it is set up once, in a worker, for one
// combine.
#pragma once

#include <string>
#include <string_view>

#include "combine_worker.h"
#include "engine/host/host_engine.h"

namespace stridescope::engine::sandbox {

// The function that calls the combine that watch() is given, so that an engine can be made before it is
// loaded.
host::CompiledCombine watchedCombine(model::ElementType type);

// Before anything is forbidden to the process: sets the limits and the handlers.
void guardProcess(model::ElementType type, const GuardLimits& limits = {});

// Before a person's code is loaded, which may run some of it, and when the process has all of its threads:
// watches the loading.
void guardLoading();

// When it is loaded: watches the calls of watchedCombine(), which are of this function from now on.
void guardCalls(host::AnyFunction combine);

// How the last word of a combine ends that was stopped because it took too long.
inline constexpr std::string_view kStoppedAtLimit = " did not end and was stopped";

// The guard's last word among what a process wrote to standard error, which a person's code may write to,
// too: "combine(1, 0) was stopped by SIGFPE (Floating point exception)", "combine(1, 0) did not end and was
// stopped", or the same of "The code that runs when combine is loaded"; empty: it said none.
std::string lastWordOf(const std::string& standardError);

}  // namespace stridescope::engine::sandbox
