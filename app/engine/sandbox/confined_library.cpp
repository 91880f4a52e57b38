#include "engine/sandbox/confined_library.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/sandbox/confinement.h"
#include "engine/worker/worker_process.h"

#if defined(__SANITIZE_ADDRESS__)
#define STRIDESCOPE_SHADOW_MEMORY 1  // terabytes of address space
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRIDESCOPE_SHADOW_MEMORY 1
#endif
#endif

namespace stridescope::engine::sandbox {
namespace {

tl::unexpected<Error> notForbidden(const std::string& runs, const char* what) {
  return unavailable("The process that runs your " + runs + " could not give up " + what +
                         ", so it was not run. Close other programs.",
                     ::strerror(errno));
}

// Nobody but this process knows the variables from now on, and this one does not either.
void forgetEnvironment() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    ::memset(*variable, 0, ::strlen(*variable));
  ::clearenv();
}

// Killed with the thread that started it, which waits for it (custom_engine.cpp), whatever a person's code
// does.
void endWithTheProgram() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char byte = 0;
  if (::recv(worker::kWorkerSocket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
    std::_Exit(EXIT_SUCCESS);  // it is gone already
}

Result<void> forbid(const std::string& runs, const Result<CallFilter>& filter) {
  if (!filter) return tl::unexpected(filter.error());
  if (!filter->enforce()) return notForbidden(runs, "system calls");
  return {};
}

constexpr std::uint64_t kMaxErrorBytes = 1 << 20;
constexpr std::uint64_t kMaxFiles = 16;  // open at once

[[maybe_unused]] std::uint64_t addressSpaceNow() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void limitWorker(std::chrono::seconds processor, std::uint64_t memoryBytes) {
  limitResource(RLIMIT_CORE, 0);
  limitResource(RLIMIT_CPU, std::uint64_t(processor.count()));
  limitResource(RLIMIT_NOFILE, kMaxFiles);
  ::signal(SIGXFSZ, SIG_IGN);  // what is written beyond it is lost
  limitResource(RLIMIT_FSIZE, kMaxErrorBytes);
#ifndef STRIDESCOPE_SHADOW_MEMORY
  limitResource(RLIMIT_AS, addressSpaceNow() + memoryBytes);
#else
  (void)memoryBytes;
#endif
}

Result<void> confineFiles(const std::string& library, const std::string& runs) {
  endWithTheProgram();
  ::tzset();  // reads a file, for the date of a trace
  forgetEnvironment();
  // What the library depends on is loaded: this program needs it, too.
  const auto rules = FileRules::make({{library, FileAccess::Read}});
  if (!rules) return tl::unexpected(rules.error());
  if (!giveUpPrivileges()) return notForbidden(runs, "its privileges");
  if (!rules->enforce()) return notForbidden(runs, "your files");
  return {};
}

Result<void*> loadConfined(const std::string& library, const char* symbol, const std::string& runs,
                           const std::function<void()>& beforeLoading) {
  const auto calling = callingFilter();  // built now: it needs a file in memory
  if (!calling) return tl::unexpected(calling.error());
  beforeLoading();
  if (auto forbidden = forbid(runs, loadingFilter()); !forbidden) return tl::unexpected(forbidden.error());
  void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // for the process's life
  void* const found = opened == nullptr ? nullptr : ::dlsym(opened, symbol);
  if (found == nullptr) {
    const char* const why = ::dlerror();
    return unavailable("The compiled " + runs + " could not be loaded from " +
                           std::filesystem::path(library).parent_path().native() +
                           ". If programs may not run there, name another folder in TMPDIR.",
                       why == nullptr ? "" : why);
  }
  if (auto forbidden = forbid(runs, calling); !forbidden) return tl::unexpected(forbidden.error());
  return found;
}

std::vector<std::string> variablesOfTheLoader() {
  std::vector<std::string> variables;
  for (const std::string name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* const value = std::getenv(name.c_str())) variables.push_back(name + "=" + value);
  return variables;
}

}  // namespace stridescope::engine::sandbox
