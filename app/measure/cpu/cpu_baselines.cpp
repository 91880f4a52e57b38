#include "measure/cpu/cpu_baselines.h"

#include "measure/combine.h"

#ifdef STRIDESCOPE_HAS_TBB
#include <execution>
#include <numeric>
#endif

namespace stridescope::measure::cpu {

// One thread. What the compiler makes of it: vectors for integers; floating values one after another, because
// their order is part of the result.
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

#ifdef STRIDESCOPE_HAS_TBB
namespace {

std::uint64_t reduceInParallel(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      const T* values = static_cast<const T*>(elements);
      return model::bitsOfElement(
          std::reduce(std::execution::par, values, values + n, decltype(combine)::kIdentity, combine));
    });
  });
}

}  // namespace
CpuBaseline reducePar() { return reduceInParallel; }
#else
CpuBaseline reducePar() { return nullptr; }
#endif

#ifdef STRIDESCOPE_HAS_OPENMP
namespace {

// All threads, and vectors within each.
template <class T, class Combine>
T reduceAll(const T* values, std::uint64_t n, Combine) {
  T result = Combine::kIdentity;
#pragma omp declare reduction(combined:T                              \
                              : omp_out = Combine()(omp_out, omp_in)) \
    initializer(omp_priv = Combine::kIdentity)
#pragma omp parallel for simd reduction(combined : result)
  for (std::uint64_t i = 0; i < n; ++i) result = Combine()(result, values[i]);
  return result;
}

std::uint64_t reduceWithOpenMp(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      return model::bitsOfElement(reduceAll<T>(static_cast<const T*>(elements), n, combine));
    });
  });
}

}  // namespace
CpuBaseline openMp() { return reduceWithOpenMp; }
#else
CpuBaseline openMp() { return nullptr; }
#endif

}  // namespace stridescope::measure::cpu
