// The log that the patches wrote (kernels/access_gpu/log.h) becomes a recorded block.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "access_gpu/log.h"
#include "engine/access/gpu_access.h"
#include "model/clock_record.h"
#include "model/trace.h"

namespace stridescope::engine::access::gpu {

// A shared array and where it begins in the block's window of shared memory.
struct PlacedArray {
  model::Array array;
  std::uint64_t begin = 0;
};

// The instructions that did something, numbered as they came.
class Instructions {
 public:
  struct Place {
    std::uint64_t pc = 0;
    recording::SiteKind kind{};
  };
  // Below recording::kMaxSites; of more instructions those beyond share the last number.
  std::uint32_t numberOf(std::uint64_t pc, recording::SiteKind kind);
  const std::vector<Place>& all() const { return places_; }
  bool isFull() const { return isFull_; }

 private:
  std::vector<Place> places_;
  std::map<std::pair<std::uint64_t, recording::SiteKind>, std::uint32_t> numbers_;
  bool isFull_ = false;
};

struct LoggedBlock {
  unsigned threads = 0;
  std::vector<PlacedArray> shared{};               // by where they begin
  std::vector<DeviceRange> buffers{};              // in the order of the launch's
  std::uint64_t windowBegin = 0, windowBytes = 0;  // what a copy has of the window
  std::uint64_t eventsPerThread = 1u << 16;

  std::vector<patched::Entry> entries{};  // in the order in which they were written
  std::vector<std::vector<std::uint8_t>> copies{};
  std::uint64_t dropped = 0;  // entries for which there was no room
};

// An entry that no event shows.
struct UnshownEntry {
  std::size_t entry = 0;                               // its place in the log
  std::uint32_t eventsBefore = 0, barriersBefore = 0;  // of its thread: all events, and block barriers
};

// Fills the events, the shared arrays, the copies, the meetings of a part of the block, and the problems that
// the log itself shows: threads that do not reach a block barrier which others reach, reads of shared memory
// before anything is stored there, and events that were dropped. Events name instructions by their numbers.
// Returns the entries that no event shows (other_acts.h).
std::vector<UnshownEntry> readLog(const LoggedBlock& log, Instructions& instructions,
                                  model::BlockTrace& block);

// The marks of the clock in a log, by warp. `siteOf`: the site of an instruction.
std::vector<model::WarpMarks> clockMarks(const std::vector<patched::Entry>& entries, unsigned threads,
                                         const std::function<std::uint32_t(std::uint64_t pc)>& siteOf);

// The sentence and place of an access that ended its warp. `arrays`: by base, with names.
struct NamedRange {
  std::string name;
  std::uint64_t base = 0, bytes = 0;
};
model::Problem problemOf(const patched::Fault& fault, bool isOfTheRecordedBlock,
                         const std::vector<NamedRange>& ranges, Instructions& instructions);

}  // namespace stridescope::engine::access::gpu
