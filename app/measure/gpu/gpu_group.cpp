#include "measure/gpu/gpu_group.h"

#include <fmt/format.h>

#include <utility>

namespace stridescope::measure::gpu {
namespace {

using Clock = std::chrono::steady_clock;

// How long the others may take to end once one GPU has failed.
constexpr std::chrono::milliseconds kOthersEndWithin{200};

double microsecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// An error of one GPU's call says which GPU it is.
Error onGpu(unsigned gpu, Error error) {
  error.sentence = "GPU " + std::to_string(gpu) + ": " + error.sentence;
  return error;
}

}  // namespace

class GpuGroup::Run final : public GroupRun {
 public:
  Run(GpuGroup& group, GroupPlan plan) : group_(group), plan_(std::move(plan)) {}

  Result<void> prepare() {
    for (GroupPart& part : plan_.parts) {
      auto* const share = std::get_if<GroupShare>(&part);
      if (share == nullptr) continue;
      auto run = group_.gpu(share->gpu).timed(std::move(share->plan));
      if (!run) return tl::unexpected(onGpu(share->gpu, run.error()));
      shares_.push_back({share->gpu, *std::move(run)});
    }
    streams_ = group_.streams();
    return {};
  }

  Result<GroupOutcome> run() override {
    if (!group_.isUsable())
      return unavailable("The GPUs were given up after a failure. Start the timing again.");
    for (const Share& share : shares_)
      if (const auto prepared = share.run->prepareInput(0); !prepared)
        return group_.giveUp(onGpu(share.gpu, prepared.error()));
    GroupOutcome outcome;
    const Clock::time_point begin = Clock::now();
    if (const auto enqueued = enqueue(); !enqueued) return group_.giveUp(enqueued.error());
    if (plan_.end == GroupEnd::HostHasResult) {
      STRIDESCOPE_TRY(group_.finish(1, plan_.name));
      outcome.microseconds = microsecondsSince(begin);
      STRIDESCOPE_TRY(group_.finish(group_.size(), plan_.name));
    } else {
      STRIDESCOPE_TRY(group_.finish(group_.size(), plan_.name));
      outcome.microseconds = microsecondsSince(begin);
    }
    for (const Share& share : shares_)
      if (!share.run->result().empty()) outcome.results.push_back(share.run->result());
    return outcome;
  }

 private:
  struct Share {
    unsigned gpu;
    std::unique_ptr<TimedRun> run;
  };

  Result<void> enqueue() {
    std::size_t next = 0;
    for (const GroupPart& part : plan_.parts) {
      if (std::holds_alternative<GroupMeeting>(part)) {
        STRIDESCOPE_TRY(group_.meet());
      } else if (const auto* work = std::get_if<GroupWork>(&part)) {
        STRIDESCOPE_TRY(work->enqueue(streams_));
      } else {
        const Share& share = shares_[next++];
        if (const auto enqueued = share.run->enqueue(0); !enqueued)
          return tl::unexpected(onGpu(share.gpu, enqueued.error()));
      }
    }
    return {};
  }

  GpuGroup& group_;
  GroupPlan plan_;
  std::vector<Share> shares_;
  std::vector<void*> streams_;
};

Result<std::unique_ptr<GpuGroup>> GpuGroup::of(std::vector<std::unique_ptr<CleanRunner>> gpus,
                                               std::chrono::milliseconds runLimit) {
  for (auto& one : gpus)
    for (auto& other : gpus)
      if (one != other) STRIDESCOPE_TRY(one->reach(*other));
  return std::unique_ptr<GpuGroup>(new GpuGroup(std::move(gpus), runLimit));
}

std::vector<void*> GpuGroup::streams() const {
  std::vector<void*> streams;
  for (const auto& gpu : gpus_) streams.push_back(gpu->stream());
  return streams;
}

Result<std::unique_ptr<GroupRun>> GpuGroup::timed(GroupPlan plan) {
  auto run = std::make_unique<Run>(*this, std::move(plan));
  STRIDESCOPE_TRY(run->prepare());
  return run;
}

bool GpuGroup::isUsable() const {
  if (isGivenUp_) return false;
  for (const auto& gpu : gpus_)
    if (!gpu->isUsable()) return false;
  return true;
}

Result<void> GpuGroup::meet() {
  for (auto& gpu : gpus_) STRIDESCOPE_TRY(gpu->setMark());
  for (auto& waiting : gpus_)
    for (auto& other : gpus_)
      if (waiting != other) STRIDESCOPE_TRY(waiting->waitForMark(*other));
  return {};
}

Result<void> GpuGroup::finish(unsigned count, const std::string& name) {
  const Clock::time_point begin = Clock::now();
  unsigned finished = 0;
  // One that fails is noticed while another one waits for it.
  while (finished < count) {
    finished = 0;
    for (unsigned gpu = 0; gpu < size(); ++gpu) {
      const auto done = gpus_[gpu]->isDone();
      if (!done) return giveUp(onGpu(gpu, done.error()));
      if (gpu < count) finished += *done;
    }
    if (finished < count && Clock::now() - begin > runLimit_)
      return giveUp(
          {ErrorKind::Limit,
           fmt::format("{} did not end on {} of {} GPUs within {} s. A GPU may wait for a message that "
                       "another one does not send; the process that times is ended.",
                       name, count - finished, count, std::chrono::duration<double>(runLimit_).count()),
           ""});
  }
  return {};
}

// What still runs cannot be stopped but with the process; what can end is waited for.
tl::unexpected<Error> GpuGroup::giveUp(const Error& error) {
  isGivenUp_ = true;
  for (auto& gpu : gpus_) (void)gpu->wait(kOthersEndWithin);
  return tl::unexpected(error);
}

Result<std::unique_ptr<GpuGroup>> openGpuGroup(unsigned count, const engine::gpu::GpuPlaces& places) {
  std::vector<std::unique_ptr<CleanRunner>> gpus;
  std::string first;
  for (unsigned index = 0; index < count; ++index) {
    auto runner = makeCleanRunner(index, places);
    if (!runner && index > 0 && runner.error().kind == ErrorKind::Usage)
      return unavailable(
          fmt::format("{} GPUs were asked for, and the driver lists {} (nvidia-smi -L shows them; "
                      "CUDA_VISIBLE_DEVICES may hide others). The family \"several GPUs\" can be stepped "
                      "without them.",
                      count, index == 1 ? "one" : std::to_string(index)),
          runner.error().sentence);
    if (!runner) return tl::unexpected(runner.error());
    const auto facts = (*runner)->memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    if (index == 0) first = facts->name;
    if (facts->name != first)
      return unavailable(
          fmt::format("GPU {} is a {}, and GPU 0 a {}: several GPUs are timed where they are "
                      "alike. CUDA_VISIBLE_DEVICES can leave one out.",
                      index, facts->name, first));
    gpus.push_back(*std::move(runner));
  }
  return GpuGroup::of(std::move(gpus));
}

}  // namespace stridescope::measure::gpu
