#include "recording/host/block_log.h"

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

BlockLog::Gathered BlockLog::gather(U32 threads, const Event* logEnd, std::uint64_t limit) const {
  Gathered gathered;
  std::vector<std::uint32_t> count(threads, 0);
  for (U32 turn = 0; turn < turns_.size(); ++turn) {
    const auto made = std::uint64_t(endOf(turn, logEnd) - memory_) - turns_[turn].first;
    std::uint32_t& kept = count[turns_[turn].thread];
    kept = std::uint32_t(std::min<std::uint64_t>(limit, kept + made));
  }
  gathered.first.resize(threads + 1, 0);
  for (U32 t = 0; t < threads; ++t) gathered.first[t + 1] = gathered.first[t] + count[t];
  gathered.events.resize(gathered.first[threads]);

  std::vector<std::uint32_t> cursor(gathered.first.begin(), gathered.first.end() - 1);
  for (U32 turn = 0; turn < turns_.size(); ++turn) {
    const Event* const from = memory_ + turns_[turn].first;
    std::uint32_t& at = cursor[turns_[turn].thread];
    const auto room = std::ptrdiff_t(gathered.first[turns_[turn].thread + 1] - at);
    const auto made = std::min(endOf(turn, logEnd) - from, room);
    std::copy_n(from, made, gathered.events.data() + at);
    at += std::uint32_t(made);
  }
  return gathered;
}

}  // namespace recording
