// The sentences of why, one file a concept: for what was guessed, out of the trace and the kernel's text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"
#include "teaching/judgement.h"

namespace stridescope::teaching {

// `marks` as Judgement has them, `guess` what was marked.
std::string whyThreads(const narration::RoundAt& at, const Guess& guess, const std::vector<Mark>& marks);
// The same for a question about a barrier.
std::string whyBarrier(const narration::RoundAt& at, std::uint32_t barrier, const Guess& guess,
                       const std::vector<Mark>& marks);
std::string whyWarps(const narration::RoundAt& at, const std::vector<Mark>& marks);
std::string whyWays(const narration::RoundAt& at, const Question& question, const Guess& guess);
std::string whyValue(const narration::RoundAt& at, const Question& question, const Guess& guess);

// The hints of each, kHints of them.
std::vector<std::string> hintsOnThreads(const narration::RoundAt& at);
std::vector<std::string> hintsOnBarrier(const narration::RoundAt& at, std::uint32_t barrier);
std::vector<std::string> hintsOnWarps(const narration::RoundAt& at);
std::vector<std::string> hintsOnWays(const narration::RoundAt& at, const Question& question);
std::vector<std::string> hintsOnValue(const narration::RoundAt& at, const Question& question);

// The first thread or warp that has this mark.
std::optional<unsigned> firstWith(const std::vector<Mark>& marks, Mark mark);

// How many lanes of the warp are active, and how many there are.
struct WarpLanes {
  unsigned active = 0, lanes = 0;
  bool isPartial() const { return active > 0 && active < lanes; }
};
WarpLanes lanesOf(const narration::RoundAt& at, unsigned warp);

// What is true of each thread, and of each warp.
std::vector<bool> activeThreads(const narration::RoundAt& at);
std::vector<bool> partialWarps(const narration::RoundAt& at);
// That wait in the round at the block barrier of this site.
std::vector<bool> waitingThreads(const narration::RoundAt& at, std::uint32_t barrier);

// Neither a shared access nor an exchange is in the round, so that any access makes a thread active.
bool countsAnyAccess(const narration::RoundAt& at);

// The site of the barrier that ends the round, if some threads of the block wait there and others do not, and
// that was reported; nullopt: all wait there, or there is none.
std::optional<std::uint32_t> missedBarrier(const narration::RoundAt& at);

// A condition that sent the thread past what others did: "Line 12 asks tid < s, which is false for thread
// 128." Empty: there is none.
std::string skippedAt(const narration::RoundAt& at, unsigned thread);

// The request that the question is about.
const analysis::Request& requestOf(const narration::RoundAt& at, const Question& question);

// Which condition of the kernel's text decides whether a thread is active in a round, and what its value is
// for that thread.
//
// That a condition held or not is the trace's: a branch event. What its names stood for is worked out of the
// text, and told only if the outcomes worked out for all threads that met the condition are those of the
// trace.

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
