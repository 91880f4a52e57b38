// What every painter needs besides an ImDrawList: colours, faces, measures and the scale, the grid painter.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "imgui.h"

struct ImFont;

namespace stridescope::draw {

// The colours of the window, each with one meaning, for the dark and the light theme.
//
// Categories are Okabe and Ito's, amounts are Viridis; red never stands against green, and no state is told
// by its colour alone (grid_picture.h has the marks that go with them).

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

// The window's typefaces. Sizes are the em's, in pixels, and a line of text is as high as its em. None is
// null while a frame is drawn: a face that is missing falls back to another.
struct Fonts {
  ImFont* words = nullptr;          // Inter Regular
  ImFont* wordsSemiBold = nullptr;  // Inter SemiBold
  ImFont* wordsBold = nullptr;      // Inter Bold
  ImFont* code = nullptr;           // JetBrains Mono Regular: code, figures, indices
  ImFont* codeBold = nullptr;       // JetBrains Mono Bold
};

class GridPainter;
class TextLog;
struct PanelStand;

struct DrawContext {
  Theme theme = Theme::Dark;
  Fonts fonts;
  float scale = 1.0f;  // pixels a unit of draw_context.h: the monitor's scale times the person's text size
  GridPainter* grids = nullptr;       // never null while a frame is drawn
  TextLog* textLog = nullptr;         // null unless somebody measures the window's text
  const PanelStand* stand = nullptr;  // null: panels are docked (panel.h)
  bool isPicture = false;             // nobody points at what is drawn, and nobody presses keys

  const Palette& colours() const { return palette(theme); }

  // Units of draw_context.h as whole pixels. Anything above 0 is at least one.
  float px(float units) const {
    const float rounded = std::round(units * scale);
    return units > 0.0f && rounded < 1.0f ? 1.0f : rounded;
  }
};

// The window's measures in units: pixels at 100 % on an ordinary monitor. DrawContext::px makes pixels of
// them.

// Sizes of type, in ems.
inline constexpr float kLabelSize = 12;    // labels and cells; nothing is smaller
inline constexpr float kBodySize = 14;     // body; panel titles in the semibold face
inline constexpr float kCaptionSize = 20;  // the caption, and the stride's number
inline constexpr float kCodeLineHeight = 17;
inline constexpr float kLabelLineHeight = 16;

// Present mode's smallest text, pixels at a window height of kPresenterHeight: it grows with a higher window,
// and everything with it.
inline constexpr float kPresenterHeight = 1080;
inline constexpr float kPresenterTextSize = 28;

inline constexpr float kBaseUnit = 4;
inline constexpr float kHatchPeriod = 5;  // from one diagonal line to the next, along x
inline constexpr float kPanelInset = 12;
inline constexpr float kPanelGap = 8;
inline constexpr float kPanelRadius = 4;
inline constexpr float kFieldRadius = 3;
inline constexpr float kControlHeight = 24;
inline constexpr float kTransportButtonWidth = 40;
inline constexpr float kTransportButtonHeight = 32;
inline constexpr float kPanelTitleHeight = 32;  // from a panel's upper edge to its content

}  // namespace stridescope::draw
