// What a planned run starts from and what must come out of it. Engines differ in where the memory is, not in
// what it holds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/run_plan.h"

namespace stridescope::engine {

// What is written to a buffer before the first launch: `bytes`, from byte `from` on. What lies before it is
// left as it is.
struct InitialBytes {
  std::uint64_t from = 0;
  std::vector<std::uint8_t> bytes;
};
InitialBytes initialBytes(const kernels::PlannedBuffer& buffer, const model::Experiment& experiment);

// How many elements of the result's buffer (and of the origins') are copied back for checkRun().
std::uint64_t resultElements(const kernels::RunPlan& plan);

struct RunResult {
  std::string result, expected;  // one value, printed; of a merge the values, separated by blanks
  bool ok = false;
  std::string note;  // a sentence where one is needed
};

// combine(a, b) on bits of the type, of a person's own operator.
using BitsCombine = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b)>;

// `result`: resultElements() elements of the result's buffer. `origin`: as many unsigned numbers of a
// merge's, else empty. Of a custom operator only the result is told, for which `custom` is called where the
// CPU adds up what the blocks leave; what must come out is known elsewhere (custom/judge.h).
RunResult checkRun(const kernels::RunPlan& plan, const model::Experiment& experiment,
                   std::span<const std::uint8_t> result, std::span<const std::uint8_t> origin,
                   const BitsCombine& custom = {});

}  // namespace stridescope::engine
