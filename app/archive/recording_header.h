// What stands at a path: told from the file's kind and its first 100 bytes, before SQLite sees it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace stridescope::archive {

// The file's size in bytes if it looks like a whole recording of a format that this program reads; else a
// sentence that says what it is: missing, a folder, a named pipe, empty, no recording, another program's
// database, a newer format, cut short. Never blocks on a pipe or a device.
Result<std::uint64_t> checkRecordingHeader(const std::filesystem::path& path);

}  // namespace stridescope::archive
