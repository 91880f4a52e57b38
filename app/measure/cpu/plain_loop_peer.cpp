#include "measure/combine.h"
#include "measure/cpu/cpu_peers.h"

namespace stridescope::measure::cpu {

// One thread. What the compiler makes of it: vectors for integers; floating values one after another, because
// their order is part of the result.
std::uint64_t plainLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n) {
  return withElementType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      const T* values = static_cast<const T*>(elements);
      T result = decltype(combine)::kIdentity;
      for (std::uint64_t i = 0; i < n; ++i) result = combine(result, values[i]);
      return bitsOfElement(result);
    });
  });
}

}  // namespace stridescope::measure::cpu
