// Runs of the catalogue's kernels on the CPU executor, to ask about.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "teaching/judgement.h"

namespace stridescope::teaching::test {

struct Recorded {
  lab::Run made;

  const lab::Run& run() const { return made; }
  std::vector<RoundPlace> places() const;  // all rounds' places, in order
};

// Requires a legal experiment.
std::unique_ptr<const Recorded> recorded(const model::Experiment& experiment);
// On one block's load, or what the variant begins with; `threads` 0: as many as it begins with.
model::Experiment experimentOf(const std::string& variant, unsigned threads = 0,
                               model::ElementType type = model::ElementType::Int);
std::unique_ptr<const Recorded> recorded(const std::string& variant, unsigned threads = 0);

// nullptr: it is not asked.
const Question* findQuestion(const std::vector<Question>& questions, Topic topic);

Guess marked(std::size_t count, const std::vector<std::size_t>& set);
Guess chosen(unsigned way);
Guess typed(std::string text);

}  // namespace stridescope::teaching::test
