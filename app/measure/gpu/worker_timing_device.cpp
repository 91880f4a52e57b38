// The program's side.
#include <chrono>

#include "engine/worker/worker_message.h"
#include "engine/worker/worker_process.h"
#include "measure/gpu/timing_messages.h"
#include "measure/gpu/timing_worker.h"

namespace stridescope::measure::gpu {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLookAtCancel = 5ms;  // how often, while nothing arrives
constexpr auto kDyingTime = 500ms;   // between a process's last word and its status
constexpr double kGpuPatienceSeconds = 90;

class WorkerTimingDevice final : public TimingDevice {
 public:
  explicit WorkerTimingDevice(std::chrono::duration<double> patience) : patience_(patience) {}

  // Before anything else. Sets facts().
  Result<void> open(const engine::worker::WorkerCommand& command, engine::JobControl& job) {
    auto process = engine::worker::WorkerProcess::start(command);
    if (!process) return tl::unexpected(process.error());
    process_ = std::move(*process);
    reader_ = std::make_unique<engine::worker::MessageReader>(process_->socket());
    auto ready = waitFor<TimingDeviceFacts>(engine::worker::MessageKind::Ready, job);
    if (!ready) return tl::unexpected(ready.error());
    facts_ = std::move(*ready);
    return {};
  }

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return process_ != nullptr; }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl& job) override {
    const PrepareCall call{timingCase, {subjects.begin(), subjects.end()}};
    auto prepared = ask<std::vector<PreparedSubject>>(kPrepareTiming, call, kTimingPrepared, job);
    if (prepared && prepared->size() != subjects.size()) return lost("It prepared other subjects.");
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    return ask<Timed>(kTakeSample, std::uint64_t{subject}, kSampleTaken, job);
  }

  Result<std::vector<std::string>> disturbances(engine::JobControl& job) override {
    return ask<std::vector<std::string>>(kAskDisturbances, std::uint64_t{0}, kDisturbances, job);
  }

  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl& job) override {
    return checked(ask<model::ClockRecord>(kClockBlock, ClockCall{experiment, company}, kBlockClocked, job));
  }

  Result<model::CounterRecord> count(const model::Experiment& experiment, engine::JobControl& job) override {
    return checked(ask<model::CounterRecord>(kCountRun, experiment, kRunCounted, job));
  }

  Result<model::TimelineRecord> mark(const model::Experiment& experiment, engine::JobControl& job) override {
    return checked(ask<model::TimelineRecord>(kMarkGrid, experiment, kGridMarked, job));
  }

  Result<model::CostRecord> cost(const model::Experiment& experiment, engine::JobControl& job) override {
    return checked(ask<model::CostRecord>(kCostRun, experiment, kRunCosted, job));
  }

 private:
  template <class Record>
  Result<Record> checked(Result<Record> record) {
    if (record)
      if (const auto fault = model::faultOf(*record))
        return lost("What it measured cannot be: " + *fault + ".");
    return record;
  }

  template <class Answer, class Body>
  Result<Answer> ask(engine::worker::MessageKind kind, const Body& body, engine::worker::MessageKind wanted,
                     engine::JobControl& job) {
    if (job.cancel) return cancelled();
    if (!process_) return unavailable("The GPU's timing process has ended. Start the timing again.");
    if (!engine::worker::sendMessage(process_->socket(), kind, ++calls_, body)) return ended();
    return waitFor<Answer>(wanted, job);
  }

  template <class Answer>
  Result<Answer> waitFor(engine::worker::MessageKind wanted, engine::JobControl& job) {
    auto lastWord = Clock::now();
    for (;;) {
      const auto arrived = reader_->next(kLookAtCancel);
      if (job.cancel) {
        process_.reset();  // what it was doing is of no use to anybody
        return cancelled();
      }
      if (const auto* end = std::get_if<engine::worker::ReadEnd>(&arrived))
        return *end == engine::worker::ReadEnd::Closed ? ended() : lost("What it sent is no message.");
      const auto* message = std::get_if<engine::worker::Message>(&arrived);
      if (message == nullptr) {
        if (Clock::now() - lastWord > patience_)
          return lost("It was silent for " + std::to_string(int(patience_.count())) + " s.");
        continue;
      }
      lastWord = Clock::now();
      if (message->call != calls_) return lost("It answered what was not asked.");
      if (message->kind == engine::worker::MessageKind::Progress) {
        if (const auto report = message->body<engine::worker::ProgressReport>(); report && job.progress)
          job.progress(report->fraction, report->doing);
        continue;
      }
      if (message->kind == engine::worker::MessageKind::Failed)
        if (auto failure = message->body<engine::worker::Failure>()) {
          if (!failure->engineUsable) process_.reset();
          return tl::unexpected(std::move(failure->error));
        }
      auto answer = message->kind == wanted ? message->body<Answer>() : std::nullopt;
      if (!answer) return lost("Its answer cannot be read.");
      return std::move(*answer);
    }
  }

  tl::unexpected<Error> ended() {
    const std::string ending = process_->ending(kDyingTime);
    std::string details = process_->standardError();
    process_.reset();
    return unavailable("The GPU's timing process " + ending + ". Start the timing again.",
                       std::move(details));
  }
  tl::unexpected<Error> lost(const std::string& why) {
    std::string details = process_ ? process_->standardError() : std::string();
    process_.reset();
    return unavailable("The GPU's timing process was stopped. " + why + " Start the timing again.",
                       std::move(details));
  }

  std::chrono::duration<double> patience_;
  TimingDeviceFacts facts_;
  std::unique_ptr<engine::worker::WorkerProcess> process_;  // null: it has ended
  std::unique_ptr<engine::worker::MessageReader> reader_;
  std::uint32_t calls_ = 0;
};

Result<std::unique_ptr<TimingDevice>> start(const engine::worker::WorkerCommand& command,
                                            double patienceSeconds, engine::JobControl& job) {
  auto device = std::make_unique<WorkerTimingDevice>(std::chrono::duration<double>(patienceSeconds));
  if (auto opened = device->open(command, job); !opened) return tl::unexpected(opened.error());
  return device;
}

}  // namespace

Result<std::unique_ptr<TimingDevice>> makeGpuTimingWorker(unsigned gpu, engine::JobControl& job) {
  return start({.program = engine::worker::kThisProgram,
                .arguments = {std::string(kTimingWorkerCommand), std::to_string(gpu)},
                .name = "stridescope"},
               kGpuPatienceSeconds, job);
}

Result<std::unique_ptr<TimingDevice>> makeTimingWorker(const std::string& program,
                                                       const std::vector<std::string>& arguments,
                                                       double patienceSeconds, engine::JobControl& job) {
  return start({.program = program, .arguments = arguments}, patienceSeconds, job);
}

}  // namespace stridescope::measure::gpu
