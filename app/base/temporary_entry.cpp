#include "base/temporary_entry.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace stridescope {
namespace {

constexpr std::string_view kPrefix = ".stridescope-", kSuffix = ".tmp";
constexpr unsigned kMaxAttempts = 1000;

// .stridescope-12-0.tmp
bool isOurName(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(std::min(kSuffix.size(), name.size()));
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::size_t dash = name.find('-');
  return dash != std::string_view::npos && isNumber(name.substr(0, dash)) && isNumber(name.substr(dash + 1));
}

// Whether the path still names what is open: another process may have removed it in between.
bool stillNames(const std::filesystem::path& path, const Descriptor& open) {
  struct stat named {
  }, opened{};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(open.number(), &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

// Some file systems have no locks. What lies there is swept by nobody.
bool isLockedByAnother(const Descriptor& entry) {
  return ::flock(entry.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// `make` makes an entry of that name and gives a descriptor, or -1 and errno.
template <class Make>
TemporaryEntry makeEntry(const std::filesystem::path& folder, const Make& make) {
  sweepTemporaries(folder);
  const std::string stem = std::string(kPrefix) + std::to_string(::getpid()) + "-";
  for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::filesystem::path path = folder / (stem + std::to_string(attempt) + std::string(kSuffix));
    Descriptor made(make(path.c_str()));
    if (made.number() < 0 && errno == EEXIST) continue;
    if (made.number() < 0) return {.path = {}, .lock = Descriptor(), .systemError = errno};
    // Another run may have found it before it was locked, and sweeps it.
    if (isLockedByAnother(made) || !stillNames(path, made)) continue;
    return {.path = std::move(path), .lock = std::move(made)};
  }
  return {.path = {}, .lock = Descriptor(), .systemError = EEXIST};
}

void sweep(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return;
  const bool isFolder = S_ISDIR(status.st_mode);
  if (!isFolder && !S_ISREG(status.st_mode)) return;
  // Writable, because a lock over a network needs it.
  const Descriptor entry(::open(path.c_str(), (isFolder ? O_RDONLY | O_DIRECTORY : O_RDWR) | O_NOFOLLOW |
                                                  O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (entry.number() < 0 || ::flock(entry.number(), LOCK_EX | LOCK_NB) != 0 || !stillNames(path, entry))
    return;
  std::error_code ignored;
  if (isFolder)
    std::filesystem::remove_all(path, ignored);  // follows no links
  else
    ::unlink(path.c_str());
}

}  // namespace

TemporaryEntry makeTemporaryFile(const std::filesystem::path& folder) {
  return makeEntry(folder, [](const char* path) {
    return ::open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
  });
}

TemporaryEntry makeTemporaryFolder(const std::filesystem::path& folder) {
  return makeEntry(folder, [](const char* path) {
    if (::mkdir(path, 0700) != 0) return -1;
    const int made = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    // Swept by another run by now, and perhaps made anew: another name, then.
    if (made < 0 && (errno == ENOENT || errno == ENOTDIR)) errno = EEXIST;
    return made;
  });
}

void sweepTemporaries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;  // removing while reading may pass entries over
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (isOurName(entry->path().filename().native())) found.push_back(entry->path());
  for (const auto& path : found) sweep(path);
}

}  // namespace stridescope
