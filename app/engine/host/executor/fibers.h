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

// The stack that the calling OS thread was started with. Its first call in a thread may read /proc/self/maps.
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

  StackBounds boundsOf(std::size_t index) const {
    return {memory_ + index * kSlotBytes + kGuardBytes, kStackBytes};
  }

 private:
  static constexpr std::size_t kGuardBytes = 4096;  // one page
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t kStackBytes = 256 * 1024;  // red zones make frames several times larger
#else
  static constexpr std::size_t kStackBytes = 64 * 1024;  // only pages that are touched take memory
#endif
  static constexpr std::size_t kSlotBytes = kGuardBytes + kStackBytes;

  void release();

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

#if defined(__SANITIZE_ADDRESS__)
// leaveFor() as the address sanitizer has to be told of it; `bounds` is the stack of `to`.
inline void switchFiber(HostThread& from, HostThread& to, StackBounds bounds) {
  void* fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, bounds.bottom, bounds.bytes);
  const auto transfer = boost::context::detail::jump_fcontext(to.context, &from);
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
  static_cast<HostThread*>(transfer.data)->context = transfer.fctx;
}
#endif

}  // namespace recording
