#include "sandbox_support.h"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace stridescope::engine::sandbox {

std::string SandboxSupport::sentence() const {
  if (isComplete())
    return "Landlock (version " + std::to_string(landlock) +
           " of its interface) and seccomp: a person's operator can open no file and no connection, and "
           "start "
           "no process.";
  const std::string missing = landlock > 0 ? "seccomp filters"
                              : seccomp    ? "Landlock"
                                           : "Landlock or seccomp filters";
  const std::string harm = landlock > 0 ? "reach the network and other processes"
                           : seccomp    ? "read files of yours while it is compiled and loaded"
                                        : "do whatever you can do yourself";
  return "This kernel offers no " + missing + ", so a person's operator could " + harm +
         ". Use Linux 5.13 or newer, with Landlock among its security modules (the kernel's parameter lsm) "
         "and, in a "
         "container, allowed by it.";
}

SandboxSupport sandboxSupport() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, LANDLOCK_CREATE_RULESET_VERSION);
  const std::uint32_t action = SECCOMP_RET_TRAP;
  return {.landlock = int(std::max(version, 0l)),
          .seccomp = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0};
}

}  // namespace stridescope::engine::sandbox
