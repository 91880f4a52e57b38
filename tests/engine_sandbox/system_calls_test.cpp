// Every system call from within a confined process: what the rules let through and what they refuse, for the
// process that runs a person's combine, while it loads the code and while it calls it, and for a compiler.
// The lists here are what the rules are meant to be, written apart from them.
//
// ./dev test tries some calls; with STRIDESCOPE_ALL_CALLS in the environment all numbers are tried.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "custom_support.h"
#include "engine/sandbox/combine_guard.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/sandbox/confinement.h"
#include "engine/sandbox/limited_process.h"
#include "engine/worker/worker_engine.h"
#include "raw_call.h"
#include "support/temporary_folder.h"

namespace stridescope::engine::sandbox {
namespace {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)

using sandbox_test::RawCall;
using sandbox_test::textOf;

// What becomes of a call: it is refused (SIGSYS; a compiler is told that there is no such call), the kernel
// does it, or the caller is told this without its being done.
struct Fate {
  enum Kind { Refused, Done, Told } kind = Refused;
  long told = 0;
  friend bool operator==(const Fate&, const Fate&) = default;
};
std::ostream& operator<<(std::ostream& stream, const Fate& fate) {
  return stream << (fate.kind == Fate::Refused ? "refused"
                    : fate.kind == Fate::Done  ? "done"
                                               : "told ")
                << fate.told;
}

struct Case {
  RawCall call;
  Fate fate;
};

constexpr Fate kRefused{}, kDone{Fate::Done}, kToldDone{Fate::Told, 0}, kToldNo{Fate::Told, -EPERM};
constexpr long kAll = -1;

// The calls of a process that computes, whatever their arguments.
const std::set<long> kComputing{
    SYS_munmap,        SYS_mremap,       SYS_brk,   SYS_futex,        SYS_sched_yield,
    SYS_clock_gettime, SYS_gettimeofday, SYS_time,  SYS_getrandom,    SYS_getpid,
    SYS_gettid,        SYS_poll,         SYS_ppoll, SYS_rt_sigreturn, SYS_restart_syscall,
    SYS_exit,          SYS_exit_group};
const std::set<long> kLoadingToo{SYS_read,       SYS_pread64, SYS_close, SYS_fstat,
                                 SYS_newfstatat, SYS_statx,   SYS_getcwd};

// A compiler's: files, memory, processes of its own, signals to itself, the time, who it is.
const std::set<long> kCompiling{SYS_read,
                                SYS_readv,
                                SYS_pread64,
                                SYS_preadv,
                                SYS_write,
                                SYS_writev,
                                SYS_pwrite64,
                                SYS_pwritev,
                                SYS_close,
                                SYS_close_range,
                                SYS_lseek,
                                SYS_creat,
                                SYS_dup,
                                SYS_dup2,
                                SYS_dup3,
                                SYS_pipe,
                                SYS_pipe2,
                                SYS_poll,
                                SYS_ppoll,
                                SYS_select,
                                SYS_pselect6,
                                SYS_fstat,
                                SYS_stat,
                                SYS_lstat,
                                SYS_newfstatat,
                                SYS_statx,
                                SYS_fstatfs,
                                SYS_statfs,
                                SYS_access,
                                SYS_faccessat,
                                SYS_faccessat2,
                                SYS_readlink,
                                SYS_readlinkat,
                                SYS_getdents,
                                SYS_getdents64,
                                SYS_getcwd,
                                SYS_chdir,
                                SYS_fchdir,
                                SYS_rename,
                                SYS_renameat,
                                SYS_renameat2,
                                SYS_unlink,
                                SYS_unlinkat,
                                SYS_mkdir,
                                SYS_mkdirat,
                                SYS_rmdir,
                                SYS_umask,
                                SYS_ftruncate,
                                SYS_fallocate,
                                SYS_fsync,
                                SYS_fdatasync,
                                SYS_flock,
                                SYS_fadvise64,
                                SYS_sendfile,
                                SYS_copy_file_range,
                                SYS_brk,
                                SYS_mmap,
                                SYS_munmap,
                                SYS_mprotect,
                                SYS_mremap,
                                SYS_msync,
                                SYS_mincore,
                                SYS_membarrier,
                                SYS_fork,
                                SYS_vfork,
                                SYS_execve,
                                SYS_wait4,
                                SYS_waitid,
                                SYS_exit,
                                SYS_exit_group,
                                SYS_setpgid,
                                SYS_getpgid,
                                SYS_getpgrp,
                                SYS_setsid,
                                SYS_getsid,
                                SYS_getpid,
                                SYS_getppid,
                                SYS_gettid,
                                SYS_set_tid_address,
                                SYS_set_robust_list,
                                SYS_get_robust_list,
                                SYS_rseq,
                                SYS_futex,
                                SYS_arch_prctl,
                                SYS_sched_yield,
                                SYS_sched_getaffinity,
                                SYS_getrlimit,
                                SYS_setrlimit,
                                SYS_getrusage,
                                SYS_rt_sigaction,
                                SYS_rt_sigprocmask,
                                SYS_rt_sigreturn,
                                SYS_rt_sigsuspend,
                                SYS_rt_sigpending,
                                SYS_rt_sigtimedwait,
                                SYS_sigaltstack,
                                SYS_restart_syscall,
                                SYS_pause,
                                SYS_alarm,
                                SYS_setitimer,
                                SYS_getitimer,
                                SYS_nanosleep,
                                SYS_clock_nanosleep,
                                SYS_clock_gettime,
                                SYS_clock_getres,
                                SYS_gettimeofday,
                                SYS_time,
                                SYS_times,
                                SYS_getrandom,
                                SYS_uname,
                                SYS_sysinfo,
                                SYS_getuid,
                                SYS_geteuid,
                                SYS_getgid,
                                SYS_getegid,
                                SYS_getresuid,
                                SYS_getresgid,
                                SYS_getgroups,
                                SYS_capget};
const std::set<long> kCompilerIsToldDone{SYS_chmod,     SYS_fchmod, SYS_fchmodat,
                                         SYS_utimensat, SYS_utime,  SYS_utimes};
const std::set<long> kCompilerIsToldNo{SYS_kill,
                                       SYS_tkill,
                                       SYS_tgkill,
                                       SYS_rt_sigqueueinfo,
                                       SYS_rt_tgsigqueueinfo,
                                       SYS_pidfd_send_signal,
                                       SYS_socket,
                                       SYS_socketpair,
                                       SYS_truncate,
                                       SYS_chown,
                                       SYS_fchown,
                                       SYS_lchown,
                                       SYS_fchownat,
                                       SYS_link,
                                       SYS_linkat,
                                       SYS_symlink,
                                       SYS_symlinkat,
                                       SYS_setxattr,
                                       SYS_lsetxattr,
                                       SYS_fsetxattr};

bool triesAll() { return std::getenv("STRIDESCOPE_ALL_CALLS") != nullptr; }

// uretprobe and uprobe: newer kernels do not ask a filter about them, since they are made by what traces the
// process and do nothing from anywhere else.
const std::set<unsigned long> kNeverFiltered{335, 336};

constexpr unsigned long kX32 = 0x40000000;

// All numbers that a kernel of this machine has or may come to have, x32's, and some that no kernel has.
std::vector<unsigned long> numbers() {
  std::vector<unsigned long> all;
  if (!triesAll())
    return {SYS_getpid, SYS_execve,         SYS_socket,        SYS_ptrace,
            SYS_fstat,  SYS_rt_sigprocmask, kX32 | SYS_getpid, 9999};
  for (unsigned long number = 0; number < 700; ++number)
    if (!kNeverFiltered.contains(number)) all.push_back(number);
  for (unsigned long number = 0; number < 600; ++number) all.push_back(kX32 | number);
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) all.push_back(700 + random() % 0x3fff0000);
  for (const unsigned long number : {0x3ffffffful, 0x7ffffffful, 0x80000000ul, 0xfffffffful})
    all.push_back(number);
  return all;
}

