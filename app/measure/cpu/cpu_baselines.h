// The ways in which a CPU reduces n elements, for comparison with a GPU.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::cpu {

// Whose threads one takes beside the caller's.
enum class CpuThreads { One, Tbb, OpenMp };

struct CpuBaseline {
  // The result's bits; `elements` points to n values of the type.
  using Run = std::uint64_t (*)(model::ElementType type, model::Operator op, const void* elements,
                                std::uint64_t n);

  std::string_view id;
  Run run = nullptr;              // null: this program was built without it
  std::string_view missing = "";  // a sentence: why it is null
  CpuThreads threads = CpuThreads::One;
};

std::vector<CpuBaseline> cpuBaselines();

// Keeps each of OpenMP's threads on a core of its own, for the life of the process, but for the caller.
void pinOpenMpThreads();

// The bits of what `reduce(values, n, combine)` gives for the values of the type and the operator.
template <class Reduce>
std::uint64_t reducedBits(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n,
                          Reduce reduce) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      return model::bitsOfElement(reduce(static_cast<const T*>(elements), n, combine));
    });
  });
}

// One thread, one element after the other: this file is compiled without vectors.
std::uint64_t plainLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n);

}  // namespace stridescope::measure::cpu
