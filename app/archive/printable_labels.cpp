#include "archive/printable_labels.h"

#include "base/plain_text.h"

namespace stridescope::archive {
namespace {

void makePrintable(std::string& label) {
  if (printableLength(label, Lines::One) < label.size()) label = printable(label);
}

void makePrintable(model::Experiment& experiment) {
  makePrintable(experiment.variant);
  const model::GivenData* const given = experiment.given.get();
  if (given == nullptr || printableLength(given->name, Lines::One) == given->name.size()) return;
  model::GivenData renamed = *given;
  makePrintable(renamed.name);
  experiment.given = model::SharedData(std::move(renamed));
}

}  // namespace

void makeLabelsPrintable(model::Trace& trace) {
  makePrintable(trace.experiment);
  makeLabelsPrintable(trace.executor);
  makeLabelsPrintable(trace.trial);
  for (model::KernelFunction& function : trace.kernel.functions) makePrintable(function.name);
  for (model::KernelVariable& variable : trace.kernel.variables)
    for (std::string* label : {&variable.name, &variable.type, &variable.extent}) makePrintable(*label);
  for (model::LaunchTrace& launch : trace.launches) {
    for (model::Array& buffer : launch.buffers) makePrintable(buffer.name);
    for (model::BlockTrace& block : launch.blocks) {
      for (model::Array& array : block.shared) makePrintable(array.name);
      for (model::Problem& problem : block.problems) makePrintable(problem.text);
    }
  }
  for (std::string* label : {&trace.result, &trace.expected, &trace.checkNote}) makePrintable(*label);
}

void makeLabelsPrintable(model::Executor& executor) {
  for (std::string* label : {&executor.device, &executor.computeCapability, &executor.driver,
                             &executor.compiler, &executor.recordedOn})
    makePrintable(*label);
}

void makeLabelsPrintable(model::OperatorTrial& trial) {
  makePrintable(trial.whyNotTried);
  for (model::TrialFinding& finding : trial.findings) makePrintable(finding.sentence);
}

void makeLabelsPrintable(RecordingEntry& entry) {
  makePrintable(entry.experiment);
  makeLabelsPrintable(entry.executor);
  makePrintable(entry.kernelHash);
}

void makeLabelsPrintable(model::ClockRecord& clock) {
  makePrintable(clock.variant);
  makePrintable(clock.kernelHash);
  makeLabelsPrintable(clock.executor);
}

namespace {

void makeOriginPrintable(auto& record) {
  makePrintable(record.experiment);
  makePrintable(record.kernelHash);
  makeLabelsPrintable(record.executor);
}

}  // namespace

void makeLabelsPrintable(model::CounterRecord& counters) { makeOriginPrintable(counters); }
void makeLabelsPrintable(model::TimelineRecord& timeline) { makeOriginPrintable(timeline); }
void makeLabelsPrintable(model::CostRecord& cost) { makeOriginPrintable(cost); }
void makeLabelsPrintable(model::MachineCode& code) {
  makeOriginPrintable(code);
  makePrintable(code.target);
  for (model::CodeLine& line : code.lines) makePrintable(line.text);
}

void makeLabelsPrintable(model::TimingRecord& timing) {
  makePrintable(timing.subject.id);
  makeLabelsPrintable(timing.executor);
}

}  // namespace stridescope::archive
