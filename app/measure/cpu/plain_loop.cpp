#include "measure/cpu/cpu_baselines.h"
#include "measure/timing_data.h"

namespace stridescope::measure::cpu {

std::uint64_t plainLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      const T* values = static_cast<const T*>(elements);
      T result = decltype(combine)::kIdentity;
      for (std::uint64_t i = 0; i < n; ++i) result = combine(result, values[i]);
      return model::bitsOfElement(result);
    });
  });
}

}  // namespace stridescope::measure::cpu
