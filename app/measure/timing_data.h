// What is reduced when it is timed, and what must come out. The data are chosen so that every order of
// combining gives the same bits, in floating types too: a timed result is compared exactly.
//
//   integers, + * ^          any bits; sums and products wrap (of products odd numbers, which lose nothing)
//   floating +               whole numbers from -3 (float) or -2^20 (double) to 3 and 2^20, a random walk: no
//                            partial sum of up to 2^32 of them comes near 2^24 or 2^53
//   floating *               1 and -1, and in every period one 2 and one 1/2
//   min, max                 any whole numbers, exact in the type
//   & |                      mostly all ones, mostly zeros
//
// The data repeat after kDataPeriod elements, so that any n is filled and checked quickly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/timing_record.h"

namespace stridescope::measure {

inline constexpr std::uint64_t kDataPeriod = 1ull << 22;

// What a CPU's inputs take together, unless one takes more: who times beside other programs stays small.
inline constexpr std::uint64_t kMaxCpuInputBytes = 1ull << 28;

// Whether there are such data: not for an operator that a person wrote, nor for one whose order matters.
bool isTimed(model::ElementType type, model::Operator op);

// The first `count` elements in memory, count at most kDataPeriod.
std::vector<std::uint8_t> timingData(model::ElementType type, model::Operator op, std::uint64_t count);

// What n elements of it come to, by a plain loop over one period and its rest, as bits of the type.
std::uint64_t expectedResult(model::ElementType type, model::Operator op, std::uint64_t elements);

// A result for a sentence. An error of ours: "gave 12 instead of 13".
std::string wrongResultText(model::ElementType type, std::uint64_t got, std::uint64_t expected);

}  // namespace stridescope::measure
