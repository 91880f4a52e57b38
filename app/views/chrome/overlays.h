// What is laid over the panels for a moment: all keys, the command palette, opening and saving, a person's
// own operator and input data, the text of the round, the lesson and the glossary, about.
#pragma once

#include <string>

#include "views/chrome/command_table.h"
#include "views/chrome/lesson.h"

namespace stridescope::views {

struct OverlayState {
  session::Overlay shown = session::Overlay::None;  // whose texts the fields below hold
  std::string text = {};                            // a path or the filter of the palette or the glossary
  std::string identity = {};                        // of a custom operator, whose combine is the text
  int chosen = 0;                                   // in the palette
  ShownLesson lesson = {};
};

// The lines of the overlay of all keys: the commands that have any, then what keys and pointer do in panels.
struct KeyLine {
  std::string what, how;
  bool isKey = false;  // else words
};
std::vector<KeyLine> keyLines(std::span<const Panel> panels, std::span<const CommandEntry> table);

// A field for a path, which is in state.text, and a button: true when a path was given by either.
bool isPathGiven(OverlayState& state, const char* button, bool appearing);

void drawOverlay(ViewContext& view, OverlayState& state, std::span<const CommandEntry> table,
                 ImVec2 windowSize);

}  // namespace stridescope::views
