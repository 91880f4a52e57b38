// Machine code in words.
#pragma once

#include <string>
#include <vector>

#include "model/machine_code.h"

namespace stridescope::narration {

// "This round's lines: 24 instructions, 3 of them predicated, and 1 branch with a predicate, the kind that
// can diverge." `lines` are the text's lines that execute in the round.
std::string codeSentence(const model::MachineCode& code, const std::vector<unsigned>& lines);

// "SASS for sm_90, compiled by NVRTC 13.0; recorded on NVIDIA H100 80GB HBM3." `live`: compiled here.
std::string compiledCode(const model::MachineCode& code, bool live);

// What stands in where there is none.
std::string noMachineCode();

}  // namespace stridescope::narration
