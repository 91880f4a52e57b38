// What the threads of a block hand over to one another by words of memory, as CUDA's memory model has it: by
// locks, tickets, and flags. What a thread did before a fence, or before an operation that releases, is
// ordered before what another one does behind a fence, or behind an operation that acquires, if in between
// the first one wrote to a word and the second one found there what it wrote, or what others made of that by
// atomic operations. So is the write itself, if it stands right behind the fence.
//
// Operations on such a word are atomic or volatile. Threads take turns, so that what one finds is what was
// written there last.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/trace.h"

namespace stridescope::engine::access {

class Handovers {
 public:
  static constexpr std::uint32_t kNoSite = ~0u;

  struct Operation {
    std::uint64_t address = 0;
    bool reads = false, writes = false;  // both: it makes what it writes of what it found
    bool acquires = false, releases = false;
    bool isEvent = true;  // the thread's last one
    std::uint32_t site = kNoSite;
  };
  // A thread, and how many events it has made.
  struct Moment {
    std::uint32_t thread = 0, events = 0;
  };

  // The thread makes an operation, which nothing comes between.
  void operate(const Operation& operation, const Moment& now);
  void fence(bool acquires, bool releases, const Moment& now);
  // A plain store: nothing is handed over by what it writes.
  void overwrite(std::uint64_t address) {
    if (!words_.empty()) words_.erase(address);
  }

  // As a trace has it, of threads of which it has so many events: those of thread t are first[t] to first[t +
  // 1].
  std::vector<model::PartMeeting> meetings(std::span<const std::uint32_t> first) const;
  // Where what was handed over was written, and where it was found.
  const std::set<std::uint32_t>& sites() const { return sites_; }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  // What a thread released by writing to a word: all that it had done when it had made so many events.
  struct Release {
    std::uint64_t address = 0;
    Moment moment;
    std::uint32_t site = kNoSite;
    std::uint32_t before = kNone;   // another one on which it was written, and which it does not cover
    std::uint32_t meeting = kNone;  // where others have acquired it
  };
  struct Found {
    std::uint32_t release = 0, site = kNoSite;
  };
  struct Acquired {
    std::uint32_t release = 0, events = 0;  // the last one of a word, and when
  };
  struct Thread {
    std::optional<std::uint32_t> releasedAt{};               // how many events it had made at its last fence
    std::unordered_map<std::uint64_t, Found> found{};        // by word, since its last fence
    std::unordered_map<std::uint64_t, Acquired> acquired{};  // by word
  };

  Thread& threadOf(std::uint32_t thread);
  void acquire(Thread& self, const Found& found, const Moment& now);
  std::uint32_t notCovered(const Thread& self, std::uint32_t release, const Moment& released) const;
  void add(std::uint32_t meeting, const Moment& moment, model::MeetingPart part);

  std::vector<Release> releases_;
  std::unordered_map<std::uint64_t, std::uint32_t> words_;  // the last release of each that is still there
  std::vector<Thread> threads_;
  std::vector<model::PartMeeting> met_;
  std::set<std::uint32_t> sites_;
  std::uint32_t next_ = 0;
  bool isFull_ = false;  // there are more than a trace holds: then it has none
};

}  // namespace stridescope::engine::access
