// Takes the place of stridescope as the process that runs a combine. With "unconfined" and a library it loads
// that and calls its combine, as it is, for the tests that hold that what is contained would do harm.
#include <dlfcn.h>

#include <chrono>
#include <string_view>

#include "engine/sandbox/combine_worker.h"

namespace {

int runUnconfined(const char* library) {
  void* const opened = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* const symbol =
      opened == nullptr ? nullptr : ::dlsym(opened, stridescope::engine::sandbox::kCombineSymbol);
  if (symbol == nullptr) return 1;
  for (int a = 0; a < 63; ++a) reinterpret_cast<int (*)(int, int)>(symbol)(a, a + 1);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && argv[1] == std::string_view("unconfined")) return runUnconfined(argv[2]);
  const auto arguments = stridescope::engine::sandbox::combineWorkerArguments(argc, argv);
  // Less patient than the program is: what does not end burns a processor until then.
  using namespace std::chrono_literals;
  return arguments ? stridescope::engine::sandbox::serveCombine(*arguments, {.call = 500ms}) : 2;
}
