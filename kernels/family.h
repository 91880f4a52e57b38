// The families of variants, in the order in which they are taught.
#pragma once

#include <cstdint>
#include <string_view>

namespace stridescope::kernels {

enum class Family : std::uint8_t { Ladder, OneWarp, WholeProgram, GlobalMemory, Merge, CommonBugs };

std::string_view nameOf(Family family);   // as the command line and the JSON have it: "one warp"
std::string_view titleOf(Family family);  // as a heading: "One warp"

}  // namespace stridescope::kernels
