// A program that is run to its end under limits, with what it writes kept. Its standard input is empty.
// Nothing that it started is left when it has ended, and it ends when this process does.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/sandbox/confinement.h"

namespace stridescope::engine::sandbox {

struct ProcessLimits {
  std::chrono::seconds time{10};             // on the clock; the same of the processor's time
  std::uint64_t memoryBytes = 2ull << 30;    // address space for each process that it starts
  std::uint64_t fileBytes = 64ull << 20;     // for any file that it writes
  std::uint64_t outputBytes = 256ull << 10;  // for standard output and error; more is lost
  // For what looks after it to end it, when it is late; then both are killed. It may be stopped.
  std::chrono::milliseconds grace{300};
};

struct LimitedProcess {
  std::vector<std::string> command;      // the program's path, and its arguments
  std::vector<std::string> environment;  // "NAME=value", and no other variable
  std::filesystem::path folder;          // that it runs in
  const FileRules& files;                // /dev/null is opened before they hold
  const CallFilter& calls;               // with execve
  std::string doing;                     // for JobControl::progress, every second
  ProcessLimits limits{};
};

struct ProcessEnd {
  bool timedOut = false;
  int status = 0;  // as waitpid has it
  std::string output;

  bool succeeded() const { return !timedOut && status == 0; }
};

// Ends it, and what it started, when it is late or the job is cancelled. An administrator's process runs
// without an administrator's capabilities.
Result<ProcessEnd> runLimited(const LimitedProcess& process, const JobControl& job);

}  // namespace stridescope::engine::sandbox
