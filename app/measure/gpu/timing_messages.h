// What the program and its timing worker say to each other: `stridescope timing-worker N`. Ready (with
// TimingDeviceFacts), Progress and Failed are as every worker's.
#pragma once

#include <string_view>
#include <vector>

#include "base/describe.h"
#include "engine/worker/worker_message.h"
#include "model/clock_record.h"
#include "model/cost_record.h"
#include "model/counters.h"
#include "model/timeline_record.h"
#include "model/timing_record.h"

namespace stridescope::engine::worker {
template <>
inline constexpr bool kIsPlain<model::Mark> = std::has_unique_object_representations_v<model::Mark>;
template <>
inline constexpr bool kIsPlain<model::BlockRun> = std::has_unique_object_representations_v<model::BlockRun>;
static_assert(kIsPlain<model::Mark> && kIsPlain<model::BlockRun>);
}  // namespace stridescope::engine::worker

namespace stridescope::measure::gpu {

inline constexpr std::string_view kTimingWorkerCommand = "timing-worker";

// The program's.
inline constexpr auto kPrepareTiming = engine::worker::ownMessageKind(0);    // PrepareCall
inline constexpr auto kTakeSample = engine::worker::ownMessageKind(1);       // the subject's number, 64 bits
inline constexpr auto kAskDisturbances = engine::worker::ownMessageKind(2);  // a number without meaning
inline constexpr auto kClockBlock = engine::worker::ownMessageKind(6);       // ClockCall
inline constexpr auto kCountRun = engine::worker::ownMessageKind(8);         // model::Experiment, as the next
inline constexpr auto kMarkGrid = engine::worker::ownMessageKind(10);
inline constexpr auto kCostRun = engine::worker::ownMessageKind(12);
// The worker's.
inline constexpr auto kTimingPrepared = engine::worker::ownMessageKind(3);  // std::vector<PreparedSubject>
inline constexpr auto kSampleTaken = engine::worker::ownMessageKind(4);     // Timed
inline constexpr auto kDisturbances = engine::worker::ownMessageKind(5);    // std::vector<std::string>
inline constexpr auto kBlockClocked = engine::worker::ownMessageKind(7);    // model::ClockRecord
inline constexpr auto kRunCounted = engine::worker::ownMessageKind(9);      // model::CounterRecord
inline constexpr auto kGridMarked = engine::worker::ownMessageKind(11);     // model::TimelineRecord
inline constexpr auto kRunCosted = engine::worker::ownMessageKind(13);      // model::CostRecord

struct ClockCall {
  model::Experiment experiment;
  model::ClockedGrid company{};
};

template <class Fields, Described<ClockCall> Value>
constexpr void describe(Fields&& fields, Value& call) {
  fields("experiment", call.experiment);
  fields("company", call.company);
}

struct PrepareCall {
  model::TimingCase timingCase;
  std::vector<model::TimingSubject> subjects;
};

template <class Fields, Described<PrepareCall> Value>
constexpr void describe(Fields&& fields, Value& call) {
  fields("station", call.timingCase);
  fields("subjects", call.subjects);
}

}  // namespace stridescope::measure::gpu
