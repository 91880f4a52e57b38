#include "process_tree.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace stridescope::engine::sandbox {
namespace {

constexpr timespec kBetweenLooks{.tv_sec = 0, .tv_nsec = 1'000'000};
constexpr int kLooks = 5000;

// Of an entry as getdents64 gives it: where its length and its name are. readdir allocates, which a child of
// fork may not do.
constexpr std::size_t kLengthAt = 16, kNameAt = 19;

// 0: the process is gone.
pid_t parentOf(int processes, const char* number) {
  const int folder = ::openat(processes, number, O_PATH | O_DIRECTORY | O_CLOEXEC);
  const int file = folder < 0 ? -1 : ::openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  std::array<char, 512> text{};
  const ssize_t got = file < 0 ? 0 : ::read(file, text.data(), text.size() - 1);
  if (file >= 0) ::close(file);
  if (folder >= 0) ::close(folder);
  // "12 (its name, which may have brackets) S 11 ..."
  const char* const bracket = got > 0 ? ::strrchr(text.data(), ')') : nullptr;
  if (bracket == nullptr || ::strlen(bracket) < 5) return 0;
  return pid_t(::atoi(bracket + 4));
}

void killChildren() {
  const int processes = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (processes < 0) return;
  std::array<char, 8192> entries;
  for (long got = 0; (got = ::syscall(SYS_getdents64, processes, entries.data(), entries.size())) > 0;)
    for (const char* entry = entries.data(); entry < entries.data() + got;) {
      const char* const name = entry + kNameAt;
      std::uint16_t bytes = 0;
      ::memcpy(&bytes, entry + kLengthAt, sizeof bytes);
      entry += bytes;
      // A child's number is nobody else's as long as it is not collected.
      if (const int process = ::atoi(name); process > 0 && parentOf(processes, name) == ::getpid())
        ::kill(process, SIGKILL);
    }
  ::close(processes);
}

}  // namespace

void adoptOrphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

void endAllChildren() {
  for (int look = 0; look < kLooks; ++look) {
    pid_t collected = 0;
    while ((collected = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (collected < 0 && errno == ECHILD) return;
    killChildren();
    ::nanosleep(&kBetweenLooks, nullptr);
  }
}

}  // namespace stridescope::engine::sandbox
