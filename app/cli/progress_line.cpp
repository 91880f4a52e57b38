#include "cli/progress_line.h"

#include <chrono>
#include <string>

#include "base/plain_text.h"
#include "narration/wrapped.h"

namespace stridescope::cli {

void ProgressLine::show(std::string_view text) {
  if (terminal_ == nullptr) return;
  std::string line = printable(text);
  if (line == line_) return;
  const std::size_t length = narration::charactersIn(line), before = narration::charactersIn(line_);
  *terminal_ << '\r' << line << std::string(before > length ? before - length : 0, ' ') << std::flush;
  line_ = std::move(line);
}

std::function<void(float, const std::string&)> ProgressLine::follower() {
  static constexpr std::chrono::milliseconds kAtOnce{500};
  const auto begin = std::chrono::steady_clock::now();
  return [this, begin](float, const std::string& doing) {
    if (std::chrono::steady_clock::now() - begin > kAtOnce) show(doing);
  };
}

void ProgressLine::clear() {
  if (terminal_ != nullptr && !line_.empty())
    *terminal_ << '\r' << std::string(narration::charactersIn(line_), ' ') << '\r' << std::flush;
  line_.clear();
}

}  // namespace stridescope::cli
