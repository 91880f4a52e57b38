// Does a trace hold together? Everything that computes on traces indexes by the numbers in them; this is
// where traces from elsewhere are held against the ranges that the headers promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/trace.h"

namespace stridescope::model {

inline constexpr unsigned kMaxThreads = 1024;  // per block
inline constexpr Dim3 kMaxGrid{2147483647, 65535, 65535}, kMaxBlock{kMaxThreads, kMaxThreads, 64};  // CUDA's
inline constexpr std::uint64_t kMaxSharedBytes = 227 << 10;  // per block
inline constexpr std::size_t kMaxLaunches = 64;              // 2^64 elements take thirteen in blocks of 32
inline constexpr std::size_t kMaxKernelTextBytes = 1 << 20;
// The values of a result, and those expected: 65,536 of the longest, with blanks between them.
inline constexpr std::size_t kMaxResultBytes = 2 << 20;
inline constexpr std::size_t kMaxTextBytes = 1 << 16;  // any other text
// The most events over all launches, copied words included.
inline constexpr std::size_t kMaxTraceEvents = std::size_t{1} << 24;
inline constexpr std::size_t kMaxGivenValues = std::size_t{1} << 24;               // a person's input data
inline constexpr std::size_t kMaxBarrierCopyBytes = std::size_t{256} << 20;        // over all launches
inline constexpr std::size_t kMaxSiteAndProblemTextBytes = std::size_t{64} << 20;  // all of them together
inline constexpr std::size_t kMaxLoopDepth = 64;
inline constexpr std::size_t kMaxKernelRows = 1 << 16;    // per KernelModel: functions, variables, ... each
inline constexpr std::size_t kMaxProblems = 4096;         // per recorded block
inline constexpr std::size_t kMaxOtherActs = 1 << 12;     // per recorded block
inline constexpr std::size_t kMaxPartMeetings = 1 << 20;  // per recorded block: a row for each thread in it
inline constexpr std::size_t kMaxBlockTraces = 64;        // per launch
inline constexpr std::size_t kMaxArrivals = 1 << 16;      // per launch
inline constexpr unsigned kMaxElementBytes = 256;
inline constexpr std::size_t kMaxExtents = 8;  // dimensions of an array

// The first thing wrong with the trace, as a clause ("event 7 of thread 3 names site 40 of 12"), or nothing.
// What analysis and views rely on, and what is therefore checked:
// - Numbers: every enumerator is one that there is; counts and sizes keep the limits above.
// - Texts: UTF-8 without NUL, no longer than the limits; sites lie within the kernel's text, and their loops
//   are Loop sites.
// - The kernel's model is empty, or has an entry for each site, with an operation that a site of its kind
//   makes; indices name what exists, or are -1 where that stands for none.
// - Launches: the block has the experiment's threads (at most kMaxThreads), the shapes of grid and block are
//   within CUDA's limits and their rows are full. At least one block is recorded; the recorded blocks lie in
//   the grid, and stand in the order of their devices and numbers. `first` shares all events of a block out
//   to its threads.
// - Several devices: the blocks and the bytes of each buffer that has copies are shared out to them evenly,
// and
//   a block's device follows from its number.
// - Arrivals: each is of a block of the grid, and no block comes twice.
// - Arrays: elements have 1 to kMaxElementBytes bytes, and as many as their type; only buffers have a role,
//   and one that a buffer can have; shared arrays fit into kMaxSharedBytes, barrier copies have their size.
//   Extents are two or more, and give the array's bytes; members lie within an element, one after another,
//   and are there only where no type is.
// - Events: each names a site whose kind makes that kind of event. An access (Load, Store, Atomic) names an
//   array and lies within it; nothing else names one. Masks have 32 bits, shuffles read lanes 0 to 31,
//   branches are taken or not.
// - 16-byte accesses: the upper half follows its lower half in the same thread, with the same site, kind and
//   array, 8 bytes further (Event::isUpperHalfOf); no other event is an upper half. Only as a thread's last
//   event may a lower half stand alone: the log ended there.
// - Other acts and meetings of a part of the block: their threads are of the block, and have as many events;
//   meetings are in the order of their threads and numbers.
// - Copied words: they lie in shared memory and follow a warp barrier of their thread.
// - Names of arrays, functions and variables: as faultOfName() has them (kernel_model.h).
// - Verdict: result and expected are printed values of the experiment's type. An integer result that counts
//   as right is the one expected; one of a person's own operator counts as right if, and only if, it is.
// Not checked: what the events mean together. A trace may have no launch, and a launch no event.
std::optional<std::string> faultOf(const Trace& trace);

// What stands against launching such a grid of such blocks, as it follows "has": "a grid of 2 x 0 x 1 blocks,
// where CUDA has 1 to 2147483647 x 65535 x 65535"; or nothing.
std::optional<std::string> faultOfShape(const Dim3& grid, const Dim3& block);

// The part of it that is about a person's input data: they are there where they are the data, as many as
// the experiment has elements, and their lists share all of them out, as many as a merge takes. Who runs an
// experiment copies them into buffers of that size.
std::optional<std::string> faultOfOwnData(const Experiment& experiment);

// Valid UTF-8 without NUL characters.
bool isPlainUtf8(std::string_view text);

// The first thing wrong with the events and copied words of one of the launch's blocks, as a clause whose
// subject is the launch; or nothing. The arrays of both, the block size and the trace's sites must have been
// checked.
std::optional<std::string> faultOfEvents(const BlockTrace& block, const LaunchTrace& launch,
                                         const Trace& trace);

}  // namespace stridescope::model
