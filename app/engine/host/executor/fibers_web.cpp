// Emscripten's fibers. A fiber that is left writes the functions that it is in, with their locals, into
// memory of its own (Asyncify), and its frames in the C stack stay where they are.
#include <emscripten/fiber.h>

#include <cstdlib>
#include <new>

#include "engine/host/executor/fibers.h"

namespace recording {
namespace {

// No page can be protected here, so the stacks are larger than what the catalogue's kernels need: some
// hundred bytes. WebAssembly's own stack has the return addresses.
constexpr std::size_t kStackBytes = 8 * 1024;
constexpr std::size_t kUnwoundBytes = 4 * 1024;

struct alignas(16) Slot {
  emscripten_fiber_t fiber;
  alignas(16) std::uint8_t unwound[kUnwoundBytes];
  alignas(16) std::uint8_t stack[kStackBytes];
};

void arrive(void*) { runFiber(); }

Slot& slotOf(std::uint8_t* memory, std::size_t index) { return reinterpret_cast<Slot*>(memory)[index]; }

}  // namespace

StackBounds stackOfThisThread() { return {}; }

FiberStacks::~FiberStacks() { release(); }

void FiberStacks::release() {
  std::free(memory_);
  memory_ = nullptr;
  count_ = 0;
}

// One more: who switches to the first fiber is one, too.
bool FiberStacks::reserve(std::size_t count) {
  if (count <= count_) return true;
  release();
  memory_ = static_cast<std::uint8_t*>(std::aligned_alloc(alignof(Slot), (count + 1) * sizeof(Slot)));
  if (memory_ == nullptr) return false;
  count_ = count;
  return true;
}

void* FiberStacks::makeContext(std::size_t index) const {
  Slot& slot = slotOf(memory_, index);
  emscripten_fiber_init(&slot.fiber, arrive, nullptr, slot.stack, kStackBytes, slot.unwound, kUnwoundBytes);
  return &slot.fiber;
}

void* FiberStacks::ownContext() const {
  Slot& slot = slotOf(memory_, count_);
  emscripten_fiber_init_from_current_context(&slot.fiber, slot.unwound, kUnwoundBytes + kStackBytes);
  return &slot.fiber;
}

StackBounds FiberStacks::boundsOf(std::size_t index) const {
  return {slotOf(memory_, index).stack, kStackBytes};
}

void leaveFor(HostThread& from, HostThread& to) {
  if (&from != &to)
    emscripten_fiber_swap(static_cast<emscripten_fiber_t*>(from.context),
                          static_cast<emscripten_fiber_t*>(to.context));
}

}  // namespace recording
