// The shown round as text: whole, and what is pointed at in it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "narration/round_at.h"
#include "session/replay.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Caption and trouble, then narration's text maps, each under its title or that of its panel among `panels`.
std::string roundTextOf(const narration::RoundAt& at, std::span<const Panel> panels);

// The same of the replay's round; of one that is hidden, the round before it. Requires replay.run().
std::string roundTextOf(const session::Replay& replay, std::span<const Panel> panels);

// The text of the shown round, and after it what panels say that show no round. For two runs side by side it
// is what the middle says of them, and the chosen side's round. Requires view.replay.run().
std::string roundTextOf(const ViewContext& view);

// The same for who cannot see the window and has it read aloud. Two runs have both sides; a round that is
// hidden has what is asked about it, and nothing that gives an answer. All are empty without a run.
struct SpokenRound {
  std::string caption;  // to be read when it changes; one line
  std::string summary;  // which parts the text has; one line
  std::string text;     // many lines, to be read by who goes there
};
SpokenRound spokenRound(const session::Parts& parts, std::span<const Panel> panels);

// The caption of two runs that are compared, and the thread that is hovered in both.

struct CaptionText {
  std::string text;
  bool problem = false;      // it is about something that went wrong
  std::string result{};      // follows it at the end of the run; empty: none
  bool needsResult = false;  // it follows though that makes the text smaller
  std::string cost{};        // a sentence more where it makes no text smaller; empty: none
};

// Requires parts.comparison and two runs.
CaptionText comparedCaption(const session::Parts& parts);

// Requires view.comparison. The second line: the same thread at the left and at the right.
void drawComparedHoverLine(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);
bool hasComparedHover(const ViewContext& view);

// The caption's second line: the numbers of what is pointed at, in the shown round. Pure.

struct HoverLine {
  std::string tag;  // "thread 5", "warp 0", "data[80]", "bank 16", "line 15", "stride 8"
  std::vector<std::string> pieces;
  bool words = false;  // the pieces are sentences, not figures
};

// Requires replay.run(); `hover` is the replay's, `linked` is what it highlights.
HoverLine hoverLineOf(const session::Replay& replay, const session::Hover& hover,
                      const LinkedHighlight& linked);

}  // namespace stridescope::views
