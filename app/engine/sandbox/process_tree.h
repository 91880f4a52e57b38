// What a process has started, and what that has started: found and ended, whatever groups and sessions it
// made for itself.
#pragma once

#include <sys/types.h>

namespace stridescope::engine::sandbox {

// From now on what loses its parent among the processes that this one starts becomes this one's child. Before
// the first is started. Nothing but system calls.
void adoptOrphans();

// Kills all children of this process and, since it adopts orphans, theirs, until none is left; after five
// seconds it gives up. The process must have one thread and no other children. It makes only system calls.
void endAllChildren();

// Kills a child of this process that adopts orphans, and all that descends from it: also where it is stopped
// and cannot do so itself. That comes first, since it is nobody's any more once the child is gone; after five
// seconds the child is killed all the same. It stays to be collected.
void endTree(pid_t root);

}  // namespace stridescope::engine::sandbox
