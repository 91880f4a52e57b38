// Work that falls into parts, on all cores of the machine.
#pragma once

#include <cstddef>
#include <functional>

namespace stridescope {

// Whether this program can start threads. A page in a browser cannot: all that it does is done in turns.
bool hasThreads();

// Calls part(0) .. part(count - 1), each once, on up to `threads` threads (0: one for each core), this one
// among them, and returns when all have ended. Where the system gives fewer threads, fewer do it. What a part
// throws is thrown again here, the first of several; parts that were not begun are then left out.
void inParallel(std::size_t count, const std::function<void(std::size_t)>& part, unsigned threads = 0);

}  // namespace stridescope
