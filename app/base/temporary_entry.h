// Files and folders in the making, and what runs that were killed left of theirs. Each has a name that
// nothing else has, .stridescope-NUMBER-NUMBER.tmp, and is locked as long as its process lives, so that the
// next run can tell the one from the other, on another machine that shares the folder, too.
#pragma once

#include <cerrno>
#include <filesystem>

#include "base/descriptor.h"

namespace stridescope {

struct TemporaryEntry {
  std::filesystem::path path;
  Descriptor lock;      // of a file: open for reading and writing. While it is open, nobody sweeps the entry
  int systemError = 0;  // an errno value: there is no entry
};

// A new empty file, or a folder that nobody else may enter. Both sweep `folder` first.
TemporaryEntry makeTemporaryFile(const std::filesystem::path& folder);
TemporaryEntry makeTemporaryFolder(const std::filesystem::path& folder);

// Removes what runs of this user that are gone left in `folder`. Nothing else is touched, no link is
// followed, and nothing is told: what cannot be removed stays.
void sweepTemporaries(const std::filesystem::path& folder);

}  // namespace stridescope
