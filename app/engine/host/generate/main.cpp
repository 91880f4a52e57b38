// stridescope_generate: writes the host's kernels at build time.
//   stridescope_generate kernel ID OUTPUT
//   stridescope_generate registry OUTPUT ID...
//   stridescope_generate operators OUTPUT
// A file that would not change is left alone, so that nothing is compiled again for it.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "generated_text.h"

namespace {

int fail(const std::string& sentence) {
  std::fprintf(stderr, "stridescope_generate: %s\n", sentence.c_str());
  return 1;
}

int write(const std::string& path, const std::string& text) {
  std::ifstream old(path, std::ios::binary);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? 0 : fail("cannot write " + path + ".");
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (what == "kernel" && arguments.size() == 3) {
    const auto source = stridescope::engine::host::kernelSource(arguments[1]);
    return source ? write(arguments[2], *source) : fail(source.error().sentence);
  }
  if (what == "registry" && arguments.size() >= 2)
    return write(arguments[1],
                 stridescope::engine::host::registrySource({arguments.begin() + 2, arguments.end()}));
  if (what == "operators" && arguments.size() == 2)
    return write(arguments[1], stridescope::engine::host::operatorSource());
  return fail("usage: stridescope_generate kernel ID OUTPUT | registry OUTPUT ID... | operators OUTPUT");
}
