// What each step of a reduction costs on a GPU: the kernel is ended after none of its marks, after one, and
// so on up to its end, and each time the grid is timed. Neighbouring times differ by what lies between their
// marks, so that the steps add up to the whole. What a step does is derived from a trace
// (analysis/step_prices.h), never stored.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "clocking/peel_control.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::model {

enum class PeeledPart : std::uint8_t {
  Copy,    // sets back the totals to which blocks add, before the first launch
  Launch,  // of a kernel
  Cpu,     // the copy of what the blocks left, and what the CPU makes of it, after the last launch
};
inline constexpr std::array kPeeledParts{PeeledPart::Copy, PeeledPart::Launch, PeeledPart::Cpu};
std::string_view nameOf(PeeledPart part);  // "copy", "launch", "cpu"
constexpr auto allOf(PeeledPart) { return kPeeledParts; }

// From where the step before it ended to behind so many marks of a thread of the launch (clocking/peeled.h);
// kAllMarks: to the launch's end. The first launch's first step has no mark: its time is that of a grid that
// does nothing. Copies and the CPU's part have neither launch nor marks.
struct PeelStep {
  PeeledPart part = PeeledPart::Launch;
  unsigned launch = 0;
  unsigned marks = 0;
  double microseconds = 0;   // the difference of the medians; noise can make it negative
  double low = 0, high = 0;  // with 95 % confidence, from the differences of the runs
  friend bool operator==(const PeelStep&, const PeelStep&) = default;
};

struct PeelRecord {
  Experiment experiment;   // its launch, block, schedule and data say nothing here
  std::string kernelHash;  // hashOf the kernel's text
  Executor executor{};     // a GPU
  unsigned runs = 0;       // how often the clean kernel ran, and each step to its end
  // The reduction without marks: the median, and where it lies with 95 % confidence. The input is not in L2.
  double cleanMicroseconds = 0, cleanLow = 0, cleanHigh = 0;
  // The reduction with a kernel that can be ended, to its end: the median, the sum of the steps.
  double wholeMicroseconds = 0;
  // The copies as one, if there are any; the marks of the first launch; each further launch as one; the CPU's
  // part, if it has one.
  std::vector<PeelStep> steps{};
  friend bool operator==(const PeelRecord&, const PeelRecord&) = default;
};

inline constexpr std::size_t kMaxPeels = 1 << 12;       // per recording
inline constexpr std::size_t kMaxPeeledMarks = 1 << 8;  // a thread's

// What ending a kernel costs may be so much of its time that the steps' shape holds and their sum does not:
// from 15 % on.
inline bool addsUp(const PeelRecord& record) {
  return record.wholeMicroseconds <= 1.15 * record.cleanMicroseconds;
}

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const PeelRecord& record);

// Whether it tells of this experiment, whatever its data are.
bool tellsOf(const PeelRecord& record, const Experiment& experiment);

template <class Fields, Described<PeelStep> Value>
constexpr void describe(Fields&& fields, Value& step) {
  fields("part", step.part);
  fields("launch", step.launch);
  fields("marks", step.marks);
  fields("microseconds", step.microseconds);
  fields("low", step.low);
  fields("high", step.high);
}

template <class Fields, Described<PeelRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("runs", record.runs);
  fields("clean_microseconds", record.cleanMicroseconds);
  fields("clean_low", record.cleanLow);
  fields("clean_high", record.cleanHigh);
  fields("whole_microseconds", record.wholeMicroseconds);
  fields("steps", record.steps);
}

template <>
inline constexpr Quantity kQuantity<PeelRecord>{
    .table = "peels",
    .one = "prices of a reduction's steps",
    .many = "reductions with the prices of their steps",
    .where = "the prices of a reduction's steps",
    .notMeasured = "Only a GPU's steps have prices.",
    .most = kMaxPeels,
    .experiment = kTimedFields,
    .fields = {{"runs", "of the clean kernel, and to the end of each step"},
               {"clean_microseconds", "of the reduction: the median", 0, kMaxStoredTime},
               {"clean_low", "where it lies with 95 % confidence", 0, kMaxStoredTime},
               {"clean_high", {}, 0, kMaxStoredTime},
               {"whole_microseconds", "of the one that can be ended: the median", 0, kMaxStoredTime}},
    .lists = {
        {.field = "steps",
         .table = "peel_steps",
         .key = "step",
         .count = "step_count",
         .most = kMaxPeeledMarks + 3 + kMaxLaunches,
         .fields = {{"launch", "from 0", 0, kMaxLaunches},
                    {"marks", "of a thread, behind which the step ends"},
                    {"microseconds", "from where the step before it ended", -kMaxStoredTime, kMaxStoredTime},
                    {"low", "with 95 % confidence", -kMaxStoredTime, kMaxStoredTime},
                    {"high", {}, -kMaxStoredTime, kMaxStoredTime}}}}};

}  // namespace stridescope::model
