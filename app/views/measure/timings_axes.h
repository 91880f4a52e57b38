// The axes of the Timings panel's plots: where their ticks stand, and figures as text.
#pragma once

#include <string>
#include <vector>

namespace stridescope::views {

enum class AxisKind {
  Ago,                 // seconds before the newest sample; linear
  Microseconds,        // linear
  LogMicroseconds,     // labels change to ms and s
  GigabytesPerSecond,  // logarithmic
  Cycles,              // linear
  Elements,            // powers of two
  BlockThreads,        // powers of two, in plain figures
};
bool isLogarithmic(AxisKind kind);

struct AxisTick {
  double value = 0;
  std::string label;
};

// Ascending, within [least, most], at most `count` but at least the two or three that a range always has.
// `newest`: where an axis of kind Ago says "now".
std::vector<AxisTick> axisTicks(AxisKind kind, double least, double most, int count, double newest = 0);

// The least of 1, 2 and 5 times a power of ten that is not below `value`, which is above 0; and the greatest
// that is not above it.
double roundedUp(double value);
double roundedDown(double value);

// A place on the horizontal axis: "2^18", "256", "-3.2 s".
std::string placeText(AxisKind kind, double value, double newest = 0);

// "2^24"; "2^21.3" between powers of two.
std::string elementsAtText(double elements);

}  // namespace stridescope::views
