#include "no_processes.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__x86_64__)
#define STRIDESCOPE_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define STRIDESCOPE_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

namespace stridescope {

#ifdef STRIDESCOPE_AUDIT_ARCH
namespace {

// From here on x86-64's numbers are of its 32-bit variant, x32: the same calls once more.
constexpr std::uint32_t kFirstX32Call = 0x40000000;

constexpr std::uint32_t kRefused[] = {SYS_clone, SYS_clone3, SYS_execve, SYS_execveat,
#ifdef SYS_fork  // newer systems have clone alone
                                      SYS_fork,  SYS_vfork
#endif
};

// The kernel's filter language: an instruction looks at the word loaded last and skips some of those after
// it.
std::vector<sock_filter> filter() {
  const auto load = [](std::size_t offset) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(offset));
  };
  std::vector<sock_filter> program{
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STRIDESCOPE_AUDIT_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),  // another architecture's numbers
      load(offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirstX32Call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  for (const std::uint32_t call : kRefused) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return program;
}

void installFilter() {
  std::vector<sock_filter> program = filter();
  const sock_fprog given{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);  // without it only root may set a filter
  (void)!::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &given);
}

}  // namespace
#endif

void forbidNewProcesses() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_NPROC, &none);
#ifdef STRIDESCOPE_AUDIT_ARCH
  installFilter();
#endif
}

}  // namespace stridescope
