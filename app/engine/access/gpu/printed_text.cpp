#include "engine/access/gpu/printed_text.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace stridescope::engine::access::gpu {

PrintedText::PrintedText() : file_(::memfd_create("printed", MFD_CLOEXEC)), before_(::dup(STDOUT_FILENO)) {
  std::fflush(stdout);
  if (file_ >= 0) ::dup2(file_, STDOUT_FILENO);
}

PrintedText::~PrintedText() {
  if (before_ >= 0) ::dup2(before_, STDOUT_FILENO), ::close(before_);
  if (file_ >= 0) ::close(file_);
}

std::string PrintedText::text() const {
  constexpr std::size_t kMostPrinted = 64 << 10;
  std::fflush(stdout);
  std::string text(kMostPrinted, '\0');
  const ssize_t bytes = file_ < 0 ? 0 : ::pread(file_, text.data(), text.size(), 0);
  text.resize(std::size_t(std::max<ssize_t>(bytes, 0)));
  return text;
}

}  // namespace stridescope::engine::access::gpu
