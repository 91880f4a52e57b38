#include "combine_guard.h"

#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

#include "engine/sandbox/confinement.h"
#include "model/arithmetic.h"

namespace stridescope::engine::sandbox {
namespace {

constexpr std::string_view kLoading = "The code that runs when combine is loaded";
constexpr std::chrono::milliseconds kTick{100};
constexpr int kStopped = 9;             // exit code
constexpr std::size_t kMaxWord = 256;   // bytes of a last word
constexpr std::size_t kLastCall = 511;  // the highest system call whose name is known here

constexpr std::pair<int, std::string_view> kCrashes[] = {
    {SIGSEGV, "SIGSEGV (Segmentation fault)"},
    {SIGBUS, "SIGBUS (Bus error)"},
    {SIGFPE, "SIGFPE (Floating point exception)"},
    {SIGILL, "SIGILL (Illegal instruction)"},
    {SIGABRT, "SIGABRT (Aborted)"},
    {SIGTRAP, "SIGTRAP (Trace/breakpoint trap)"},
    {SIGSYS, "SIGSYS (Bad system call"},  // which, and the bracket, follow
};

enum class Doing : std::uint8_t { OurWork, Loading, Calling };

// What a signal's handler can see: there is no other way to tell it anything.
struct Watch {
  host::AnyFunction combine = nullptr;
  model::ElementType type{};
  std::uint64_t a = 0, b = 0;  // the operands of the current call
  std::atomic<Doing> doing{Doing::OurWork};
  std::atomic<std::uint64_t> calls{0};
  std::uint64_t callsAtTick = 0;
  int ticks = 0, mostTicks = 0;
  std::array<const char*, kLastCall + 1> callNames{};  // names of system calls; nullptr: there is none
  std::array<char, 1 << 16> stack;  // for the handlers: the one in use may be what has run over
};
Watch watch;

// What combine throws ends the process, whose last word then names the operands.
template <class T>
T watched(T a, T b) noexcept {
  watch.a = model::bitsOfElement(a);
  watch.b = model::bitsOfElement(b);
  watch.calls.store(watch.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  watch.doing.store(Doing::Calling, std::memory_order_release);
  const T result = reinterpret_cast<T (*)(T, T)>(watch.combine)(a, b);
  watch.doing.store(Doing::OurWork, std::memory_order_release);
  return result;
}

// A line put together without a call that a handler may not make.
class Line {
 public:
  Line& add(std::string_view text) {
    const std::size_t room = text_.size() - size_;
    const std::size_t taken = text.size() < room ? text.size() : room;
    ::memcpy(text_.data() + size_, text.data(), taken);
    size_ += taken;
    return *this;
  }
  template <class Number>
  Line& addNumber(Number number) {
    const auto [end, fault] = std::to_chars(text_.data() + size_, text_.data() + text_.size(), number);
    if (fault == std::errc()) size_ = std::size_t(end - text_.data());
    return *this;
  }
  Line& addElement(std::uint64_t bits) {
    model::withType(watch.type, [&](auto zero) { addNumber(model::elementOfBits<decltype(zero)>(bits)); });
    return *this;
  }
  void write() const { (void)!::write(STDERR_FILENO, text_.data(), size_); }

 private:
  std::array<char, kMaxWord> text_{};
  std::size_t size_ = 0;
};

Line beginLastWord(Doing doing) {
  Line line;
  line.add("\n");
  if (doing == Doing::Loading) return line.add(kLoading).add(" ");
  return line.add("combine(").addElement(watch.a).add(", ").addElement(watch.b).add(") ");
}

void addCall(Line& line, int call) {
  const auto place = std::size_t(call);
  if (place <= kLastCall && watch.callNames[place] != nullptr)
    line.add(watch.callNames[place]);
  else
    line.addNumber(call);
}

// Not by a function that the compiler knows not to return: before one of those AddressSanitizer looks for the
// stack in a file, which may not be opened here.
void endProcess() { ::syscall(SYS_exit_group, kStopped); }

void onCrash(int signal, siginfo_t* info, void*) {
  const Doing doing = watch.doing.load(std::memory_order_acquire);
  if (doing == Doing::OurWork) {  // this handler was for once: the process ends as it would without it
    if (signal == SIGSYS) {
      Line line;
      line.add("\nThe program's own code made a system call that is forbidden to it here: ");
      addCall(line, info->si_syscall);
      line.add("\n").write();
    }
    ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), signal);
    return;
  }
  Line line = beginLastWord(doing);
  line.add("was stopped by ");
  for (const auto& [number, name] : kCrashes)
    if (number == signal) line.add(name);
  if (signal == SIGSYS) {
    line.add(": ");
    addCall(line, info->si_syscall);
    line.add(")");
  }
  line.add("\n").write();
  endProcess();
}

void onTick(int, siginfo_t*, void*) {
  const std::uint64_t calls = watch.calls.load(std::memory_order_relaxed);
  const Doing doing = watch.doing.load(std::memory_order_acquire);
  const bool same = doing != Doing::OurWork && calls == watch.callsAtTick;
  watch.callsAtTick = calls;
  watch.ticks = same ? watch.ticks + 1 : 0;
  if (watch.ticks < watch.mostTicks) return;
  beginLastWord(doing).add("did not end and was stopped\n").write();
  endProcess();
}

// Reading what the handlers say, in another process: takes `piece` off the beginning, if it is there.
bool skip(std::string_view& text, std::string_view piece) {
  if (!text.starts_with(piece)) return false;
  text.remove_prefix(piece.size());
  return true;
}
// The same for one or more of these characters.
bool skipSome(std::string_view& text, std::string_view characters) {
  const auto end = std::min(text.find_first_not_of(characters), text.size());
  text.remove_prefix(end);
  return end > 0;
}

bool isLastWord(std::string_view line) {
  constexpr std::string_view kNumber = "0123456789abcdefghijklmnopqrstuvwxyz+-.";
  static constexpr std::string_view kName = "0123456789abcdefghijklmnopqrstuvwxyz_-";  // a call, or -1
  if (line.size() >= kMaxWord) return false;
  if (!skip(line, kLoading) && !(skip(line, "combine(") && skipSome(line, kNumber) && skip(line, ", ") &&
                                 skipSome(line, kNumber) && skip(line, ")")))
    return false;
  if (line == kStoppedAtLimit) return true;
  if (!skip(line, " was stopped by ")) return false;
  return std::ranges::any_of(kCrashes, [line](const auto& crash) {
    std::string_view rest = line;
    if (!skip(rest, crash.second)) return false;
    return rest.empty() ||
           (crash.first == SIGSYS && skip(rest, ": ") && skipSome(rest, kName) && rest == ")");
  });
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = int(SA_ONSTACK | SA_SIGINFO) | flags;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

host::CompiledCombine watchedCombine(model::ElementType type) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return host::CompiledCombine{type, reinterpret_cast<host::AnyFunction>(&watched<T>)};
  });
}

