// Figures by reference: {{...}} in a lesson is resolved when the lesson is shown.
//
//   {{time V N}}             median of V (a variant, or a baseline: cub, cpu_loop, ...) for N ints and +:
//                            89.5 µs
//   {{times V over W N}}     how many times as fast as W it is: 1.26
//   {{less V than W N}}      its time against W's: 21 % less time, 3 % more time, the same time
//   {{rate V N}}             GB/s of the input: 750 GB/s
//   {{share V N}}            the same, of the peak read bandwidth measured beside it: 24 %
//   {{gpu}}, {{cpu}}         where that was recorded
//   {{318 = wavefronts two_per_thread}}
//                            a number of the picture: it stands there, and a test computes it from a trace
//                            of the CPU executor (tests/views/lesson_counts.h has the words)
//
// N is 1000 or 2^24. Times are those of the first recording that has timings. In the recordings that are
// shipped they are for default blocks and for inputs that do not lie in a cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "measure/timing_board.h"

namespace stridescope::views {

// What one reference stands for, without its braces. An error is a clause: which word of it names nothing, or
// that no recording has it.
Result<std::string> figureOf(std::string_view reference, const measure::TimingSnapshot& timings);

// "2^24" or "1000"; 0: neither.
std::uint64_t sizeOf(std::string_view text);

// The text with all its references resolved; where one cannot be, a dash and, in brackets, why.
std::string withFigures(std::string_view text, const measure::TimingSnapshot& timings);

// "318" and "wavefronts two_per_thread" of "318 = wavefronts two_per_thread"; nullopt: it is no such one.
struct StatedCount {
  std::string_view number, what;
};
std::optional<StatedCount> statedCount(std::string_view reference);

}  // namespace stridescope::views
