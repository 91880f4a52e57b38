#include "measure/gpu/group_timing_device.h"

#include <algorithm>

#include "measure/gpu/gpu_links.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/gpu/group_subject.h"
#include "measure/group_series.h"
#include "model/quantity.h"

namespace stridescope::measure::gpu {
namespace {

class GroupTimingDevice final : public TimingDevice {
 public:
  GroupTimingDevice(std::unique_ptr<GpuGroup> group, TimingDeviceFacts facts,
                    Result<std::unique_ptr<Nccl>> nccl)
      : group_(std::move(group)), nccl_(std::move(nccl)), facts_(std::move(facts)) {}

  ~GroupTimingDevice() override {
    if (nccl_ && !group_->isUsable()) (*nccl_)->leave();
  }

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return group_->isUsable(); }

  Result<std::vector<std::string>> disturbances(engine::JobControl&) override {
    std::vector<std::string> all;
    for (unsigned gpu = 0; gpu < group_->size(); ++gpu)
      for (std::string& sentence : group_->gpu(gpu).disturbances())
        if (std::ranges::find(all, sentence) == all.end()) all.push_back(std::move(sentence));
    return all;
  }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl& job) override {
    ready_.clear();
    input_.reset();  // its memory is given back before more is taken
    if (timingCase.graph)
      return usageError("Launches on several GPUs are not made into one CUDA graph: they are timed without.");
    const auto leaves = [](bool arrays) {
      return [arrays](const model::TimingSubject& subject) { return leavesArrays(subject) == arrays; };
    };
    auto input = GroupInput::make(*group_, timingCase, std::ranges::any_of(subjects, leaves(false)),
                                  std::ranges::any_of(subjects, leaves(true)));
    if (!input) return tl::unexpected(input.error());
    input_ = *std::move(input);
    std::vector<PreparedSubject> prepared(subjects.size());
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (job.cancel) return cancelled();
      if (job.progress) job.progress(float(i) / float(subjects.size()), "Preparing " + subjects[i].id);
      ready_.emplace_back();
      auto made = makeGroupSubject(*input_, subjects[i], nccl_);
      // Once, so that nothing is compiled, loaded, connected or allocated in the first sample.
      if (made)
        if (const auto ran = (*made)->run(); !ran) made = tl::unexpected(ran.error());
      if (!made) {
        prepared[i].unavailable = made.error().sentence;
        if (!isUsable()) return tl::unexpected(made.error());
        continue;
      }
      prepared[i].threads = (*made)->threads();
      ready_.back() = *std::move(made);
    }
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    if (job.cancel) return cancelled();
    return ready_[subject]->run();
  }

 private:
  std::unique_ptr<GpuGroup> group_;  // first: all others work on it
  Result<std::unique_ptr<Nccl>> nccl_;
  TimingDeviceFacts facts_;
  std::unique_ptr<GroupInput> input_;
  std::vector<std::unique_ptr<GroupSubject>> ready_;
};

}  // namespace

std::unique_ptr<TimingDevice> groupTimingDeviceOn(std::unique_ptr<GpuGroup> group, TimingDeviceFacts facts,
                                                  Result<std::unique_ptr<Nccl>> nccl) {
  return std::make_unique<GroupTimingDevice>(std::move(group), std::move(facts), std::move(nccl));
}

Result<std::unique_ptr<TimingDevice>> makeGroupTimingDevice(unsigned gpus) {
  if (gpus < model::kMinGpusTogether || gpus > model::kMaxGpus)
    return usageError("2 to 8 GPUs are timed together.");
  auto group = openGpuGroup(gpus);
  if (!group) return tl::unexpected(group.error());
  engine::JobControl nobodyCancels;
  auto links = measureLinks(**group, nobodyCancels);
  if (!links) return tl::unexpected(links.error());
  auto nccl = Nccl::open(gpus);
  auto executor = timingExecutor((*group)->gpu(0));
  if (!executor) return tl::unexpected(executor.error());
  TimingDeviceFacts facts;
  facts.kind = TimingDeviceKind::SeveralGpus;
  facts.executor = *std::move(executor);
  if (nccl) facts.executor.compiler += ", NCCL " + (*nccl)->version();
  facts.gpus = gpus;
  facts.links = *std::move(links);
  return groupTimingDeviceOn(*std::move(group), std::move(facts), std::move(nccl));
}

}  // namespace stridescope::measure::gpu
