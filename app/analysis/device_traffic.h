// What the devices of a run send each other: who loads from whose memory, who stores into whose, who waits
// for whom, and what a link has to carry for it. Computed from the events of the recorded blocks alone, one
// of each device; where a device has more blocks than that one, the others' share is not in it.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "base/memory_limits.h"
#include "model/trace.h"

namespace stridescope::analysis {

class SiteTable;

// Sets `traffic` and `before` of the launches on several devices, and leaves the others as they are. Needs
// the rounds of the shown blocks. The n-th rounds of all devices are one round of the launch, and what is
// stored in a round is there after it.
void findDeviceTraffic(const model::Trace& trace, const SiteTable& sites, MemoryBudget& budget,
                       std::vector<LaunchAnalysis>& launches);

// The bytes over each link in a round of the launch, in all its rounds, and in all launches. Empty without
// several devices.
DeviceLinks linksIn(const model::LaunchTrace& launch, const DeviceRound& round);
DeviceLinks linksOf(const model::LaunchTrace& launch, const DeviceTraffic& traffic);
DeviceLinks linksOf(const model::Trace& trace, const Analysis& analysis);
DeviceLinks operator+(const DeviceLinks& one, const DeviceLinks& other);

}  // namespace stridescope::analysis
