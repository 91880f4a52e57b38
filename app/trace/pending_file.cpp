#include "trace/pending_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace stridescope {
namespace {

std::filesystem::path folderOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.native() + "'"; }

std::string describe(int systemError) { return std::generic_category().message(systemError); }

// A link is followed, so that the file behind it is replaced and not the link.
std::filesystem::path withoutLinks(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real;
}

tl::unexpected<Error> existsAlready(const std::filesystem::path& target) {
  return tl::unexpected(Error{.kind = ErrorKind::Usage,
                              .sentence = "The file " + quoted(target) +
                                          " exists already. Choose another name, or replace it with --force.",
                              .details = {},
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

Result<PendingFile> PendingFile::create(const std::filesystem::path& target, bool overwrite) {
  PendingFile file;
  file.target_ = withoutLinks(target);
  file.overwrite_ = overwrite;
  if (const auto objection = objectionTo(file.target_, overwrite)) return *objection;
  const std::string stem = ".stridescope-" + std::to_string(::getpid()) + "-";
  for (unsigned attempt = 0; file.descriptor_ < 0; ++attempt) {
    file.temporary_ = folderOf(file.target_) / (stem + std::to_string(attempt) + ".tmp");
    file.descriptor_ =
        ::open(file.temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file.descriptor_ < 0 && (errno != EEXIST || attempt == 1000)) return file.failure(errno);
  }
  return file;
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      overwrite_(other.overwrite_) {}

PendingFile::~PendingFile() {
  if (descriptor_ < 0) return;
  ::unlink(temporary_.c_str());
  ::close(descriptor_);
}

Result<std::monostate> PendingFile::publish() {
  if (::fsync(descriptor_) != 0) return failure(errno);
  const char *from = temporary_.c_str(), *to = target_.c_str();
  int moved = overwrite_ ? ::rename(from, to) : ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  // Some file systems cannot rename without replacing; the target was seen to be free.
  if (moved != 0 && !overwrite_ && (errno == EINVAL || errno == ENOSYS)) moved = ::rename(from, to);
  if (moved != 0) return errno == EEXIST ? Result<std::monostate>(existsAlready(target_)) : failure(errno);
  ::close(std::exchange(descriptor_, -1));
  // The new name itself reaches the disk with its folder; where folders cannot be synced nothing is lost but
  // that certainty.
  if (const int folder = ::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
  return std::monostate{};
}

tl::unexpected<Error> PendingFile::failure(int systemError) const {
  const std::string folder = quoted(folderOf(target_)), file = quoted(target_);
  switch (systemError) {
    case ENOENT:
      if (std::error_code ignored; std::filesystem::is_directory(folderOf(target_), ignored))
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
      return unavailable("The file " + file + " is larger than a file may be here. Record fewer traces.",
                         describe(systemError));
    case ENAMETOOLONG:
      return usageError("The name " + file + " is too long for a file.");
    default:
      return unavailable("The file " + file + " could not be written: " + describe(systemError) + ".");
  }
}

}  // namespace stridescope
