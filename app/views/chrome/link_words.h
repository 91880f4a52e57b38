// What a link does, in a few words for the pointer that rests on it.
#pragma once

#include <string>
#include <string_view>

#include "views/shared/view_context.h"

namespace stridescope::views {

// "Show: sequential · stride 8 · Banks · thread 5 ringed". Empty for a link that leads nowhere.
std::string linkWords(const ViewContext& view, std::string_view target);

}  // namespace stridescope::views
