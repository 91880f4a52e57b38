// Fibers: many stacks on one OS thread. The switch from one to the next is leaveFor()
// (recording/host/machine.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "recording/host/machine.h"

namespace recording {

struct StackBounds {
  const void* bottom = nullptr;  // the lowest address
  std::size_t bytes = 0;
};

// The stack that the calling OS thread was started with. Its first call in a thread may read /proc/self/maps.
StackBounds stackOfThisThread();

// What a fiber does from its beginning on (block_runner.cpp): it leaves for others, and never returns.
void runFiber();

// One stack for each thread of a block. On a machine a page that may not be touched lies below each: a thread
// that overflows its stack faults there and writes into nobody's memory. Stacks are used again block after
// block, and on a machine by later objects, too.
class FiberStacks {
 public:
  FiberStacks() = default;
  ~FiberStacks();
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  // Makes room for `count` stacks; those there were are lost. False if the system gives no memory.
  bool reserve(std::size_t count);

  // What a switch to it starts: runFiber(), on stack `index`.
  void* makeContext(std::size_t index) const;
  // Where who switches to the first fiber goes on; to be asked for before each such switch.
  void* ownContext() const;

  StackBounds boundsOf(std::size_t index) const;

 private:
  void release();

  std::uint8_t* memory_ = nullptr;
  std::size_t count_ = 0;
};

#if defined(__SANITIZE_ADDRESS__)
// leaveFor() as the address sanitizer has to be told of it; `bounds` is the stack of `to`.
void switchFiber(HostThread& from, HostThread& to, StackBounds bounds);
#endif

}  // namespace recording
