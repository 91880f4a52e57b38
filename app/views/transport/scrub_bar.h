// The scrub bar of the transport: a tick a round, all launches after one another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "draw/text.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

void drawScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

// What the scrub bar of one run and that of two have in common: where ticks stand, the line, the knob, the
// bars of cycles, and names that make room for each other.

// Where the ticks stand along a bar, with a gap between launches. Pure.
struct ScrubTick {
  session::Playhead at;  // the round's first pass
  float x = 0;           // pixels from the bar's left end
  unsigned passes = 1;   // the round's
  float span = 0;        // pixels over which its passes stand, if there are several

  float xOf(unsigned pass) const { return x + span * float(pass) / float(passes); }
};
struct ScrubBoundary {
  float x = 0;
  unsigned launch = 0;  // the one that begins behind it
};
struct ScrubScale {
  std::vector<ScrubTick> ticks;  // ascending; never empty
  std::vector<ScrubBoundary> boundaries;

  std::size_t nearest(float x) const;  // round, whose first pass counts
  session::Playhead nearestPass(float x) const;
};
// `passes`: how many each round of each launch has; at least one round in all. A round of several takes up to
// four times the room of others. The gaps give way to a quarter of the width at most.
ScrubScale layOutScrubBar(const std::vector<std::vector<unsigned>>& passes, float width, float gap);

inline constexpr float kScrubLaunchGap = 64;  // between launches, units
inline constexpr float kMinTickStep = 6;      // between two ticks that are drawn, units

// Answers to the pointer from a little before the bar to a little behind it; the pointer is then told from
// the bar's left end.
HitArea scrubArea(const ViewContext& view, ImVec2 min, ImVec2 max);

struct ScrubTrack {
  ViewContext& view;
  ImDrawList& list;
  ImVec2 min, max;
  const ScrubScale& scale;
  std::size_t current = 0;  // the tick, and its pass, where the playhead stands
  unsigned pass = 0;

  float x(std::size_t tick) const { return min.x + scale.ticks[tick].x; }
  float x(std::size_t tick, unsigned ofPass) const { return min.x + scale.ticks[tick].xOf(ofPass); }
  float playheadX() const { return x(current, pass); }
  float y() const;

  // Present has no room for the legend of cycles, large text in a small window none for themselves.
  bool tellsCycles() const;

  // The line, filled up to the playhead; it is cut between launches, and a rule stands in the cut.
  void drawLine() const;
  void drawTick(std::size_t tick) const;
  void drawKnob(bool hollow = false) const;

  // Visits only ticks that stand at least so far (units) behind the one visited before: there may be
  // hundreds.
  template <class Visit>
  void forEachApart(float units, Visit visit) const {
    float taken = -1e9f;
    for (std::size_t i = 0; i < scale.ticks.size(); ++i)
      if (x(i) >= taken + view.px(units)) taken = x(i), visit(i);
  }

  // On the line, what something cost in cycles, on one scale for all variants at this block size, so that
  // they can be compared; a costlier one's bar is cut. Outlined, as all that is recorded is.
  void drawCycles(float left, float right, double cycles, unsigned threads, bool strong) const;
};

// Names below the bar, each placed if it leaves those before it their room.
class ScrubLabels {
 public:
  explicit ScrubLabels(const ScrubTrack& track) : track_(track) {}
  // Its middle in pixels, or as near as the bar's ends allow. `gap` in units.
  void place(float middle, const std::string& text, const draw::TextStyle& style, float gap);
  // "launch 1", "launch 2".
  void placeLaunches(float gap);

 private:
  const ScrubTrack& track_;
  std::vector<std::pair<float, float>> taken_;
};

}  // namespace stridescope::views
