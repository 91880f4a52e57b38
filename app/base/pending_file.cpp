#include "base/pending_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_moves.h"
#include "base/regular_file.h"
#include "base/result.h"

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

// What this process has made, by path: which file or folder it was, since another process may use the name
// later. What was published is not found under its path any more.
struct OwnTemporaries {
  std::mutex mutex;
  std::map<std::filesystem::path, std::pair<dev_t, ino_t>> all;
};
OwnTemporaries& ownTemporaries() {
  static OwnTemporaries* const own = new OwnTemporaries;  // outlives what is destroyed at the program's end
  return *own;
}

// `make` makes an entry of that name and gives a descriptor, or -1 and errno.
template <class Make>
TemporaryEntry makeEntry(const std::filesystem::path& folder, const Make& make) {
  sweepTemporaries(folder);
  const std::string stem = std::string(kPrefix) + std::to_string(::getpid()) + "-";
  for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::filesystem::path path = folder / (stem + std::to_string(attempt) + std::string(kSuffix));
    const std::lock_guard lock(ownTemporaries().mutex);
    Descriptor made(make(path.c_str()));
    if (made.number() < 0 && errno == EEXIST) continue;
    if (made.number() < 0) return {.path = {}, .lock = Descriptor(), .systemError = errno};
    if (struct stat status{}; ::fstat(made.number(), &status) == 0)
      ownTemporaries().all.insert_or_assign(path, std::pair(status.st_dev, status.st_ino));
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

std::filesystem::path folderOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

std::string describe(int systemError) { return std::generic_category().message(systemError); }

// A link is followed, so that the file behind it is replaced and not the link.
std::filesystem::path withoutLinks(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real;
}

tl::unexpected<Error> existsAlready(const std::filesystem::path& target) {
  return tl::unexpected(Error{.kind = ErrorKind::Unavailable,
                              .sentence = "The file " + quoted(target) +
                                          " exists already. Choose another name, or replace it with --force.",
                              .cause = ErrorCause::ExistingFile});
}

// Why the target cannot be written, if what stands there says so.
std::optional<tl::unexpected<Error>> objectionTo(const std::filesystem::path& target, bool overwrite) {
  if (!target.has_filename() || target.native().find('\0') != std::string::npos)
    return usageError(quoted(target) + " is not the name of a file. Name one.");
  struct stat status {};
  if (::lstat(target.c_str(), &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode))
    return usageError(quoted(target) + " is a folder. Give the name of a file in it.");
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
    return usageError(quoted(target) + " is not a regular file. Choose another name.");
  if (!overwrite) return existsAlready(target);
  return std::nullopt;
}

}  // namespace

tl::unexpected<Error> cannotWrite(const std::filesystem::path& target, int systemError) {
  const std::string folder = quoted(folderOf(target)), file = quoted(target);
  switch (systemError) {
    case ENOENT:
      if (std::error_code ignored; std::filesystem::is_directory(folderOf(target), ignored))
        return unavailable("The folder " + folder + " takes no new files. Choose another.");
      return unavailable("The folder " + folder + " does not exist. Make it first, or choose another.");
    case ENOTDIR:
      return unavailable(folder + " is not a folder. Choose another name.");
    case EACCES:
    case EPERM:
      return unavailable("There is no permission to write into the folder " + folder + ". Choose another.");
    case EROFS:
      return unavailable("The folder " + folder + " is read-only. Choose another.");
    case ENOSPC:
    case EDQUOT:
      return unavailable("The disk is full: " + file + " was not written. Free some space and try again.",
                         describe(systemError));
    case EFBIG:
      return unavailable(
          "The file " + file +
              " would be larger than a file may be here. Raise the limit (ulimit -f has that of "
              "the shell), choose another folder, or write less into it.",
          describe(systemError));
    case ENOMEM:
      return tl::unexpected(outOfMemory("writing " + file));
    case ENAMETOOLONG:
      return usageError("The name " + file + " is too long for a file.");
    default:
      return unavailable("The file " + file + " could not be written: " + describe(systemError) + ".");
  }
}

std::string absoluteOf(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().native();
}

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

void removeOwnTemporaries() noexcept try {
  OwnTemporaries& own = ownTemporaries();
  own.mutex.lock();  // for good
  for (const auto& [path, made] : own.all) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || std::pair(status.st_dev, status.st_ino) != made) continue;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);  // follows no links
  }
} catch (...) {  // out of memory: the next run sweeps them
}

std::unique_lock<std::mutex> publishing() { return std::unique_lock(ownTemporaries().mutex); }

Result<PendingFile> PendingFile::create(const std::filesystem::path& target, bool overwrite) {
  const std::filesystem::path real = withoutLinks(target);
  if (const auto objection = objectionTo(real, overwrite)) return *objection;
  PendingFile file(real, makeTemporaryFile(folderOf(real)), overwrite);
  if (file.entry_.systemError != 0) return file.failure(file.entry_.systemError);
  return file;
}

PendingFile::~PendingFile() {
  if (entry_.lock.number() >= 0) ::unlink(entry_.path.c_str());
}

