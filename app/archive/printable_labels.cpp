#include "archive/printable_labels.h"

#include "base/plain_text.h"

namespace stridescope {
namespace {

void makePrintable(std::string& label) {
  if (printableLength(label, Lines::One) < label.size()) label = printable(label);
}

void makePrintable(Experiment& experiment) {
  makePrintable(experiment.variant);
  const GivenData* const given = experiment.given.get();
  if (given == nullptr || printableLength(given->name, Lines::One) == given->name.size()) return;
  GivenData renamed = *given;
  makePrintable(renamed.name);
  experiment.given = SharedData(std::move(renamed));
}

}  // namespace

void makeLabelsPrintable(Trace& trace) {
  makePrintable(trace.experiment);
  makeLabelsPrintable(trace.executor);
  makeLabelsPrintable(trace.trial);
  for (LaunchTrace& launch : trace.launches) {
    for (auto* arrays : {&launch.shared, &launch.buffers})
      for (Array& array : *arrays) makePrintable(array.name);
    for (Problem& problem : launch.problems) makePrintable(problem.text);
  }
  for (std::string* label : {&trace.result, &trace.expected, &trace.checkNote}) makePrintable(*label);
}

void makeLabelsPrintable(Executor& executor) {
  for (std::string* label : {&executor.device, &executor.computeCapability, &executor.driver,
                             &executor.compiler, &executor.recordedOn})
    makePrintable(*label);
}

void makeLabelsPrintable(OperatorTrial& trial) {
  makePrintable(trial.whyNotTried);
  for (TrialFinding& finding : trial.findings) makePrintable(finding.sentence);
}

void makeLabelsPrintable(RecordingEntry& entry) {
  makePrintable(entry.experiment);
  makeLabelsPrintable(entry.executor);
  makePrintable(entry.kernelHash);
}

void makeLabelsPrintable(TimingRecord& timing) {
  makePrintable(timing.subject.id);
  makeLabelsPrintable(timing.executor);
}

}  // namespace stridescope
