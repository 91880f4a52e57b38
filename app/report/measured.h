// What was measured, as text and as JSON: counters beside what the model says of them, blocks in time, what a
// time is made of, times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "analysis/grid_timeline.h"
#include "analysis/reduction_cost.h"
#include "measure/timing_board.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/dim3.h"
#include "report/json_writer.h"

namespace stridescope::report {

// "recorded on NVIDIA H100 80GB HBM3, 2026-11-02"
std::string recordedOn(const model::Executor& executor);

// A person's own kernel (own_kernel.h) as it was launched first.
struct KernelCall {
  std::string file, name;
  std::optional<std::string> templateArguments{};  // nothing: they are not known, as of some recordings
  model::Dim3 grid{}, block{};
  std::optional<std::uint64_t> sharedBytes{};  // dynamic; nothing: not known
};

// "sum<int><<<2, 256>>> of sum.cu"
std::string calledAs(const KernelCall& call);
// The member "kernel".
void writeKernelCall(JsonWriter& json, const KernelCall& call);

// A counter of one launch.
struct CounterRow {
  model::Counter counter{};
  std::optional<double> modelled{}, measured{};
  bool isCompared() const { return modelled && measured; }
  bool isEqual() const { return isCompared() && *modelled == *measured; }
};

// One experiment's, a list of rows for each launch: every counter that is shown, in order.
struct CountedCase {
  model::CounterRecord record;
  std::vector<std::vector<CounterRow>> launches;
  std::optional<KernelCall> own{};  // a person's own kernel, in place of the experiment
};

// How many counters have both values, are equal, or are known to differ (docs/measured.md).
struct CounterTotals {
  std::size_t compared = 0, equal = 0, known = 0;
  std::size_t unknown() const { return compared - equal - known; }
};
CounterTotals totalsOf(std::span<const CountedCase> cases);

std::string countersText(std::span<const CountedCase> cases);
// The member "launches" of an object: each with its counters.
void writeCountedLaunches(JsonWriter& json, const CountedCase& counted);
// Format 1.
void writeCountersJson(std::ostream& out, std::span<const CountedCase> cases);
// A line for each difference (one per variant and counter for what is known to differ), and "N of M equal".
// `missing` of the `asked` experiments were not counted.
std::string differencesText(std::span<const CountedCase> cases, std::size_t missing, std::size_t asked);

// How often and on what the kernels ran that give a timeline, and how long they took; it belongs to an
// object.
void writeMarking(JsonWriter& json, const model::TimelineRecord& record,
                  const analysis::GridTimeline& timeline);
// Lists launches and gaps, and draws the blocks in characters: a row for each multiprocessor, time to the
// right.
std::string timelineText(const model::TimelineRecord& record);
// The members "launches" and "blocks".
void writeGridTimeline(JsonWriter& json, const model::TimelineRecord& record,
                       const analysis::GridTimeline& timeline);
// Format 1, with every block.
void writeTimelineJson(std::ostream& out, const model::TimelineRecord& record);

// `before`: the variant that it is taught after; null: nothing is known of it.
std::string whyText(const analysis::ReductionCost& reduction, const analysis::ReductionCost* before);
// What each of its steps costs, as a table.
std::string peelText(const analysis::StepPrices& prices);
// "kind" and "stride" of a step or of a difference of steps, as members of an object.
void writeStep(JsonWriter& json, const auto& step) {
  json.member("kind", analysis::nameOf(step.kind));
  json.member("stride", step.stride);
}
// The member "peel" of an object.
void writePeel(JsonWriter& json, const analysis::StepPrices& prices);
// Format 1: the experiment, and "peel".
void writePeelJson(std::ostream& out, const analysis::StepPrices& prices);

// The member "change" of an object: what differs from one to the other.
void writeChange(JsonWriter& json, const analysis::ReductionCost& before,
                 const analysis::ReductionCost& after);
// Format 1.
void writeWhyJson(std::ostream& out, const analysis::ReductionCost& reduction,
                  const analysis::ReductionCost* before);

// From where on several GPUs take less time than one: a sentence for each subject that was timed at several
// sizes.
std::vector<std::string> payoffSentences(const measure::TimingSnapshot& snapshot);
// Times of whole reductions. CSV is measure/timing_rows.h's.
std::string timesText(const measure::TimingSnapshot& snapshot);
// Format 1.
void writeTimesJson(std::ostream& out, const measure::TimingSnapshot& snapshot);

}  // namespace stridescope::report
