#include "cli/sized_request.h"

#include "cli/parse.h"
#include "engine/experiment_check.h"

namespace stridescope::cli {

Result<model::Experiment> sizedExperiment(const Context& context, const std::string& variant,
                                          const std::string& size, const ExperimentOptions& options) {
  auto request = readExperimentRequest(variant, options);
  if (!request) return tl::unexpected(request.error());
  if (!size.empty()) {
    if (request->given.has(&model::Experiment::elements))
      return usageError("--size and -n mean the same; give one of them.");
    const auto elements = parseNumberWithin("--size", size, 0, engine::kMaxElements);
    if (!elements) return tl::unexpected(elements.error());
    request->give(&model::Experiment::elements, *elements);
  }
  allowTypedCode(*request, *context.services.trust);
  return completed(*request);
}

}  // namespace stridescope::cli
