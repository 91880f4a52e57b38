// A person's own kernel, as text and as JSON: its times and its timeline on a GPU, what `step FILE.cu` prints
// of a run, and why it takes its time.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/reduction_cost.h"
#include "engine/access/kernel_run.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "model/clock_record.h"
#include "model/trace.h"
#include "report/json_writer.h"
#include "report/measured.h"
#include "report/runs.h"

namespace stridescope::report {

// Each sample times all launches together, in microseconds.
struct KernelTimes {
  KernelCall call;
  std::size_t launches = 1;
  model::Executor executor;
  std::vector<float> whole;  // at least one
  std::vector<float> empty;  // a kernel that does nothing, launched alike; as many
};
std::string kernelTimeText(const KernelTimes& times);
// Members of an object: how many launches and samples, and both times.
void writeKernelTimes(JsonWriter& json, const KernelTimes& times);
void writeKernelTimeJson(std::ostream& out, const KernelTimes& times);  // format 1

// When the blocks of all launches ran, and where.
struct KernelTimeline {
  KernelCall call;
  // Without an experiment. Its moments are nanoseconds since the first block's start.
  model::TimelineRecord record;
};
std::string kernelTimelineText(const KernelTimeline& timeline);
void writeKernelTimelineJson(std::ostream& out, const KernelTimeline& timeline);  // format 1

// As `step FILE.cu` prints it. `kernel.trace` has been moved into `run`.
struct KernelStep {
  std::string file;
  engine::access::KernelRun kernel;
  lab::Run run;
  std::optional<lab::RunCycles> cycles{};  // on a GPU, if they were asked for
};

KernelCall callOf(const KernelStep& step);

// What the clock says of each launch's block, which ran in the launch's grid. Requires `kernel.clocks`.
lab::RunCycles cyclesOf(const KernelStep& step);

// As stepText() has a variant.
std::string kernelStepText(const KernelStep& step, const std::optional<RoundRange>& rounds);

// One line, of writeStepJson()'s format, with the kernel in place of the experiment and its arrays in place
// of the result. False: rounds were left out for the budget.
bool writeKernelStepJson(std::ostream& out, const KernelStep& step, const std::optional<RoundRange>& rounds,
                         MemoryBudget& budget);

// The members of that JSON before `launches` of a run that stands in a recording, which does not have the
// arrays as they were in the end, and of the launch only what its trace tells.
void writeRecordedKernel(JsonWriter& json, const lab::Run& run);

// What is known of why it takes its time: all of the same launches on the same GPU.
struct KernelWhy {
  KernelTimes times;
  KernelTimeline timeline;
  std::optional<CountedCase> counted{};
  std::string whyNotCounted{};  // a sentence; empty: the counters are there
};

// As a reduction's cost, which two files are compared by: its file is the variant. Without limits of the GPU
// and prices of steps.
analysis::ReductionCost costOf(const KernelWhy& why);

// `before`: another file's, and what differs from it; null: there is none.
std::string kernelWhyText(const KernelWhy& why, const KernelWhy* before);
// Format 1.
void writeKernelWhyJson(std::ostream& out, const KernelWhy& why, const KernelWhy* before);

}  // namespace stridescope::report
