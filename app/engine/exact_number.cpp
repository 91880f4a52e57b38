#include "engine/exact_number.h"

#include <array>
#include <cstdio>

namespace stridescope::engine {

// MPFR keeps memory for each thread that computes with it, and frees it when it is told to.
void ExactNumber::freeCachesAtThreadEnd() {
  struct Caches {
    ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  static thread_local const Caches caches;
  (void)caches;
}

std::string ExactNumber::print(int digits) const {
  std::array<char, 128> text{};
  mpfr_snprintf(text.data(), text.size(), "%.*Rg", digits, get());
  return text.data();
}

}  // namespace stridescope::engine