void guardProcess(model::ElementType type, const GuardLimits& limits) {
  watch.type = type;
  watch.mostTicks = int(limits.call / kTick);
  for (std::size_t call = 0; call <= kLastCall; ++call)
    watch.callNames[call] = ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, int(call));
  const stack_t stack{.ss_sp = watch.stack.data(), .ss_flags = 0, .ss_size = watch.stack.size()};
  ::sigaltstack(&stack, nullptr);
  for (const auto& [signal, name] : kCrashes) handle(signal, onCrash, int(SA_RESETHAND));
  handle(SIGPROF, onTick, SA_RESTART);
  const timeval tick{.tv_sec = 0, .tv_usec = std::chrono::microseconds(kTick).count()};
  const itimerval timer{.it_interval = tick, .it_value = tick};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
  limitWorker(limits.all, limits.memoryBytes);
}

void guardLoading() {
  limitResource(RLIMIT_NPROC, 0);
  watch.doing.store(Doing::Loading, std::memory_order_release);
}

void guardCalls(host::AnyFunction combine) {
  watch.combine = combine;
  watch.doing.store(Doing::OurWork, std::memory_order_release);
}

std::string lastWordOf(const std::string& standardError) {
  std::istringstream lines(standardError);
  std::string word;
  for (std::string line; std::getline(lines, line);)
    if (isLastWord(line)) word = line;
  return word;
}

}  // namespace stridescope::engine::sandbox
