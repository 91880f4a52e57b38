// A variant of the catalogue as a person's own kernel: its text with the preamble written out, since nothing
// is predefined in a person's file, and its launches with their data.
#pragma once

#include <string>

#include "base/result.h"
#include "model/trace.h"

namespace stridescope::engine::access {

struct VariantCopy {
  std::string text;      // of the .cu file
  std::string launches;  // of the launch file beside it
};

// The run's variant, launched as the run was. Usage: it cannot be written so, and why: a kernel that is a
// person's own already, an operator of a person's own, more numbers than a launch file should hold.
Result<VariantCopy> copyOfVariant(const model::Trace& trace);

}  // namespace stridescope::engine::access
