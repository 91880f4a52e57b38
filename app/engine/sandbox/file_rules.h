// The part of the file system that a process may still reach: the kernel's Landlock allows only what is
// listed. If the kernel's version can, it also forbids TCP ports, abstract sockets, and signals to processes
// that are not confined with it.
//
// It holds for the thread that enforces it and all that this thread starts, for good, whoever runs them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::sandbox {

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

}  // namespace stridescope::engine::sandbox
