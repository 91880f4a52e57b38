#include "archive/printable_labels.h"

#include "base/plain_text.h"

namespace stridescope::archive {

void makeLabelsPrintable(std::string& label) {
  if (printableLength(label, Lines::One) < label.size()) label = printable(label);
}

void makeLabelsPrintable(model::Experiment& experiment) {
  makeLabelsPrintable(experiment.variant);
  const model::GivenData* const given = experiment.given.get();
  if (given == nullptr || printableLength(given->name, Lines::One) == given->name.size()) return;
  model::GivenData renamed = *given;
  makeLabelsPrintable(renamed.name);
  experiment.given = model::SharedData(std::move(renamed));
}

void makeLabelsPrintable(model::Trace& trace) {
  makeLabelsPrintable(trace.experiment);
  makeLabelsPrintable(trace.executor);
  makeLabelsPrintable(trace.trial);
  for (model::KernelFunction& function : trace.kernel.functions) makeLabelsPrintable(function.name);
  for (model::KernelVariable& variable : trace.kernel.variables)
    for (std::string* label : {&variable.name, &variable.type, &variable.extent}) makeLabelsPrintable(*label);
  for (model::LaunchTrace& launch : trace.launches) {
    for (model::Array& buffer : launch.buffers) makeLabelsPrintable(buffer.name);
    for (model::BlockTrace& block : launch.blocks) {
      for (model::Array& array : block.shared) makeLabelsPrintable(array.name);
      for (model::Problem& problem : block.problems) makeLabelsPrintable(problem.text);
      for (model::OtherAct& act : block.others) makeLabelsPrintable(act);
    }
  }
  for (std::string* label : {&trace.result, &trace.expected, &trace.checkNote, &trace.recorderReason})
    makeLabelsPrintable(*label);
}

void makeLabelsPrintable(RecordingEntry& entry) {
  makeLabelsPrintable(entry.experiment);
  makeLabelsPrintable(entry.executor);
  makeLabelsPrintable(entry.kernelHash);
}

}  // namespace stridescope::archive
