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
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/trace.h"

namespace stridescope::engine::access {

// All that the threads of a block handed over.
struct HandedOver {
  struct Act {
    model::PartMeeting what;
    std::uint64_t order = 0;  // of the thread's acts
  };
  std::vector<Act> acts{};
  std::set<std::uint32_t> sites{};  // where it was written, and where it was found
  bool isCut = false;               // there was more than a trace holds: `acts` is empty

  // As a trace has it, of threads of which it has so many events: those of thread t are first[t] to first[t +
  // 1].
  std::vector<model::PartMeeting> meetings(std::span<const std::uint32_t> first) const;
};

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
  // The thread's last events are taken back, none of which wrote: so many are left (lookAgain() in
  // kernels/recording/core.h). Its fences among them stay, and stand behind what is left.
  void takeBack(const Moment& now);

  HandedOver handedOver() const;

 private:
  static constexpr std::uint32_t kNone = ~0u;
  // When a thread does something, among its events and among all that threads do here.
  struct Time {
    std::uint32_t events = 0;
    std::uint64_t order = 0;
  };
  // What a thread released by writing to a word: all that it had done by then.
  struct Release {
    std::uint64_t address = 0;
    std::uint32_t thread = 0;
    Time time;
    std::uint32_t site = kNoSite;
    std::uint32_t before = kNone;  // another one on which it was written, and which it does not cover
  };
  struct Found {
    std::uint32_t release = 0, site = kNoSite;
  };
  struct Acquired {
    std::uint32_t release = 0;  // the last one of a word
    std::uint64_t order = 0;
  };
  struct Wait {
    std::uint32_t meeting = 0;
    Time time;
  };
  struct Thread {
    std::optional<Time> fence{};                             // its last one that releases
    std::uint64_t acquiredAt = 0;                            // the order of the last time that it acquired
    std::unordered_map<std::uint64_t, Found> found{};        // by word, since its last fence
    std::unordered_map<std::uint64_t, Acquired> acquired{};  // by word
    std::vector<Wait> waits{};
  };

  Thread& threadOf(std::uint32_t thread);
  Time timeOf(const Moment& now) { return {now.events, ++order_}; }
  void acquire(Thread& self, const Found& found, const Moment& now);
  std::uint32_t notCovered(const Thread& self, std::uint32_t thread, std::uint32_t release,
                           std::uint64_t order) const;
  std::uint32_t meetingOf(const std::vector<std::uint32_t>& releases);

  std::vector<Release> releases_;
  std::unordered_map<std::uint64_t, std::uint32_t> words_;  // the last release of each that is still there
  std::vector<Thread> threads_;
  // Where threads acquire releases of a word, those that follow one another together: by the first and the
  // last of them. All of these releases arrive there.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> meetings_;
  std::vector<std::vector<std::uint32_t>> arriving_;  // by meeting: releases
  std::set<std::uint32_t> sites_;
  std::uint64_t order_ = 0;
  std::size_t rows_ = 0;  // acts at meetings
  bool isFull_ = false;   // there are more than a trace holds
};

}  // namespace stridescope::engine::access
