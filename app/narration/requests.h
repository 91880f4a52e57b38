// The requests of a round by name. All that shows requests lists these, in this order.
#pragma once

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

}  // namespace stridescope::narration
