// What comes out of a recording is fit to be shown, whatever its texts hold; what is hashed or compiled is as
// it was.
#include "archive/printable_labels.h"

#include <gtest/gtest.h>

#include "../model/sample_traces.h"
#include "model/trace_check.h"
#include "support/grid_records.h"
#include "support/hostile_recording.h"
#include "support/hostile_text.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;
using support::hostileIn;
using support::kHostileText;

std::string hostileLine(const std::string& label) {
  return label.find('\n') == std::string::npos ? hostileIn(label) : "a line break";
}

// Every label of it, one after another.
std::vector<std::string> labelsOf(const model::Trace& trace) {
  const model::Executor& executor = trace.executor;
  std::vector<std::string> labels{trace.experiment.variant,
                                  executor.device,
                                  executor.computeCapability,
                                  executor.driver,
                                  executor.compiler,
                                  executor.recordedOn,
                                  trace.result,
                                  trace.expected,
                                  trace.checkNote,
                                  trace.trial.whyNotTried};
  if (trace.experiment.given.get() != nullptr) labels.push_back(trace.experiment.given.get()->name);
  for (const model::TrialFinding& finding : trace.trial.findings) labels.push_back(finding.sentence);
  for (const model::LaunchTrace& launch : trace.launches) {
    for (const auto* arrays : {&launch.recorded().shared, &launch.buffers})
      for (const model::Array& array : *arrays) labels.push_back(array.name);
    for (const model::Problem& problem : launch.recorded().problems) labels.push_back(problem.text);
  }
  return labels;
}

model::Trace traceWithEverything() {
  model::Trace trace = model::sample::everyField();
  trace.experiment.op = model::Operator::Custom;
  trace.experiment.custom = {"a + b", "0", 0};
  trace.experiment.data = model::DataPattern::Given;
  trace.experiment.given = model::SharedData({"numbers.txt", {1, 2}, {}});
  trace.experiment.elements = 2;
  trace.trial = {{{model::TrialProperty::Associative, model::TrialVerdict::Fails, "No.", true}}, "Why."};
  return trace;
}

TEST(PrintableLabels, AreAllThatAReadTraceHas) {
  const Folder folder;
  const auto file = folder / "a.stride";
  const std::vector<model::Trace> traces{traceWithEverything()};
  ASSERT_TRUE(writeRecording(file, traces, false));
  const std::size_t labels = labelsOf(traces[0]).size();
  int read = 0;
  for (const auto& column : support::textColumnsOf(file)) {
    SCOPED_TRACE(column.table + "." + column.name);
    const auto copy = folder / "b.stride";
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    support::appendTo(copy, column, kHostileText);
    const auto trace = readTrace(copy, 1);
    const auto index = readIndex(copy);
    if (!trace) continue;  // a name out of a list, or the hash
    ++read;
    ASSERT_TRUE(index) << index.error().sentence;
    EXPECT_EQ(labelsOf(*trace).size(), labels);
    for (const std::string& label : labelsOf(*trace)) EXPECT_EQ(hostileLine(label), "");
    EXPECT_EQ(index->traces[0].executor.device, trace->executor.device);
    EXPECT_EQ(index->traces[0].experiment, trace->experiment);
    // It can be saved again, and is then the same.
    const auto again = folder / "c.stride";
    ASSERT_TRUE(writeRecording(again, {&*trace, 1}, true));
    EXPECT_EQ(readTrace(again, 1).value(), *trace);
  }
  EXPECT_GE(read, 15);
}

TEST(PrintableLabels, OfTimings) {
  const Folder folder;
  const auto file = folder / "a.stride";
  model::TimingRecord timing;
  timing.subject = {model::SubjectKind::GpuBaseline, "cub"};
  timing.timingCase.elements = 8;
  timing.executor = {model::EngineKind::Gpu, "device", "9.0", "1", "2", "2026-01-01T00:00:00Z"};
  timing.samples = {{0, 1.5f}};
  const std::vector<model::Trace> traces{model::sample::everyField()};
  ASSERT_TRUE(writeRecording(file, traces, false, {std::span(&timing, 1)}));
  int changed = 0;
  for (const auto& column : support::textColumnsOf(file)) {
    if (column.table != "timings") continue;
    const auto copy = folder / "b.stride";
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    support::appendTo(copy, column, kHostileText);
    const auto read = readQuantity<model::TimingRecord>(copy);
    if (!read) continue;
    for (const std::string* label :
         {&read->front().subject.id, &read->front().executor.device,
          &read->front().executor.computeCapability, &read->front().executor.driver,
          &read->front().executor.compiler, &read->front().executor.recordedOn})
      EXPECT_EQ(hostileLine(*label), "") << column.name;
    ++changed;
  }
  EXPECT_EQ(changed, 6);
}

