#include "cli/told_names.h"

#include "engine/experiment_summary.h"
#include "kernels/catalog.h"
#include "narration/executor_words.h"

namespace stridescope::cli {

ToldNames namesOf(const model::Trace& trace) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  return {.title = kernels::titleOf(trace.experiment),
          .changed = kernel == nullptr ? std::string() : kernel->changed,
          .experiment = engine::summaryOf(trace.experiment),
          .engine = "engine: " + narration::executorInWords(trace.executor)};
}

}  // namespace stridescope::cli
