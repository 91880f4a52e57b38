// One line of a terminal, written over again and again.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace stridescope {

class ProgressLine {
 public:
  // `terminal`: Context::terminal. Null: nothing is shown.
  explicit ProgressLine(std::ostream* terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);
  // What the job says from now on, once it has taken half a second: an answer that comes at once needs no
  // word before it. The line must outlive the job.
  void follow(JobControl& job);
  void clear();  // for what is printed between

 private:
  std::ostream* terminal_;
  std::string line_;  // as it is shown
};

}  // namespace stridescope
