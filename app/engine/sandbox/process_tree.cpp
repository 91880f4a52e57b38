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
#include <utility>
#include <vector>

namespace stridescope::engine::sandbox {
namespace {

constexpr timespec kBetweenLooks{.tv_sec = 0, .tv_nsec = 1'000'000};
constexpr int kLooks = 5000;

// Where the length and the name are in an entry that getdents64 gives. readdir allocates, which a child of
// fork may not do.
constexpr std::size_t kLengthAt = 16, kNameAt = 19;

struct Seen {
  pid_t parent = 0;  // 0: the process is gone
  char state = 0;    // as /proc has it: 'T' stopped, 'Z' ended but not collected
};

Seen seen(int processes, const char* number) {
  const int folder = ::openat(processes, number, O_PATH | O_DIRECTORY | O_CLOEXEC);
  const int file = folder < 0 ? -1 : ::openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  std::array<char, 512> text{};
  const ssize_t got = file < 0 ? 0 : ::read(file, text.data(), text.size() - 1);
  if (file >= 0) ::close(file);
  if (folder >= 0) ::close(folder);
  // "12 (its name, which may have brackets) S 11 ..."
  const char* const bracket = got > 0 ? ::strrchr(text.data(), ')') : nullptr;
  if (bracket == nullptr || ::strlen(bracket) < 5) return {};
  return {.parent = pid_t(::atoi(bracket + 4)), .state = bracket[2]};
}

// Calls `visit` with each process that there is.
template <class Visit>
void forEachProcess(Visit visit) {
  const int processes = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (processes < 0) return;
  std::array<char, 8192> entries;
  for (long got = 0; (got = ::syscall(SYS_getdents64, processes, entries.data(), entries.size())) > 0;)
    for (const char* entry = entries.data(); entry < entries.data() + got;) {
      const char* const name = entry + kNameAt;
      std::uint16_t bytes = 0;
      ::memcpy(&bytes, entry + kLengthAt, sizeof bytes);
      entry += bytes;
      if (const int process = ::atoi(name); process > 0) visit(pid_t(process), seen(processes, name));
    }
  ::close(processes);
}

// A child's number is nobody else's as long as it is not collected.
void killChildren() {
  forEachProcess([](pid_t process, const Seen& seen) {
    if (seen.parent == ::getpid()) ::kill(process, SIGKILL);
  });
}

// Kills what descends from `root`, not itself. False: nothing of that lived.
bool killBelow(pid_t root) {
  std::vector<std::pair<pid_t, Seen>> all;
  forEachProcess([&](pid_t process, const Seen& seen) { all.emplace_back(process, seen); });
  std::vector<pid_t> tree{root};
  bool anyLived = false;
  for (std::size_t at = 0; at < tree.size(); ++at)
    for (const auto& [process, seen] : all) {
      if (seen.parent != tree[at]) continue;
      tree.push_back(process);
      if (seen.state == 'Z') continue;
      anyLived = true;
      ::kill(process, SIGKILL);
    }
  return anyLived;
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

void endTree(pid_t root) {
  // A process that came to be while they were counted is found when they are counted again.
  int emptyLooks = 0;
  for (int look = 0; look < kLooks && emptyLooks < 2; ++look) {
    emptyLooks = killBelow(root) ? 0 : emptyLooks + 1;
    ::nanosleep(&kBetweenLooks, nullptr);
  }
  ::kill(root, SIGKILL);
}

}  // namespace stridescope::engine::sandbox
