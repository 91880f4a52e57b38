// The log of one recorded block. Threads take turns, and each turn's events follow those of the turn before:
// writing is sequential whoever runs, and threads are told apart afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recording/event.h"

namespace recording {

class BlockLog {
 public:
  BlockLog() = default;
  ~BlockLog();
  BlockLog(const BlockLog&) = delete;
  BlockLog& operator=(const BlockLog&) = delete;

  // Empties the log and gives it room for `events` events. False if the system gives no memory.
  bool reset(std::uint64_t events);

  Event* begin() const { return memory_; }
  Event* end() const { return memory_ + room_; }

  // A turn of `thread` starts at `at`; returns its number. `previous`: the number of the thread's turn
  // before, kNoTurn for its first.
  U32 startTurn(U32 thread, const Event* at, U32 previous) {
    turns_.push_back({thread, U32(at - memory_), previous});
    return U32(turns_.size() - 1);
  }
  static constexpr U32 kNoTurn = 0xffffffffu;

  // The events of a thread, its last one first, as long as visit(event) is true. `last` is the number of its
  // last turn, `logEnd` the end of all events.
  template <class Visit>
  void backwards(U32 last, const Event* logEnd, Visit visit) const {
    for (U32 turn = last; turn != kNoTurn; turn = turns_[turn].previous) {
      const Event* const first = memory_ + turns_[turn].first;
      for (const Event* event = endOf(turn, logEnd); event != first;)
        if (!visit(*--event)) return;
    }
  }

  // The events thread after thread: those of thread t are events[first[t]] .. events[first[t + 1]]. Thread t
  // has its first kept[t] events here, which are all or fewer.
  struct Gathered {
    std::vector<Event> events;
    std::vector<std::uint32_t> first;
  };
  Gathered gather(std::span<const std::uint32_t> kept, const Event* logEnd) const;

 private:
  struct Turn {
    U32 thread = 0;
    U32 first = 0;  // index of its first event
    U32 previous = kNoTurn;
  };
  const Event* endOf(U32 turn, const Event* logEnd) const {
    return turn + 1 < turns_.size() ? memory_ + turns_[turn + 1].first : logEnd;
  }

  Event* memory_ = nullptr;
  std::uint64_t room_ = 0, mapped_ = 0;
  std::vector<Turn> turns_;
};

}  // namespace recording
