// What times reductions: a GPU, a CPU, or a stand-in. A device has one input a time, a list of subjects that
// are ready, and gives one sample of one of them when asked. Who asks, in what order, and what is done with
// the sample is the sampler's (series_store.h).
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/describe.h"
#include "base/result.h"
#include "engine/engine.h"
#include "measure/statistics.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/quantity.h"
#include "model/several_gpus.h"
#include "model/timing_record.h"

namespace stridescope::measure {

enum class TimingDeviceKind : std::uint8_t { Gpu, Cpu, SeveralGpus };
TimingDeviceKind deviceOf(model::SubjectKind kind);

// The GPU's peak bandwidth (measured): kernels that do nothing else move memory far larger than its L2.
struct MeasuredCeiling {
  std::uint64_t bytes = 0;  // the input's size
  Summary read;             // GB/s (10^9 bytes) of a pass that only reads
  Summary copy;             // GB/s of a copy, read plus written
  double datasheet = 0;     // GB/s as the maker states; 0: not known
};

struct TimingDeviceFacts {
  TimingDeviceKind kind = TimingDeviceKind::Cpu;
  model::Executor executor;  // its kind is Gpu or Host; the device is the GPU's or the CPU's name
  std::optional<MeasuredCeiling> ceiling;
  std::optional<model::GpuLimits> limits;
  unsigned gpus = 0;                  // of SeveralGpus: how many, alike
  std::vector<model::GpuLink> links;  // between them
};

// One subject at one case.
struct PreparedSubject {
  unsigned threads = 0;  // per block, as it will run; 0: no blocks of ours
  // The time of empty kernels in the same grids; 0: there are none, or they were not timed.
  double emptyMicroseconds = 0;
  std::string unavailable;  // a sentence: why it cannot be timed here. Empty: it is ready
};

struct Timed {
  double microseconds =
      0;  // the whole reduction, all launches: from n elements in memory to one result there
  std::uint64_t resultBits = 0;  // that result, as bits of the type (zero-extended)
  // Where the result is more than one value, and the device itself compares it: what is wrong with it, as a
  // clause ("left a wrong element 17 on GPU 1"). Empty: it is right, and resultBits is what is expected.
  std::string wrong = {};
};

// The fields as messages have them (base/describe.h).
template <class Fields, Described<MeasuredCeiling> Value>
constexpr void describe(Fields&& fields, Value& ceiling) {
  fields("bytes", ceiling.bytes);
  fields("read", ceiling.read);
  fields("copy", ceiling.copy);
  fields("datasheet", ceiling.datasheet);
}

template <class Fields, Described<TimingDeviceFacts> Value>
constexpr void describe(Fields&& fields, Value& facts) {
  fields("kind", facts.kind);
  fields("executor", facts.executor);
  fields("ceiling", facts.ceiling);
  fields("limits", facts.limits);
  fields("gpus", facts.gpus);
  fields("links", facts.links);
}

template <class Fields, Described<PreparedSubject> Value>
constexpr void describe(Fields&& fields, Value& subject) {
  fields("threads", subject.threads);
  fields("empty_microseconds", subject.emptyMicroseconds);
  fields("unavailable", subject.unavailable);
}

template <class Fields, Described<Timed> Value>
constexpr void describe(Fields&& fields, Value& timed) {
  fields("microseconds", timed.microseconds);
  fields("result_bits", timed.resultBits);
  fields("wrong", timed.wrong);
}

// On one thread, except where it says otherwise. What it holds, it gives back when it is destroyed.
class TimingDevice {
 public:
  TimingDevice() = default;
  TimingDevice(const TimingDevice&) = delete;
  TimingDevice& operator=(const TimingDevice&) = delete;
  virtual ~TimingDevice() = default;

  virtual const TimingDeviceFacts& facts() const = 0;

  // False after a failure that it does not get over: make another.
  virtual bool isUsable() const { return true; }

  // Fills the inputs (timing_data.h), makes each subject ready and runs it once. In place of what was
  // prepared before. One entry a subject, in their order. Fails as a whole, with kind Usage, where n does not
  // fit.
  virtual Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                                       std::span<const model::TimingSubject> subjects,
                                                       engine::JobControl& job) = 0;

  // Runs one of the subjects that are ready, timed. Returns soon after `job` was cancelled.
  virtual Result<Timed> sample(std::size_t subject, engine::JobControl& job) = 0;

  // Clocks one block of the experiment's first launch (model/clock_record.h). Returns soon after `job` was
  // cancelled.
  virtual Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                           engine::JobControl& job) {
    (void)experiment, (void)company, (void)job;
    return unavailable("Only a GPU counts the cycles of a block.");
  }

  // Measures a quantity (model/quantity.h) of the experiment, on its own data, while its clean kernel runs.
  // What the device times afterwards may take longer. Returns soon after `job` was cancelled. Fails with kind
  // Usage where this experiment alone has no such record.
  template <class Record>
  Result<Record> measure(const model::Experiment& experiment, engine::JobControl& job) {
    const auto found = measurers_.find(typeid(Record));
    if (found == measurers_.end()) return unavailable(std::string(model::kQuantity<Record>.notMeasured));
    return (*std::any_cast<Measurer<Record>>(&found->second))(experiment, job);
  }

  // What disturbed the samples since the last call, as sentences: a clock that was held down, another process
  // on the GPU. Seldom called. Fails when the device is lost; returns soon after `job` was cancelled.
  virtual Result<std::vector<std::string>> disturbances(engine::JobControl& job) {
    (void)job;
    return std::vector<std::string>();
  }

 protected:
  template <class Record>
  using Measurer = std::function<Result<Record>(const model::Experiment&, engine::JobControl&)>;

  // Called while the device is made, for each quantity that it measures.
  template <class Record>
  void measures(Measurer<Record> measurer) {
    measurers_[typeid(Record)] = std::move(measurer);
  }

 private:
  std::map<std::type_index, std::any> measurers_;  // a Measurer of each type
};

}  // namespace stridescope::measure
