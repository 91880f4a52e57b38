// Draws the Source panel's text: numbers and figures in the margin, which stays where it is, and code that is
// scrolled sideways beside it, with brackets and labels under it.
#pragma once

#include <optional>
#include <utility>

#include "views/shared/cell_walk.h"
#include "views/source/source_text.h"

namespace stridescope::views {

struct SourcePainter {
  ViewContext& view;
  ImDrawList& list;
  const SourceText& text;
  float left = 0, right = 0, top = 0;           // the view's, pixels; top: the text's, scrolled
  float margin = 0;                             // from `left` to the text, pixels
  float scroll = 0;                             // sideways, pixels
  float glyph = 0;                              // one character's advance
  std::optional<std::pair<int, int>> selected;  // lines, ascending

  float textLeft() const;  // where the first character stands when nothing is scrolled
  // Where a 0-based character of a line begins.
  float xOf(int character) const;
  // The access or condition under a point of the screen: its site.
  std::optional<std::uint32_t> siteAt(ImVec2 point) const;

  // The accesses and conditions of the executing lines, for the arrow keys.
  void addCells(const AddCell& add) const;

  // `from` and `to`: the part of the screen that can be seen.
  void draw(float from, float to) const;

 private:
  bool isSelected(int line) const;
  bool isTroubled(int line) const;
  void ground(const SourceTextRow& row) const;
  void code(const SourceTextRow& row) const;
  void number(const SourceTextRow& row) const;
  void labels(const SourceTextRow& row) const;
  void figure(const SourceTextRow& row) const;
  float figureLeft(const SourceTextRow& row) const;
  float gutterRight() const;
  ImU32 accent() const;
};

// From the view's left edge to the text: as much as the number of the kernel's last line needs. `glyph` is
// one character's advance. Pixels. Requires view.replay.run().
float sourceMargin(const ViewContext& view, float glyph);
// What the text's layout needs to know, for `room` pixels beside the margin, in which the text is scrolled
// by `scroll` pixels.
SourceTextMeasures sourceMeasures(const ViewContext& view, float margin, float room, float scroll,
                                  float glyph);

inline constexpr float kSourceNoteHeight = 24;  // units, of the last line of Source

// The values that the threads found or left at the site, as a tooltip; none if nobody came there in the
// round. `withItsText`: under the access as the kernel has it, which Source shows shortened, and the editor
// does not.
void showValuesAt(const ViewContext& view, std::uint32_t site, bool withItsText);

}  // namespace stridescope::views
