// One line of a terminal, written over again and again.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace stridescope::cli {

class ProgressLine {
 public:
  // `terminal`: Context::terminal. Null: nothing is shown.
  explicit ProgressLine(std::ostream* terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);
  // For JobControl::progress: shows what is said once half a second has passed from now, since an answer that
  // comes at once needs no word before it. The line must outlive it.
  std::function<void(float fraction, const std::string& doing)> follower();
  void clear();  // for what is printed between

 private:
  std::ostream* terminal_;
  std::string line_;  // as it is shown
};

}  // namespace stridescope::cli
