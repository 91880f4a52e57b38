// What a kernel's parameter is for. Whoever must know which buffer holds what asks for its role: parameters
// may have any name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stridescope::model {

enum class ParameterRole : std::uint8_t {
  Input,        // what this launch reduces: the input, or what the launch before left
  InPlace,      // the same, and the kernel works in it
  Output,       // one value per block
  Accumulator,  // one value, the identity at first, to which every block adds
  Partials,     // one value per block, for the kernel's own use
  Ticket,       // a counter of the blocks that are done, zero before and after a launch
  CountedSum,   // a word with a sum and a counter of the blocks that are done, zero before and after a launch
  Messages,     // the blocks' words to one of them, 8 bytes for each 4 of a value; zero before and after
  ListValues,   // a merge's sorted lists
  ListStarts,   // where each list begins in them, and the end
  Merged,       // the merged values
  Origin,       // the list that each merged value came from
  Count,        // passed by value: how many elements the input has
  ListCount,    // passed by value: how many lists are merged
  Scalar,       // any other value
};
inline constexpr std::array kParameterRoles{
    ParameterRole::Input,       ParameterRole::InPlace,   ParameterRole::Output,
    ParameterRole::Accumulator, ParameterRole::Partials,  ParameterRole::Ticket,
    ParameterRole::CountedSum,  ParameterRole::Messages,  ParameterRole::ListValues,
    ParameterRole::ListStarts,  ParameterRole::Merged,    ParameterRole::Origin,
    ParameterRole::Count,       ParameterRole::ListCount, ParameterRole::Scalar};
constexpr auto allOf(ParameterRole) { return kParameterRoles; }

std::string_view nameOf(ParameterRole role);  // "input", "in place", "list values", ...
bool isBuffer(ParameterRole role);            // else it is passed by value
// Blocks of one launch leave their results there for one another: whoever comes last, or waits, has the
// whole.
bool joinsBlocks(ParameterRole role);

}  // namespace stridescope::model
