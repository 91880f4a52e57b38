#include "session/recorded_choices.h"

namespace stridescope::session {

unsigned nearnessOf(const model::Experiment& recorded, const model::Experiment& wanted) {
  if (recorded.variant != wanted.variant) return 0;
  if (recorded == wanted) return kSameExperiment;
  const auto worth = [](bool same, unsigned much) { return same ? much : 0; };
  return 32 + worth(recorded.type == wanted.type, 16) + worth(recorded.op == wanted.op, 8) +
         worth(recorded.threads == wanted.threads, 4) + worth(recorded.elements == wanted.elements, 2) +
         worth(recorded.data == wanted.data, 1);
}

const model::Experiment* nearestRecorded(const archive::RecordingIndex& index,
                                         const model::Experiment& wanted,
                                         FieldSet<model::Experiment> required) {
  required.add(&model::Experiment::variant);
  const model::Experiment* nearest = nullptr;
  for (const archive::RecordingEntry& entry : index.traces)
    if (required.agree(entry.experiment, wanted) &&
        (nearest == nullptr || nearnessOf(entry.experiment, wanted) > nearnessOf(*nearest, wanted)))
      nearest = &entry.experiment;
  return nearest;
}

}  // namespace stridescope::session
