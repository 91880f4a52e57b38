// The threads of a round in words: which are active, and what one of them did.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// Which threads of a round are active and how they lie in warps: as facts, and as the captions' words.

// How many lanes of a warp are active, and how many lanes of it have a thread.
struct WarpFill {
  unsigned warp = 0, active = 0, lanes = 0;
};

struct ActiveThreads {
  unsigned active = 0, block = 0;  // threads
  unsigned warps = 0;              // the block's
  std::vector<WarpFill> working;   // the warps that have an active lane, ascending
  unsigned finished = 0;           // warps all of whose threads have returned
  bool first = false;              // the active ones are threads 0 to active - 1
  std::optional<unsigned> every;   // they are thread 0 and every 2nd, 4th, ... one up to the end of the block

  unsigned idle() const { return warps - unsigned(working.size()) - finished; }
  // The warps that so many threads would fill.
  unsigned needed() const { return model::warpsOf(active); }
};
ActiveThreads activeThreads(const RoundAt& at);

// What threads do: "add" and "adds".
struct Verb {
  std::string plural, singular;
};
Verb combiningVerb(model::Operator op);

// "the first 16 of 256 threads add, 16 of 32 lanes of warp 0; the other 7 warps are idle", "every 16th of 256
// threads adds, so 8 warps issue for 2 lanes each, though 1 warp would do". Requires an active thread.
std::string whoWorks(const RoundAt& at, const Verb& verb);

// "warp 3", "8 warps".
std::string warpsInWords(const std::vector<WarpFill>& working);

// "the other 7 warps are idle"; empty if there are none.
std::string otherWarps(const ActiveThreads& threads);

// The active threads themselves: "threads 0 to 15", "thread 0 and every 16th thread", "threads 0, 1, 4 to 7
// and 57 more"; "no thread".
std::string whoIsActive(const RoundAt& at);

// The one number that the function gives for all working warps; nullopt if they differ.
template <class Number>
std::optional<unsigned> commonNumber(const std::vector<WarpFill>& working, Number numberOf) {
  std::optional<unsigned> common;
  for (const WarpFill& fill : working) {
    const unsigned number = numberOf(fill);
    if (common && *common != number) return std::nullopt;
    common = number;
  }
  return common;
}

// The caption's second line: what one thread did in a round.
// thread 5   warp 0 lane 5   data[80] + data[88] = 34 + 22 = 56   load A: bank 16, wavefront 3 of 8   ...

// One access to shared memory. If one request makes several, it is the one that the Banks panel shows.
struct ThreadAccess {
  std::string name;          // "load A", "load B", "store"
  unsigned bank = 0;         // its first word's
  unsigned wavefront = 0;    // from 1; modelled
  unsigned wavefronts = 0;   // those of the warp's request
  std::string text() const;  // "load A: bank 16, wavefront 3 of 8"
};

struct ThreadLine {
  unsigned thread = 0, warp = 0, lane = 0;
  analysis::LaneState state{};
  std::string formula;  // "data[80] + data[88] = 34 + 22 = 56"; for a lane without work what it is instead
  std::vector<ThreadAccess> accesses;
  std::string text() const;  // the pieces, three spaces between
};

// `thread` < LaunchTrace::block.
ThreadLine threadLineOf(const RoundAt& at, unsigned thread);

}  // namespace stridescope::narration
