// A folder that goes away, and files in it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace stridescope::support {

class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::size_t fileCount() const;

 private:
  std::filesystem::path path_;
};

std::string contentsOf(const std::filesystem::path& file);
void writeContents(const std::filesystem::path& file, std::string_view contents);

}  // namespace stridescope::support
