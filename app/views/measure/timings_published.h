// Times that others printed, to set beside what is measured here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "draw/plot_marks.h"

namespace stridescope::views {

struct PublishedTime {
  std::string_view subject;  // a variant's id, or a baseline's of the CPU
  double microseconds = 0;   // the whole reduction
};

// One card's, or one machine's, all at one size.
struct PublishedTimes {
  std::string_view device;
  unsigned year = 0;  // in which the device came out
  std::string_view source;
  std::uint64_t elements = 0;  // 32-bit integers
  bool onCpu = false;
  draw::PlotMark mark = draw::PlotMark::Diamond;
  std::span<const PublishedTime> times{};
};

std::span<const PublishedTimes> publishedTimes();

// "Tesla C2070, 2010"
std::string labelOf(const PublishedTimes& published);

// A subject's time over that of the same card's first one; 0: either was not printed.
double shareOfFirst(const PublishedTimes& published, std::string_view subject);

}  // namespace stridescope::views
