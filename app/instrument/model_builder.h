// From what the text pass has found to what it tells of the text.
#pragma once

#include "instrument/expressions.h"
#include "instrument/findings.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

model::KernelModel buildModel(const Source& source, const Declarations& declarations,
                              const Statements& statements, const Expressions& expressions,
                              const Variables& variables, const Findings& findings,
                              const std::vector<LateTarget>& lateTargets, const NumberedSites& table);

}  // namespace stridescope::instrument
