// The requests of a round by name. All that shows requests lists these, in this order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

struct NamedRequest {
  // "load A", "store", "atomic": what it does, with a letter if several requests of the round do that, in
  // shared or in device memory. No two requests of a round share a name; in each pass they keep theirs.
  std::string name;
  std::string text;  // the access as the kernel writes it, in one line: "data[index + s]"
  int line = 0;      // where, 1-based; 0: unknown
  const analysis::Request* request = nullptr;  // the round's
};

// All requests of the round, in the order of analysis::listRequests.
std::vector<NamedRequest> namedRequests(const RoundAt& at);

// Those of namedRequests() that load or store in shared memory, whose wavefronts are modelled.
std::vector<NamedRequest> bankRequests(const RoundAt& at);

// Those of namedRequests() that go to device memory.
std::vector<NamedRequest> deviceRequests(const RoundAt& at);

// Why a round's requests cost what they cost: how the addresses of a warp's active lanes lie to each other,
// as facts, and as the reason that a caption gives.

// The group of lanes of one request that asks the most of a bank: all of a warp's lanes, or half a warp's or
// a quarter's for elements of 8 or 16 bytes (analysis/requests.h).
struct BankPattern {
  unsigned lanes = 0;                  // active ones of the group
  unsigned groupLanes = 0;             // 32, 16 or 8
  std::optional<std::uint64_t> apart;  // 4-byte words from each active lane to the next, if it is one number
  std::vector<unsigned> banks;         // those that serve it, ascending
  unsigned way = 0;                    // the most distinct words of one bank
};
// Requires a load or store in shared memory.
BankPattern bankPattern(const analysis::WarpOperation& operation, const model::LaunchTrace& launch);

// In front of a cost: "because active lanes are 16 words apart, 16 lanes of load A hit only banks 0 and
// 16", "one lane cannot conflict". Empty if the round made no request whose wavefronts are known.
std::string bankReason(const RoundAt& at);

// Why the loads and stores in device memory touch as few sectors as they can: "because neighbouring lanes
// access neighbouring elements". Empty if there are none, or if one of them touches more.
std::string idealSectorReason(const RoundAt& at);

// Why this request to device memory touches more sectors than it needs: "because active lanes are 16 elements
// apart". Empty if it does not.
std::string sectorReason(const RoundAt& at, const NamedRequest& named);

}  // namespace stridescope::narration
