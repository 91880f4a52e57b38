#include "cli/told_names.h"

#include "engine/experiment_summary.h"
#include "kernels/catalog.h"
#include "narration/executor_words.h"

namespace stridescope::cli {

ToldNames namesOf(const model::Trace& trace) {
  const kernels::Variant* const variant = kernels::findVariant(trace.experiment.variant);
  return {.title = variant == nullptr ? trace.experiment.variant : std::string(variant->title),
          .changed = variant == nullptr ? std::string() : std::string(variant->changed),
          .experiment = engine::summaryOf(trace.experiment),
          .engine = "engine: " + narration::executorInWords(trace.executor)};
}

}  // namespace stridescope::cli
