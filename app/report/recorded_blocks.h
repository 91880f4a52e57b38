// The blocks of a run that were recorded beside the first of each launch.
#pragma once

#include <functional>

#include "lab/run.h"

namespace stridescope::report {

// A block by itself, as the only one of a run of a single launch.
lab::Run runOfBlock(const model::Trace& trace, std::size_t launch, std::size_t block);

// Calls for each of them, launch after launch, with the launch's number and the block's run.
void eachOtherBlock(const model::Trace& trace,
                    const std::function<void(std::size_t launch, const lab::Run& run)>& visit);

}  // namespace stridescope::report
