// Boost.Context's fcontext.
#include "engine/host/executor/fibers.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <mutex>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace recording {
namespace {

using boost::context::detail::transfer_t;

constexpr std::size_t kGuardBytes = 4096;  // one page
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = 256 * 1024;  // red zones make frames several times larger
#else
constexpr std::size_t kStackBytes = 64 * 1024;  // only pages that are touched take memory
#endif
constexpr std::size_t kSlotBytes = kGuardBytes + kStackBytes;

// Stack tops at equal offsets in their pages would share the few cache lines of one set, and every switch
// would miss (1.8 times slower). So each begins 5 lines lower than the one before; 5 and 48 share no factor,
// so that all places are used. A quarter of the page stays below for the frames themselves.
constexpr std::size_t kCacheLineBytes = 64;
constexpr std::size_t kPlacesInPage = 48;
constexpr std::size_t staggerOf(std::size_t index) { return index * 5 % kPlacesInPage * kCacheLineBytes; }

struct Mapping {
  std::uint8_t* memory = nullptr;
  std::size_t stacks = 0;
};

// To lay a guard below each stack takes the kernel longer than a small block takes to run, and blocks that
// run beside one another have stacks each, so those of runs that are over are kept for the next.
class KeptMappings {
 public:
  // The smallest with at least so many stacks, or none.
  Mapping take(std::size_t stacks) {
    const std::lock_guard lock(mutex_);
    auto best = kept_.end();
    for (auto it = kept_.begin(); it != kept_.end(); ++it)
      if (it->stacks >= stacks && (best == kept_.end() || it->stacks < best->stacks)) best = it;
    if (best == kept_.end()) return {};
    const Mapping taken = *best;
    kept_.erase(best);
    stacks_ -= taken.stacks;
    return taken;
  }

  // Gives what is not kept any more: where there are too many, the smallest go, whose places are laid
  // soonest.
  std::vector<Mapping> keep(const Mapping& mapping) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(mapping);
    stacks_ += mapping.stacks;
    std::vector<Mapping> gone;
    while (stacks_ > kMostStacks) {
      const auto smallest = std::ranges::min_element(kept_, {}, &Mapping::stacks);
      stacks_ -= smallest->stacks;
      gone.push_back(*smallest);
      kept_.erase(smallest);
    }
    return gone;
  }

 private:
  static constexpr std::size_t kMostStacks =
      4096;  // 32 MB at two touched pages each, 256 MB where all were touched

  std::mutex mutex_;
  std::vector<Mapping> kept_;
  std::size_t stacks_ = 0;
};

// Never destroyed: threads of jobs may end after main().
KeptMappings& keptMappings() {
  static auto& kept = *new KeptMappings;
  return kept;
}

void unmap(const Mapping& mapping) { munmap(mapping.memory, mapping.stacks * kSlotBytes); }

void arrive(transfer_t transfer) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  static_cast<HostThread*>(transfer.data)->context = transfer.fctx;
  runFiber();
}

}  // namespace

StackBounds stackOfThisThread() {
  static thread_local StackBounds bounds;
  if (bounds.bottom != nullptr) return bounds;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
  void* bottom = nullptr;
  if (pthread_attr_getstack(&attributes, &bottom, &bounds.bytes) == 0) bounds.bottom = bottom;
  pthread_attr_destroy(&attributes);
  return bounds;
}

FiberStacks::~FiberStacks() { release(); }

void FiberStacks::release() {
  if (memory_ == nullptr) return;
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(memory_, count_ * kSlotBytes);  // frames of threads that were left for good
#endif
  const Mapping mapping{memory_, count_};
  memory_ = nullptr;
  count_ = 0;
  for (const Mapping& gone : keptMappings().keep(mapping)) unmap(gone);
}

bool FiberStacks::reserve(std::size_t count) {
  if (count <= count_) return true;
  release();
  if (const Mapping kept = keptMappings().take(count); kept.memory != nullptr) {
    memory_ = kept.memory;
    count_ = kept.stacks;
    return true;
  }
  void* const memory = mmap(nullptr, count * kSlotBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  const Mapping mapping{static_cast<std::uint8_t*>(memory), count};
  for (std::size_t i = 0; i < count; ++i)
    if (mprotect(mapping.memory + i * kSlotBytes, kGuardBytes, PROT_NONE) != 0) {
      unmap(mapping);
      return false;
    }
  memory_ = mapping.memory;
  count_ = count;
  return true;
}

void* FiberStacks::makeContext(std::size_t index) const {
#if defined(__SANITIZE_ADDRESS__)
  const StackBounds bounds = boundsOf(index);  // the block before may have been left in the midst of a call
  ASAN_UNPOISON_MEMORY_REGION(bounds.bottom, bounds.bytes);
#endif
  const std::size_t stagger = staggerOf(index);
  std::uint8_t* const top = memory_ + (index + 1) * kSlotBytes - stagger;
  return boost::context::detail::make_fcontext(top, kStackBytes - stagger, arrive);
}

// The switch itself says where it was left.
void* FiberStacks::ownContext() const { return nullptr; }

StackBounds FiberStacks::boundsOf(std::size_t index) const {
  return {memory_ + index * kSlotBytes + kGuardBytes, kStackBytes};
}

#if defined(__SANITIZE_ADDRESS__)
void switchFiber(HostThread& from, HostThread& to, StackBounds bounds) {
  void* fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, bounds.bottom, bounds.bytes);
  const auto transfer = boost::context::detail::jump_fcontext(to.context, &from);
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
  static_cast<HostThread*>(transfer.data)->context = transfer.fctx;
}
#endif

}  // namespace recording
