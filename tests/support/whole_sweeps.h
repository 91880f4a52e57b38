#pragma once

#include <cstddef>
#include <cstdlib>

namespace stridescope::support {

// Whether a test runs every case of its sweep: .ci/nightly asks for all, `./dev test` takes some of each
// kind.
inline bool wholeSweeps() { return std::getenv("STRIDESCOPE_WHOLE_SWEEPS") != nullptr; }

// A matrix of like cases is run in steps of so many: larger ones where a sanitizer makes each case slow.
inline std::size_t sweepStep() {
#ifdef __SANITIZE_ADDRESS__
  return wholeSweeps() ? 1 : 10;
#else
  return wholeSweeps() ? 1 : 4;
#endif
}

}  // namespace stridescope::support
