#include "stand_in.h"

#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

class StandIn final : public TimingDevice {
 public:
  StandIn(TimingDeviceKind kind, std::shared_ptr<StandInBehaviour> behaviour,
          std::shared_ptr<StandInClock> clock)
      : behaviour_(std::move(behaviour)), clock_(std::move(clock)) {
    facts_.kind = kind;
    const bool isCpu = kind == TimingDeviceKind::Cpu;
    facts_.executor.kind = isCpu ? model::EngineKind::Host : model::EngineKind::Gpu;
    facts_.executor.device = isCpu ? "Stand-in CPU" : "Stand-in GPU";
    if (kind == TimingDeviceKind::SeveralGpus) {
      facts_.executor.compiler = "NVRTC 13.0, NCCL 2.28.3";
      facts_.gpus = behaviour_->gpus;
      facts_.links = {{.from = 0,
                       .to = 1,
                       .copyGigabytesPerSecond = 390,
                       .loadGigabytesPerSecond = 360,
                       .messageNanoseconds = 740}};
    }
    if (kind == TimingDeviceKind::Gpu)
      facts_.limits = model::GpuLimits{.latencyNanoseconds = 500, .launchMicroseconds = 5};
    ++behaviour_->living;
  }
  ~StandIn() override { --behaviour_->living; }

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return !lost_; }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl&) override {
    if (timingCase.elements > behaviour_->mostElements) return usageError("So many elements do not fit.");
    case_ = timingCase;
    right_ = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
    subjects_.assign(subjects.begin(), subjects.end());
    behaviour_->prepared.push_back(timingCase);
    std::vector<PreparedSubject> prepared;
    for (const model::TimingSubject& subject : subjects)
      prepared.push_back({.threads = timingCase.threads == 0 ? 256 : timingCase.threads,
                          .emptyMicroseconds = kStandInEmptyTime,
                          .unavailable = behaviour_->unavailable[subject.id]});
    return prepared;
  }

  Result<Timed> sample(std::size_t number, engine::JobControl&) override {
    const std::string id = subjects_[number].id;
    behaviour_->calls.push_back(id);
    if (behaviour_->onSample) behaviour_->onSample(id);
    if (behaviour_->failsAtCall == int(behaviour_->calls.size())) {
      lost_ = true;
      return unavailable("The stand-in is lost.");
    }
    double us = behaviour_->microseconds.contains(id) ? behaviour_->microseconds[id] : 10;
    if (behaviour_->microsecondsPerElement.contains(id))
      us += behaviour_->microsecondsPerElement[id] * double(case_.elements);
    clock_->advance(us / 1e6);
    std::uint64_t bits = right_;
    if (behaviour_->wrongFromCall.contains(id) && times_[id] >= behaviour_->wrongFromCall[id]) bits ^= 1;
    ++times_[id];
    Timed timed{us, bits};
    if (behaviour_->wrongArrays.contains(id)) timed.wrong = "left a wrong element 7 on GPU 1";
    return timed;
  }

  Result<std::vector<std::string>> disturbances(engine::JobControl&) override {
    if (behaviour_->onLook) behaviour_->onLook();
    lost_ = lost_ || behaviour_->lostAtLook;
    if (lost_) return unavailable("The stand-in is lost.");
    return behaviour_->disturbances;
  }

 private:
  std::shared_ptr<StandInBehaviour> behaviour_;
  std::shared_ptr<StandInClock> clock_;
  TimingDeviceFacts facts_;
  model::TimingCase case_;
  std::uint64_t right_ = 0;
  std::vector<model::TimingSubject> subjects_;
  std::map<std::string, int> times_;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<TimingDevice> makeStandIn(TimingDeviceKind kind, std::shared_ptr<StandInBehaviour> behaviour,
                                          std::shared_ptr<StandInClock> clock) {
  return std::make_unique<StandIn>(kind, std::move(behaviour), std::move(clock));
}

}  // namespace stridescope::measure
