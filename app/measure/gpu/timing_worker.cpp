// The worker's side.
#include "measure/gpu/timing_worker.h"

#include <chrono>
#include <cstdlib>

#include "base/result.h"
#include "engine/worker/rpc_client.h"
#include "engine/worker/rpc_server.h"
#include "engine/worker/worker_process.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/gpu/group_timing_device.h"

namespace stridescope::measure::gpu {
namespace {

using engine::JobControl;
using engine::worker::Nothing;
using model::Experiment;

constexpr int kNoDevice = 3;  // exit code

template <class... Records>
void answerMeasuring(engine::worker::CallTable& calls, TimingDevice& device, model::RecordList<Records...>) {
  (calls.on(kMeasure<Records>,
            [&](const Experiment& asked, JobControl& job) { return device.measure<Records>(asked, job); }),
   ...);
}

engine::worker::CallTable callsOf(TimingDevice& device) {
  engine::worker::CallTable calls;
  calls
      .on(kPrepareTiming,
          [&](const PrepareCall& asked, JobControl& job) {
            return device.prepare(asked.timingCase, asked.subjects, job);
          })
      .on(kTakeSample, [&](std::uint64_t subject, JobControl& job) { return device.sample(subject, job); })
      .on(kAskDisturbances, [&](Nothing, JobControl& job) { return device.disturbances(job); })
      .on(kClockBlock, [&](const ClockCall& asked, JobControl& job) {
        return device.clock(asked.experiment, asked.company, job);
      });
  answerMeasuring(calls, device, model::MeasuredQuantities());
  return calls;
}

}  // namespace

std::optional<unsigned> timingWorkerIndex(int argc, const char* const* argv) {
  return engine::worker::indexAfter(kTimingWorkerCommand, argc, argv);
}

std::optional<unsigned> groupTimingWorkerSize(int argc, const char* const* argv) {
  return engine::worker::indexAfter(kGroupTimingWorkerCommand, argc, argv);
}

int serveTimings(const std::function<Result<std::unique_ptr<TimingDevice>>()>& make) {
  const auto stream = engine::worker::beginWorker();
  if (!stream) return engine::worker::kNotAWorker;
  engine::worker::RpcServer server(kTimingService, *stream);
  const auto device = withoutExceptions("opening the GPU", make);
  if (!device) {
    server.failed(device.error());
    return kNoDevice;
  }
  server.ready((*device)->facts());
  server.serve(callsOf(**device), [&] { return (*device)->isUsable(); });
  return EXIT_SUCCESS;
}

int serveGpuTimings(unsigned index) {
  return serveTimings([index] { return makeGpuTimingDevice(index); });
}

int serveGroupTimings(unsigned gpus) {
  return serveTimings([gpus] { return makeGroupTimingDevice(gpus); });
}

// The program's side.

namespace {

using engine::worker::WorkerCommand;

// Long enough for NVRTC and for what measures the GPU's ceilings; a driver that hangs is noticed sooner.
constexpr std::chrono::seconds kSilence{90};

class WorkerTimingDevice final : public TimingDevice {
 public:
  WorkerTimingDevice(WorkerCommand command, std::chrono::milliseconds silence)
      : limits_{.silence = silence, .onSilence = ErrorKind::Unavailable},
        worker_(std::move(command), kTimingService) {
    askForMeasuring(model::MeasuredQuantities());
  }

  // Sets facts(). Call it before anything else.
  Result<void> open(engine::JobControl& job) {
    STRIDESCOPE_TRY(worker_.start());
    auto facts = worker_.ready<TimingDeviceFacts>(limits_.silence, job);
    if (!facts) return tl::unexpected(facts.error());
    facts_ = std::move(*facts);
    return {};
  }

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return worker_.isOpen(); }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl& job) override {
    const PrepareCall call{timingCase, {subjects.begin(), subjects.end()}};
    auto prepared = worker_.call(kPrepareTiming, call, limits_, job);
    if (prepared && prepared->size() != subjects.size())
      return worker_.nonsense("It prepared other subjects.");
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    return worker_.call(kTakeSample, subject, limits_, job);
  }

  Result<std::vector<std::string>> disturbances(engine::JobControl& job) override {
    return worker_.call(kAskDisturbances, {}, limits_, job);
  }

  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl& job) override {
    return checked(worker_.call(kClockBlock, {experiment, company}, limits_, job));
  }

 private:
  template <class... Records>
  void askForMeasuring(model::RecordList<Records...>) {
    (measures<Records>([this](const Experiment& experiment, JobControl& job) {
       return checked(worker_.call(kMeasure<Records>, experiment, limits_, job));
     }),
     ...);
  }

  template <class Record>
  Result<Record> checked(Result<Record> record) {
    if (record)
      if (const auto fault = model::faultOf(*record))
        return worker_.nonsense("What it measured cannot be: " + *fault + ".");
    return record;
  }

  engine::worker::CallLimits limits_;
  engine::worker::RpcClient worker_;
  TimingDeviceFacts facts_;
};

Result<std::unique_ptr<TimingDevice>> start(WorkerCommand command, std::chrono::milliseconds silence,
                                            engine::JobControl& job,
                                            std::string subject = "The GPU's timing process") {
  command.subject = std::move(subject);
  command.advice = "Measure again, which starts a new one.";
  auto device = std::make_unique<WorkerTimingDevice>(std::move(command), silence);
  if (auto opened = device->open(job); !opened) return tl::unexpected(opened.error());
  return device;
}

}  // namespace

Result<std::unique_ptr<TimingDevice>> makeGpuTimingWorker(engine::worker::GpuWorkers& workers, unsigned gpu,
                                                          engine::JobControl& job) {
  return start(workers.command({std::string(kTimingWorkerCommand), std::to_string(gpu)}), kSilence, job);
}

Result<std::unique_ptr<TimingDevice>> makeGroupTimingWorker(engine::worker::GpuWorkers& workers,
                                                            unsigned gpus, engine::JobControl& job) {
  return start(workers.command({std::string(kGroupTimingWorkerCommand), std::to_string(gpus)}), kSilence, job,
               "The process that times several GPUs");
}

Result<std::unique_ptr<TimingDevice>> makeTimingWorker(const engine::worker::WorkerCommand& command,
                                                       double silenceSeconds, engine::JobControl& job) {
  return start(command,
               std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(silenceSeconds)),
               job);
}

}  // namespace stridescope::measure::gpu
