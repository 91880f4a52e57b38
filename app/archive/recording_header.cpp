#include "archive/recording_header.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

#include "archive/recording_schema.h"
#include "base/regular_file.h"

namespace stridescope::archive {
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
  const auto file = openRegularFile(path, "a recording");
  if (!file) return tl::unexpected(file.error());
  Header header{};
  const ssize_t got = ::pread(file->descriptor.number(), header.data(), header.size(), 0);
  if (got < 0) return cannotRead(path, errno);
  if (got == 0) return unavailable("The file " + name + " is empty, not a recording.");
  const std::string_view begin(reinterpret_cast<const char*>(header.data()), std::size_t(got));
  if (begin.substr(0, kMagic.size()) != kMagic.substr(0, begin.size()))
    return unavailable("The file " + name + " is not a recording.");
  if (begin.size() < kHeaderBytes) return cutShort(name, file->bytes);
  return checkHeader(name, header, file->bytes);
}

}  // namespace stridescope::archive
