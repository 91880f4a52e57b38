// Several GPUs in the host's memory: their runners note what they are asked for, and do at once what the
// kernels of several GPUs do, for ints that are added. A device that waits for a message which has not come
// does not end.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "measure/gpu/gpu_group.h"
#include "stand_in_runner.h"

namespace stridescope::measure::gpu {

// What all GPUs of a test share.
struct StandInGroup {
  std::vector<std::string> calls;   // "0 reaches 1", "1 launches ring", "0 waits for 1"
  std::map<unsigned, int> failsAt;  // a GPU's n-th look at whether it is done, from 0 on, is an error
  std::map<unsigned, bool> isLost;  // set once that has happened
  std::map<unsigned, bool> neverEnds;
  bool reach = true;
  unsigned spoiledGpu = ~0u;  // whose first word a launch leaves wrong
  std::string spoiledKernel;
};

template <class T>
T* hostPointer(std::uint64_t address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

class StandInGroupKernel final : public CleanKernel {
 public:
  explicit StandInGroupKernel(std::string called) : name(std::move(called)) {}
  Result<void> launch(const CleanLaunch&) override { return {}; }
  Result<std::uint64_t> variable(const char*, std::size_t) override { return unavailable("None."); }
  Result<KernelFit> fit(std::uint64_t, std::uint64_t) override { return KernelFit{}; }
  const std::string name;
};

class StandInGroupRunner final : public CleanRunner {
 public:
  StandInGroupRunner(std::shared_ptr<StandInGroup> group, unsigned number)
      : group_(std::move(group)), number_(number) {}

  Result<std::unique_ptr<CleanKernel>> load(const model::Experiment& experiment, TimedForm) override {
    return std::make_unique<StandInGroupKernel>(experiment.variant);
  }
  Result<std::unique_ptr<CleanKernel>> load(const std::string& name, const std::string&,
                                            const std::string&) override {
    return std::make_unique<StandInGroupKernel>(name);
  }
  Result<std::unique_ptr<GpuBuffer>> allocate(std::uint64_t bytes) override {
    if (bytes > mostBytes)
      return tl::unexpected(Error{ErrorKind::Limit, "There is no room for so many bytes."});
    return std::make_unique<StandInBuffer>(bytes);
  }
  Result<void> upload(const GpuBuffer& to, std::span<const std::uint8_t> bytes) override {
    return upload(to.address(), bytes);
  }
  Result<void> upload(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    if (!bytes.empty()) std::memcpy(hostPointer<void>(address), bytes.data(), bytes.size());
    return {};
  }
  Result<void> download(const GpuBuffer&, std::span<std::uint8_t>) override { return {}; }
  Result<void> copy(const TimedCopy& copy) override {
    std::memcpy(hostPointer<void>(copy.to), hostPointer<void>(copy.from), copy.bytes);
    return {};
  }
  Result<void> wait() override { return {}; }
  Result<void> wait(std::chrono::milliseconds) override {
    note("is waited for");
    if (!waitsForMessage_ && !group_->neverEnds[number_]) return {};
    isGivenUp_ = true;
    return limitMet("It did not end.");
  }
  Result<bool> isDone() override {
    const auto fails = group_->failsAt.find(number_);
    if (fails != group_->failsAt.end() && fails->second-- == 0) {
      group_->isLost[number_] = true;
      return unavailable("Could not run the kernel: an illegal address.");
    }
    if (waitsForMessage_) waitsForMessage_ = !receiveAll();
    return !waitsForMessage_ && !group_->neverEnds[number_];
  }
  Result<void> reach(CleanRunner& other) override {
    if (!group_->reach) return unavailable("GPU 0 cannot use the memory of GPU 1.");
    note("reaches " + std::to_string(static_cast<StandInGroupRunner&>(other).number_));
    return {};
  }
  Result<void> setMark() override {
    note("sets a mark");
    return {};
  }
  Result<void> waitForMark(CleanRunner& other) override {
    note("waits for " + std::to_string(static_cast<StandInGroupRunner&>(other).number_));
    return {};
  }
  Result<std::unique_ptr<TimedRun>> timed(TimedPlan plan) override {
    return std::make_unique<Run>(*this, std::move(plan));
  }
  Result<CounterLists> counted(TimedPlan) override { return unavailable("None."); }
  Result<GpuMemoryFacts> memoryFacts() override {
    GpuMemoryFacts facts;
    facts.name = "Stand-in GPU";
    facts.multiprocessors = 4;
    facts.freeBytes = 1 << 24;
    facts.l2Bytes = 4096;
    return facts;
  }
  std::vector<std::string> disturbances() override { return {"The clock is held down."}; }
  bool isUsable() const override { return !isGivenUp_ && !group_->isLost[number_]; }
  void* stream() const override { return hostPointer<void>(1000 + number_); }

  std::uint64_t mostBytes = ~std::uint64_t{0};

 private:
  class Run final : public TimedRun {
   public:
    Run(StandInGroupRunner& runner, TimedPlan plan) : runner_(runner), plan_(std::move(plan)) {}
    Result<TimedOutcome> run(std::uint64_t input) override {
      STRIDESCOPE_TRY(prepareInput(input));
      STRIDESCOPE_TRY(enqueue(input));
      return TimedOutcome{2.0, result()};
    }
    Result<void> prepareInput(std::uint64_t) override {
      for (const TimedStep& step : plan_.before) runner_.execute(step);
      return {};
    }
    Result<void> enqueue(std::uint64_t) override {
      for (const TimedStep& step : plan_.steps) runner_.execute(step);
      return {};
    }
    // Read when all have finished, as the copy to the host has by then.
    std::span<const std::uint8_t> result() const override {
      return {hostPointer<const std::uint8_t>(plan_.resultAddress), plan_.resultBytes};
    }

   private:
    StandInGroupRunner& runner_;
    TimedPlan plan_;
  };

  void note(const std::string& call) { group_->calls.push_back(std::to_string(number_) + " " + call); }

  void execute(const TimedStep& step) {
    if (const auto* fill = std::get_if<TimedFill>(&step))
      std::memset(hostPointer<void>(fill->to), fill->value, fill->bytes);
    if (const auto* copied = std::get_if<TimedCopy>(&step)) (void)copy(*copied);
    if (const auto* launch = std::get_if<TimedLaunch>(&step)) execute(*launch);
  }

  void execute(const TimedLaunch& launch) {
    const std::string& name = static_cast<const StandInGroupKernel*>(launch.kernel)->name;
    if (name != "compare" && name != "read_pass") note("launches " + name);
    const auto& given = launch.arguments;
    if (name == "compare") return compare(given);
    if (name == "throw_number") *hostPointer<std::uint64_t>(given[4]) = 2000 * given[2];  // 1 us each way
    if (name == "sum_and_count" || name == "one_message" || name == "host_adds")
      *hostPointer<std::uint32_t>(given[1]) = sumOf(given[0], given[3]);
    if (name == "nvlink_message") sendOrWait(given);
    if (launch.structures.size() == 2) combineArrays(name, launch);
    if (name == group_->spoiledKernel && number_ == group_->spoiledGpu)
      ++*hostPointer<std::uint32_t>(launch.structures.empty() ? given[1] : launch.structures.at(1)[number_]);
  }

  static std::uint32_t sumOf(std::uint64_t in, std::uint64_t n) {
    std::uint32_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += hostPointer<std::uint32_t>(in)[i];
    return sum;
  }

  // in, out, words, inbox, n, device, devices
  void sendOrWait(const std::vector<std::uint64_t>& given) {
    sum_ = sumOf(given[0], given[4]);
    auto* const inbox = hostPointer<std::uint64_t>(given[3]);
    if (given[5] > 0) {
      inbox[given[5]] = std::uint64_t{1} << 32 | sum_;
      return;
    }
    inbox_ = inbox, out_ = hostPointer<std::uint32_t>(given[1]), devices_ = given[6];
    waitsForMessage_ = !receiveAll();
  }
  bool receiveAll() {
    std::uint32_t sum = sum_;
    for (std::uint64_t k = 1; k < devices_; ++k) {
      if (inbox_[k] >> 32 == 0) return false;
      sum += std::uint32_t(inbox_[k]);
    }
    for (std::uint64_t k = 1; k < devices_; ++k) inbox_[k] = 0;
    *out_ = sum;
    return true;
  }

  // in, out, n, device, devices, step, steps: what the steps of all devices come to is left by the last one
  // of each device.
  void combineArrays(const std::string& name, const TimedLaunch& launch) {
    const auto &in = launch.structures.at(0), &out = launch.structures.at(1);
    const std::uint64_t n = launch.arguments[2], device = launch.arguments[3], devices = launch.arguments[4];
    const bool last = name == "peer_loads" ||
                      (name == "ring" && launch.arguments.at(5) == 2 * (devices - 1) - 1) ||
                      (name == "tree" && launch.arguments.at(5) + 1 == launch.arguments.at(6));
    if (!last) return;
    for (std::uint64_t i = 0; i < n; ++i) {
      std::uint32_t sum = 0;
      for (std::uint64_t k = 0; k < devices; ++k) sum += hostPointer<std::uint32_t>(in[k])[i];
      hostPointer<std::uint32_t>(out[device])[i] = sum;
    }
  }

  // words, expected, count, period, first
  static void compare(const std::vector<std::uint64_t>& given) {
    for (std::uint64_t i = 0; i < given[2]; ++i)
      if (hostPointer<std::uint32_t>(given[0])[i] != hostPointer<std::uint32_t>(given[1])[i % given[3]]) {
        *hostPointer<std::uint64_t>(given[4]) = i;
        return;
      }
  }

  std::shared_ptr<StandInGroup> group_;
  const unsigned number_;
  bool isGivenUp_ = false, waitsForMessage_ = false;
  std::uint64_t* inbox_ = nullptr;
  std::uint32_t* out_ = nullptr;
  std::uint64_t devices_ = 1;
  std::uint32_t sum_ = 0;
};

inline Result<std::unique_ptr<GpuGroup>> standInGpus(
    const std::shared_ptr<StandInGroup>& group, unsigned count,
    std::chrono::milliseconds limit = std::chrono::milliseconds(10'000)) {
  std::vector<std::unique_ptr<CleanRunner>> gpus;
  for (unsigned number = 0; number < count; ++number)
    gpus.push_back(std::make_unique<StandInGroupRunner>(group, number));
  return GpuGroup::of(std::move(gpus), limit);
}

}  // namespace stridescope::measure::gpu
