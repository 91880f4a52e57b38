// The requests of a round by their names in the window: load A, load B, ..., store.
#pragma once

#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

struct NamedRequest {
  std::string name;                            // "load A", "store"; a single load is "load"
  const analysis::Request* request = nullptr;  // of the round
  std::vector<std::size_t> operations;         // its warp operations: indices into Round::operations
};

// Shared loads and stores, loads first, each in the order of their sites; atomics are left out.
std::vector<NamedRequest> namedRequests(const RoundAt& at);

// The same for device memory, with the atomics last.
std::vector<NamedRequest> namedDeviceRequests(const RoundAt& at);

}  // namespace stridescope::narration
