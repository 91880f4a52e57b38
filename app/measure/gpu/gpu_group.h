// Several GPUs of one host in one process, each of which may use the memory of all: what is enqueued on them
// together is one timed thing, and its time is the host's, until the host has the result or until all GPUs
// have finished.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::measure::gpu {

// What one GPU does, as its own plan: what comes before it is not timed, and its result is copied to the host
// at its end, within the time. A plan without a result has resultBytes 0; its inputPlace is not asked for.
struct GroupShare {
  unsigned gpu = 0;
  TimedPlan plan{};
};
// All GPUs meet: what follows on any of them begins when what came before has ended on all of them.
struct GroupMeeting {};
// Another library's work over all GPUs, enqueued on their streams (CUstream).
struct GroupWork {
  std::function<Result<void>(std::span<void* const> streams)> enqueue;
};
using GroupPart = std::variant<GroupShare, GroupMeeting, GroupWork>;

enum class GroupEnd : std::uint8_t {
  HostHasResult,  // what GPU 0 was given to do has ended, its copy to the host with it
  AllFinished,    // on all GPUs
};

struct GroupPlan {
  std::string name{};              // for the sentences of errors
  std::vector<GroupPart> parts{};  // in the order in which they are enqueued
  GroupEnd end{};
};

struct GroupOutcome {
  double microseconds = 0;  // from before the first part is enqueued
  // What the shares copied to the host, in the order of the plan; until the next run.
  std::vector<std::span<const std::uint8_t>> results{};
};

class GroupRun {
 public:
  virtual ~GroupRun() = default;
  // Once. All GPUs have finished when it returns.
  virtual Result<GroupOutcome> run() = 0;
};

// Use it on one thread at a time. After a GPU has failed, or has not finished in time, the whole group is of
// no use any more.
class GpuGroup {
 public:
  // How long all GPUs together may take for one run before they are given up: their threads may wait for a
  // message that does not come.
  static constexpr std::chrono::milliseconds kRunLimit{10'000};

  // Any runners of different GPUs of one process, one or more. Lets each use the memory of all others.
  static Result<std::unique_ptr<GpuGroup>> of(std::vector<std::unique_ptr<CleanRunner>> gpus,
                                              std::chrono::milliseconds runLimit = kRunLimit);

  unsigned size() const { return unsigned(gpus_.size()); }
  CleanRunner& gpu(unsigned number) { return *gpus_[number]; }
  std::vector<void*> streams() const;
  // A run of the plan. It lives no longer than the group and the kernels that it launches.
  Result<std::unique_ptr<GroupRun>> timed(GroupPlan plan);
  bool isUsable() const;

 private:
  class Run;
  GpuGroup(std::vector<std::unique_ptr<CleanRunner>> gpus, std::chrono::milliseconds runLimit)
      : gpus_(std::move(gpus)), runLimit_(runLimit) {}
  Result<void> meet();
  // Waits until the GPUs [0, count) have finished; gives up all of them where one fails or takes too long.
  Result<void> finish(unsigned count, const std::string& name);
  tl::unexpected<Error> giveUp(const Error& error);

  std::vector<std::unique_ptr<CleanRunner>> gpus_;
  std::chrono::milliseconds runLimit_;
  bool isGivenUp_ = false;
};

// The GPUs from 0 to `count` - 1 in the driver's numbering. Fails with a sentence where there are fewer,
// where two of them do not reach each other, or where they differ.
Result<std::unique_ptr<GpuGroup>> openGpuGroup(unsigned count, const engine::gpu::GpuPlaces& places = {});

}  // namespace stridescope::measure::gpu
