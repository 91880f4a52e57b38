// Does a trace hold together? Everything that computes on traces indexes by the numbers in them; this is
// where traces from elsewhere are held against the ranges that the headers promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace stridescope {

inline constexpr unsigned kMaxThreads = 1024;                // of a block
inline constexpr std::uint64_t kMaxSharedBytes = 227 << 10;  // of a block
inline constexpr std::size_t kMaxLaunches = 1024;
inline constexpr std::size_t kMaxKernelTextBytes = 1 << 20;
inline constexpr std::size_t kMaxTextBytes = 1 << 16;  // any other text
inline constexpr std::size_t kMaxTraceEvents = std::size_t{1}
                                               << 24;  // over all launches, copied words included
inline constexpr std::size_t kMaxGivenValues = std::size_t{1} << 24;               // a person's own numbers
inline constexpr std::size_t kMaxBarrierCopyBytes = std::size_t{256} << 20;        // over all launches
inline constexpr std::size_t kMaxSiteAndProblemTextBytes = std::size_t{64} << 20;  // all of them together
inline constexpr std::size_t kMaxLoopDepth = 64;
inline constexpr std::size_t kMaxProblems = 4096;  // of a launch
inline constexpr unsigned kMaxElementBytes = 256;

// The first thing wrong with the trace, as a clause ("event 7 of thread 3 names site 40 of 12"), or nothing.
// Checked: enumerators, block sizes, array and site numbers, every access within its array, `first` against
// the events, sizes of the barrier copies, sites within the kernel's text, texts in UTF-8, and the limits
// above. Not checked: what the events mean together.
std::optional<std::string> faultOf(const Trace& trace);

// The part of it that is about a person's own numbers: they are there where they are the data, as many as
// the experiment has elements, and their lists share all of them out, as many as a merge takes. Who runs an
// experiment copies them into buffers of that size.
std::optional<std::string> faultOfOwnData(const Experiment& experiment);

// Valid UTF-8 without NUL characters.
bool isPlainUtf8(std::string_view text);

}  // namespace stridescope
