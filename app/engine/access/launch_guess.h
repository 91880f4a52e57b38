// What a launch of a person's kernel leaves out, guessed from the text: a first run that is small enough to
// look at.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/access/kernel_file.h"

namespace stridescope::engine::access {

// Fills in what the file's only launch does not say. The parts that were guessed, as the command line has
// them:
// "--grid 2", "--arg n=512"; nothing where there is a launch file, or all is said. Usage: the text cannot be
// read, or the kernel not be chosen.
Result<std::vector<std::string>> guessLaunch(KernelFile& file);

}  // namespace stridescope::engine::access
