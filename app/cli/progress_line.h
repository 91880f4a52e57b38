// One line of a terminal, written over again and again.
#pragma once

#include <ostream>
#include <string_view>

namespace stridescope {

class ProgressLine {
 public:
  // `terminal`: Context::terminal. Null: nothing is shown.
  explicit ProgressLine(std::ostream* terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);
  void clear();  // for what is printed between

 private:
  std::ostream* terminal_;
  std::size_t shown_ = 0;  // characters
};

}  // namespace stridescope
