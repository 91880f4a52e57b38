// What confines a process: what this kernel has for it, which calls and files are left to it, and what it
// gives up.
#pragma once

#include <linux/filter.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::sandbox {

// What this kernel has to contain a person's code with: Landlock for files, seccomp for system calls. A
// person's code is run where both are there.

struct SandboxSupport {
  int landlock = 0;      // the version of its interface; 0: the kernel has none, or lets nobody use it
  bool seccomp = false;  // filters of system calls

  bool isComplete() const { return landlock > 0 && seccomp; }

  // Complete: what a person's code cannot do. Else: what is missing, what that means, and what to do.
  std::string sentence() const;
};

// What the running kernel, and a container around this process, support. Asks the kernel every time, which
// takes a few microseconds.
SandboxSupport sandboxSupport();

// Which system calls a process may still make, kept by the kernel's seccomp; the filters are built by
// libseccomp.
//
// They hold for good, also over exec, whoever runs the process. Each lists what is allowed. A person's code
// that makes another call is sent SIGSYS; a compiler is told that there is no such call.

class CallFilter {
 public:
  explicit CallFilter(std::vector<sock_filter> program = {}) : program_(std::move(program)) {}

  // Enforces the filter in every thread of the process; call it after giveUpPrivileges(). It makes only
  // system calls, so a child of fork may call it. False: nothing is forbidden, and errno says why.
  bool enforce() const;

 private:
  std::vector<sock_filter> program_;  // empty: forbids nothing
};

// Where the kernel has no seccomp, these forbid nothing: sandboxSupport() tells.

// The filter for the process that loads a person's code, whose constructors run then. It allows what the
// loader does: opening files for reading (which ones is for Landlock to say), mapping them, no memory that
// may be both written and executed; and what callingFilter() allows. It contains a person's code by itself:
// that code can spoil the next filter.
Result<CallFilter> loadingFilter();

// For the same process from then on, where what only the loader needs is over: memory that cannot be
// executed, the worker's socket, standard output and error, the time, waiting for its own threads, its end.
// rt_sigprocmask is ignored: abort and a thread's end call it.
Result<CallFilter> callingFilter();

// For a compiler: files (which ones is for Landlock to say), memory, processes and threads of its own. No
// socket, no signal to others, no other process's memory, no namespace, no other user.
Result<CallFilter> compilingFilter();

// The part of the file system that a process may still reach: the kernel's Landlock allows only what is
// listed. If the kernel's version can, it also forbids TCP ports, abstract sockets, and signals to processes
// that are not confined with it.
//
// It holds for the thread that enforces it and all that this thread starts, for good, whoever runs them.

enum class FileAccess : std::uint8_t {
  Read,        // a folder's rule holds for everything below it
  ReadAndRun,  // programs, too
  Change,      // read, write, make and remove plain files
};

struct AllowedFiles {
  std::filesystem::path path;  // a file or a folder, links followed; one that is not there is left out
  FileAccess access{};
};

class FileRules {
 public:
  // Where the kernel has no Landlock, rules that forbid nothing: sandboxSupport() tells.
  static Result<FileRules> make(const std::vector<AllowedFiles>& allowed);

  // Enforces the rules; call it after giveUpPrivileges(). It makes only system calls, so a child of fork may
  // call it. False: nothing is forbidden, and errno says why.
  bool enforce() const;

 private:
  explicit FileRules(Descriptor ruleset) : ruleset_(std::move(ruleset)) {}
  Descriptor ruleset_;
};

// What a process takes from itself before it runs a person's code. Nothing but system calls, so that a child
// of fork may call these.

// Takes from the calling thread, and those that it starts, an administrator's rights over other people's
// files and processes and over the machine, and the gaining of rights by starting a program. FileRules and
// CallFilter need the latter, so call this before they are enforced. False: errno says why.
bool giveUpPrivileges();

// Every descriptor from this number on.
void closeFrom(unsigned first);

// The most that the process may have of a resource (RLIMIT_CPU), from now on and for good.
void limitResource(decltype(RLIMIT_CPU) resource, std::uint64_t most);

// What a process does that loads and runs a person's compiled code: it gives up what it does not need, in two
// steps, before the code is loaded, which may run some of it, and again before it is called the first time.

// Limits for the process's whole life: its time on a processor, and address space beyond what it has now.
void limitWorker(std::chrono::seconds processor, std::uint64_t memoryBytes);

// What holds for the thread that calls it and those that it starts: before the process has a second one. It
// may read `library` alone from then on, and is killed with the thread that started it, which waits for it,
// whatever a person's code does. `runs`: what of a person's it runs, for sentences: "combine".
Result<void> confineFiles(const std::string& library, const std::string& runs);

// Loads it, for the process's life, and gives the symbol's address. `beforeLoading` is called when all else
// is ready.
Result<void*> loadConfined(const std::string& library, const char* symbol, const std::string& runs,
                           const std::function<void()>& beforeLoading);

// What this program may need to start; the sanitizers' are tests'. The process forgets them, too.
std::vector<std::string> variablesOfTheLoader();

}  // namespace stridescope::engine::sandbox
