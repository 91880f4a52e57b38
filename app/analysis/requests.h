// What a round asked of shared and of device memory.
#pragma once

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

}  // namespace stridescope::analysis
