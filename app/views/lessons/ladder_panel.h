// Ladder: the variants in teaching order, family by family, each with what changed from the one before and
// with what it costs.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "views/shared/panel.h"

namespace stridescope::views {

Panel ladderPanel();

// Where the Ladder panel's rows stand: variants in teaching order under the headings of their families, side
// branches indented. Pure.

struct LadderRow {
  const kernels::Variant* variant = nullptr;  // nullptr: the heading of a family
  kernels::Family family{};
  int titleLines = 1, sentenceLines = 0;  // 0: the sentence is left out
  bool hasTimeLine = false;               // below them
  float top = 0, height = 0;              // pixels from the list's upper edge
};

struct LadderMeasures {
  float titleLine = 0, sentenceLine = 0, inset = 0,
        heading = 0;  // pixels; the inset above and below a variant
  // That a variant's title and its sentence take at the list's width.
  std::function<int(const kernels::Variant&)> titleLines, sentenceLines;
  float timeLine = 0;                                             // pixels
  std::function<bool(const kernels::Variant&)> hasTimeLine = {};  // not set: none has
};

struct LadderLayout {
  std::vector<LadderRow> rows;
  float height = 0;

  const LadderRow* find(std::string_view id) const;  // nullptr: no such variant
};

// Every variant has the sentence that says what changed if all of them fit in `room` pixels; else the chosen
// one alone has it, and the list may be longer than the room. One family needs no heading.
LadderLayout layOutLadder(std::span<const kernels::Variant> variants, std::string_view chosen,
                          const LadderMeasures& measures, float room);

// How far a list of `all` pixels that shows `room` of them must be scrolled so that [top, top + height) is in
// view, with some of what stands round it; no further than needed from `scrolled`.
float scrollTo(float top, float height, float scrolled, float room, float all);

}  // namespace stridescope::views
