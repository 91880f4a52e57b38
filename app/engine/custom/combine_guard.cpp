#include "combine_guard.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

#include "engine/custom/no_processes.h"
#include "trace/arithmetic.h"

#if defined(__SANITIZE_ADDRESS__)
#define STRIDESCOPE_SHADOW_MEMORY 1  // terabytes of address space
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRIDESCOPE_SHADOW_MEMORY 1
#endif
#endif

namespace stridescope {
namespace {

constexpr std::string_view kLastWord = "combine(";
constexpr std::chrono::milliseconds kTick{100};
constexpr int kStopped = 9;  // exit code

// What a signal's handler can see: there is no other way to tell it anything.
struct Watch {
  CompiledCombine combine;
  std::uint64_t a = 0, b = 0;  // the operands of the call under way
  std::atomic<bool> inside{false};
  std::atomic<std::uint64_t> calls{0};
  std::uint64_t callsAtTick = 0;
  int ticks = 0, mostTicks = 0;
  std::array<char, 1 << 16> stack;  // for the handlers: the one in use may be what has run over
};
Watch watch;

// What combine throws ends the process, whose last word then names the operands.
template <class T>
T watched(T a, T b) noexcept {
  watch.a = bitsOfElement(a);
  watch.b = bitsOfElement(b);
  watch.calls.store(watch.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  watch.inside.store(true, std::memory_order_release);
  const T result = reinterpret_cast<T (*)(T, T)>(watch.combine.function)(a, b);
  watch.inside.store(false, std::memory_order_release);
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
  Line& addElement(std::uint64_t bits) {
    withType(watch.combine.type, [&](auto zero) {
      char* const begin = text_.data() + size_;
      const auto [end, fault] =
          std::to_chars(begin, text_.data() + text_.size(), elementOfBits<decltype(zero)>(bits));
      if (fault == std::errc()) size_ += std::size_t(end - begin);
    });
    return *this;
  }
  void write() const { (void)!::write(STDERR_FILENO, text_.data(), size_); }

 private:
  std::array<char, 256> text_{};
  std::size_t size_ = 0;
};

Line beginLastWord() {
  Line line;
  line.add("\n").add(kLastWord).addElement(watch.a).add(", ").addElement(watch.b).add(") ");
  return line;
}

void onCrash(int signal) {
  if (watch.inside.load(std::memory_order_acquire)) {
    Line line = beginLastWord();
    const char* const name = ::sigabbrev_np(signal);
    const char* const meaning = ::sigdescr_np(signal);
    line.add("was stopped by SIG").add(name == nullptr ? "?" : name);
    if (meaning != nullptr) line.add(" (").add(meaning).add(")");
    line.add("\n").write();
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void onTick(int) {
  const std::uint64_t calls = watch.calls.load(std::memory_order_relaxed);
  const bool same = watch.inside.load(std::memory_order_acquire) && calls == watch.callsAtTick;
  watch.callsAtTick = calls;
  watch.ticks = same ? watch.ticks + 1 : 0;
  if (watch.ticks < watch.mostTicks) return;
  Line line = beginLastWord();
  line.add("did not end and was stopped\n").write();
  ::_exit(kStopped);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | flags;
  ::sigaction(signal, &action, nullptr);
}

void limit(decltype(RLIMIT_CPU) resource, std::uint64_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

[[maybe_unused]] std::uint64_t addressSpaceNow() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

}  // namespace

CompiledCombine guarded(const CompiledCombine& combine, const GuardLimits& limits) {
  watch.combine = combine;
  watch.mostTicks = int(limits.call / kTick);
  const stack_t stack{.ss_sp = watch.stack.data(), .ss_flags = 0, .ss_size = watch.stack.size()};
  ::sigaltstack(&stack, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) handle(signal, onCrash, 0);
  handle(SIGPROF, onTick, SA_RESTART);
  const timeval tick{.tv_sec = 0, .tv_usec = std::chrono::microseconds(kTick).count()};
  const itimerval timer{.it_interval = tick, .it_value = tick};
  ::setitimer(ITIMER_PROF, &timer, nullptr);

  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, std::uint64_t(limits.all.count()));
  ::signal(SIGXFSZ, SIG_IGN);  // what is written beyond it is lost
  limit(RLIMIT_FSIZE, 1 << 20);
#ifndef STRIDESCOPE_SHADOW_MEMORY
  limit(RLIMIT_AS, addressSpaceNow() + limits.memoryBytes);
#endif
  forbidNewProcesses();
  return withType(combine.type, [&](auto zero) {
    using T = decltype(zero);
    return CompiledCombine{combine.type, reinterpret_cast<AnyFunction>(&watched<T>)};
  });
}

std::string lastWordOf(const std::string& standardError) {
  std::istringstream lines(standardError);
  std::string word;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kLastWord)) word = line;
  return word;
}

}  // namespace stridescope
