// The commands of two runs that are compared.
#pragma once

#include <vector>

#include "views/shared/command_entry.h"

namespace stridescope::views {

std::vector<CommandEntry> compareEntries();

}  // namespace stridescope::views
