// The order in which a launch's blocks come to the buffer that joins their results, in words.
#pragma once

#include <optional>
#include <string>

#include "analysis/arrivals.h"
#include "model/trace.h"

namespace stridescope::narration {

// What the recorded block has to do with the order in a round: "Block 3 comes 4th of 16." "Block 15 comes
// last of 16: all others have left their results before." "Block 0 waits for the words of 15 blocks:
// block 1's comes first, block 15's last." About one thread, if that reads there: "Thread 4 waits for the
// word of block 5, which comes 5th of 15."
std::string arrivalSentence(const model::LaunchTrace& launch, const analysis::RoundArrivals& arrivals,
                            std::optional<std::uint32_t> thread = {});

// "1, 2, 3, ... 14, 15": the blocks in their order, at most `most` of them. Requires some.
std::string arrivalOrder(const model::LaunchTrace& launch, std::size_t most);

}  // namespace stridescope::narration
