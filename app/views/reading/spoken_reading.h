// The lesson or the stop of a tour that stands beside the panels, for who cannot see the window.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/timing_board.h"
#include "session/parts.h"
#include "views/shared/panel.h"

namespace stridescope::views {

struct SpokenPiece {
  std::string text;
  std::string target = {};  // what stands behind the # of a link; empty: it is none
  friend bool operator==(const SpokenPiece&, const SpokenPiece&) = default;
};

struct SpokenParagraph {
  bool isHeading = false, isCode = false;
  std::vector<SpokenPiece> pieces = {};
};

struct SpokenReading {
  std::string title = {};  // "Lesson: Sequential", to be read when it changes; empty: no text is open
  std::vector<SpokenParagraph> paragraphs = {};
};

// A lesson waits, as in the window, until the round that is asked about is revealed.
SpokenReading spokenReading(const session::Parts& parts, const measure::TimingSnapshot& timings,
                            std::span<const Panel> panels);

}  // namespace stridescope::views
