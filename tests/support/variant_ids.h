#pragma once

#include <string>
#include <vector>

#include "kernels/catalog.h"

namespace stridescope::support {

// Every variant of the catalogue, in its order.
inline std::vector<std::string> variantIds() {
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalog()) ids.emplace_back(variant.id);
  return ids;
}

}  // namespace stridescope::support
