#include "measure/cpu/cpu_device.h"

#include <algorithm>
#include <chrono>
#include <latch>
#include <thread>

#include "base/result.h"
#include "measure/cpu/cpu_baselines.h"
#include "measure/cpu/cpu_facts.h"
#include "measure/cpu/cpu_inputs.h"
#include "measure/timing_data.h"
#include "model/utc_now.h"

namespace stridescope::measure::cpu {
namespace {

using Clock = std::chrono::steady_clock;

// OpenMP's threads wait for more work awake for some milliseconds (libgomp's GOMP_SPINCOUNT) and would take
// the cores from whoever is timed next.
constexpr std::chrono::milliseconds kUntilAsleep{15};

constexpr std::string_view kNoThreads =
    "The system starts no more threads: out of memory, or at a limit (ulimit -v, ulimit -u).";

struct NamedBaseline {
  std::string_view id;
  CpuBaseline run;
  std::string_view missing;  // where it is null
  bool takesThreads = false;
  bool staysAwake = false;
};

std::vector<NamedBaseline> baselines() {
  return {{"cpu_loop", plainLoop, "", false, false},
          {"cpu_reduce_par", reducePar(), "This program was built without oneTBB.", true, false},
          {"cpu_openmp", openMp(), "This program was built without OpenMP.", true, true}};
}

// oneTBB and OpenMP end the program where the system gives them no threads: each takes one a core, and keeps
// them.
bool canStartThreads() {
  std::latch asked(1);
  std::vector<std::jthread> threads;
  const auto started = withoutExceptions("starting threads", [&] {
    for (unsigned i = 0; i < 2 * std::max(1u, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back([&asked] { asked.wait(); });
  });
  asked.count_down();
  return started.has_value();
}

class CpuDevice final : public TimingDevice {
 public:
  CpuDevice() {
    facts_.kind = TimingDeviceKind::Cpu;
    facts_.executor.kind = model::EngineKind::Host;
    facts_.executor.device = cpuName();
    facts_.executor.compiler = "g++ " __VERSION__;
    facts_.executor.recordedOn = model::utcNow();
  }

  const TimingDeviceFacts& facts() const override { return facts_; }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl&) override {
    if (auto filled = inputs_.fill(timingCase); !filled) return tl::unexpected(filled.error());
    case_ = timingCase;
    ready_.clear();
    const bool threads = canStartThreads();
    std::vector<PreparedSubject> prepared;
    for (const model::TimingSubject& subject : subjects) {
      NamedBaseline found{"", nullptr, "There is no such way of reducing on the CPU."};
      for (const NamedBaseline& baseline : baselines())
        if (baseline.id == subject.id) found = baseline;
      if (found.takesThreads && !threads) found = {found.id, nullptr, kNoThreads};
      ready_.push_back(found);
      prepared.push_back({.threads = 0, .unavailable = std::string(found.run ? "" : found.missing)});
    }
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    if (job.cancel) return cancelled();
    const NamedBaseline& baseline = ready_[subject];
    const void* input = inputs_.next();
    const auto begin = Clock::now();
    const std::uint64_t bits = baseline.run(case_.type, case_.op, input, case_.elements);
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    if (baseline.staysAwake) std::this_thread::sleep_for(kUntilAsleep);
    return Timed{took.count(), bits};
  }

  Result<std::vector<std::string>> disturbances(engine::JobControl&) override {
    if (!inputs_.mayBeCached()) return std::vector<std::string>();
    return std::vector<std::string>{"The CPU's inputs may partly lie in its cache of " +
                                    std::to_string(lastLevelCacheBytes() >> 20) + " MiB: at most " +
                                    std::to_string(kMaxCpuInputBytes >> 20) + " MiB are read in turn."};
  }

 private:
  TimingDeviceFacts facts_;
  model::TimingCase case_;
  CpuInputs inputs_;
  std::vector<NamedBaseline> ready_;
};

}  // namespace

Result<std::unique_ptr<TimingDevice>> makeCpuTimingDevice() { return std::make_unique<CpuDevice>(); }

}  // namespace stridescope::measure::cpu
