// Draws the Source panel's text: numbers and figures in the margin, code, and under it brackets and values.
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
  float left = 0, right = 0, top = 0;           // of the text, pixels; it is scrolled by top alone
  float glyph = 0;                              // one character's advance
  std::optional<std::pair<int, int>> selected;  // lines, ascending

  float textLeft() const;
  // Where a 0-based character of a row's line begins.
  float xOf(const SourceTextRow& row, int character) const;
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
  void annotations(const SourceTextRow& row, const SourceLine& line, float marginRight) const;
  std::string whoseLanes() const;
  float margin(const SourceTextRow& row, const SourceLine& line) const;  // gives its right edge
  ImU32 accent() const;
};

// How many columns of code fit between left and right.
int columnsThatFit(const ViewContext& view, float width, float glyph);

}  // namespace stridescope::views
