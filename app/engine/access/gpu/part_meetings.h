// Who meets at barriers of a part of the block, and at those in shared memory at which not all its threads
// arrive: from what patches wrote there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "access_gpu/log.h"
#include "model/trace.h"

namespace stridescope::engine::access::gpu {

class PartMeetings {
 public:
  // `entries`: all that is to come.
  PartMeetings(unsigned threads, const std::vector<patched::Entry>& entries);

  // Each of a thread's entries, in the order in which they were written, and how many events the thread had
  // before.
  void come(const patched::Entry& entry, std::uint32_t eventsBefore);

  // When all have come.
  std::vector<model::PartMeeting> take();
  // There were more than a trace holds, and take() gave not all of them.
  bool isCut() const { return isCut_; }

 private:
  struct Come {
    model::PartMeeting what;
    std::uint32_t order = 0;  // of the entries
  };

  // A barrier that waits for a number of threads, of which a warp's are all there when all that it has have
  // come: the last warp may have fewer than it counts for.
  struct Numbered {
    std::vector<Come> waiting;
    unsigned ofLastWarp = 0;  // of these
  };

  // A barrier in shared memory. Each time that as many have arrived as it waits for, one of its phases ends.
  struct InMemory {
    std::uint64_t waitsFor = 0;  // 0: it is not known
    std::uint64_t nextWaitsFor = 0;
    std::uint64_t arrived = 0;  // in this phase, by their counts
    std::vector<Come> arrivals;
    std::vector<std::uint32_t> phases;  // their meetings
    struct OfThread {
      std::optional<std::size_t> arrivedIn;  // the last phase
      std::size_t waited = 0;                // for so many phases
    };
    std::map<std::uint32_t, OfThread> threads;
  };
  struct Waiting {
    std::uint64_t barrier = 0;
    Come come;
  };

  void meet(const patched::Entry& entry, const Come& come);
  void arrive(const patched::Entry& entry, const Come& come);
  void goOn(std::uint32_t thread);
  void complete(std::vector<Come>& all);

  unsigned lastWarp_, ofLast_;  // the block's last warp, and how many threads it has
  std::map<std::uint64_t, Numbered> numbered_;
  std::map<std::uint64_t, InMemory> inMemory_;    // by where they lie
  std::map<std::uint64_t, std::uint64_t> guess_;  // how many arrive in a phase, where nothing says it
  std::map<std::uint32_t, Waiting> waiting_;      // by thread: at a barrier in shared memory
  std::vector<Come> met_;
  std::uint32_t next_ = 0;   // the number of the next meeting
  std::uint32_t order_ = 0;  // of the next entry
  bool isCut_ = false;
};

}  // namespace stridescope::engine::access::gpu
