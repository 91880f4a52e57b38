// The program's side.
#include <chrono>

#include "engine/worker/conversation.h"
#include "measure/gpu/timing_messages.h"
#include "measure/gpu/timing_worker.h"

namespace stridescope::measure::gpu {
namespace {

using engine::worker::Conversation;
using engine::worker::WorkerCommand;

// Long enough for NVRTC and for what measures the GPU's ceilings; a driver that hangs is noticed sooner.
constexpr std::chrono::seconds kSilence{90};

class WorkerTimingDevice final : public TimingDevice {
 public:
  explicit WorkerTimingDevice(Conversation worker) : worker_(std::move(worker)) {}

  // Sets facts(). Call it before anything else.
  Result<void> open(engine::JobControl& job) {
    auto ready = worker_.await<TimingDeviceFacts>(engine::worker::MessageKind::Ready, job);
    if (!ready) return tl::unexpected(ready.error());
    facts_ = std::move(*ready);
    return {};
  }

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return worker_.isOpen(); }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl& job) override {
    const PrepareCall call{timingCase, {subjects.begin(), subjects.end()}};
    auto prepared = worker_.ask<std::vector<PreparedSubject>>(kPrepareTiming, call, kTimingPrepared, job);
    if (prepared && prepared->size() != subjects.size()) return worker_.lost("It prepared other subjects.");
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    return worker_.ask<Timed>(kTakeSample, std::uint64_t{subject}, kSampleTaken, job);
  }

  Result<std::vector<std::string>> disturbances(engine::JobControl& job) override {
    return worker_.ask<std::vector<std::string>>(kAskDisturbances, std::uint64_t{0}, kDisturbances, job);
  }

  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl& job) override {
    return checked(
        worker_.ask<model::ClockRecord>(kClockBlock, ClockCall{experiment, company}, kBlockClocked, job));
  }

  Result<model::CounterRecord> count(const model::Experiment& experiment, engine::JobControl& job) override {
    return checked(worker_.ask<model::CounterRecord>(kCountRun, experiment, kRunCounted, job));
  }

  Result<model::TimelineRecord> mark(const model::Experiment& experiment, engine::JobControl& job) override {
    return checked(worker_.ask<model::TimelineRecord>(kMarkGrid, experiment, kGridMarked, job));
  }

  Result<model::CostRecord> cost(const model::Experiment& experiment, engine::JobControl& job) override {
    return checked(worker_.ask<model::CostRecord>(kCostRun, experiment, kRunCosted, job));
  }

 private:
  template <class Record>
  Result<Record> checked(Result<Record> record) {
    if (record)
      if (const auto fault = model::faultOf(*record))
        return worker_.lost("What it measured cannot be: " + *fault + ".");
    return record;
  }

  Conversation worker_;
  TimingDeviceFacts facts_;
};

Result<std::unique_ptr<TimingDevice>> start(WorkerCommand command, std::chrono::milliseconds silence,
                                            engine::JobControl& job) {
  command.subject = "The GPU's timing process";
  command.advice = "Start the timing again.";
  auto worker = Conversation::start(std::move(command), silence);
  if (!worker) return tl::unexpected(worker.error());
  auto device = std::make_unique<WorkerTimingDevice>(std::move(*worker));
  if (auto opened = device->open(job); !opened) return tl::unexpected(opened.error());
  return device;
}

}  // namespace

Result<std::unique_ptr<TimingDevice>> makeGpuTimingWorker(engine::worker::GpuWorkers& workers, unsigned gpu,
                                                          engine::JobControl& job) {
  return start(workers.command({std::string(kTimingWorkerCommand), std::to_string(gpu)}), kSilence, job);
}

Result<std::unique_ptr<TimingDevice>> makeTimingWorker(const engine::worker::WorkerCommand& command,
                                                       double silenceSeconds, engine::JobControl& job) {
  return start(command,
               std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(silenceSeconds)),
               job);
}

}  // namespace stridescope::measure::gpu
