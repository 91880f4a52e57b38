// The entries of the catalogue, in teaching order. catalog.h is what the program asks.
#pragma once

#include <vector>

#include "kernels/catalog.h"

namespace stridescope::kernels {

std::vector<Variant> allVariants();

}  // namespace stridescope::kernels
