// Which experiments `verify` runs.
#pragma once

#include <span>
#include <vector>

#include "kernels/catalog.h"
#include "model/experiment.h"

namespace stridescope::cli {

enum class Thoroughness {
  Quick,    // every variant once for each type, and once for its smallest and largest block
  Default,  // every type and operator at one size; every block size, pattern and odd number of elements in
            // int
  Full,  // block sizes x types x operators x patterns, and the odd numbers of elements for each type; blocks
         // of less than a warp, or of no power of two, with random data alone
};

// Legal experiments (see experiment_check.h), without repeats, variant after variant.
std::vector<model::Experiment> verifyMatrix(std::span<const kernels::Variant* const> variants,
                                            Thoroughness thoroughness);

}  // namespace stridescope::cli