RawCall callOf(unsigned long number, std::initializer_list<long> arguments = {}) {
  RawCall call{.number = number};
  std::copy(arguments.begin(), arguments.end(), call.arguments);
  return call;
}

// Calls that depend on their arguments; with all bits set in all arguments, none of them is let through.
std::vector<Case> combinesArguments(bool whileLoading) {
  const Fate loadersOnly = whileLoading ? kDone : kRefused;
  std::vector<Case> cases{{callOf(SYS_recvfrom, {3, 0, 0, 0x40, 0, 0}), kDone},
                          {callOf(SYS_recvfrom, {3, 0, 0, 0x40, 1, 0}), kRefused},
                          {callOf(SYS_recvfrom, {4, 0, 0, 0x40, 0, 0}), kRefused},
                          {callOf(SYS_sendto, {3, 0, 0, 0x40, 0, 0}), kDone},
                          {callOf(SYS_sendto, {3, 0, 0, 0x40, 1, 16}), kRefused},
                          {callOf(SYS_sendto, {0, 0, 0, 0x40, 0, 0}), kRefused},
                          {callOf(SYS_shutdown, {3, 9}), kDone},
                          {callOf(SYS_shutdown, {4, 9}), kRefused},
                          {callOf(SYS_tgkill, {1, 1, 0}), kRefused},
                          {callOf(SYS_write, {1, 0, 0}), kDone},
                          {callOf(SYS_write, {2, 0, 0}), kDone},
                          {callOf(SYS_write, {0, 0, 0}), kRefused},
                          {callOf(SYS_write, {3, 0, 0}), kRefused},
                          {callOf(SYS_writev, {2, 0, 0}), kDone},
                          {callOf(SYS_writev, {3, 0, 0}), kRefused},
                          {callOf(SYS_mmap, {0, 4096, 3, 0x22, kAll, 0}), kDone},
                          {callOf(SYS_mmap, {0, 4096, 7, 0x22, kAll, 0}), kRefused},
                          {callOf(SYS_mmap, {0, 4096, 6, 0x22, kAll, 0}), kRefused},
                          {callOf(SYS_mmap, {0, 4096, 5, 0x22, kAll, 0}), loadersOnly},
                          {callOf(SYS_mmap, {0, 4096, 1, 0x2, kAll, 0}), loadersOnly},
                          {callOf(SYS_mprotect, {0, 0, 3}), kDone},
                          {callOf(SYS_mprotect, {0, 0, 5}), loadersOnly},
                          {callOf(SYS_mprotect, {0, 0, 7}), kRefused},
                          {callOf(SYS_mprotect, {0, 0, 6}), kRefused},
                          {callOf(SYS_openat, {-100, kAll, 0x80000, 0}), loadersOnly},
                          {callOf(SYS_openat, {-100, kAll, 0, 0}), kRefused},
                          {callOf(SYS_openat, {-100, kAll, 0x80001, 0}), kRefused},
                          {callOf(SYS_openat, {-100, kAll, 0x80002, 0}), kRefused},
                          {callOf(SYS_openat, {-100, kAll, 0x80040, 0666}), kRefused},
                          {callOf(SYS_open, {kAll, 0x80000, 0}), loadersOnly},
                          {callOf(SYS_open, {kAll, 0x80242, 0666}), kRefused},
                          {callOf(SYS_seccomp, {1, 1, kAll}), loadersOnly},
                          {callOf(SYS_seccomp, {1, 0, kAll}), kRefused},
                          {callOf(SYS_seccomp, {1, 8, kAll}), kRefused},
                          {callOf(SYS_seccomp, {0, 0, 0}), kRefused}};
  const std::set<long> advices{4, 8, 14, 15, 16};  // DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP
  for (long advice = 0; advice < 30; ++advice)
    cases.push_back({callOf(SYS_madvise, {0, 0, advice}), advices.contains(advice) ? kDone : kRefused});
  for (const long harmful : {100, 101}) cases.push_back({callOf(SYS_madvise, {0, 0, harmful}), kRefused});
  return cases;
}

