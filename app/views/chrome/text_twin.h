// The whole round as text: the twin of every panel.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::views {

std::string textTwinOf(const narration::RoundAt& at);

}  // namespace stridescope::views
