// Runs kept inputs through a fuzz target: PROGRAM FOLDER. An input that does harm ends the process, having
// named itself.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz_one.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: PROGRAM FOLDER\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::fprintf(stderr, "%s\n", path.filename().c_str());
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    stridescope::fuzz::fuzzOne({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  std::fprintf(stderr, "%zu inputs\n", files.size());
  return files.empty() ? 1 : 0;  // a folder that was moved is no success
}
