// CUB or Thrust: the same inputs, the same events, the same checks.
#include <cstring>

#include "engine/library_call.h"
#include "measure/gpu/timed_subject.h"

namespace stridescope::measure::gpu {
namespace {

constexpr std::uint8_t kPoison = 0xa5;
constexpr const char* kLibraries = "CUB or Thrust";  // whose kernels the driver compiles at their first run

class TimedBaseline final : public TimedSubject {
 public:
  explicit TimedBaseline(std::unique_ptr<baselines::GpuBaseline> baseline) : baseline_(std::move(baseline)) {}

  Result<void> prepare(CleanRunner& runner, const model::TimingSubject& subject,
                       const model::TimingCase& timingCase, const CaseMemory& memory) {
    auto output = runner.allocate(model::bytesOf(timingCase.type));
    if (!output) return tl::unexpected(output.error());
    output_ = std::move(*output);
    const std::uint64_t to = output_->address();
    auto run = runner.timed(
        {.name = subject.id,
         .before = {TimedFill{to, model::bytesOf(timingCase.type), kPoison}},
         .steps = {TimedWork{[baseline = baseline_.get(), to](std::uint64_t input, void* stream) {
           const engine::LibraryCall running(kLibraries, engine::kLongCall);
           return baseline->enqueue(input, to, stream);
         }}},
         .inputPlace = memory.inputPlace,
         .resultAddress = to,
         .resultBytes = model::bytesOf(timingCase.type),
         .graph = timingCase.graph});
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    return {};
  }

  Result<Timed> run(std::uint64_t input) override {
    const auto outcome = run_->run(input);
    if (!outcome) return tl::unexpected(outcome.error());
    Timed timed{outcome->microseconds, 0};
    std::memcpy(&timed.resultBits, outcome->result.data(), outcome->result.size());
    if (baseline_->givesToHost()) timed.resultBits = baseline_->hostResult();
    return timed;
  }

  unsigned threads() const override { return 0; }

 private:
  std::unique_ptr<baselines::GpuBaseline> baseline_;
  std::unique_ptr<GpuBuffer> output_;
  std::unique_ptr<TimedRun> run_;
};

}  // namespace

Result<std::unique_ptr<TimedSubject>> makeTimedBaseline(CleanRunner& runner,
                                                        const model::TimingSubject& subject,
                                                        const model::TimingCase& timingCase,
                                                        const CaseMemory& memory) {
  const engine::LibraryCall making(kLibraries, engine::kLongCall);
  auto baseline =
      baselines::makeGpuBaseline(subject.id, timingCase.type, timingCase.op, timingCase.elements, memory.gpu);
  if (!baseline) return tl::unexpected(baseline.error());
  if (timingCase.graph && (*baseline)->givesToHost())
    return usageError(subject.id + " waits for its result, and so cannot be made into a CUDA graph.");
  auto timed = std::make_unique<TimedBaseline>(std::move(*baseline));
  if (auto prepared = timed->prepare(runner, subject, timingCase, memory); !prepared)
    return tl::unexpected(prepared.error());
  return timed;
}

}  // namespace stridescope::measure::gpu