std::vector<Case> casesOfCombine(bool whileLoading) {
  std::vector<Case> cases;
  for (const unsigned long number : numbers()) {
    const long known = long(number);
    Fate fate = kRefused;
    if (kComputing.contains(known) || (whileLoading && kLoadingToo.contains(known)))
      fate = kDone;
    else if (known == SYS_rt_sigprocmask)
      fate = kToldDone;
    else if (known == SYS_fstat || known == SYS_newfstatat || known == SYS_statx)
      fate = kToldNo;
    cases.push_back({callOf(number), fate});
  }
  if (triesAll())
    for (const Case& each : combinesArguments(whileLoading)) cases.push_back(each);
  return cases;
}

std::vector<Case> compilersArguments() {
  std::vector<Case> cases{{callOf(SYS_clone, {SIGCHLD, 0, 0, 0, 0}), kDone},
                          {callOf(SYS_prlimit64, {0, 7, 0, 0}), kDone},
                          {callOf(SYS_prlimit64, {1, 7, 0, 0}), kRefused},
                          {callOf(SYS_prctl, {15, kAll}), kDone},  // PR_SET_NAME
                          {callOf(SYS_prctl, {4, 1}), kRefused},   // PR_SET_DUMPABLE
                          {callOf(SYS_prctl, {36, 0}), kRefused},  // PR_SET_CHILD_SUBREAPER
                          {callOf(SYS_open, {kAll, 0, 0}), kDone},
                          {callOf(SYS_open, {kAll, 01101, 0}), kDone},     // O_WRONLY O_CREAT O_TRUNC
                          {callOf(SYS_open, {kAll, 01002, 0}), kDone},     // O_RDWR O_TRUNC
                          {callOf(SYS_open, {kAll, 01000, 0}), kRefused},  // O_RDONLY O_TRUNC
                          {callOf(SYS_openat, {-100, kAll, 0, 0}), kDone},
                          {callOf(SYS_openat, {-100, kAll, 01001, 0}), kDone},
                          {callOf(SYS_openat, {-100, kAll, 01000, 0}), kRefused}};
  for (const long space :
       {0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000})
    cases.push_back({callOf(SYS_clone, {space | SIGCHLD, 0, 0, 0, 0}), kRefused});
  // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC; F_SETOWN and
  // F_SETSIG send signals.
  const std::set<long> commands{0, 1, 2, 3, 4, 5, 6, 7, 1030};
  for (const long command :
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 1024, 1025, 1026, 1030, 1031, 1033})
    cases.push_back({callOf(SYS_fcntl, {kAll, command, 0}), commands.contains(command) ? kDone : kRefused});
  const std::set<long> advices{0, 1, 2, 3, 4, 8, 14, 15, 16};
  for (long advice = 0; advice < 30; ++advice)
    cases.push_back({callOf(SYS_madvise, {0, 0, advice}), advices.contains(advice) ? kDone : kRefused});
  for (const long harmful : {100, 101}) cases.push_back({callOf(SYS_madvise, {0, 0, harmful}), kRefused});
  return cases;
}

