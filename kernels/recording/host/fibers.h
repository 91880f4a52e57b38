// Fibers: many stacks on one OS thread, and the switch from one to the next (Boost.Context's fcontext).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

#include "recording/host/machine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace recording {

struct StackBounds {
  const void* bottom = nullptr;  // the lowest address
  std::size_t bytes = 0;
};

// The stack that the calling OS thread was started with.
StackBounds stackOfThisThread();

// One stack for each thread of a block. Below each lies a page that may not be touched: a thread that
// overflows its stack faults there and writes into nobody's memory. Stacks are used again block after block.
class FiberStacks {
 public:
  FiberStacks() = default;
  ~FiberStacks();
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  // Makes room for `count` stacks; those there were are lost. False if the system gives no memory.
  bool reserve(std::size_t count);

  // What a switch to it starts: arrive(what it was given), on stack `index`, which must never return.
  void* makeContext(std::size_t index, void (*arrive)(boost::context::detail::transfer_t)) const;

  StackBounds boundsOf(std::size_t index) const;

 private:
  std::uint8_t* memory_ = nullptr;
  std::size_t count_ = 0;
};

// To be called first on a stack that was switched to for the first time.
inline void arriveOnFiber(boost::context::detail::transfer_t transfer) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  static_cast<HostThread*>(transfer.data)->context = transfer.fctx;
}

// Leaves the stack of `from` for that of `to`; returns when somebody switches back to `from`.
// `bounds`: the stack of `to`, for the address sanitizer alone.
inline void switchFiber(HostThread& from, HostThread& to, [[maybe_unused]] StackBounds bounds) {
#if defined(__SANITIZE_ADDRESS__)
  void* fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, bounds.bottom, bounds.bytes);
#endif
  const auto transfer = boost::context::detail::jump_fcontext(to.context, &from);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
  static_cast<HostThread*>(transfer.data)->context = transfer.fctx;
}

}  // namespace recording
