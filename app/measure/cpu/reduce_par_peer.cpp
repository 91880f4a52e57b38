#include "measure/combine.h"
#include "measure/cpu/cpu_peers.h"

#ifdef STRIDESCOPE_HAS_TBB
#include <execution>
#include <numeric>
#endif

namespace stridescope::measure::cpu {

#ifdef STRIDESCOPE_HAS_TBB
namespace {

std::uint64_t reduceInParallel(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return withElementType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      const T* values = static_cast<const T*>(elements);
      return bitsOfElement(
          std::reduce(std::execution::par, values, values + n, decltype(combine)::kIdentity, combine));
    });
  });
}

}  // namespace
CpuPeer reducePar() { return reduceInParallel; }
#else
CpuPeer reducePar() { return nullptr; }
#endif

}  // namespace stridescope::measure::cpu
