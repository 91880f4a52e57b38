// What a recording has of what a person may choose.
#pragma once

#include "archive/recording_file.h"
#include "base/field_set.h"
#include "model/experiment.h"

namespace stridescope::session {

// How near a recorded experiment is to another: the variant counts most. 0: another variant.
inline constexpr unsigned kSameExperiment = 64;
unsigned nearnessOf(const model::Experiment& recorded, const model::Experiment& wanted);

// The nearest to `wanted` of those that agree with it in the variant and in `required`; null: there is none.
const model::Experiment* nearestRecorded(const archive::RecordingIndex& index,
                                         const model::Experiment& wanted,
                                         FieldSet<model::Experiment> required);

}  // namespace stridescope::session