Result<std::monostate> PendingFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(entry_.lock.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(errno);
    bytes.remove_prefix(std::size_t(written));
  }
  return std::monostate{};
}

Result<std::monostate> PendingFile::publish(const std::atomic<bool>* cancel) {
  const int failed = syncToDisk(entry_.lock.number(), cancel);
  if (failed == ECANCELED) return cancelled();
  if (failed != 0) return failure(failed);
  const char *from = entry_.path.c_str(), *to = target_.c_str();
  int moved = overwrite_ ? moveReplacing(from, to) : moveWithoutReplacing(from, to);
  // Some file systems cannot rename without replacing; the target was seen to be free.
  if (!overwrite_ && (moved == EINVAL || moved == ENOSYS)) moved = moveReplacing(from, to);
  if (moved != 0) return moved == EEXIST ? Result<std::monostate>(existsAlready(target_)) : failure(moved);
  entry_.lock.close();
  // The new name itself reaches the disk with its folder; where folders cannot be synced nothing is lost but
  // that certainty.
  if (const Descriptor folder(::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      folder.number() >= 0)
    ::fsync(folder.number());
  return std::monostate{};
}

Result<std::monostate> writeWhole(const std::filesystem::path& target, std::string_view bytes, bool overwrite,
                                  const std::atomic<bool>* cancel) {
  auto file = PendingFile::create(target, overwrite);
  if (!file) return tl::unexpected(file.error());
  return file->write(bytes).and_then([&](auto) { return file->publish(cancel); });
}

namespace {

namespace fs = std::filesystem;

// "pictures/" is "pictures".
fs::path withoutSlash(const fs::path& path) {
  return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

int writeAll(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(std::size_t(written));
  }
  return ::fsync(file.number()) == 0 ? 0 : errno;
}

// Makes the folder, as those are that a person makes, and gives the temporary one the same permissions: it
// was made for its owner alone.
int makeLikeNew(const fs::path& target, const fs::path& temporary) {
  if (::mkdir(target.c_str(), 0777) != 0 && errno != EEXIST) return errno;
  struct stat made {};
  if (::stat(target.c_str(), &made) != 0) return errno;
  return ::chmod(temporary.c_str(), made.st_mode & 07777) == 0 ? 0 : errno;
}

}  // namespace

Result<PendingFolder> PendingFolder::create(const fs::path& given, bool overwrite) {
  const fs::path target = withoutSlash(given);
  std::error_code failed;
  const fs::file_status status = fs::status(target, failed);
  const std::string quoted = "'" + target.native() + "'";
  if (target.empty() || target.native().find('\0') != std::string::npos)
    return usageError(quoted + " is not the name of a folder. Name one.");
  if (fs::exists(status) && !fs::is_directory(status))
    return usageError(quoted + " is there already, and it is no folder. Choose another name.");
  const bool isInside = fs::is_directory(status) && !fs::is_empty(target, failed) && !failed;
  if (failed && fs::is_directory(status)) return cannotWrite(target / "picture", failed.value());
  if (isInside && !overwrite)
    return tl::unexpected(Error{
        .kind = ErrorKind::Unavailable,
        .sentence =
            "The folder " + quoted + " is not empty. Choose another name, or write into it with --force.",
        .cause = ErrorCause::ExistingFile});
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  PendingFolder folder(target, makeTemporaryFolder(isInside ? target : parent), isInside);
  if (folder.entry_.systemError != 0)
    return cannotWrite(isInside ? target / "picture" : target, folder.entry_.systemError);
  return folder;
}

PendingFolder::~PendingFolder() {
  std::error_code ignored;
  if (entry_.lock.number() >= 0) fs::remove_all(entry_.path, ignored);
}

Result<std::monostate> PendingFolder::add(const std::string& name, std::string_view bytes) {
  const Descriptor file(
      ::open((entry_.path / name).c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (const int error = file.number() < 0 ? errno : writeAll(file, bytes); error != 0)
    return cannotWrite(target_ / name, error);
  names_.push_back(name);
  return std::monostate{};
}

Result<std::monostate> PendingFolder::publish() {
  const auto together = publishing();
  if (auto published = isInside_ ? moveFiles() : publishAsNew(); !published) return published;
  entry_.lock.close();
  return std::monostate{};
}

// A folder that is empty gives way to another; one that has something in it by now does not.
Result<std::monostate> PendingFolder::publishAsNew() {
  if (const int error = makeLikeNew(target_, entry_.path); error != 0) return cannotWrite(target_, error);
  if (::rename(entry_.path.c_str(), target_.c_str()) == 0) return std::monostate{};
  const int error = errno;
  ::rmdir(target_.c_str());
  return cannotWrite(target_, error);
}

Result<std::monostate> PendingFolder::moveFiles() {
  for (const std::string& name : names_)
    if (::rename((entry_.path / name).c_str(), (target_ / name).c_str()) != 0)
      return cannotWrite(target_ / name, errno);
  std::error_code ignored;
  fs::remove(entry_.path, ignored);
  return std::monostate{};
}

}  // namespace stridescope
