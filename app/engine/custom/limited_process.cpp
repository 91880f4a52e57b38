#include "limited_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>

#include "engine/worker/worker_process.h"

namespace stridescope {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kNotStarted = 127;  // exit code, as the shell's

// This process's variables, with others in place of some.
std::vector<std::string> environmentWith(const std::vector<std::string>& changed) {
  std::vector<std::string> all = changed;
  const auto nameOf = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const bool replaced = std::ranges::any_of(
        changed, [&](const std::string& other) { return nameOf(other) == nameOf(*variable); });
    if (!replaced) all.emplace_back(*variable);
  }
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void limit(decltype(RLIMIT_CPU) resource, std::uint64_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

// In the child, between fork and exec: nothing but system calls.
[[noreturn]] void become(char* const* command, char* const* environment, const char* folder, int output,
                         const ProcessLimits& limits, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // of the thread's death, which waits for this process
  if (::getppid() != parent) ::_exit(kNotStarted);
  const int nothing = ::open("/dev/null", O_RDONLY);
  const bool ready = ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
                     ::dup2(output, STDERR_FILENO) >= 0 && ::chdir(folder) == 0;
  ::close_range(STDERR_FILENO + 1, ~0u, 0);
  limit(RLIMIT_CPU, std::uint64_t(limits.time.count()));
  limit(RLIMIT_AS, limits.memoryBytes);
  limit(RLIMIT_FSIZE, limits.fileBytes);
  limit(RLIMIT_CORE, 0);
  if (ready) ::execve(command[0], command, environment);
  ::_exit(kNotStarted);
}

// In memory, of a fixed size: writing to it never waits for a reader, and stops where it is full.
Descriptor makeOutputFile(std::uint64_t bytes) {
  Descriptor file(::memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.number() >= 0 && ::ftruncate(file.number(), off_t(bytes)) == 0)
    ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
  return file;
}

std::string readOutput(const Descriptor& file) {
  const off_t end = std::max<off_t>(::lseek(file.number(), 0, SEEK_CUR), 0);
  std::string text(std::size_t(end), '\0');
  const ssize_t got = ::pread(file.number(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : std::size_t(got));
  return text;
}

}  // namespace

Result<ProcessEnd> runLimited(const LimitedProcess& wanted, const JobControl& job) {
  std::vector<std::string> command = wanted.command, environment = environmentWith(wanted.environment);
  const auto arguments = pointersTo(command), variables = pointersTo(environment);
  const Descriptor output = makeOutputFile(wanted.limits.outputBytes);
  const pid_t parent = ::getpid();
  const pid_t process = output.number() < 0 ? -1 : ::fork();
  if (process < 0)
    return unavailable(command.front() + " could not be started. Close other programs.",
                       std::strerror(errno));
  if (process == 0)
    become(arguments.data(), variables.data(), wanted.folder.c_str(), output.number(), wanted.limits, parent);

  ProcessEnd end;
  const auto latest = Clock::now() + wanted.limits.time;
  for (;;) {
    const pid_t ended = ::waitpid(process, &end.status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) break;
    if (job.cancel || Clock::now() > latest) {
      end.timedOut = !job.cancel;
      ::kill(-process, SIGKILL);  // the group: a compiler is several programs
      ::kill(process, SIGKILL);   // should it not have its group yet
      while (::waitpid(process, &end.status, 0) < 0 && errno == EINTR) {
      }
      break;
    }
    std::this_thread::sleep_for(1ms);
  }
  if (job.cancel) return cancelled();
  end.output = readOutput(output);
  return end;
}

}  // namespace stridescope
