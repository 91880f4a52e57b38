// A kernel as text, for the compiler.
#pragma once

#include <string>

#include "model/experiment.h"

namespace stridescope::engine::gpu {

// `preamble` (T, identity, combine) stands before `text`.
struct KernelText {
  std::string fileName;  // "sequential.cu", for messages
  std::string preamble;
  std::string text;
  std::string kernel;  // the __global__ function's name
};

// The catalogue's text for an experiment whose variant is in the catalogue.
KernelText kernelTextOf(const model::Experiment& experiment);

}  // namespace stridescope::engine::gpu
