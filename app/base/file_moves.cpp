#include "base/file_moves.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace stridescope {
namespace {

constexpr off_t kSyncedAtOnce = off_t{4} << 20;  // bytes

}  // namespace

int moveReplacing(const char* from, const char* to) { return ::rename(from, to) == 0 ? 0 : errno; }

int moveWithoutReplacing(const char* from, const char* to) {
  return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

// Piece by piece, because nothing interrupts a sync.
int syncToDisk(int file, const std::atomic<bool>* cancel) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return errno;
  for (off_t at = 0; at < status.st_size; at += kSyncedAtOnce) {
    if (cancel && *cancel) return ECANCELED;
    const int synced =
        ::sync_file_range(file, at, kSyncedAtOnce,
                          SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    // A file system that cannot do this can still sync the whole.
    if (synced != 0 && errno != EINVAL && errno != ENOSYS && errno != ESPIPE) return errno;
  }
  if (cancel && *cancel) return ECANCELED;
  return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace stridescope
