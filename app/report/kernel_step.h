// A person's own kernel as `step FILE.cu` prints it: as text, and as JSON.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "engine/access/kernel_run.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "report/kernel_measured.h"
#include "report/runs.h"

namespace stridescope::report {

// `kernel.trace` has been moved into `run`.
struct KernelStep {
  std::string file;
  engine::access::KernelRun kernel;
  lab::Run run;
  std::optional<lab::RunCycles> cycles{};  // on a GPU, if they were asked for
};

KernelCall callOf(const KernelStep& step);

// What the clock says of each launch's block, which ran in the launch's grid. Requires `kernel.clocks`.
lab::RunCycles cyclesOf(const KernelStep& step);

// As stepText() has a variant.
std::string kernelStepText(const KernelStep& step, const std::optional<RoundRange>& rounds);

// One line, of writeStepJson()'s format, with the kernel in place of the experiment and its arrays in place
// of the result. False: rounds were left out for the budget.
bool writeKernelStepJson(std::ostream& out, const KernelStep& step, const std::optional<RoundRange>& rounds,
                         MemoryBudget& budget);

}  // namespace stridescope::report
