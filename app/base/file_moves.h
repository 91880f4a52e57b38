// Two calls on files that not every system has.
#pragma once

#include <atomic>

namespace stridescope {

// Gives the file `from` the name `to`, in the place of what has that name or only where nothing has. 0, or an
// errno value: EEXIST where something has the name.
int moveReplacing(const char* from, const char* to);
int moveWithoutReplacing(const char* from, const char* to);

// What was written to the open file is on the disk when it returns. 0, or an errno value; ECANCELED:
// `cancel`, which may be null, was set meanwhile.
int syncToDisk(int file, const std::atomic<bool>* cancel);

}  // namespace stridescope
