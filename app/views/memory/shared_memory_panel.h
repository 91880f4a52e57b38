// Shared memory: the hero. Memory after each round as rows, the current round large, with operands, the
// threads that combine them, and results.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel sharedMemoryPanel();

}  // namespace stridescope::views
