// One plot of the Timings panel: ImPlot draws lines and answers the pointer, the texts round it are ours.
//
// The wheel zooms about the pointer, a drag with the left button selects what is zoomed to, one with the
// right button pans, a double click fits. Between the two a plot's axes may be shared with another's.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "views/measure/timings_look.h"

namespace stridescope::views {

// The axes of the Timings panel's plots: where their ticks stand, and figures as text.

enum class AxisKind {
  Ago,                 // seconds before the newest sample; linear
  Microseconds,        // linear
  LogMicroseconds,     // labels change to ms and s
  GigabytesPerSecond,  // logarithmic
  Cycles,              // linear
  Elements,            // powers of two
  BlockThreads,        // powers of two, in plain figures
};

struct AxisTick {
  double value = 0;
  std::string label;
};

// Ascending, within [least, most], at most `count` but at least the two or three that a range always has.
// `newest`: where an axis of kind Ago says "now".
std::vector<AxisTick> axisTicks(AxisKind kind, double least, double most, int count, double newest = 0);

// A place on the horizontal axis: "2^18", "256", "-3.2 s".
std::string placeText(AxisKind kind, double value, double newest = 0);

// "2^24"; "2^21.3" between powers of two.
std::string elementsAtText(double elements);

struct PlotAxis {
  AxisKind kind = AxisKind::Microseconds;
  AxisRange* range = nullptr;
  double least = 0, most = 1;            // what it shows while it follows
  double lowest = 1e-6, highest = 1e12;  // no further by zooming and panning
};

// What a plot's axis has to show.
struct Extent {
  double least = 1e30, most = 0;
  void take(double value) { least = std::min(least, value), most = std::max(most, value); }
  bool empty() const { return most <= 0; }
};

class TimingsPlot {
 public:
  // Inside [min, max]: the title of the vertical axis at the top, its figures at the left, those of the
  // horizontal one below. `newest` is for an axis of kind Ago.
  TimingsPlot(ViewContext& view, ImDrawList& list, const char* name, const std::string& title, ImVec2 min,
              ImVec2 max, const PlotAxis& x, const PlotAxis& y, double newest = 0);
  ~TimingsPlot();
  TimingsPlot(const TimingsPlot&) = delete;
  TimingsPlot& operator=(const TimingsPlot&) = delete;

  explicit operator bool() const { return begun_; }

  void line(const std::string& key, const LineLook& look, const std::vector<double>& x,
            const std::vector<double>& y);
  void band(const std::string& key, const LineLook& look, const std::vector<double>& x,
            const std::vector<double>& low, const std::vector<double>& high);
  void mark(double x, double y, const LineLook& look);
  void marks(const LineLook& look, const std::vector<double>& x, const std::vector<double>& y);
  void dashed(double fromX, double fromY, double toX, double toY, ImU32 colour);
  // Texts keep away from a vertical line there, which cursor() is to draw.
  void reserve(double x);
  // Beside a point, or as near to it as there is room with a line that leads there: over no curve, mark or
  // other such text, so draw these before. False: there is no room; with Lead::None, none beside the point.
  enum class Lead : std::uint8_t { None, Line };
  bool text(double x, double y, const std::string& text, ImU32 colour, Lead lead = Lead::Line);

  ImVec2 at(double x, double y) const;  // in pixels
  ImVec2 min() const { return areaMin_; }
  ImVec2 max() const { return areaMax_; }
  ImDrawList& list() { return list_; }  // clip it to the area (clip())
  void clip();
  void unclip();

  // Where on the horizontal axis the pointer is.
  std::optional<double> pointer() const { return pointer_; }
  // A vertical line there, with its place in figures; a text that it meets interrupts it.
  void cursor(double x, bool isNamed = true);
  bool clickedRight() const { return clickedRight_; }  // without dragging: a menu is asked for

 private:
  void labels(const std::string& title);
  void begin(const char* name);
  bool place(ImVec2 size, ImVec2 topLeft);
  bool leadsOverText(const ImVec4& line) const;
  std::optional<ImVec2> nearestRoom(ImVec2 size, ImVec2 point);
  void plate(ImVec2 topLeft, const std::string& text, const draw::TextStyle& style);

  ViewContext& view_;
  ImDrawList& list_;
  PlotAxis x_, y_;
  ImVec2 min_, max_, areaMin_, areaMax_;
  std::vector<AxisTick> xTicks_, yTicks_;
  AxisRange xBefore_, yBefore_;
  std::optional<double> pointer_;
  std::vector<ImVec4> taken_;     // by texts and marks
  std::vector<ImVec4> texts_;     // the rooms of those
  std::vector<ImVec4> segments_;  // of curves and lines: from (x, y) to (z, w), pixels
  double newest_ = 0;
  bool begun_ = false, clickedRight_ = false;
};

}  // namespace stridescope::views
