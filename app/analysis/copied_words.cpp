#include "analysis/copied_words.h"

#include <algorithm>
#include <tuple>

namespace stridescope::analysis {

CopiedWords::CopiedWords(const model::LaunchTrace& launch)
    : words_(launch.copied), first_(launch.block + 1, 0), passed_(launch.block, 0) {
  const auto byBarrier = [](const model::LaunchTrace::CopiedWord& a,
                            const model::LaunchTrace::CopiedWord& b) {
    return std::tuple(a.thread, a.barrier) < std::tuple(b.thread, b.barrier);
  };
  if (!std::ranges::is_sorted(words_, byBarrier)) std::ranges::stable_sort(words_, byBarrier);
  for (const model::LaunchTrace::CopiedWord& word : words_) ++first_[word.thread + 1];
  for (std::uint32_t thread = 0; thread < launch.block; ++thread) first_[thread + 1] += first_[thread];
  next_.assign(first_.begin(), first_.end() - 1);
}

}  // namespace stridescope::analysis
