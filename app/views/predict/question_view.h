// One question of the Predict panel: what is asked, how it is answered, and what the answer was worth.
#pragma once

#include <cstddef>
#include <string>

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws the question at that place among view.predict.asked() between `left` and `right`, from `top` on;
// gives the y below it.
float drawQuestion(ViewContext& view, ImDrawList& list, std::size_t place, float left, float right,
                   float top);

// What is pressed in the Predict panel: buttons with their keys, and chips that are chosen.

// A button that the keyboard reaches, too. The label names it for tests.
bool pressed(const char* label, ImVec2 min, ImVec2 max, bool enabled = true);

// "Reveal  Enter": gives the right edge. `primary`: what most want.
struct KeyButton {
  const char* label;
  std::string key;
  bool primary = false;
};
float widthOf(const ViewContext& view, const KeyButton& button);
bool drawKeyButton(ViewContext& view, ImDrawList& list, ImVec2 min, const KeyButton& button);

enum class ChipLook : std::uint8_t {
  Plain,
  Chosen,       // by the person
  True,         // the answer, which the person did not choose
  ChosenTrue,   // a tick on the answer
  ChosenFalse,  // a cross on what is not
};
// `text` in a chip of that size; pressed only where `open`.
bool drawChip(ViewContext& view, ImDrawList& list, const char* label, const std::string& text, ImVec2 min,
              ImVec2 max, ChipLook look, bool open);

}  // namespace stridescope::views
