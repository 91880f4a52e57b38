#include "engine/sandbox/limited_process.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/process.h"
#include "engine/sandbox/confinement.h"

namespace stridescope::engine::sandbox {
namespace {

// What a process has started, and what that has started: found and ended, whatever groups and sessions it
// made for itself.

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

// From now on what loses its parent among the processes that this one starts becomes this one's child. Before
// the first is started. Nothing but system calls.
void adoptOrphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

// Kills all children of this process and, since it adopts orphans, theirs, until none is left; after five
// seconds it gives up. The process must have one thread and no other children. It makes only system calls.
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

// Kills a child of this process that adopts orphans, and all that descends from it: also where it is stopped
// and cannot do so itself. That comes first, since it is nobody's any more once the child is gone; after five
// seconds the child is killed all the same. It stays to be collected.
void endTree(pid_t root) {
  // A process that came to be while they were counted is found when they are counted again.
  int emptyLooks = 0;
  for (int look = 0; look < kLooks && emptyLooks < 2; ++look) {
    emptyLooks = killBelow(root) ? 0 : emptyLooks + 1;
    ::nanosleep(&kBetweenLooks, nullptr);
  }
  ::kill(root, SIGKILL);
}

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kNotStarted = 127;  // exit code, as the shell's
constexpr int kFirstOther = 3;    // descriptor after the standard ones
constexpr auto kBetweenProcessReports = 1s;

// What the supervisor, or the program's process before it is the program, tells of it.
struct Report {
  bool started = false;
  int value = 0;  // as waitpid has it, or an errno value
};

// What the processes between fork and exec need, made before.
struct Confined {
  char* const* command;
  char* const* environment;
  const char* folder;
  int output, report;  // descriptors
  const LimitedProcess& wanted;
  pid_t program = ::getpid();
};

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

sigset_t setOf(std::initializer_list<int> signals) {
  sigset_t set;
  ::sigemptyset(&set);
  for (int signal : signals) ::sigaddset(&set, signal);
  return set;
}

// ---- in children, after fork: nothing but system calls ----

// The program's process. Its descriptors may have any numbers, also those that they are to replace.
[[noreturn]] void become(const Confined& launch, pid_t supervisor) {
  const int report = ::fcntl(launch.report, F_DUPFD_CLOEXEC, kFirstOther + 1);
  const auto fail = [&] {
    const Report why{.started = false, .value = errno};
    (void)!::write(report, &why, sizeof why);
    ::_exit(kNotStarted);
  };
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(kNotStarted);
  const int output = ::fcntl(launch.output, F_DUPFD, kFirstOther + 1);
  const int nothing = ::open("/dev/null", O_RDONLY);
  const LimitedProcess& wanted = launch.wanted;
  if (!giveUpPrivileges() || !wanted.files.enforce()) fail();
  if (::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(output, STDOUT_FILENO) < 0 ||
      ::dup2(output, STDERR_FILENO) < 0 || ::dup3(report, kFirstOther, O_CLOEXEC) < 0 ||
      ::chdir(launch.folder) != 0)
    fail();
  closeFrom(kFirstOther + 1);
  const ProcessLimits& limits = wanted.limits;
  limitResource(RLIMIT_CPU, std::uint64_t(limits.time.count()));
  limitResource(RLIMIT_AS, limits.memoryBytes);
  limitResource(RLIMIT_FSIZE, limits.fileBytes);
  limitResource(RLIMIT_CORE, 0);
  const sigset_t none = setOf({});
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (wanted.calls.enforce()) ::execve(launch.command[0], launch.command, launch.environment);
  const Report why{.started = false, .value = errno};
  (void)!::write(kFirstOther, &why, sizeof why);
  ::_exit(kNotStarted);
}

// A process that starts the program and stays until nothing of it is left: it alone is the parent of what the
// program leaves behind. Ends it when it is sent SIGTERM, also by the death of the thread that waits for it.
// All signals are blocked.
[[noreturn]] void supervise(const Confined& launch) {
  ::setpgid(0, 0);  // Ctrl-C in a terminal is the program's
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != launch.program) ::_exit(kNotStarted);
  ::signal(SIGCHLD, SIG_DFL);
  adoptOrphans();
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(launch, self);
  ::dup2(launch.report, 0);
  closeFrom(1);
  Report report{.started = child > 0, .value = child > 0 ? 0 : errno};
  const sigset_t awaited = setOf({SIGCHLD, SIGTERM});
  for (bool running = child > 0; running;) {
    running = ::sigwaitinfo(&awaited, nullptr) != SIGTERM;
    for (int status = 0;;) {
      const pid_t ended = ::waitpid(-1, &status, WNOHANG);
      if (ended <= 0) break;
      if (ended != child) continue;
      report.value = status;
      running = false;
    }
  }
  endAllChildren();
  (void)!::write(0, &report, sizeof report);
  ::_exit(0);
}

// ---- in this process ----

// Nothing: the job was cancelled. Whether it was late.
std::optional<bool> waitFor(ChildProcess& supervisor, const LimitedProcess& process, const JobControl& job) {
  const auto begin = Clock::now();
  auto reported = begin;
  bool late = false;
  for (;;) {
    if (supervisor.hasEnded(0ms)) break;
    const auto now = Clock::now();
    if (job.cancel || now - begin > process.limits.time) {
      late = true;
      ::kill(supervisor.number(), SIGTERM);
      if (supervisor.hasEnded(process.limits.grace)) break;
      endTree(supervisor.number());
      while (!supervisor.hasEnded(1s)) {
      }
      break;
    }
    if (job.progress && now - reported > kBetweenProcessReports) {
      reported = now;
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin);
      job.progress(0, process.doing + ", " + std::to_string(seconds.count()) + " s of at most " +
                          std::to_string(process.limits.time.count()) + " s");
    }
    std::this_thread::sleep_for(1ms);
  }
  return job.cancel ? std::nullopt : std::optional(late);
}

}  // namespace

