// Included before everything else, by Targets.cmake. Where a function has several versions the linker takes
// the newest, which older systems lack; these calls do as well with the first. check_symbol_versions.sh finds
// the next one.
#pragma once

#include <version>

#if defined(__x86_64__) && defined(__GLIBCXX__)
__asm__(".symver hypotf, hypotf@GLIBC_2.2.5");  // newest: glibc 2.35
__asm__(                                        // newest: GCC 12
    ".symver _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
#endif
