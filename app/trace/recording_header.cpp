#include "trace/recording_header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "trace/recording_schema.h"

namespace stridescope {
namespace {

// SQLite's header, https://www.sqlite.org/fileformat2.html#the_database_header: numbers are big-endian.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kPageSizeAt = 16, kChangeCounterAt = 24, kPageCountAt = 28, kUserVersionAt = 60,
                      kApplicationIdAt = 68, kVersionValidForAt = 92;
using Header = std::array<unsigned char, kHeaderBytes>;

std::uint32_t numberAt(const Header& header, std::size_t at, std::size_t bytes = 4) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) number = number << 8 | header[at + i];
  return number;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

tl::unexpected<Error> cannotOpen(const std::string& name, int systemError) {
  switch (systemError) {
    case ENOENT:
    case ENOTDIR:
      return unavailable("There is no file " + name + ".");
    case EACCES:
    case EPERM:
      return unavailable("There is no permission to read " + name + ".");
    default:
      return unavailable("The file " + name +
                         " cannot be read: " + std::generic_category().message(systemError) + ".");
  }
}

std::string_view nounFor(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

tl::unexpected<Error> cutShort(const std::string& name, std::uint64_t bytes) {
  return unavailable("The recording " + name + " is cut short after " + std::to_string(bytes) +
                     " bytes. Copy it again from where it came.");
}

Result<std::uint64_t> checkHeader(const std::string& name, const Header& header, std::uint64_t size) {
  if (numberAt(header, kApplicationIdAt) != kRecordingApplicationId)
    return unavailable("The file " + name + " is another program's database, not a recording.");
  const std::uint32_t format = numberAt(header, kUserVersionAt);
  const std::string formats = " is in format " + std::to_string(format) +
                              ", and this program reads formats up to " + std::to_string(kRecordingFormat) +
                              ".";
  if (format > kRecordingFormat && format <= 0xffff)
    return unavailable("The recording " + name + formats + " Open it with a newer Stridescope.");
  if (format < kFirstRecordingFormat || format > kRecordingFormat)
    return unavailable("The recording " + name + " is damaged: it" + formats);
  // The page count holds only if the last writer kept it: two counters agree then.
  const std::uint64_t pageSize =
      numberAt(header, kPageSizeAt, 2) == 1 ? 65536 : numberAt(header, kPageSizeAt, 2);
  const std::uint64_t bytes = pageSize * numberAt(header, kPageCountAt);
  if (numberAt(header, kChangeCounterAt) == numberAt(header, kVersionValidForAt) && bytes != size) {
    if (bytes > size) return cutShort(name, size);
    return unavailable("The recording " + name +
                       " is damaged: the file is longer than what it says it holds.");
  }
  return size;
}

}  // namespace

Result<std::uint64_t> checkRecordingHeader(const std::filesystem::path& path) {
  const std::string name = "'" + path.native() + "'";
  if (path.native().find('\0') != std::string::npos) return unavailable("There is no file " + name + ".");
  // First by name, because opening a device can already do something; then what was opened.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return cannotOpen(name, errno);
  const auto notAFile = [&] {
    return unavailable(name + " is " + std::string(nounFor(status.st_mode)) + ", not a recording.");
  };
  if (!S_ISREG(status.st_mode)) return notAFile();
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return cannotOpen(name, errno);
  if (!S_ISREG(status.st_mode)) return notAFile();

  Header header{};
  const ssize_t got = ::pread(file.number(), header.data(), header.size(), 0);
  if (got < 0) return cannotOpen(name, errno);
  if (got == 0) return unavailable("The file " + name + " is empty, not a recording.");
  const std::string_view begin(reinterpret_cast<const char*>(header.data()), std::size_t(got));
  if (begin.substr(0, kMagic.size()) != kMagic.substr(0, begin.size()))
    return unavailable("The file " + name + " is not a recording.");
  const auto size = std::uint64_t(status.st_size);
  if (begin.size() < kHeaderBytes) return cutShort(name, size);
  return checkHeader(name, header, size);
}

}  // namespace stridescope
