// Opens a person's file without harm: nothing but a regular file is opened, so that a pipe or a device under
// its name neither blocks the program nor is set going.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace stridescope {

// A descriptor that is closed with the object; negative: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct RegularFile {
  Descriptor descriptor;
  std::uint64_t bytes = 0;  // its size when it was opened; 0 for the kernel's own files, whatever they hold
};

// Opens the file for reading. `wanted` says what was expected, for the sentence: "a recording". Errors: there
// is none, no permission, a folder, a pipe, a socket, a device.
Result<RegularFile> openRegularFile(const std::filesystem::path& path, std::string_view wanted);

// Reads the whole file. Errors: those of openRegularFile, a file of more than `mostBytes`, a failure to read.
Result<std::string> readRegularFile(const std::filesystem::path& path, std::string_view wanted,
                                    std::uint64_t mostBytes);

// All that can be read from an open descriptor, waiting for it: a pipe, a terminal. `name` is what the
// sentences call it: "standard input". Errors: more than `mostBytes`, a failure to read.
Result<std::string> readToEnd(int descriptor, const std::string& name, std::uint64_t mostBytes);

// The sentence for a file that cannot be read; `systemError` is an errno value.
tl::unexpected<Error> cannotRead(const std::filesystem::path& path, int systemError);

// A path as a sentence about a file has it: "'data.txt'".
inline std::string quoted(const std::filesystem::path& path) { return "'" + path.native() + "'"; }

}  // namespace stridescope
