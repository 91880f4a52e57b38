// Fibers by Asyncify, which lets a function return to its caller in the middle and come back to where it was:
// a fiber that is left writes the functions that it is in, with their locals, into memory of its own, and its
// frames in the C stack stay where they are. Emscripten's own fibers do this, too, but go to JavaScript and
// back for each half of a switch, which takes as long as the rest of it.
#include <emscripten/stack.h>

#include <cstdlib>
#include <new>

#include "engine/host/executor/fibers.h"

// Asyncify puts its own functions in the place of these (Binaryen, passes/Asyncify.cpp). From the first to
// the second, and from the third to the fourth, each function that it has prepared leaves, or comes back.
extern "C" {
__attribute__((import_module("asyncify"), import_name("start_unwind"))) void asyncifyStartUnwind(
    void* unwound);
__attribute__((import_module("asyncify"), import_name("stop_unwind"))) void asyncifyStopUnwind();
__attribute__((import_module("asyncify"), import_name("start_rewind"))) void asyncifyStartRewind(
    void* unwound);
__attribute__((import_module("asyncify"), import_name("stop_rewind"))) void asyncifyStopRewind();
void limit_stack(const void* top, const void* bottom);
void _emscripten_stack_restore(std::uintptr_t pointer);
}

namespace recording {
namespace {

// No page can be protected here, so the stacks are larger than what the catalogue's kernels need: some
// hundred bytes. WebAssembly's own stack has the return addresses.
constexpr std::size_t kStackBytes = 8 * 1024;
constexpr std::size_t kUnwoundBytes = 4 * 1024;

struct alignas(16) Slot {
  // What Asyncify takes: where the next function is written, and where there is no more room.
  std::uint8_t* unwoundTo;
  std::uint8_t* unwoundEnd;
  std::uintptr_t stackPointer;
  bool hasBegun;
  alignas(16) std::uint8_t unwound[kUnwoundBytes];
  alignas(16) std::uint8_t stack[kStackBytes];
};

Slot& slotOf(std::uint8_t* memory, std::size_t index) { return reinterpret_cast<Slot*>(memory)[index]; }

Slot* inFiber = nullptr;  // the one that runs; null: who switched to the first
Slot* nextFiber = nullptr;
bool comesBack = false;

// Each of leaveFor(), runFibers(), and arrive() is another thing to Asyncify, so that none of them may become
// a part of another: they are called through pointers of which the compiler knows nothing.
void arrive();
void runFibers(Slot& first);
void (*volatile callArrive)() = arrive;
void (*volatile callRunFibers)(Slot&) = runFibers;

// On the stack of the fiber.
void arrive() { runFiber(); }

// Until one leaves for who called this.
void runFibers(Slot& first) {
  const std::uintptr_t ownStack = emscripten_stack_get_current();
  for (nextFiber = &first; nextFiber != nullptr;) {
    inFiber = nextFiber;
    limit_stack(inFiber->stack + kStackBytes, inFiber->stack);
    _emscripten_stack_restore(inFiber->stackPointer);
    if (inFiber->hasBegun) {
      comesBack = true;
      asyncifyStartRewind(inFiber);
    }
    inFiber->hasBegun = true;
    callArrive();
    asyncifyStopUnwind();
  }
  inFiber = nullptr;
  limit_stack(reinterpret_cast<const void*>(emscripten_stack_get_base()),
              reinterpret_cast<const void*>(emscripten_stack_get_end()));
  _emscripten_stack_restore(ownStack);
}

}  // namespace

StackBounds stackOfThisThread() { return {}; }

FiberStacks::~FiberStacks() { release(); }

void FiberStacks::release() {
  std::free(memory_);
  memory_ = nullptr;
  count_ = 0;
}

bool FiberStacks::reserve(std::size_t count) {
  if (count <= count_) return true;
  release();
  memory_ = static_cast<std::uint8_t*>(std::aligned_alloc(alignof(Slot), count * sizeof(Slot)));
  if (memory_ == nullptr) return false;
  count_ = count;
  return true;
}

void* FiberStacks::makeContext(std::size_t index) const {
  Slot& slot = slotOf(memory_, index);
  slot.stackPointer = reinterpret_cast<std::uintptr_t>(slot.stack + kStackBytes);
  slot.hasBegun = false;
  return &slot;
}

void* FiberStacks::ownContext() const { return nullptr; }

StackBounds FiberStacks::boundsOf(std::size_t index) const {
  return {slotOf(memory_, index).stack, kStackBytes};
}

void leaveFor(HostThread& from, HostThread& to) {
  if (comesBack) {
    comesBack = false;
    asyncifyStopRewind();
    return;
  }
  if (&from == &to) return;
  nextFiber = static_cast<Slot*>(to.context);
  if (inFiber == nullptr) {
    callRunFibers(*nextFiber);
    return;
  }
  Slot& left = *inFiber;
  left.stackPointer = emscripten_stack_get_current();
  left.unwoundTo = left.unwound;
  left.unwoundEnd = left.unwound + kUnwoundBytes;
  asyncifyStartUnwind(&left);
}

}  // namespace recording
