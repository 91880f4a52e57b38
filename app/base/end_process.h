// The end of a process that cannot wait for what it does.
#pragma once

#include <string_view>

namespace stridescope {

// Ends the process at once with this exit code, from any thread and whatever the others do: nothing that was
// begun is ended in order, but nothing half-written stays (base/pending_file.h). Its workers end by
// themselves when their sockets close. `sentence`, unless it is empty, is printed on standard error as
// failures are, below what a terminal's line shows.
[[noreturn]] void endProcess(int code, std::string_view sentence) noexcept;

}  // namespace stridescope
