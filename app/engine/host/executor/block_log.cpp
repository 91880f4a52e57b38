#include "engine/host/executor/block_log.h"

#include <sys/mman.h>

#include <algorithm>

namespace recording {

BlockLog::~BlockLog() {
  if (memory_ != nullptr) munmap(memory_, mapped_ * sizeof(Event));
}

bool BlockLog::reset(std::uint64_t events) {
  turns_.clear();
  room_ = events;
  if (events <= mapped_) return true;
  if (memory_ != nullptr) munmap(memory_, mapped_ * sizeof(Event));
  memory_ = nullptr;
  mapped_ = 0;
  // Pages are taken when they are first written: a large limit costs nothing to a short kernel.
  void* const memory = mmap(nullptr, events * sizeof(Event), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = static_cast<Event*>(memory);
  mapped_ = events;
  return true;
}

BlockLog::Gathered BlockLog::gather(std::span<const std::uint32_t> kept, const Event* logEnd) const {
  const std::size_t threads = kept.size();
  Gathered gathered;
  gathered.first.resize(threads + 1, 0);
  for (std::size_t t = 0; t < threads; ++t) gathered.first[t + 1] = gathered.first[t] + kept[t];
  gathered.events.resize(gathered.first[threads]);

  // Events are copied turn after turn: reading is sequential, and writing goes to one place per thread, which
  // is fetched early.
  constexpr std::size_t kAhead = 8;
  Event* const events = gathered.events.data();
  std::vector<std::uint32_t> cursor(gathered.first.begin(), gathered.first.end() - 1);
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    if (turn + kAhead < turns_.size()) __builtin_prefetch(events + cursor[turns_[turn + kAhead].thread], 1);
    const U32 thread = turns_[turn].thread;
    const Event* event = memory_ + turns_[turn].first;
    std::uint32_t at = cursor[thread];
    const auto room = std::ptrdiff_t(gathered.first[thread + 1] - at);
    const Event* const end = event + std::min(endOf(U32(turn), logEnd) - event, room);
    while (event != end) events[at++] = *event++;
    cursor[thread] = at;
  }
  return gathered;
}

}  // namespace recording
