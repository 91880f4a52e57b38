// What a process does that loads and runs a person's compiled code: it gives up what it does not need, in two
// steps, before the code is loaded, which may run some of it, and again before it is called the first time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace stridescope::engine::sandbox {

// Limits for the process's whole life: its time on a processor, and address space beyond what it has now.
void limitWorker(std::chrono::seconds processor, std::uint64_t memoryBytes);

// What holds for the thread that calls it and those that it starts: before the process has a second one. It
// may read `library` alone from then on, and is killed with the thread that started it, which waits for it,
// whatever a person's code does. `runs`: what of a person's it runs, for sentences: "combine".
Result<void> confineFiles(const std::string& library, const std::string& runs);

// Loads it, for the process's life, and gives the symbol's address. `beforeLoading` is called when all else
// is ready.
Result<void*> loadConfined(const std::string& library, const char* symbol, const std::string& runs,
                           const std::function<void()>& beforeLoading);

// What this program may need to start; the sanitizers' are tests'. The process forgets them, too.
std::vector<std::string> variablesOfTheLoader();

}  // namespace stridescope::engine::sandbox
