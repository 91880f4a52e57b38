#include "base/end_process.h"

#include <unistd.h>

#include "base/pending_file.h"

namespace stridescope {
namespace {

// Not through the streams: the thread that has them may be stopped in the middle of a line.
void say(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(std::size_t(written));
  }
}

}  // namespace

void endProcess(int code, std::string_view sentence) noexcept {
  removeOwnTemporaries();
  if (!sentence.empty()) {
    if (::isatty(STDERR_FILENO) == 1) say("\n");
    say("stridescope: ");
    say(sentence);
    say("\n");
  }
  ::_exit(code);
}

}  // namespace stridescope
