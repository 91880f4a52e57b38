#pragma once

#include <cstddef>
#include <cstdlib>
#include <random>
#include <vector>

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

// Takes one of each sweepStep() cases in a row, the same ones in every run. Which of them is drawn: with a
// fixed step, a list within the sweep would be met at the same few of its entries whenever their numbers
// divide.
class Sweep {
 public:
  bool takes() {
    if (turn_ == 0) taken_ = random_() % sweepStep();
    const bool takes = turn_ == taken_;
    turn_ = (turn_ + 1) % sweepStep();
    return takes;
  }

 private:
  std::minstd_rand random_;
  std::size_t turn_ = 0, taken_ = 0;
};

template <class Case>
std::vector<Case> someOf(std::vector<Case> cases) {
  Sweep sweep;
  std::erase_if(cases, [&](const Case&) { return !sweep.takes(); });
  return cases;
}

}  // namespace stridescope::support
