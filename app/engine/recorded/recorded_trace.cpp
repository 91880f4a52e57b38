#include "engine/recorded/recorded_trace.h"

#include <limits>
#include <optional>
#include <string>

#include "archive/recording_file.h"
#include "engine/custom_operator.h"
#include "engine/exact_integer.h"
#include "engine/experiment_check.h"
#include "engine/parse_element.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"

namespace stridescope::engine::recorded {
namespace {

// As a clause: what the texts say is not what would run.
std::optional<std::string> faultOfTexts(const model::Trace& trace) {
  const model::Experiment& experiment = trace.experiment;
  if (experiment.op == model::Operator::Custom) {
    const auto read =
        readCustomOperator(experiment.custom.combine, experiment.custom.identity, experiment.type);
    if (!read || *read != experiment.custom) return "its identity is not the one that it shows";
  }
  if (trace.preamble != kernels::preambleOf(trace.kernelText, experiment))
    return "its preamble is not the one that its experiment has";
  return {};
}

bool canBeRecomputed(const model::Trace& trace) {
  const model::Experiment& experiment = trace.experiment;
  const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
  return variant != nullptr && checkedExperiment(experiment, true) &&
         experiment.op != model::Operator::Custom && !trace.result.empty() &&
         experiment.elements <= kMaxRecomputed && experiment.elements > 0 &&
         kernels::planRun(*variant, experiment).outcome != kernels::Outcome::Merged;
}

}  // namespace

std::optional<std::string> contradictionIn(const model::Trace& trace) {
  if (!canBeRecomputed(trace)) return {};
  const model::Experiment& experiment = trace.experiment;
  std::uint64_t bits = 0;
  // A result may be nan, which parseElement() takes from no person.
  if (model::isFloating(experiment.type) && trace.result == "nan")
    bits = experiment.type == model::ElementType::Float
               ? model::bitsOfElement(std::numeric_limits<float>::quiet_NaN())
               : model::bitsOfElement(std::numeric_limits<double>::quiet_NaN());
  else if (const auto fault = parseElement(experiment.type, trace.result, bits); fault != ElementFault::None)
    return "Of the recorded result: " + describeFault(fault, trace.result, experiment.type);
  const Check check = checkResult(experiment, bits);
  if (check.expected != trace.expected)
    return "The recording says that " + trace.expected + " is expected; a plain loop gives " +
           check.expected + ".";
  if (check.ok != trace.ok)
    return std::string("The recording calls its result ") + (trace.ok ? "right" : "wrong") +
           ", but against a plain loop it is " + (check.ok ? "right" : "wrong") + ".";
  return {};
}

Result<model::Trace> readRecordedTrace(const std::filesystem::path& path, std::int64_t id,
                                       const std::atomic<bool>* cancel, const model::SharedData* known) {
  Result<model::Trace> trace = archive::readTrace(path, id, cancel, known);
  if (!trace) return trace;
  if (const auto fault = faultOfTexts(*trace))
    return unavailable("The recording '" + path.native() + "' is damaged: " + *fault + ".");
  if (trace->checkNote.empty() && canBeRecomputed(*trace))
    if (const auto exact = exactIfWrapped(trace->experiment))
      trace->checkNote = wrappedNote(trace->experiment, *exact, trace->expected);
  return trace;
}

}  // namespace stridescope::engine::recorded
