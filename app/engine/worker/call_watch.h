// The program's side of library_call.h: which calls of others' libraries a worker process is in, and for how
// long. It works whatever the worker does: one that hangs, or that has ended, leaves its page as it was.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/regular_file.h"
#include "engine/call_board.h"

namespace stridescope::engine::worker {

// A call that has not returned.
struct OpenCall {
  std::string name;  // "cuInit"
  std::chrono::milliseconds limit{0};
};

// Use it on one thread at a time.
class CallWatch {
 public:
  // Null: there is no memory for it.
  static std::unique_ptr<CallWatch> make();
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  // To be given to the worker, which calls showLibraryCalls() with it.
  const Descriptor& descriptor() const { return descriptor_; }

  // A call that has lasted longer than its patience times `limit`, as far as it was looked at: look often.
  std::optional<OpenCall> overdue(std::chrono::milliseconds limit);

  // The name of a call that the worker is in, or ended in; empty: none.
  std::string current() const;

 private:
  CallWatch(Descriptor descriptor, CallBoard* board) : descriptor_(std::move(descriptor)), board_(board) {}
  std::size_t used() const;

  struct Seen {
    std::uint64_t turn = 0;
    std::chrono::steady_clock::time_point since{};
  };
  Descriptor descriptor_;
  CallBoard* board_;
  std::vector<Seen> seen_;  // one for each slot that was ever used
};

}  // namespace stridescope::engine::worker
