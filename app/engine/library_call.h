// Calls of libraries that may crash, exit or never return: NVIDIA's driver, NVRTC, CUPTI, NVML. A worker
// process (worker/) shows which one each of its threads is in, so that the program that started it can tell
// a call that hangs from long work, and stop the worker. Showing costs some nanoseconds; where nobody
// watches, less.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace stridescope::engine {

// How many times the limit of one call (5 s unless --driver-limit says otherwise) calls of a kind may last.
inline constexpr unsigned kPlainCall = 1;
// What compiles: NVRTC, the driver where it is given PTX, a library whose kernels the driver compiles at
// first. What waits for kernels: copies to and from memory that is not page-locked, launches under CUPTI.
inline constexpr unsigned kLongCall = 12;

// From here on this process's calls are shown on the page behind the descriptor, which is then
// closed. Called once, before other threads start. False: it is no such page, and nothing is shown.
bool showLibraryCalls(int descriptor);

// As long as it lives, the calling thread is in that call. One within another is part of the outer one.
// `name`: at most 51 bytes of it are shown.
class LibraryCall {
 public:
  explicit LibraryCall(std::string_view name, unsigned patience = kPlainCall);
  ~LibraryCall();
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;
};

// A function of such a library: called like the function, and shown while it runs. Nothing else of this
// program calls these functions.
template <class Function>
class LibraryFunction;

template <class Returned, class... Arguments>
class LibraryFunction<Returned (*)(Arguments...)> {
 public:
  using Pointer = Returned (*)(Arguments...);

  // The name outlives it.
  constexpr explicit LibraryFunction(std::string_view name, Pointer function = nullptr)
      : name_(name), function_(function) {}

  LibraryFunction& operator=(Pointer function) {
    function_ = function;
    return *this;
  }
  Returned operator()(Arguments... arguments) const {
    const LibraryCall call(name_);
    return function_(arguments...);
  }
  bool operator==(std::nullptr_t) const { return function_ == nullptr; }

 private:
  std::string_view name_;
  Pointer function_;
};

// Where a process shows which calls of others' libraries it is in: a page of memory that it shares with the
// process that watches it (library_call.h shows, worker/worker_process.h watches).

inline constexpr std::size_t kCallNameBytes = 52;

// One thread's. Zeroes: it was never in a call.
struct alignas(64) CallSlot {
  std::atomic<std::uint64_t> turn;        // odd: within a call, even: not; it only grows
  std::atomic<std::uint32_t> patience;    // how many times the watcher's limit this call may last
  std::array<char, kCallNameBytes> name;  // zero-terminated; written before `turn` becomes odd
};

struct CallBoard {
  static constexpr std::size_t kSlots = 511;
  std::atomic<std::uint32_t> used;  // slots from this number on are all zeroes
  std::array<CallSlot, kSlots> slots;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace stridescope::engine
