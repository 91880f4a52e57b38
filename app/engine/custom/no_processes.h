// Takes from this process, for good, that it starts others: a person's combine is a text that somebody else
// may have written.
#pragma once

namespace stridescope {

// fork, clone (so threads, too) and exec raise SIGSYS from now on, in every thread. Where the system offers
// no such filter, the limit on a user's processes is left, which does not hold for root.
void forbidNewProcesses();

}  // namespace stridescope
