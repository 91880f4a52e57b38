#include "engine/sandbox/confinement.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <utility>

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

namespace {

using Names = std::initializer_list<const char*>;
using Arguments = std::initializer_list<scmp_arg_cmp>;  // all of them must hold

tl::unexpected<Error> noFilter(int systemError) {
  return unavailable(
      "The kernel's seccomp could not be set up, so a person's code is not run. Close other programs.",
      std::strerror(systemError));
}

// A filter in the making. A call of that name which this machine or libseccomp does not know is one that is
// not listed.
class Listed {
 public:
  // `otherwise`: what becomes of all other calls.
  explicit Listed(std::uint32_t otherwise) : context_(::seccomp_init(otherwise), &::seccomp_release) {
    if (!context_) failed_ = ENOMEM;
    // The numbers of another architecture's calls (32-bit programs', x32's) mean something else.
    if (context_) keep(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  }

  Listed& allow(Names names) {
    for (const char* name : names) add(SCMP_ACT_ALLOW, name, {});
    return *this;
  }
  Listed& allowIf(const char* name, Arguments arguments) {
    add(SCMP_ACT_ALLOW, name, arguments);
    return *this;
  }
  // Not done; the caller is told this errno value, or with 0 that it was.
  Listed& answer(int systemError, Names names) {
    for (const char* name : names) add(SCMP_ACT_ERRNO(std::uint32_t(systemError)), name, {});
    return *this;
  }

  Result<CallFilter> built() const {
    if (failed_ != 0) return noFilter(failed_);
    const Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
    if (file.number() < 0) return noFilter(errno);
    if (const int failed = ::seccomp_export_bpf(context_.get(), file.number()); failed != 0)
      return noFilter(-failed);
    const off_t bytes = ::lseek(file.number(), 0, SEEK_END);
    std::vector<sock_filter> program(std::size_t(bytes) / sizeof(sock_filter));
    if (bytes <= 0 || ::pread(file.number(), program.data(), std::size_t(bytes), 0) != bytes)
      return noFilter(EIO);
    return CallFilter(std::move(program));
  }

 private:
  void add(std::uint32_t action, const char* name, Arguments arguments) {
    const int call = ::seccomp_syscall_resolve_name(name);
    if (call < 0 || !context_) return;
    keep(::seccomp_rule_add_array(context_.get(), action, call, unsigned(arguments.size()),
                                  arguments.begin()));
  }
  void keep(int code) { failed_ = failed_ != 0 ? failed_ : -code; }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  int failed_ = 0;
};

// Comparisons of the whole 64 bits of an argument. Where the kernel looks at 32 of them, more is refused, not
// less.
scmp_arg_cmp equals(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }
scmp_arg_cmp bits(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

// What a process does that only computes and answers on its socket.
Listed computing() {
  Listed listed(SCMP_ACT_TRAP);
  listed
      .allow({"munmap", "mremap", "brk", "futex", "sched_yield", "clock_gettime", "gettimeofday", "time",
              "getrandom", "getpid", "gettid", "poll", "ppoll", "rt_sigreturn", "restart_syscall", "exit",
              "exit_group"})
      .allowIf("recvfrom", {equals(0, worker::kWorkerSocket), equals(4, 0)})
      .allowIf("sendto", {equals(0, worker::kWorkerSocket), equals(4, 0)})
      .allowIf("shutdown", {equals(0, worker::kWorkerSocket)})
      .allowIf("tgkill", {equals(0, std::uint64_t(::getpid()))})  // abort
      .answer(0, {"rt_sigprocmask"});
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    for (const char* write : {"write", "writev"}) listed.allowIf(write, {equals(0, std::uint64_t(output))});
  // The others that there are may do harm by an administrator's hand.
  for (const int advice : {MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP})
    listed.allowIf("madvise", {equals(2, std::uint64_t(advice))});
#if defined(__SANITIZE_ADDRESS__)
  // The sanitizers try by a pipe whether memory may be read, and ask for the stacks before a long jump.
  listed.allow({"pipe", "pipe2", "write", "close", "sigaltstack"});
#endif
  return listed;
}

constexpr std::uint64_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;

}  // namespace

bool CallFilter::enforce() const {
  const sock_fprog given{.len = static_cast<unsigned short>(program_.size()),
                         .filter = const_cast<sock_filter*>(program_.data())};
  return program_.empty() ||
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &given) == 0;
}

Result<CallFilter> loadingFilter() {
  if (!sandboxSupport().seccomp) return CallFilter();
  Listed listed = computing();
  listed.allow({"read", "pread64", "close", "fstat", "newfstatat", "statx", "getcwd"})
      .allowIf("seccomp",
               {equals(0, SECCOMP_SET_MODE_FILTER), equals(1, SECCOMP_FILTER_FLAG_TSYNC)})  // the next
      .allowIf("openat", {equals(2, O_RDONLY | O_CLOEXEC)})
      .allowIf("open", {equals(1, O_RDONLY | O_CLOEXEC)});
  for (const char* call : {"mmap", "mprotect"})
    for (const int allowed : {PROT_NONE, PROT_WRITE, PROT_EXEC})
      listed.allowIf(call, {bits(2, PROT_WRITE | PROT_EXEC, std::uint64_t(allowed))});
  return listed.built();
}

Result<CallFilter> callingFilter() {
  if (!sandboxSupport().seccomp) return CallFilter();
  return computing()
      .allowIf("mmap", {bits(2, PROT_EXEC, 0), bits(3, MAP_ANONYMOUS, MAP_ANONYMOUS)})
      .allowIf("mprotect", {bits(2, PROT_EXEC, 0)})
      .answer(EPERM, {"fstat", "newfstatat", "statx"})  // printf asks for the best size of its buffer
      .built();
}

Result<CallFilter> compilingFilter() {
  if (!sandboxSupport().seccomp) return CallFilter();
  Listed listed(SCMP_ACT_ERRNO(ENOSYS));
  listed
      // files: which ones is for Landlock to say
      .allow({"read",       "readv",    "pread64",    "preadv",    "write",
              "writev",     "pwrite64", "pwritev",    "close",     "close_range",
              "lseek",      "creat",    "dup",        "dup2",      "dup3",
              "pipe",       "pipe2",    "poll",       "ppoll",     "select",
              "pselect6",   "fstat",    "stat",       "lstat",     "newfstatat",
              "statx",      "fstatfs",  "statfs",     "access",    "faccessat",
              "faccessat2", "readlink", "readlinkat", "getdents",  "getdents64",
              "getcwd",     "chdir",    "fchdir",     "rename",    "renameat",
              "renameat2",  "unlink",   "unlinkat",   "mkdir",     "mkdirat",
              "rmdir",      "umask",    "ftruncate",  "fallocate", "fsync",
              "fdatasync",  "flock",    "fadvise64",  "sendfile",  "copy_file_range"})
      // memory
      .allow({"brk", "mmap", "munmap", "mprotect", "mremap", "msync", "mincore", "membarrier"})
      // processes and threads of its own
      .allow({"fork",
              "vfork",
              "execve",
              "wait4",
              "waitid",
              "exit",
              "exit_group",
              "setpgid",
              "getpgid",
              "getpgrp",
              "setsid",
              "getsid",
              "getpid",
              "getppid",
              "gettid",
              "set_tid_address",
              "set_robust_list",
              "get_robust_list",
              "rseq",
              "futex",
              "arch_prctl",
              "sched_yield",
              "sched_getaffinity",
              "getrlimit",
              "setrlimit",
              "getrusage"})
      .allowIf("clone", {bits(0, kNamespaces, 0)})
      .allowIf("prlimit64", {equals(0, 0)})  // on itself
      .allowIf("prctl", {equals(0, PR_SET_NAME)})
      // signals, time, and who and where it is
      .allow({"rt_sigaction",  "rt_sigprocmask",  "rt_sigreturn",
              "rt_sigsuspend", "rt_sigpending",   "rt_sigtimedwait",
              "sigaltstack",   "restart_syscall", "pause",
              "alarm",         "setitimer",       "getitimer",
              "nanosleep",     "clock_nanosleep", "clock_gettime",
              "clock_getres",  "gettimeofday",    "time",
              "times",         "getrandom",       "uname",
              "sysinfo",       "getuid",          "geteuid",
              "getgid",        "getegid",         "getresuid",
              "getresgid",     "getgroups",       "capget"})
      // The output is not made a program, and no clock is set back on a file: neither matters.
      .answer(0, {"chmod", "fchmod", "fchmodat", "utimensat", "utime", "utimes"})
      .answer(ENOTTY, {"ioctl"})
      .answer(EPERM, {"kill",
                      "tkill",
                      "tgkill",
                      "rt_sigqueueinfo",
                      "rt_tgsigqueueinfo",
                      "pidfd_send_signal",
                      "socket",
                      "socketpair",
                      "truncate",
                      "chown",
                      "fchown",
                      "lchown",
                      "fchownat",
                      "link",
                      "linkat",
                      "symlink",
                      "symlinkat",
                      "setxattr",
                      "lsetxattr",
                      "fsetxattr"});
  // Not those by which a file would send signals to a process of its choice.
  for (const int command :
       {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW})
    listed.allowIf("fcntl", {equals(1, std::uint64_t(command))});
  for (const int advice : {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE,
                           MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP})
    listed.allowIf("madvise", {equals(2, std::uint64_t(advice))});
  // A file that is opened for reading is not emptied by that, which Landlock's first versions do not look
  // after.
  const std::array<std::pair<const char*, unsigned>, 2> opens{{{"open", 1}, {"openat", 2}}};
  for (const auto& [name, flags] : opens) {
    listed.allowIf(name, {bits(flags, O_TRUNC, 0)});
    for (const int access : {O_WRONLY, O_RDWR})
      listed.allowIf(name, {bits(flags, O_ACCMODE | O_TRUNC, std::uint64_t(access | O_TRUNC))});
  }
  return listed.built();
}

namespace {

// The kernel's structure as its newest version has it, and rights that are newer than Debian 12's header.
struct Ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};
constexpr std::uint64_t kTruncate = 1ull << 14, kDeviceControl = 1ull << 15;
constexpr std::uint64_t kBindAndConnect = 3, kAbstractSocketsAndSignals = 3;

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kChange = kRead | kTruncate | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                  LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                                   LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;  // the others are a folder's

// Everything that this version can forbid.
Ruleset everything(int version) {
  Ruleset all{.files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  if (version >= 2) all.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) all.files |= kTruncate;
  if (version >= 4) all.network = kBindAndConnect;
  if (version >= 5) all.files |= kDeviceControl;
  if (version >= 6) all.scopes = kAbstractSocketsAndSignals;
  return all;
}

std::size_t sizeKnownTo(int version) {
  return version >= 6   ? sizeof(Ruleset)
         : version >= 4 ? offsetof(Ruleset, scopes)
                        : offsetof(Ruleset, network);
}

std::uint64_t rightsOf(FileAccess access) {
  switch (access) {
    case FileAccess::Read:
      return kRead;
    case FileAccess::ReadAndRun:
      return kRead | LANDLOCK_ACCESS_FS_EXECUTE;
    case FileAccess::Change:
      break;
  }
  return kChange;
}

tl::unexpected<Error> noRules() {
  return unavailable(
      "The kernel's Landlock could not be set up, so a person's code is not run. Close other programs.",
      std::strerror(errno));
}

}  // namespace

Result<FileRules> FileRules::make(const std::vector<AllowedFiles>& allowed) {
  const int version = sandboxSupport().landlock;
  if (version == 0) return FileRules(Descriptor());
  const Ruleset all = everything(version);
  Descriptor ruleset(int(::syscall(SYS_landlock_create_ruleset, &all, sizeKnownTo(version), 0)));
  if (ruleset.number() < 0) return noRules();
  for (const AllowedFiles& each : allowed) {
    const Descriptor place(::open(each.path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (place.number() < 0 || ::fstat(place.number(), &status) != 0) continue;
    landlock_path_beneath_attr rule{.allowed_access = rightsOf(each.access) & all.files,
                                    .parent_fd = place.number()};
    if (!S_ISDIR(status.st_mode)) rule.allowed_access &= kOfFiles;
    if (::syscall(SYS_landlock_add_rule, ruleset.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
      return noRules();
  }
  return FileRules(std::move(ruleset));
}

bool FileRules::enforce() const {
  return ruleset_.number() < 0 || ::syscall(SYS_landlock_restrict_self, ruleset_.number(), 0) == 0;
}

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
