// How wide the fields of a bar are, so that each shows its text whole. Pure.
#pragma once

#include <span>
#include <vector>

namespace stridescope::views {

struct FieldRequest {
  float preferred = 0;  // the width it likes to have, pixels
  float least = 0;      // what its text and its label need
};

// The widths of the fields that stand in `room`, with `gap` between them, from the left: as many as their
// least widths let in. What is left over goes to each as it asks for, in equal shares of what it lacks. The
// first stands in any case, cut to the room.
std::vector<float> fieldWidths(std::span<const FieldRequest> requests, float room, float gap);

}  // namespace stridescope::views
