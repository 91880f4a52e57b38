// What a round asked of shared and of device memory, and how a request goes through the banks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "model/counters.h"

namespace stridescope::analysis {

// Fills in banks and sectors of the operation if it is an access.
void findMemoryUse(const model::LaunchTrace& launch, WarpOperation& operation);

// One request a site, kind and space, summed over warps and repeats, by site and then by kind. Needs the
// memory use of the round's operations.
std::vector<Request> sumRequests(const model::LaunchTrace& launch, const Round& round);

Totals totalsOf(const Round& round);
Totals totalsOf(const std::vector<Round>& rounds);
Totals operator+(const Totals& a, const Totals& b);

// The requests of a round in the order in which everything lists them, which of them stands for the round,
// and which operation stands for a request. Panels, text maps and hover lines ask here, so that they agree.

// All requests of the round: loads, then stores, then atomics, each in the order of their sites. The pointers
// are into Round::requests.
std::vector<const Request*> listRequests(const Round& round);

// nullptr: the round has no such request.
const Request* findRequest(const Round& round, const RequestId& id);

// The request with the most wavefronts for each ideal one. Among equals it is the one with the most sectors
// for each ideal one, then the first of the list that is no broadcast, such as all threads' look at a flag.
// nullptr: the round has no request.
const Request* worstRequest(const Round& round);

// The operation of a request that has the most wavefronts or, in device memory, the most sectors; the first
// among equals. It is an index into Round::operations.
std::uint32_t worstOperation(const Round& round, const Request& request);
// The worst operation among those of one warp of the block, or among those that a thread takes part in;
// nullopt: there is none.
std::optional<std::uint32_t> worstOperationOfWarp(const Round& round, const Request& request, unsigned warp);
std::optional<std::uint32_t> worstOperationOfThread(const Round& round, const Request& request,
                                                    unsigned thread);

// What the model says that a hardware counter must read.

// The counter's value for one launch. nullopt: the model does not know it: another counter than shared
// memory's, a launch of which one block among several was recorded, or accesses to shared memory whose banks
// are not modelled.
std::optional<double> modelled(model::Counter counter, const model::LaunchTrace& launch,
                               const LaunchAnalysis& analysis);
// What the launch's first recorded block adds to the counter.
std::optional<double> modelledOfBlock(model::Counter counter, const model::LaunchTrace& launch,
                                      const LaunchAnalysis& analysis);

// How one request of one warp goes through the shared-memory banks: modelled, by the rule that NVIDIA's
// counters (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld and _st) follow on sm_90.
//
// - There are 32 banks, each 4 bytes wide; an access of 8 or 16 bytes counts as its 2 or 4 words.
// - A request goes out in groups of lanes: an access of up to 4 bytes in one group of 32, an access of 8
//   bytes in two of 16, one of 16 bytes in four of 8.
// - Loads of 8 or 16 bytes have half as many groups when, for x = 1 or for x = 2, every active lane i finds
//   lane i ^ x either inactive or reading the same address. Stores never merge.
// - A group takes as many wavefronts as the most distinct words that any one bank must serve for it; ideal is
//   one for each group with an active lane.

inline constexpr unsigned kBankBytes = 4;
inline constexpr unsigned kMaxWordsPerAccess = 4;

// What the lanes of one warp ask for together.
struct LaneAddresses {
  std::uint32_t mask = 0;  // lanes that take part
  unsigned width = 4;      // bytes per lane: 1, 2, 4, 8 or 16
  // Bytes from the start of a shared array; entries outside the mask are ignored. Arrays are aligned to a row
  // of banks (128 bytes), so that the offset alone decides the bank, wherever an engine places the array.
  std::array<std::uint64_t, model::kWarpSize> offset{};
};

BankUse findBankConflicts(const LaneAddresses& addresses, bool isStore);

// One word that a lane asks for.
struct LaneWord {
  std::uint64_t word = 0;       // counted from the start of the array
  std::uint8_t bank = 0;        // 0..31
  std::uint16_t wavefront = 0;  // 0 .. BankUse::wavefronts - 1
};

// Which banks serve which lane, and when. How many wavefronts a request takes is the rule above; which word
// goes in which of them is not documented for the hardware. The assignment here is a model, the same on every
// run: the groups go one after another, and within a group each bank serves its distinct words in the order
// of the lowest lane that asks for them. Lanes that ask for the same word are served together.
struct BankMap {
  BankUse use;
  unsigned wordsPerLane = 0;                  // 1, 2 or 4
  unsigned lanesPerGroup = model::kWarpSize;  // lanes 0 to this - 1, and so on
  unsigned mergedWith = 0;                    // x of the rule: 1 or 2; 0: the groups are not merged
  std::array<std::array<LaneWord, kMaxWordsPerAccess>, model::kWarpSize> lanes{};  // only lanes of the mask
};

BankMap mapBanks(const LaneAddresses& addresses, bool isStore);

// The addresses of a recorded access, to shared memory or to a buffer. Other operations give an empty mask.
LaneAddresses addressesOf(const WarpOperation& operation, const model::LaunchTrace& launch);

// How well a warp's access to device memory is coalesced: modelled. Device memory is read and written in
// sectors of 32 bytes; buffers begin at a multiple of 256 bytes, so that the offset alone decides the sector.

inline constexpr unsigned kSectorBytes = 32;

struct SectorUse {
  unsigned sectors = 0;  // distinct sectors that the lanes touch
  unsigned ideal = 0;    // the bytes of the distinct elements, packed densely: rounded up to whole sectors

  // Touches more sectors; or as many, of which fewer would do.
  bool isWorseThan(const SectorUse& other) const {
    return sectors != other.sectors ? sectors > other.sectors : ideal < other.ideal;
  }
};

// Offsets count from the start of the buffer.
SectorUse countSectors(const LaneAddresses& addresses);

// For each of the `warps` of a block its worst request of the round; all 0 for a warp that does not touch
// device memory. Needs the memory use of the round's operations.
std::vector<SectorUse> worstSectorsByWarp(const Round& round, unsigned warps);

// The worst of these; all 0 if there is none.
SectorUse worstOf(const std::vector<SectorUse>& uses);

}  // namespace stridescope::analysis
