// What a process has started, and what that has started: found and ended, whatever groups and sessions it
// made for itself.
#pragma once

namespace stridescope::engine::sandbox {

// From now on what loses its parent among the processes that this one starts becomes this one's child. Before
// the first is started. Nothing but system calls.
void adoptOrphans();

// Kills all children of this process and, since it adopts orphans, theirs, until none is left; after five
// seconds it gives up. For a process with one thread and no other children. Nothing but system calls.
void endAllChildren();

}  // namespace stridescope::engine::sandbox
