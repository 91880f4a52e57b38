#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/pending_file.h"
#include "base/result.h"

extern char** environ;

namespace stridescope {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// What is left of a killed process goes at once, or when the driver has cleared up after it.
constexpr auto kReapTime = 300ms;
constexpr auto kBetweenLooks = 500us;

class SpawnActions {
 public:
  SpawnActions() { failed_ = ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void open(int number, const char* path, int flags) {
    keep(::posix_spawn_file_actions_addopen(&actions_, number, path, flags, 0));
  }
  void duplicate(const Descriptor& from, int number) {
    keep(::posix_spawn_file_actions_adddup2(&actions_, from.number(), number));
  }
  void closeFrom(int number) { keep(::posix_spawn_file_actions_addclosefrom_np(&actions_, number)); }

  // 0, or an errno value.
  int spawn(pid_t& process, const Launch& launch) {
    if (failed_ != 0) return failed_;
    const std::string& name = launch.name.empty() ? launch.program : launch.name;
    std::vector<char*> arguments{const_cast<char*>(name.c_str())};
    append(arguments, launch.arguments);
    std::vector<char*> variables;
    if (launch.environment) append(variables, *launch.environment);
    posix_spawnattr_t attributes;
    if (const int code = ::posix_spawnattr_init(&attributes); code != 0) return code;
    if (launch.ownGroup) ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // setpgroup(0)
    const int code = ::posix_spawn(&process, launch.program.c_str(), &actions_, &attributes, arguments.data(),
                                   launch.environment ? variables.data() : environ);
    ::posix_spawnattr_destroy(&attributes);
    return code;
  }

 private:
  // With the null pointer that ends such a list.
  static void append(std::vector<char*>& pointers, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
  }
  void keep(int code) { failed_ = failed_ != 0 ? failed_ : code; }

  posix_spawn_file_actions_t actions_;
  int failed_ = 0;
};

}  // namespace

std::string sentenceOfStatus(int status) {
  if (WIFEXITED(status)) return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char* const name = ::sigabbrev_np(signal);
  const char* const meaning = ::sigdescr_np(signal);
  return "was killed by " +
         (name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal)) +
         (meaning != nullptr ? " (" + std::string(meaning) + ")" : "");
}

tl::expected<ChildProcess, int> ChildProcess::start(const Launch& launch) {
  int last = STDERR_FILENO;
  for (const Launch::Given& given : launch.given) last = std::max(last, given.number);
  SpawnActions actions;
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (std::ranges::find(launch.given, standard, &Launch::Given::number) == launch.given.end())
      actions.open(standard, "/dev/null", standard == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  std::vector<Descriptor> raised;
  for (const Launch::Given& given : launch.given) {
    // Above the numbers that the child has, so that none is overwritten before it is used.
    raised.emplace_back(::fcntl(given.descriptor, F_DUPFD_CLOEXEC, last + 1));
    if (raised.back().number() < 0) return tl::unexpected(errno);
    actions.duplicate(raised.back(), given.number);
  }
  actions.closeFrom(last + 1);
  pid_t process = 0;
  if (const int code = actions.spawn(process, launch); code != 0) return tl::unexpected(code);
  return ChildProcess(process, launch.ownGroup);
}

tl::expected<ChildProcess, int> ChildProcess::fork(const std::function<void()>& child) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t process = ::fork();
  if (process == 0) {
    child();
    ::_exit(127);
  }
  const int failed = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process < 0) return tl::unexpected(failed);
  return ChildProcess(process, false);
}

ChildProcess::~ChildProcess() {
  kill();
  if (hasEnded(kReapTime)) return;
  // The driver holds it: somebody has to wait, but not the window. If no thread can be started for it, what
  // is left of the process goes with the program.
  (void)withoutExceptions("waiting for a process", [process = process_] {
    std::thread([process] {
      while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }).detach();
  });
}

bool ChildProcess::hasEnded(milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  while (process_ != 0) {
    // Seen before it is collected: as long as it is not, its group's number is nobody else's.
    siginfo_t seen{};
    const int failed = ::waitid(P_PID, id_t(process_), &seen, WEXITED | WNOHANG | WNOWAIT);
    if (failed == 0 && seen.si_pid == process_) {
      if (ownGroup_) ::kill(-process_, SIGKILL);  // what it started, if it left anything
      ::waitpid(process_, &status_, 0);
      process_ = 0;
    }
    if (failed != 0 && errno == ECHILD) process_ = 0;
    if (process_ == 0 || std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return process_ == 0;
}

void ChildProcess::kill() {
  if (hasEnded(0ms)) return;  // its number may be another process's by now
  if (ownGroup_) ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);  // should it have left its group
  killed_ = true;
}

std::string ChildProcess::ending(milliseconds wait) {
  if (!hasEnded(wait)) {
    kill();
    hasEnded(kReapTime);
  }
  return killed_ ? "was stopped" : sentenceOfStatus(status_);
}

OutputFile::OutputFile(std::uint64_t bytes)
    : file_(::memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (file_.number() >= 0 && ::ftruncate(file_.number(), off_t(bytes)) == 0)
    ::fcntl(file_.number(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
}

std::string OutputFile::text(std::uint64_t mostBytes) const {
  // Both processes' descriptors are one open file: where the child stopped writing is where it stands here.
  const off_t end = ::lseek(file_.number(), 0, SEEK_CUR);
  if (end <= 0) return {};
  const off_t begin = std::max<off_t>(0, end - off_t(mostBytes));
  std::string text(std::size_t(end - begin), '\0');
  const ssize_t got = ::pread(file_.number(), text.data(), text.size(), begin);
  text.resize(got < 0 ? 0 : std::size_t(got));
  return text;
}

namespace {

using Clock = std::chrono::steady_clock;

Result<std::string> readAll(int from, const std::string& program, std::size_t mostBytes,
                            Clock::time_point end) {
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
    const int polled = left <= 0 ? 0 : ::poll(&ready, 1, int(std::min<long long>(left, 1 << 20)));
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return limitMet(program + " took too long and was ended.");
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unavailable("What " + program + " printed could not be read.");
    if (got == 0) return text;
    text.append(piece.data(), std::size_t(got));
    if (text.size() > mostBytes) return limitMet(program + " printed too much and was ended.");
  }
}

}  // namespace

Result<std::string> runTool(const std::vector<std::string>& command, std::size_t mostBytes,
                            std::chrono::milliseconds time) {
  const std::string program = std::filesystem::path(command.front()).filename().string();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return unavailable(program + " could not be started: no pipe.");
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  auto child = ChildProcess::start({.program = command.front(),
                                    .arguments = {command.begin() + 1, command.end()},
                                    .given = {{STDOUT_FILENO, writing.number()}}});
  if (!child) return unavailable(program + " could not be started.", command.front());
  writing.close();
  const auto end = Clock::now() + time;
  auto text = readAll(reading.number(), program, mostBytes, end);
  if (!text) return text;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  if (!child->hasEnded(left)) return limitMet(program + " took too long and was ended.");
  if (child->status() != 0)
    return unavailable(program + " failed.", "It " + sentenceOfStatus(child->status()) + ".");
  return text;
}

std::string findTool(const std::string& name, const std::vector<std::string>& folders) {
  std::vector<std::string> all;
  if (const char* const path = std::getenv("PATH")) {
    std::istringstream entries(path);
    for (std::string folder; std::getline(entries, folder, ':');) all.push_back(folder);
  }
  all.insert(all.end(), folders.begin(), folders.end());
  for (const std::string& folder : all) {
    const std::string file = folder + "/" + name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

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
