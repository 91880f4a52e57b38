#include "base/pending_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdio>

namespace stridescope {
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
