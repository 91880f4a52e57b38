// Processes: other programs, and the end of this one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "base/regular_file.h"
#include "base/result.h"

namespace stridescope {

// The one way to start another process: what it is given and no more, how it ends as a sentence, and nothing
// left of it when its object goes. Ends of pipes and sockets are all that ties it to this process, which may
// be killed at any time: a child that is to end with it reads such an end, and ends when that is closed.

struct Launch {
  // A descriptor of this process, and the number under which the child has it. It stays open here.
  struct Given {
    int number = 0;
    int descriptor = -1;
  };

  std::string program;                 // a file's path
  std::vector<std::string> arguments;  // without the program's name
  std::string name = {};               // what lists of processes call it; empty: the path
  // "NAME=value", and no other variable; nullopt: this program's.
  std::optional<std::vector<std::string>> environment = {};
  // The child has these and no others, except that a standard one that is not among them is /dev/null. The
  // numbers above the standard ones have no gaps.
  std::vector<Given> given = {};
  // It leads a process group: Ctrl-C in a terminal does not reach it, and what it starts is killed with it.
  bool ownGroup = false;
};

// How a process ended, from what waitpid says: "was killed by SIGSEGV (Segmentation fault)",
// "ended with exit code 3".
std::string sentenceOfStatus(int status);

// A process that this one started. Use it on one thread at a time.
class ChildProcess {
 public:
  // The error is an errno value: the child could not be started.
  static tl::expected<ChildProcess, int> start(const Launch& launch);
  // A copy of this process that runs `child`, which does not return. It begins with all signals blocked, so
  // that none ends it before it looks after them. It may make system calls and nothing else.
  static tl::expected<ChildProcess, int> fork(const std::function<void()>& child);

  // Kills it, and waits for what is left of it, though not for what a driver holds.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept
      : process_(std::exchange(other.process_, 0)),
        ownGroup_(other.ownGroup_),
        status_(other.status_),
        killed_(other.killed_) {}
  ChildProcess& operator=(ChildProcess&&) = delete;

  // 0: it has ended, and the number may be another process's by now.
  pid_t number() const { return process_; }

  // Whether it ends within this time. What it left in its own group is killed then.
  bool hasEnded(std::chrono::milliseconds wait);

  // As waitpid has it, once it has ended.
  int status() const { return status_; }

  void kill();

  // Gives it so long to end, then kills it; how it ended, as sentenceOfStatus() has it, or "was stopped".
  std::string ending(std::chrono::milliseconds wait);
  // Whether kill() ended it.
  bool wasKilled() const { return killed_; }

 private:
  ChildProcess(pid_t process, bool ownGroup) : process_(process), ownGroup_(ownGroup) {}

  pid_t process_;  // 0: ended, and nothing is left of it
  bool ownGroup_;
  int status_ = 0;
  bool killed_ = false;
};

// A file in memory that a child writes its messages to: writing never waits for a reader, and fails beyond
// its size, so that no memory is filled by what complains without end.
class OutputFile {
 public:
  // Without a descriptor (negative) where there is no memory for it.
  explicit OutputFile(std::uint64_t bytes);
  int descriptor() const { return file_.number(); }
  // The end of what was written, at most so many bytes.
  std::string text(std::uint64_t mostBytes) const;

 private:
  Descriptor file_;
};

// Runs a program of the machine's and keeps what it prints.

// What `command` (the program's path, and its arguments) writes to standard output; its standard error and
// input are /dev/null. Errors: it cannot be started, prints more than `mostBytes`, is not through in time, or
// ends with another status than 0. It is then ended. Sentences name the program.
Result<std::string> runTool(const std::vector<std::string>& command, std::size_t mostBytes,
                            std::chrono::milliseconds time);

// The path of a program in PATH, or in one of these folders; empty: there is none.
std::string findTool(const std::string& name, const std::vector<std::string>& folders);

// The end of a process that cannot wait for what it does.

// Ends the process at once with this exit code, from any thread and whatever the others do: nothing that was
// begun is ended in order, but nothing half-written stays (base/pending_file.h). Its workers end by
// themselves when their sockets close. `sentence`, unless it is empty, is printed on standard error as
// failures are, below what a terminal's line shows.
[[noreturn]] void endProcess(int code, std::string_view sentence) noexcept;

}  // namespace stridescope
