// `verify --counters`: what the hardware counts of shared memory, held against the model.
#pragma once

#include <span>
#include <string>

#include "cli/context.h"
#include "kernels/catalog.h"

namespace stridescope::cli {

// Counts each variant that demonstrates no bug: one block in int, int64, float and double, at every legal
// block size; on the GPU that --engine names, or as recorded. Prints a line for each difference, and "N of M
// equal"; or the same as `counters --json`. Wrong if one differs that is not known to (docs/measured.md).
ExitCode verifyCounters(const Context& context, const std::string& engine,
                        std::span<const kernels::Variant* const> variants, bool json);

}  // namespace stridescope::cli
