#include "crash_guard.h"

#include <signal.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include <array>
#include <cstddef>

#include "engine/host/executor/block_runner.h"

namespace stridescope::engine::access {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

// The stack of a thread that crashed may be what has run over.
alignas(64) std::array<std::byte, 64 << 10> handlersStack, landingStack;
std::pair<std::string, int> (*tellCrash)(const Crash&) = nullptr;
Crash crash;
bool isBeingTold = false;

void land() {
  auto [does, site] = tellCrash(crash);
  isBeingTold = false;
  recording::failThread(std::move(does), site);
}

// Only notes where the thread was and lets it go on elsewhere: what a handler may do is little.
void onSignal(int signal, siginfo_t* info, void* given) {
  if (recording::machine == nullptr || isBeingTold) {
    ::signal(signal, SIG_DFL);  // it comes again
    return;
  }
  isBeingTold = true;
  auto& registers = static_cast<ucontext_t*>(given)->uc_mcontext;
  crash = {.signal = signal,
           .instruction = 0,
           .stack = 0,
           .address = reinterpret_cast<std::uint64_t>(info->si_addr)};
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(landingStack.data(),
                              landingStack.size());  // the last crash left its frames here
#endif
  // As behind a call: the stack is a return address off a multiple of 16.
  auto* const top = landingStack.data() + landingStack.size();
#if defined(__x86_64__)
  crash.instruction = std::uint64_t(registers.gregs[REG_RIP]);
  crash.stack = std::uint64_t(registers.gregs[REG_RSP]);
  registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(&land);
  registers.gregs[REG_RSP] = reinterpret_cast<greg_t>(top - 8);
#elif defined(__aarch64__)
  crash.instruction = registers.pc;
  crash.stack = registers.sp;
  registers.pc = reinterpret_cast<std::uint64_t>(&land);
  registers.sp = reinterpret_cast<std::uint64_t>(top);
#else
  ::signal(signal, SIG_DFL);
#endif
}

}  // namespace

void guardCrashes(std::pair<std::string, int> (*tell)(const Crash&)) {
  tellCrash = tell;
  const stack_t stack{.ss_sp = handlersStack.data(), .ss_flags = 0, .ss_size = handlersStack.size()};
  ::sigaltstack(&stack, nullptr);
  for (const int signal : kSignals) {
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace stridescope::engine::access
