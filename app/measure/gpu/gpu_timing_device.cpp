#include "measure/gpu/gpu_timing_device.h"

#include <algorithm>

#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/clocked_block.h"
#include "measure/gpu/costed_run.h"
#include "measure/gpu/counted_run.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/input_pool.h"
#include "measure/gpu/marked_grid.h"
#include "measure/gpu/memory_passes.h"
#include "measure/gpu/timed_subject.h"
#include "model/utc_now.h"

namespace stridescope::measure::gpu {
namespace {

constexpr std::uint64_t kL2sToEmpty = 2;  // so many times its size is read to empty it
constexpr std::uint64_t kUnit = 16;       // that the reading pass moves at once
constexpr unsigned kBlocksPerMultiprocessor = 2;

class GpuTimingDevice final : public TimingDevice {
 public:
  GpuTimingDevice(unsigned index, std::unique_ptr<CleanRunner> runner, TimingDeviceFacts facts,
                  MemoryPasses passes)
      : index_(index),
        runner_(std::move(runner)),
        facts_(std::move(facts)),
        passes_(std::move(passes)),
        inputs_(*runner_) {}

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return runner_->isUsable(); }
  Result<std::vector<std::string>> disturbances(engine::JobControl&) override {
    return runner_->disturbances();
  }

  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl& job) override {
    return clockBlock(*runner_, experiment, company, facts_.executor, job);
  }

  Result<model::CounterRecord> count(const model::Experiment& experiment, engine::JobControl&) override {
    return countRun(*runner_, experiment, facts_.executor);
  }

  Result<model::TimelineRecord> mark(const model::Experiment& experiment, engine::JobControl& job) override {
    const auto emptying = emptyingLaunch();
    if (!emptying) return tl::unexpected(emptying.error());
    return markGrid(*runner_, experiment, facts_.executor, *emptying, job);
  }

  Result<model::CostRecord> cost(const model::Experiment& experiment, engine::JobControl& job) override {
    const auto emptying = emptyingLaunch();
    if (!emptying) return tl::unexpected(emptying.error());
    return costRun(*runner_, experiment, facts_.executor, facts_.limits.value_or(model::GpuLimits()),
                   *emptying, job);
  }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl& job) override {
    ready_.clear();
    std::vector<PreparedSubject> prepared(subjects.size());
    std::uint64_t room = std::max<std::uint64_t>(1, timingCase.elements);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (subjects[i].kind != model::SubjectKind::Variant) continue;
      const auto needed = roomOf(subjects[i], timingCase, facts_.executor);
      if (needed)
        room = std::max(room, *needed);
      else
        prepared[i].unavailable = needed.error().sentence;
    }
    if (auto filled = inputs_.fill(timingCase, room); !filled) return tl::unexpected(filled.error());
    const auto memory = makeMemory(timingCase, room);
    if (!memory) return tl::unexpected(memory.error());
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (job.cancel) return cancelled();
      if (job.progress) job.progress(float(i) / float(subjects.size()), "Preparing " + subjects[i].id);
      ready_.emplace_back();
      if (prepared[i].unavailable.empty()) prepareSubject(subjects[i], timingCase, *memory, prepared[i]);
      if (!isUsable()) return unavailable(prepared[i].unavailable);
    }
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    if (job.cancel) return cancelled();
    return ready_[subject]->run(inputs_.next());
  }

 private:
  Result<CaseMemory> makeMemory(const model::TimingCase& timingCase, std::uint64_t room) {
    const auto facts = runner_->memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    CaseMemory memory{.inputPlace = inputs_.first(),
                      .room = room,
                      .passes = &passes_,
                      .emptying = 0,
                      .emptyingBytes = 0,
                      .emptyingBlocks = kBlocksPerMultiprocessor * facts->multiprocessors,
                      .gpu = index_};
    if (timingCase.warmL2 || facts->l2Bytes == 0) return memory;
    STRIDESCOPE_TRY(allocateEmptying(*facts));
    memory.emptying = emptying_->address();
    memory.emptyingBytes = emptying_->bytes();
    return memory;
  }

  Result<void> allocateEmptying(const GpuMemoryFacts& facts) {
    if (emptying_) return {};
    auto buffer = runner_->allocate(kL2sToEmpty * facts.l2Bytes / kUnit * kUnit);
    if (!buffer) return tl::unexpected(buffer.error());
    emptying_ = std::move(*buffer);
    return {};
  }

  // Reads so much that nothing else is left in L2; nullopt: its size is not known.
  Result<std::optional<TimedLaunch>> emptyingLaunch() {
    const auto facts = runner_->memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    if (facts->l2Bytes == 0) return std::optional<TimedLaunch>();
    STRIDESCOPE_TRY(allocateEmptying(*facts));
    return passes_.reading(emptying_->address(), emptying_->bytes(), emptying_->address(),
                           kBlocksPerMultiprocessor * facts->multiprocessors);
  }

  void prepareSubject(const model::TimingSubject& subject, const model::TimingCase& timingCase,
                      const CaseMemory& memory, PreparedSubject& prepared) {
    auto made = subject.kind == model::SubjectKind::Variant
                    ? makeTimedVariant(*runner_, subject, timingCase, memory)
                    : makeTimedBaseline(*runner_, subject, timingCase, memory);
    // Once, so that nothing is compiled, loaded or allocated in the first sample.
    if (made)
      if (const auto ran = (*made)->run(inputs_.next()); !ran) made = tl::unexpected(ran.error());
    if (!made) {
      prepared.unavailable = made.error().sentence;
      return;
    }
    prepared.threads = (*made)->threads();
    prepared.emptyMicroseconds = (*made)->emptyTime().value_or(0);
    ready_.back() = std::move(*made);
  }

  const unsigned index_;
  std::unique_ptr<CleanRunner> runner_;
  TimingDeviceFacts facts_;
  MemoryPasses passes_;
  InputPool inputs_;
  std::unique_ptr<GpuBuffer> emptying_;
  std::vector<std::unique_ptr<TimedSubject>> ready_;
};

}  // namespace

Result<std::unique_ptr<TimingDevice>> makeGpuTimingDevice(unsigned index) {
  auto runner = makeCleanRunner(index);
  if (!runner) return tl::unexpected(runner.error());
  auto passes = MemoryPasses::load(**runner);
  if (!passes) return tl::unexpected(passes.error());
  engine::JobControl nobodyCancels;
  auto ceiling = measureCeiling(**runner, *passes, nobodyCancels);
  if (!ceiling) return tl::unexpected(ceiling.error());
  auto limits = measureLimits(**runner, ceiling->read.median, nobodyCancels);
  if (!limits) return tl::unexpected(limits.error());
  const auto memory = (*runner)->memoryFacts();
  if (!memory) return tl::unexpected(memory.error());
  const engine::GpuStatus status = engine::gpu::queryGpus();
  TimingDeviceFacts facts;
  facts.kind = TimingDeviceKind::Gpu;
  facts.executor = {.kind = model::EngineKind::Gpu,
                    .device = memory->name,
                    .computeCapability = memory->computeCapability,
                    .driver = status.driverVersion,
                    .compiler = "NVRTC " + status.nvrtcVersion,
                    .recordedOn = model::utcNow()};
  if (const std::string baselines = baselines::gpuBaselineVersion(); !baselines.empty())
    facts.executor.compiler += ", " + baselines;
  facts.ceiling = *ceiling;
  facts.limits = *limits;
  return std::make_unique<GpuTimingDevice>(index, std::move(*runner), std::move(facts), std::move(*passes));
}

}  // namespace stridescope::measure::gpu
