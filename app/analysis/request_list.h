// The requests of a round in the order in which everything lists them, which of them stands for the round,
// and which operation stands for a request. Panels, text maps and hover lines ask here, so that they agree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

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

}  // namespace stridescope::analysis
