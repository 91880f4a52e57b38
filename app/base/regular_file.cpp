#include "base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

using namespace stridescope;

namespace {

constexpr std::size_t kPartBytes = 1 << 16;

std::string_view nounFor(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

tl::unexpected<Error> tooLarge(const std::filesystem::path& path, std::uint64_t mostBytes) {
  return unavailable("The file " + quoted(path) + " is too large: at most " +
                     std::to_string(mostBytes >> 10) + " KiB are read. Take a smaller one.");
}

// To its end, wherever that is: the size that is expected may be out of date, or not known. 0; or an errno
// value, EFBIG for more than `mostBytes`.
int appendToEnd(int descriptor, std::uint64_t expectedBytes, std::uint64_t mostBytes, std::string& text) {
  for (std::size_t end = 0;;) {
    if (end > mostBytes) return EFBIG;
    text.resize(std::max(std::size_t(expectedBytes) + 1, end + kPartBytes));
    const ssize_t got = ::read(descriptor, text.data() + end, text.size() - end);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    end += std::size_t(got);
    if (got > 0) continue;
    text.resize(end);
    return 0;
  }
}

}  // namespace

tl::unexpected<Error> stridescope::cannotRead(const std::filesystem::path& path, int systemError) {
  switch (systemError) {
    case ENOENT:
    case ENOTDIR:
      return unavailable("There is no file " + quoted(path) + ".");
    case EACCES:
    case EPERM:
      return unavailable(
          "The file " + quoted(path) +
          " cannot be read: there is no permission to read it. Ask its owner, or take a copy.");
    default:
      return unavailable("The file " + quoted(path) +
                         " cannot be read: " + std::generic_category().message(systemError) + ".");
  }
}

Result<RegularFile> stridescope::openRegularFile(const std::filesystem::path& path, std::string_view wanted) {
  if (path.native().find('\0') != std::string::npos) return cannotRead(path, ENOENT);
  // First by name, because opening a device can already do something; then what was opened.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return cannotRead(path, errno);
  const auto otherKind = [&] {
    return unavailable(quoted(path) + " is " + std::string(nounFor(status.st_mode)) + ", not " +
                       std::string(wanted) + ".");
  };
  if (!S_ISREG(status.st_mode)) return otherKind();
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return cannotRead(path, errno);
  if (!S_ISREG(status.st_mode)) return otherKind();
  return RegularFile{std::move(file), std::uint64_t(status.st_size)};
}

Result<std::string> stridescope::readRegularFile(const std::filesystem::path& path, std::string_view wanted,
                                                 std::uint64_t mostBytes) {
  const auto file = openRegularFile(path, wanted);
  if (!file) return tl::unexpected(file.error());
  if (file->bytes > mostBytes) return tooLarge(path, mostBytes);
  std::string text;
  switch (const int fault = appendToEnd(file->descriptor.number(), file->bytes, mostBytes, text)) {
    case 0:
      return text;
    case EFBIG:
      return tooLarge(path, mostBytes);
    default:
      return cannotRead(path, fault);
  }
}

Result<std::string> stridescope::readToEnd(int descriptor, const std::string& name, std::uint64_t mostBytes) {
  std::string text;
  switch (const int fault = appendToEnd(descriptor, 0, mostBytes, text)) {
    case 0:
      return text;
    case EFBIG:
      return unavailable("There is too much in " + name + ": at most " + std::to_string(mostBytes >> 10) +
                         " KiB are read. Give it less.");
    default:
      return unavailable("What is in " + name + " cannot be read: " + std::generic_category().message(fault) +
                         ".");
  }
}
