// Parts of captions: shuffles, merges, and what a tree leaves out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// Rounds in which lanes pass values to each other, as parts of sentences.

// What a shuffle did for the lanes of one warp, as masks of its lanes.
struct ShuffleLanes {
  unsigned warp = 0;
  std::uint32_t served = 0;    // got another lane's value
  std::uint32_t beyond = 0;    // got their own, as the lane they ask for would lie beyond the warp
  std::uint32_t absent = 0;    // asked a lane that takes no part: what they get is undefined
  std::uint32_t identity = 0;  // put in nothing that was loaded since the last block barrier
};
// One entry for each warp that takes part, ascending. Requires a round with a shuffle.
std::vector<ShuffleLanes> shuffleLanes(const RoundAt& at);

// "in each of 8 warps, lanes 0 to 23 add the register 8 lanes higher; lanes 24 to 31 have no lane there and
// get their own value".
std::string shuffleClause(const RoundAt& at);

// "lanes 8 to 31 hold only the identity" of a warp where lanes put in nothing that was loaded; empty if all
// do.
std::string identityClause(const RoundAt& at);

// "8 of the 32 results per warp are still needed". Empty if all are, or if it is not known.
std::string neededClause(const RoundAt& at);

// "one instruction adds the 32 registers of each of 8 warps". For cg::reduce: "cg::reduce adds ..., and what
// it does inside is not seen".
std::string warpReduceClause(const RoundAt& at);

// The rounds of a merge, as sentences.

// The sentences for a round that serves an output element: "Element 7 of 256, stride 4: the first 4 of 8
// threads compare two heads, ...", "1 thread takes the other head with its list's number, as it comes first;
// ..."
std::vector<std::string> mergeSentences(const RoundAt& at);

// What a tree leaves out, and what it leaves for the next round, as parts of a sentence.

// For the round from which on no thread reads a value into the result: "no thread reads data[2] from here on:
// its 114, the sum of 32 elements, is lost". Empty if nothing is lost there.
std::string lostClause(const RoundAt& at);

// For the round that writes the result: "the sum of 32 elements, 114 in data[2], is missing from it". Empty
// if nothing is missing.
std::string missingClause(const RoundAt& at);

// "one value, data[1], has no partner and waits for the next stride": the one value that is still needed and
// that a round in shared memory does not touch. Empty if there is none, or more.
std::string waitingClause(const RoundAt& at);

}  // namespace stridescope::narration