std::vector<Case> casesOfCompiler() {
  std::vector<Case> cases;
  for (const unsigned long number : numbers()) {
    const long known = long(number);
    Fate fate = kRefused;
    if (kCompiling.contains(known))
      fate = kDone;
    else if (kCompilerIsToldDone.contains(known))
      fate = kToldDone;
    else if (kCompilerIsToldNo.contains(known))
      fate = kToldNo;
    else if (known == SYS_ioctl)
      fate = {Fate::Told, -ENOTTY};
    // The kernel's own answer to such an operation is that there is no such call.
    const bool isFutex = known == SYS_futex;
    cases.push_back({isFutex ? callOf(number, {0, 0, 0, 0, 0, 0}) : callOf(number), fate});
  }
  if (triesAll())
    for (const Case& each : compilersArguments()) cases.push_back(each);
  return cases;
}

class SystemCalls : public testing::Test {
 protected:
  void SetUp() override {
    if (!sandboxSupport().isComplete()) GTEST_SKIP() << sandboxSupport().sentence();
  }

  // What becomes of it in a process that runs a combine.
  Fate fateInCombine(const RawCall& call, bool whileLoading) {
    const auto library = folder_.path() / ((whileLoading ? "load-" : "call-") + textOf(call) + ".so");
    std::filesystem::copy_file(STRIDESCOPE_CALLING_LIBRARY, library);
    JobControl job;
    const worker::WorkerLimits limits{.start = std::chrono::seconds(20),
                                      .run = std::chrono::seconds(5),
                                      .leaving = std::chrono::milliseconds(0)};
    auto made = worker::makeWorkerEngine(
        combineWorkerCommand(STRIDESCOPE_COMBINE_CHILD, {.file = library, .type = model::ElementType::Int}),
        limits, job);
    const auto trace = made ? (*made)->record(custom("a", "0"), job) : tl::unexpected(made.error());
    std::filesystem::remove(library);
    if (trace) {
      const long answer = std::atol(trace->result.c_str());
      const bool isTold = answer == 0 || answer == -EPERM;
      return isTold ? Fate{Fate::Told, answer} : kDone;
    }
    const std::string words = trace.error().sentence + lastWordOf(trace.error().details);
    return words.find("SIGSYS") != std::string::npos ? kRefused : kDone;
  }

