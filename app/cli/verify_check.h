// One case of `verify`: what was compared, and what came of it. Nothing counts as equal that was not
// compared.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "kernels/catalog.h"
#include "lab/run.h"
#include "model/experiment.h"
#include "model/trace.h"
#include "report/verification.h"

namespace stridescope::cli {

using report::ReportVerdict;
using report::ResultVerdict;
using report::TracesVerdict;
using report::Verdicts;

// `other` is another engine's trace of the experiment; null: `whyAlone`, a sentence, says why there is none.
Verdicts verdictsOf(const lab::Run& run, const model::Trace* other, const std::string& whyAlone);

// Nothing could be compared, as this sentence says.
Verdicts notCompared(std::string why);

// Which experiments `verify` runs.

enum class Thoroughness {
  Quick,    // every variant once for each type, and once for its smallest and largest block
  Default,  // every type and operator at one size; every block size, pattern and odd number of elements in
            // int
  Full,  // block sizes x types x operators x patterns, and the odd numbers of elements for each type; blocks
         // of less than a warp, or of no power of two, with random data alone
};

// Legal experiments (see experiment_check.h), without repeats, variant after variant.
std::vector<model::Experiment> verifyMatrix(std::span<const kernels::Variant* const> variants,
                                            Thoroughness thoroughness);

// `verify --counters`: what the hardware counts of shared memory, held against the model.

// Counts each variant that demonstrates no bug: one block in int, int64, float and double, at every legal
// block size; on the GPU that --engine names, or as recorded. Prints a line for each difference, and "N of M
// equal"; or the same as `counters --json`. Wrong if one differs that is not known to (docs/measured.md).
ExitCode verifyCounters(const Context& context, const std::string& engine,
                        std::span<const kernels::Variant* const> variants, bool json);

}  // namespace stridescope::cli
