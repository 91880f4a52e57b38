// Which of a race's two accesses came first. The events of different threads have no order: only the values
// tell. A load that found what the store wrote came after it; one that found what was there before came
// before it; if both are stores, the later one's value remains. Where a value may come from several places,
// where both orders give the same, and with atomics, the order is unknown.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Finds the events of both accesses, their rounds and passes, and the order: `first` happened first where
// orderKnown is set. If one thread makes several accesses by one site, the load is the last one, and the
// store the last one before it, or else the first one. Needs the rounds' operations, ends and snapshots. Very
// many races leave the later ones without an order.
void findOrders(const model::LaunchTrace& launch, const std::vector<Round>& rounds, std::vector<Race>& races);

}  // namespace stridescope::analysis