  static Fate fateInCompiler(const RawCall& call) {
    const auto files = FileRules::make({{"/usr", FileAccess::ReadAndRun},
                                        {"/lib", FileAccess::ReadAndRun},
                                        {"/lib64", FileAccess::ReadAndRun},
                                        {"/etc/ld.so.cache", FileAccess::Read},
                                        {STRIDESCOPE_CALL_MAKER, FileAccess::ReadAndRun}});
    static const auto calls = compilingFilter();
    JobControl job;
    const auto end = runLimited({.command = {STRIDESCOPE_CALL_MAKER, textOf(call)},
                                 .environment = {},
                                 .folder = "/",
                                 .files = *files,
                                 .calls = *calls,
                                 .doing = "trying",
                                 .limits = {.time = std::chrono::seconds(2)}},
                                job);
    if (!end) {
      ADD_FAILURE() << end.error().sentence;
      return {};
    }
    if (!end->timedOut && WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGSYS) return kRefused;
    constexpr std::string_view kAnswer = "answer ";
    const std::size_t at = end->output.find(kAnswer);
    if (at == std::string::npos) return kDone;  // it ended the process, or waits for ever
    const long answer = std::atol(end->output.c_str() + at + kAnswer.size());
    if (answer == -ENOSYS) return kRefused;
    const bool isTold = answer == 0 || answer == -EPERM || answer == -ENOTTY;
    return isTold ? Fate{Fate::Told, answer} : kDone;
  }

  // The kernel, too, gives such answers to what it was let do.
  static bool agree(const Fate& wanted, const Fate& seen) {
    if (wanted.kind == Fate::Done) return seen.kind != Fate::Refused;
    return wanted == seen;
  }

  support::Folder folder_;
};

TEST_F(SystemCalls, WhileCodeIsLoadedAreThoseOfTheLoader) {
  for (const Case& each : casesOfCombine(true)) {
    const Fate seen = fateInCombine(each.call, true);
    EXPECT_TRUE(agree(each.fate, seen)) << textOf(each.call) << " is " << seen << ", not " << each.fate;
  }
}

TEST_F(SystemCalls, WhileCodeIsCalledAreThoseOfComputing) {
  for (const Case& each : casesOfCombine(false)) {
    const Fate seen = fateInCombine(each.call, false);
    EXPECT_TRUE(agree(each.fate, seen)) << textOf(each.call) << " is " << seen << ", not " << each.fate;
  }
}

TEST_F(SystemCalls, OfACompilerAreThoseThatCompilersMake) {
  for (const Case& each : casesOfCompiler()) {
    const Fate seen = fateInCompiler(each.call);
    EXPECT_TRUE(agree(each.fate, seen)) << textOf(each.call) << " is " << seen << ", not " << each.fate;
  }
}

#else

TEST(SystemCalls, AreTriedOnX8664WithoutSanitizers) {
  GTEST_SKIP() << "The numbers are x86-64's, and sanitizers make calls of their own.";
}

#endif

}  // namespace
}  // namespace stridescope::engine::sandbox
