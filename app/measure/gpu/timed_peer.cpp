// CUB or Thrust: the same inputs, the same events, the same checks.
#include <cstring>

#include "measure/gpu/timed_subject.h"

namespace stridescope::measure::gpu {
namespace {

constexpr std::uint8_t kPoison = 0xa5;

class TimedPeer final : public TimedSubject {
 public:
  explicit TimedPeer(std::unique_ptr<baselines::GpuPeer> peer) : peer_(std::move(peer)) {}

  Result<void> prepare(CleanRunner& runner, const model::TimingSubject& subject,
                       const model::TimingStation& station, const StationMemory& memory) {
    auto output = runner.allocate(model::bytesOf(station.type));
    if (!output) return tl::unexpected(output.error());
    output_ = std::move(*output);
    const std::uint64_t to = output_->address();
    auto run = runner.timed({.name = subject.id,
                             .before = {TimedFill{to, model::bytesOf(station.type), kPoison}},
                             .steps = {TimedWork{[peer = peer_.get(), to](std::uint64_t input, void* stream) {
                               return peer->enqueue(input, to, stream);
                             }}},
                             .inputPlace = memory.inputPlace,
                             .resultAddress = to,
                             .resultBytes = model::bytesOf(station.type),
                             .graph = station.graph});
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    return {};
  }

  Result<Timed> run(std::uint64_t input) override {
    const auto outcome = run_->run(input);
    if (!outcome) return tl::unexpected(outcome.error());
    Timed timed{outcome->microseconds, 0};
    std::memcpy(&timed.resultBits, outcome->result.data(), outcome->result.size());
    if (peer_->givesToHost()) timed.resultBits = peer_->hostResult();
    return timed;
  }

  unsigned threads() const override { return 0; }

 private:
  std::unique_ptr<baselines::GpuPeer> peer_;
  std::unique_ptr<GpuBuffer> output_;
  std::unique_ptr<TimedRun> run_;
};

}  // namespace

Result<std::unique_ptr<TimedSubject>> makeTimedPeer(CleanRunner& runner, const model::TimingSubject& subject,
                                                    const model::TimingStation& station,
                                                    const StationMemory& memory) {
  auto peer = baselines::makeGpuPeer(subject.id, station.type, station.op, station.elements, memory.gpu);
  if (!peer) return tl::unexpected(peer.error());
  if (station.graph && (*peer)->givesToHost())
    return usageError(subject.id + " waits for its result, and so cannot be made into a CUDA graph.");
  auto timed = std::make_unique<TimedPeer>(std::move(*peer));
  if (auto prepared = timed->prepare(runner, subject, station, memory); !prepared)
    return tl::unexpected(prepared.error());
  return timed;
}

}  // namespace stridescope::measure::gpu
