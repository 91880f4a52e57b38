#include "support/temporary_folder.h"

#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace stridescope::support {

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "recording-XXXXXX").native();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::size_t Folder::fileCount() const {
  return std::size_t(
      std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
}

std::string contentsOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeContents(const std::filesystem::path& file, std::string_view contents) {
  std::ofstream(file, std::ios::binary) << contents;
}

}  // namespace stridescope::support
