#include "support/fiber_coroutine.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace stridescope::support {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

constexpr std::size_t kGuardBytes = 4096;             // one page
constexpr std::size_t kStackBytes = 8 * 1024 * 1024;  // a thread's; only pages that are touched take memory

struct Coroutine {
  ImGuiTestCoroutineMainFunc* function = nullptr;
  void* data = nullptr;
  std::uint8_t* memory = nullptr;  // the guard, and the stack above it
  fcontext_t inside = nullptr;     // where it goes on
  fcontext_t outside = nullptr;    // where who runs it goes on
  bool hasEnded = false;
};

// The one that runs: a test's steps call yield() from wherever they are.
Coroutine* running = nullptr;

void enter(transfer_t transfer) {
  auto& coroutine = *static_cast<Coroutine*>(transfer.data);
  coroutine.outside = transfer.fctx;
  coroutine.function(coroutine.data);
  coroutine.hasEnded = true;
  boost::context::detail::jump_fcontext(coroutine.outside, nullptr);
}

ImGuiTestCoroutineHandle create(ImGuiTestCoroutineMainFunc* function, const char*, void* data) {
  void* const memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuardBytes, PROT_NONE) != 0) std::abort();
  auto* const coroutine =
      new Coroutine{.function = function, .data = data, .memory = static_cast<std::uint8_t*>(memory)};
  coroutine->inside = boost::context::detail::make_fcontext(coroutine->memory + kGuardBytes + kStackBytes,
                                                            kStackBytes, enter);
  return coroutine;
}

void destroy(ImGuiTestCoroutineHandle handle) {
  auto* const coroutine = static_cast<Coroutine*>(handle);
  munmap(coroutine->memory, kGuardBytes + kStackBytes);
  delete coroutine;
}

bool run(ImGuiTestCoroutineHandle handle) {
  auto* const coroutine = static_cast<Coroutine*>(handle);
  if (coroutine->hasEnded) return false;
  if (running == coroutine) {  // a thread would wait for itself for ever
    std::fputs("A test's steps draw a frame themselves, in place of context->Yield().\n", stderr);
    std::abort();
  }
  Coroutine* const before = running;
  running = coroutine;
  coroutine->inside = boost::context::detail::jump_fcontext(coroutine->inside, coroutine).fctx;
  running = before;
  return !coroutine->hasEnded;
}

void yield() {
  Coroutine& coroutine = *running;
  coroutine.outside = boost::context::detail::jump_fcontext(coroutine.outside, nullptr).fctx;
}

}  // namespace

ImGuiTestCoroutineInterface* fiberCoroutines() {
  static ImGuiTestCoroutineInterface coroutines{
      .CreateFunc = create, .DestroyFunc = destroy, .RunFunc = run, .YieldFunc = yield};
  return &coroutines;
}

}  // namespace stridescope::support
