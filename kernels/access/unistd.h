// In front of the system's <unistd.h>, which libstdc++'s <atomic> and <thread> include: its function access()
// would collide with the namespace of hooks.h. No kernel calls it.
#pragma once

#define access unistd_access
#include_next <unistd.h>
#undef access
