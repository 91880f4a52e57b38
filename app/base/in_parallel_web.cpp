// A page has one thread: the parts follow each other on it.
#include "base/in_parallel.h"

namespace stridescope {

bool hasThreads() { return false; }

void inParallel(std::size_t count, const std::function<void(std::size_t)>& part, unsigned) {
  for (std::size_t i = 0; i < count; ++i) part(i);
}

}  // namespace stridescope
