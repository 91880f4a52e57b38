// The colours of the window, each with one meaning, for the dark and the light theme.
//
// Categories are Okabe and Ito's, amounts are Viridis; red never stands against green, and no state is told
// by its colour alone (grid_picture.h has the marks that go with them).
#pragma once

#include <array>
#include <cstdint>

#include "imgui.h"

namespace stridescope::draw {

enum class Theme : std::uint8_t { Dark, Light };

// Every member is an opaque colour in Dear ImGui's packing (IM_COL32).
struct Palette {
  ImU32 window;   // the ground; 8 units of it show between panels
  ImU32 panel;    // what panels are painted on
  ImU32 raised;   // the current round, the selected row
  ImU32 field;    // controls
  ImU32 line;     // rules
  ImU32 frame;    // what shows where a control is: outlines of fields and check boxes, scroll bars
  ImU32 grid;     // a plot's grid
  ImU32 text;     // what is read first
  ImU32 dim;      // what is read second
  ImU32 result;   // orange: active lane, adding thread, result, playhead, selection
  ImU32 operand;  // sky blue: operand A filled, operand B outlined
  // The same two where they are thin lines, or surround their fill: darker when light, so that they stand out
  // from the panel. The latter is a link's colour, too.
  ImU32 resultLine, operandLine;
  ImU32 hover;      // yellow: the one thread under the pointer, and nothing else
  ImU32 hoverRing;  // what surrounds the yellow so that it stands out: black when light, the yellow itself
                    // when dark
  ImU32 live;       // an element still needed that this round does not touch
  ImU32 dead;       // an element that is never read again
  ImU32 toCome;     // the outline of a round that has not run
  ImU32 hatch;      // the lines of 'inactive, in a warp that works'
  ImU32 problem;    // an error or a wrong guess; always with a word and a cross
  // The line beside the problem's where it rings a fill, so that one of the two stands out.
  ImU32 problemRing;
  ImU32 ink;  // text on result, operand and hover
};

const Palette& palette(Theme theme);

// Okabe and Ito, 'Color Universal Design', 2008: black, orange, sky blue, bluish green, yellow, blue,
// vermillion, reddish purple.
inline constexpr std::array<ImU32, 8> kOkabeIto = {
    IM_COL32(0x00, 0x00, 0x00, 0xFF), IM_COL32(0xE6, 0x9F, 0x00, 0xFF), IM_COL32(0x56, 0xB4, 0xE9, 0xFF),
    IM_COL32(0x00, 0x9E, 0x73, 0xFF), IM_COL32(0xF0, 0xE4, 0x42, 0xFF), IM_COL32(0x00, 0x72, 0xB2, 0xFF),
    IM_COL32(0xD5, 0x5E, 0x00, 0xFF), IM_COL32(0xCC, 0x79, 0xA7, 0xFF)};

// Viridis (van der Walt and Smith, matplotlib) at 0, 1/9, ... 1.
inline constexpr std::array<ImU32, 10> kViridis = {
    IM_COL32(0x44, 0x01, 0x54, 0xFF), IM_COL32(0x48, 0x28, 0x78, 0xFF), IM_COL32(0x3E, 0x49, 0x89, 0xFF),
    IM_COL32(0x31, 0x68, 0x8E, 0xFF), IM_COL32(0x26, 0x82, 0x8E, 0xFF), IM_COL32(0x1F, 0x9E, 0x89, 0xFF),
    IM_COL32(0x35, 0xB7, 0x79, 0xFF), IM_COL32(0x6E, 0xCE, 0x58, 0xFF), IM_COL32(0xB5, 0xDE, 0x2B, 0xFF),
    IM_COL32(0xFD, 0xE7, 0x25, 0xFF)};

// The colour of an amount in [0, 1], straight between the ten stops; what lies outside is clamped, NaN is 0.
// An amount of nothing is drawn in Palette::dead, not in the first stop: that is the caller's choice.
ImU32 viridis(float amount);

// `colour` with its opacity set to `alpha` in [0, 1].
ImU32 withAlpha(ImU32 colour, float alpha);

// Each channel straight between `from` (share 0) and `to` (share 1).
ImU32 mix(ImU32 from, ImU32 to, float share);

// How well one colour is read on another: WCAG 2.1's contrast ratio.
// (L1 + 0.05) / (L2 + 0.05), L the relative luminance of the lighter and the darker one: 1 for equal colours,
// 21 for black and white. Opacity is ignored. https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio
double contrastRatio(ImU32 first, ImU32 second);
inline constexpr double kPresenterContrast = 7;  // every text in Present has at least this ratio

// Black or white, whichever is read better on `ground`: for a number inside a cell that is coloured by an
// amount. The better of the two is never below 4.5 : 1, and at least 7 : 1 on all of Viridis' ten stops but
// the middle ones.
ImU32 readableOn(ImU32 ground);

}  // namespace stridescope::draw
