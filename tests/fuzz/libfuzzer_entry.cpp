#include <cstddef>
#include <cstdint>

#include "fuzz_one.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stridescope::fuzz::fuzzOne({data, size});
  return 0;
}
