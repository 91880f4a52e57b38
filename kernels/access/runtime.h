// What -fsanitize=thread of g++ (12 on) and clang++ (14 on) calls in the person's text, defined anew: each
// call goes to the program's table of functions (hooks.h). The names and their meaning are those of GCC's
// gcc/sanitizer.def and of LLVM's compiler-rt/lib/tsan/rtl/tsan_interface.h.
#pragma once

// g++ says of std::atomic_thread_fence that ThreadSanitizer does not know it, and of `static __constant__`
// that it is hidden anyway. Neither matters here.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#pragma GCC diagnostic ignored "-Wattributes"
#endif

#include "device/accesses.h"
#include "device/core.h"

// The program calls this once, before it runs a thread.
extern "C" __attribute__((visibility("default"), ACCESS_UNSEEN)) void access_attach(
    const accesses::Hooks* given) {
  accesses::hooks = given;
}