Result<ProcessEnd> runLimited(const LimitedProcess& wanted, const JobControl& job) {
  std::vector<std::string> command = wanted.command, environment = wanted.environment;
  const auto arguments = pointersTo(command), variables = pointersTo(environment);
  const auto notStarted = [&](int systemError) {
    return unavailable(command.front() + " could not be started. Close other programs.",
                       std::strerror(systemError));
  };
  const OutputFile output(wanted.limits.outputBytes);
  std::array<int, 2> pipe{-1, -1};
  if (output.descriptor() < 0 || ::pipe2(pipe.data(), O_CLOEXEC) != 0) return notStarted(errno);
  const Descriptor reports(pipe[0]);
  Descriptor theirReports(pipe[1]);
  const Confined confined{.command = arguments.data(),
                          .environment = variables.data(),
                          .folder = wanted.folder.c_str(),
                          .output = output.descriptor(),
                          .report = theirReports.number(),
                          .wanted = wanted};
  auto supervisor = ChildProcess::fork([&confined] { supervise(confined); });
  if (!supervisor) return notStarted(supervisor.error());
  theirReports.close();

  ProcessEnd end;
  const auto late = waitFor(*supervisor, wanted, job);
  if (!late) return cancelled();
  end.timedOut = *late;
  // The first word is that of the program's process, if it never became the program.
  Report report;
  const bool isTold = ::read(reports.number(), &report, sizeof report) == sizeof report;
  if (!isTold && !end.timedOut)
    return unavailable("What looks after " + command.front() + " was killed, and it with that. Try again.");
  if (isTold && !report.started) return notStarted(report.value);
  end.status = report.value;
  end.output = output.text(wanted.limits.outputBytes);
  return end;
}

bool giveUpPrivileges() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  return ::syscall(SYS_capset, &header, none) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

void limitResource(decltype(RLIMIT_CPU) resource, std::uint64_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

void closeFrom(unsigned first) {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  rlimit most{};  // Linux before 5.9
  ::getrlimit(RLIMIT_NOFILE, &most);
  for (unsigned number = first; number < most.rlim_cur; ++number) ::close(int(number));
}

}  // namespace stridescope::engine::sandbox
