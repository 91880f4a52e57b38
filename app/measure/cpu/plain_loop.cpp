#include "measure/cpu/cpu_device.h"

namespace stridescope::measure::cpu {

std::uint64_t plainLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n) {
  return reducedBits(type, op, elements, n,
                     []<class T, class Combine>(const T* values, std::uint64_t count, Combine combine) {
                       T result = Combine::kIdentity;
                       for (std::uint64_t i = 0; i < count; ++i) result = combine(result, values[i]);
                       return result;
                     });
}

}  // namespace stridescope::measure::cpu
