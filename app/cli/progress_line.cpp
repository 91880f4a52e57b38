#include "cli/progress_line.h"

#include <string>

#include "trace/plain_text.h"
#include "twin/wrapped.h"

namespace stridescope {

void ProgressLine::show(std::string_view text) {
  if (terminal_ == nullptr) return;
  const std::string line = printable(text);
  const std::size_t length = charactersIn(line);
  *terminal_ << '\r' << line << std::string(shown_ > length ? shown_ - length : 0, ' ') << std::flush;
  shown_ = length;
}

void ProgressLine::clear() {
  if (terminal_ != nullptr && shown_ > 0)
    *terminal_ << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
  shown_ = 0;
}

}  // namespace stridescope
