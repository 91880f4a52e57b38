// The caption of a round: at most four sentences that say who works, how full the warps are, what shared
// memory did and why. The window's caption line and the command line's text are these sentences.
#pragma once

#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

struct Caption {
  std::vector<std::string> sentences;  // the first opens with the round's title and a colon
  std::string text() const;            // joined by spaces
};

Caption captionOf(const RoundAt& at);

}  // namespace stridescope::narration
