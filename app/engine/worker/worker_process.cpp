#include "engine/worker/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <thread>

#include "base/result.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// Beyond it the worker's writing fails: no memory is filled by a library that complains without end.
constexpr off_t kMaxErrorBytes = 1 << 20;
constexpr off_t kShownErrorBytes = 4096;
// A worker reads all the time. One that does not take a message for so long is lost.
constexpr timeval kSendTime{.tv_sec = 1, .tv_usec = 0};
// What is left of a killed process goes at once, or when the driver has cleared up after it.
constexpr auto kReapTime = 300ms;

tl::unexpected<Error> notStarted(const WorkerCommand& command, int systemError) {
  return unavailable(command.subject + " could not be started from " + command.program +
                         ". Close other programs. " + command.advice,
                     std::strerror(systemError));
}

// Above the numbers that the child gives its own descriptors, so that none is overwritten before it is used.
Descriptor raised(const Descriptor& descriptor) {
  return Descriptor(::fcntl(descriptor.number(), F_DUPFD_CLOEXEC, kWorkerCalls + 1));
}

// A file in memory for standard error: writing to it never waits for a reader.
Descriptor makeErrorFile() {
  Descriptor file(::memfd_create("worker-errors", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.number() >= 0 && ::ftruncate(file.number(), kMaxErrorBytes) == 0)
    ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
  return file;
}

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

  int spawn(pid_t& process, const WorkerCommand& command) {
    if (failed_ != 0) return failed_;
    const std::string& name = command.name.empty() ? command.program : command.name;
    std::vector<char*> arguments{const_cast<char*>(name.c_str())};
    for (const std::string& argument : command.arguments)
      arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    std::vector<char*> variables;
    if (command.environment)
      for (const std::string& variable : *command.environment)
        variables.push_back(const_cast<char*>(variable.c_str()));
    variables.push_back(nullptr);
    posix_spawnattr_t attributes;
    if (const int code = ::posix_spawnattr_init(&attributes); code != 0) return code;
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own: setpgroup(0)
    const int code = ::posix_spawn(&process, command.program.c_str(), &actions_, &attributes,
                                   arguments.data(), command.environment ? variables.data() : environ);
    ::posix_spawnattr_destroy(&attributes);
    return code;
  }

 private:
  void keep(int code) { failed_ = failed_ != 0 ? failed_ : code; }
  posix_spawn_file_actions_t actions_;
  int failed_ = 0;
};

}  // namespace

std::optional<unsigned> indexAfter(std::string_view command, int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != command) return std::nullopt;
  const std::string_view text = argv[2];
  unsigned index = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

std::string inSeconds(milliseconds time) {
  const auto tenths = std::chrono::round<std::chrono::duration<std::int64_t, std::deci>>(time).count();
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10)) + " s";
}

Error hangOf(const WorkerCommand& command, const OpenCall& call) {
  Error error{.kind = ErrorKind::Unavailable,
              .sentence = command.subject + " was stopped: " + call.name + " did not return within " +
                          inSeconds(call.limit) + ". " +
                          (command.adviceOnHang.empty() ? command.advice : command.adviceOnHang)};
  if (command.onHang) command.onHang(error);
  return error;
}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerCommand& command) {
  if (command.mayStart) STRIDESCOPE_TRY(command.mayStart());
  std::array<int, 2> pair{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return notStarted(command, errno);
  Descriptor ours(pair[0]), theirs(pair[1]);
  ::setsockopt(ours.number(), SOL_SOCKET, SO_SNDTIMEO, &kSendTime, sizeof kSendTime);
  Descriptor errors = makeErrorFile();
  std::unique_ptr<CallWatch> watch = command.callLimit.count() > 0 ? CallWatch::make() : nullptr;
  const Descriptor theirSocket = raised(theirs), theirErrors = raised(errors);
  const Descriptor theirCalls = watch ? raised(watch->descriptor()) : Descriptor();
  if (theirSocket.number() < 0 || theirErrors.number() < 0) return notStarted(command, errno);

  SpawnActions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  actions.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
  actions.duplicate(theirErrors, STDERR_FILENO);
  actions.duplicate(theirSocket, kWorkerSocket);
  if (theirCalls.number() >= 0) actions.duplicate(theirCalls, kWorkerCalls);
  actions.closeFrom((theirCalls.number() >= 0 ? kWorkerCalls : kWorkerSocket) + 1);
  pid_t process = 0;
  if (const int code = actions.spawn(process, command); code != 0) return notStarted(command, code);
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(process, std::move(ours), std::move(errors), std::move(watch), command.callLimit));
}

WorkerProcess::~WorkerProcess() {
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

bool WorkerProcess::hasEnded(std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  while (process_ != 0) {
    // Seen before it is collected: as long as it is not, its group's number is nobody else's.
    siginfo_t seen{};
    const int failed = ::waitid(P_PID, id_t(process_), &seen, WEXITED | WNOHANG | WNOWAIT);
    if (failed == 0 && seen.si_pid == process_) {
      ::kill(-process_, SIGKILL);  // what it started, if it left anything
      ::waitpid(process_, &status_, 0);
      process_ = 0;
    }
    if (failed != 0 && errno == ECHILD) process_ = 0;
    if (process_ == 0 || std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(500us);
  }
  return process_ == 0;
}

void WorkerProcess::kill() {
  if (hasEnded(0ms)) return;  // its number may be another process's by now
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);  // should it have left its group
  killed_ = true;
}

void WorkerProcess::letEnd(std::chrono::milliseconds wait) {
  socket_.close();
  hasEnded(wait);
}

std::string WorkerProcess::ending(std::chrono::milliseconds wait) {
  if (!hasEnded(wait)) {
    kill();
    hasEnded(kReapTime);
  }
  if (killed_) return "was stopped";
  const std::string call = currentCall();
  const std::string within = call.empty() ? std::string() : " in " + call;
  if (WIFEXITED(status_)) return "ended with exit code " + std::to_string(WEXITSTATUS(status_)) + within;
  const int signal = WTERMSIG(status_);
  const char* const name = ::sigabbrev_np(signal);
  const char* const meaning = ::sigdescr_np(signal);
  return "was killed by " +
         (name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal)) +
         (meaning != nullptr ? " (" + std::string(meaning) + ")" : "") + within;
}

std::string WorkerProcess::standardError() const {
  // Both processes' descriptors are one open file: where the worker stopped writing is where it stands here.
  const off_t end = ::lseek(errors_.number(), 0, SEEK_CUR);
  if (end <= 0) return {};
  const off_t begin = end > kShownErrorBytes ? end - kShownErrorBytes : 0;
  std::string text(static_cast<std::size_t>(end - begin), '\0');
  const ssize_t got = ::pread(errors_.number(), text.data(), text.size(), begin);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

}  // namespace stridescope::engine::worker
