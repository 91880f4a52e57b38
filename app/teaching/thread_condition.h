// Which condition of the kernel's text decides whether a thread is active in a round, and what its value is
// for that thread.
//
// That a condition held or not is the trace's: a branch event. What its names stood for is worked out of the
// text, and told only if the outcomes worked out for all threads that met the condition are those of the
// trace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::teaching {

struct ThreadCondition {
  int line = 0;          // in the text, 1-based
  std::string text;      // "index < blockDim.x"
  bool holds = false;    // for the thread, as recorded
  std::string worked;    // "256 < 256"; empty: it could not be worked out, or it is the text itself
  std::string variable;  // "index = 2 * 16 * 8 = 256": the last of the condition's names that is computed
};

class RoundConditions {
 public:
  explicit RoundConditions(const narration::RoundAt& at);
  ~RoundConditions();
  RoundConditions(const RoundConditions&) = delete;
  RoundConditions& operator=(const RoundConditions&) = delete;

  // The condition that told who is active, as the thread met it in the round. nullopt: there is none, or the
  // thread met none.
  std::optional<ThreadCondition> of(unsigned thread) const;

  // The same for all threads: "index = 2 * 16 * tid, and line 13 asks index < 256"; where it cannot be worked
  // out "line 13 asks index < blockDim.x". Empty: no condition tells who is active.
  std::string rule() const;
  std::optional<int> line() const;

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

// "Thread 8 has index = 2 * 16 * 8 = 256. Line 13 asks index < blockDim.x, and 256 < 256 is false."
std::string sentenceOf(unsigned thread, const ThreadCondition& condition);

}  // namespace stridescope::teaching
