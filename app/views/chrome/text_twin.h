// The whole round as text: the twin of every panel.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope {

std::string textTwinOf(const RoundAt& at);

}  // namespace stridescope
