// Who touched which piece of memory since the last block barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trace.h"

namespace stridescope::analysis {

// Accesses of one warp's lanes at one site in one phase of the warp (vector_clock.h) to one piece of memory.
struct PastAccess {
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint32_t phase = 0;
  std::uint32_t next = 0;  // the place in the history of the one before it of the same piece, plus 1; 0: none
  std::uint16_t site = 0;
  model::EventKind kind{};
};

// A hash table from a piece of memory to its accesses; forgetting costs nothing.
class AccessHistory {
 public:
  // The head of the piece's list, to be read and to be changed: a place plus 1, as PastAccess::next. Valid
  // until the next call.
  std::uint32_t& headOf(std::uint64_t piece);

  PastAccess& at(std::uint32_t link) { return accesses_[link - 1]; }

  // Puts an access at the head of the list. Invalidates references that at() gave.
  void add(std::uint32_t& head, PastAccess access) {
    access.next = head;
    accesses_.push_back(access);
    head = std::uint32_t(accesses_.size());
  }

  void forgetAll();

  std::uint64_t bytes() const {
    return slots_.size() * sizeof(Slot) + accesses_.capacity() * sizeof(PastAccess);
  }

 private:
  struct Slot {
    std::uint64_t piece = 0;
    std::uint32_t generation = 0;  // slots of earlier generations are empty
    std::uint32_t head = 0;
  };
  void grow();
  Slot& find(std::uint64_t piece);

  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two
  std::size_t used_ = 0;
  std::uint32_t generation_ = 1;
  std::vector<PastAccess> accesses_;
};

}  // namespace stridescope::analysis
