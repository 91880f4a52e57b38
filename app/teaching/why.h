// The sentences of why, one file a concept: for what was guessed, out of the trace and the kernel's text.
#pragma once

#include <string>
#include <vector>

#include "teaching/judgement.h"

namespace stridescope::teaching {

// `marks` as Judgement has them, `guess` what was marked.
std::string whyThreads(const narration::RoundAt& at, const Guess& guess, const std::vector<Mark>& marks);
std::string whyWarps(const narration::RoundAt& at, const std::vector<Mark>& marks);
std::string whyWays(const narration::RoundAt& at, const Question& question, const Guess& guess);
std::string whyValue(const narration::RoundAt& at, const Question& question, const Guess& guess);

// The hints of each, kHints of them.
std::vector<std::string> hintsOnThreads(const narration::RoundAt& at);
std::vector<std::string> hintsOnWarps(const narration::RoundAt& at);
std::vector<std::string> hintsOnWays(const narration::RoundAt& at, const Question& question);
std::vector<std::string> hintsOnValue(const narration::RoundAt& at, const Question& question);

// How many lanes of the warp are active, and how many there are.
struct WarpLanes {
  unsigned active = 0, lanes = 0;
  bool isPartial() const { return active > 0 && active < lanes; }
};
WarpLanes lanesOf(const narration::RoundAt& at, unsigned warp);

// What is true of each thread, and of each warp.
std::vector<bool> activeThreads(const narration::RoundAt& at);
std::vector<bool> partialWarps(const narration::RoundAt& at);

// The request of the question, and the operation of the warp that pays most for it.
const analysis::Request& requestOf(const narration::RoundAt& at, const Question& question);

}  // namespace stridescope::teaching
