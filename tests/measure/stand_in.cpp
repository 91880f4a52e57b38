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
    facts_.executor.kind = kind == TimingDeviceKind::Gpu ? model::EngineKind::Gpu : model::EngineKind::Host;
    facts_.executor.device = kind == TimingDeviceKind::Gpu ? "Stand-in GPU" : "Stand-in CPU";
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
    const double us = behaviour_->microseconds.contains(id) ? behaviour_->microseconds[id] : 10;
    clock_->advance(us / 1e6);
    std::uint64_t bits = right_;
    if (behaviour_->wrongFromCall.contains(id) && times_[id] >= behaviour_->wrongFromCall[id]) bits ^= 1;
    ++times_[id];
    return Timed{us, bits};
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