// For records that hold their experiment, their kernel's hash and who ran it.
template <class Record>
void expectPrintableLabels(const std::string& table, const Record& record, int labels = 7) {
  const Folder folder;
  const auto file = folder / "a.stride";
  const std::vector<model::Trace> traces{model::sample::everyField()};
  ASSERT_TRUE(writeRecording(file, traces, false, {std::span(&record, 1)}));
  int changed = 0;
  for (const auto& column : support::textColumnsOf(file)) {
    if (column.table != table) continue;
    const auto copy = folder / "b.stride";
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    support::appendTo(copy, column, kHostileText);
    const auto read = readQuantity<Record>(copy);
    if (!read) continue;
    if (column.name == "combine" || column.name == "identity") continue;  // compiled, compared, never shown
    const Record& back = read->front();
    for (const std::string* label :
         {&back.experiment.variant, &back.kernelHash, &back.executor.device, &back.executor.computeCapability,
          &back.executor.driver, &back.executor.compiler, &back.executor.recordedOn})
      EXPECT_EQ(hostileLine(*label), "") << column.name;
    ++changed;
  }
  EXPECT_EQ(changed, labels);
}

TEST(PrintableLabels, OfCounters) {
  model::CounterRecord counters;
  counters.experiment = {.variant = "sequential", .threads = 32, .elements = 32};
  counters.kernelHash = "12";
  counters.executor = {model::EngineKind::Gpu, "device", "9.0", "1", "2", "2026-01-01T00:00:00Z"};
  counters.launches = {{.grid = 1, .block = 32, .values = {{model::Counter::Instructions, 1}}}};
  expectPrintableLabels("counters", counters);
}

TEST(PrintableLabels, OfTimelinesAndCosts) {
  const model::TimelineRecord timeline = support::smallTimeline();
  expectPrintableLabels("timelines", timeline);
  const model::CostRecord cost = support::roundCost();
  expectPrintableLabels("costs", cost);
}

TEST(PrintableLabels, OfMachineCode) {
  const model::MachineCode code = support::smallCode();
  expectPrintableLabels("machine_codes", code, 8);  // the target, too
}

TEST(PrintableLabels, OfCycles) {
  const Folder folder;
  const auto file = folder / "a.stride";
  const model::WarpMarks marks{{0, 0, model::MarkKind::Start}, {9, 0, model::MarkKind::End}};
  const model::ClockRecord clock{
      .variant = "sequential",
      .threads = 32,
      .kernelHash = "12",
      .grid = 1,
      .executor = {model::EngineKind::Gpu, "device", "9.0", "1", "2", "2026-01-01T00:00:00Z"},
      .firstWarp = {marks},
      .warps = {marks}};
  const std::vector<model::Trace> traces{model::sample::everyField()};
  ASSERT_TRUE(writeRecording(file, traces, false, {std::span(&clock, 1)}));
  int changed = 0;
  for (const auto& column : support::textColumnsOf(file)) {
    if (column.table != "clocks") continue;
    const auto copy = folder / "b.stride";
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    support::appendTo(copy, column, kHostileText);
    const auto read = readQuantity<model::ClockRecord>(copy);
    if (!read) continue;
    if (column.name == "combine" || column.name == "identity") continue;  // compiled, compared, never shown
    const model::ClockRecord& back = read->front();
    for (const std::string* label :
         {&back.variant, &back.kernelHash, &back.executor.device, &back.executor.computeCapability,
          &back.executor.driver, &back.executor.compiler, &back.executor.recordedOn})
      EXPECT_EQ(hostileLine(*label), "") << column.name;
    ++changed;
  }
  EXPECT_EQ(changed, 7);
}

TEST(PrintableLabels, LeaveWhatIsHashedOrCompiled) {
  model::Trace trace = traceWithEverything();
  const std::string hostile(kHostileText);
  trace.kernelText += hostile;
  trace.preamble += hostile;
  trace.experiment.custom.combine += hostile;
  trace.experiment.custom.identity += hostile;
  trace.sites[0].text += hostile;
  const model::Trace before = trace;
  makeLabelsPrintable(trace);
  EXPECT_EQ(trace, before);
}

TEST(PrintableLabels, NoInvalidUtf8IsRead) {
  const Folder folder;
  const auto file = folder / "a.stride";
  const std::vector<model::Trace> traces{traceWithEverything()};
  ASSERT_TRUE(writeRecording(file, traces, false));
  for (const auto& column : support::textColumnsOf(file)) {
    // The first is for people who query the file, the next are read by functions of their own, and the last
    // has no row here.
    if (column.table == "event_kinds" || column.table == "timings" || column.table.starts_with("clock") ||
        column.table.starts_with("counter") || column.table.starts_with("timeline") ||
        column.table.starts_with("cost") || column.table == "machine_codes" || column.table == "later_fields")
      continue;
    const auto copy = folder / "b.stride";
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    support::appendTo(copy, column, "\xff");
    const auto trace = readTrace(copy, 1);
    ASSERT_FALSE(trace) << column.table << "." << column.name;
    EXPECT_EQ(hostileLine(trace.error().sentence), "");
  }
}

}  // namespace
}  // namespace stridescope::archive
