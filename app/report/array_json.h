// What arrays are, and the numbers that they hold, in the JSON of `step`.
#pragma once

#include "model/trace.h"
#include "narration/round_at.h"
#include "report/json_writer.h"

namespace stridescope::report {

// The member "arrays" of a launch: where each lies, its shape, and what its elements are.
void writeArrays(JsonWriter& json, const model::LaunchTrace& launch);

// The member "cells" of a round: the numbers of shared arrays whose elements the snapshot has as plain bits,
// each in its own type, by member where they are structs. Nothing is written where there are no such arrays.
void writeCells(JsonWriter& json, const narration::RoundAt& at);

}  // namespace stridescope::report
