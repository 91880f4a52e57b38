// The GPU's timings in a process of their own: this program, started once more with a command that --help
// does not list. A kernel that fails, hangs or crashes ends that process alone, and all of the GPU's memory
// is given back with it. No context is ever made on the GPU by the process that calls these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/describe.h"
#include "engine/worker/byte_archive.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/rpc_message.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"
#include "model/quantities.h"
#include "model/timing_record.h"

namespace stridescope::measure::gpu {

// ---- the program's side

// Starts the worker and waits until it has opened the GPU and measured its ceilings, or the job is cancelled.
Result<std::unique_ptr<TimingDevice>> makeGpuTimingWorker(engine::worker::GpuWorkers& workers, unsigned gpu,
                                                          engine::JobControl& job);

// The same for the GPUs from 0 to `gpus` - 1 together, whose links are measured in place of ceilings.
Result<std::unique_ptr<TimingDevice>> makeGroupTimingWorker(engine::worker::GpuWorkers& workers,
                                                            unsigned gpus, engine::JobControl& job);

// The same for any program that serves a device on the worker's socket; `silenceSeconds`: how long it may say
// nothing.
Result<std::unique_ptr<TimingDevice>> makeTimingWorker(const engine::worker::WorkerCommand& command,
                                                       double silenceSeconds, engine::JobControl& job);

// ---- the worker's side

// The N of `timing-worker N`, if that is what the program was started with.
std::optional<unsigned> timingWorkerIndex(int argc, const char* const* argv);

// The N of `group-timing-worker N`: how many GPUs.
std::optional<unsigned> groupTimingWorkerSize(int argc, const char* const* argv);

// Serves GPU `index` on the worker's socket until that is closed. The process's exit code.
int serveGpuTimings(unsigned index);
int serveGroupTimings(unsigned gpus);
int serveTimings(const std::function<Result<std::unique_ptr<TimingDevice>>()>& make);

// What the timing worker is asked, `stridescope timing-worker N`: the timing device's interface
// (measure/timing_device.h), call by call.

inline constexpr std::string_view kTimingWorkerCommand = "timing-worker";
inline constexpr std::string_view kGroupTimingWorkerCommand = "group-timing-worker";

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

template <class Asked, class Answered>
using TimingCall = engine::worker::CallType<Asked, Answered>;
inline constexpr TimingCall<PrepareCall, std::vector<PreparedSubject>> kPrepareTiming{
    1, engine::worker::kMaxBodyBytes};
// Asked with the subject's number.
inline constexpr TimingCall<std::uint64_t, Timed> kTakeSample{2, engine::worker::kMaxBodyBytes};
inline constexpr TimingCall<engine::worker::Nothing, std::vector<std::string>> kAskDisturbances{
    3, engine::worker::kMaxBodyBytes};
inline constexpr TimingCall<ClockCall, model::ClockRecord> kClockBlock{4, engine::worker::kMaxBodyBytes};

// The measured quantities, numbered from kFirstQuantity on.
inline constexpr std::uint16_t kFirstQuantity = 5;
template <class Record, class... Records>
constexpr TimingCall<model::Experiment, Record> measuringCall(model::RecordList<Records...>) {
  const bool is[] = {std::is_same_v<Record, Records>...};
  const auto place = std::uint16_t(std::find(std::begin(is), std::end(is), true) - std::begin(is));
  return {std::uint16_t(kFirstQuantity + place), engine::worker::kMaxBodyBytes};
}
template <class Record>
inline constexpr auto kMeasure = measuringCall<Record>(model::MeasuredQuantities());

template <class... Records>
constexpr engine::worker::Service timingService(model::RecordList<Records...>) {
  return engine::worker::serviceOf<TimingDeviceFacts>("timing", kPrepareTiming, kTakeSample, kAskDisturbances,
                                                      kClockBlock, kMeasure<Records>...);
}
inline constexpr engine::worker::Service kTimingService = timingService(model::MeasuredQuantities());

}  // namespace stridescope::measure::gpu
