#include "measure/cpu/cpu_baselines.h"

#ifdef STRIDESCOPE_HAS_TBB
#include <execution>
#include <numeric>
#endif
#ifdef STRIDESCOPE_HAS_OPENMP
#include <omp.h>

#endif

namespace stridescope::measure::cpu {
namespace {

constexpr std::string_view kWithoutOpenMp = "This program was built without OpenMP.";

#ifdef STRIDESCOPE_HAS_TBB

std::uint64_t reduceInParallel(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return reducedBits(type, op, elements, n, [](const auto* values, std::uint64_t count, auto combine) {
    return std::reduce(std::execution::par, values, values + count, decltype(combine)::kIdentity, combine);
  });
}

CpuBaseline::Run reducePar() { return reduceInParallel; }
#else
CpuBaseline::Run reducePar() { return nullptr; }
#endif

#ifdef STRIDESCOPE_HAS_OPENMP

// As the initial value Clang takes a call, and no variable but OpenMP's own.
template <class Combine>
constexpr auto identityOf() {
  return Combine::kIdentity;
}

// One thread, several elements with each instruction, in floating types too, whose order it changes.
template <class T, class Combine>
T reduceByVectors(const T* values, std::uint64_t n, Combine) {
  T result = Combine::kIdentity;
#pragma omp declare reduction(combined:T                              \
                              : omp_out = Combine()(omp_out, omp_in)) \
    initializer(omp_priv = identityOf <Combine>())
#pragma omp simd reduction(combined : result)
  for (std::uint64_t i = 0; i < n; ++i) result = Combine()(result, values[i]);
  return result;
}

// All threads, and vectors within each.
template <class T, class Combine>
T reduceAll(const T* values, std::uint64_t n, Combine) {
  T result = Combine::kIdentity;
#pragma omp declare reduction(combined:T                              \
                              : omp_out = Combine()(omp_out, omp_in)) \
    initializer(omp_priv = identityOf <Combine>())
#pragma omp parallel for simd reduction(combined : result)
  for (std::uint64_t i = 0; i < n; ++i) result = Combine()(result, values[i]);
  return result;
}

std::uint64_t vectorLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n) {
  return reducedBits(type, op, elements, n, [](const auto* values, std::uint64_t count, auto combine) {
    return reduceByVectors(values, count, combine);
  });
}

std::uint64_t reduceWithOpenMp(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return reducedBits(type, op, elements, n, [](const auto* values, std::uint64_t count, auto combine) {
    return reduceAll(values, count, combine);
  });
}

CpuBaseline::Run vectors() { return vectorLoop; }
CpuBaseline::Run openMp() { return reduceWithOpenMp; }
#else
CpuBaseline::Run vectors() { return nullptr; }
CpuBaseline::Run openMp() { return nullptr; }
#endif

}  // namespace

std::vector<CpuBaseline> cpuBaselines() {
  return {{"cpu_loop", plainLoop, "", CpuThreads::One},
          {"cpu_vector_loop", vectors(), kWithoutOpenMp, CpuThreads::One},
          {"cpu_reduce_par", reducePar(), "This program was built without oneTBB.", CpuThreads::Tbb},
          {"cpu_openmp", openMp(), kWithoutOpenMp, CpuThreads::OpenMp}};
}

void pinOpenMpThreads() {
#ifdef STRIDESCOPE_HAS_OPENMP
  const cpu_set_t usable = usableCores();
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &usable)) cores.push_back(core);
  if (cores.empty()) return;
#pragma omp parallel
  {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cores[std::size_t(omp_get_thread_num()) % cores.size()], &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  ::sched_setaffinity(0, sizeof usable, &usable);
#endif
}

}  // namespace stridescope::measure::cpu
