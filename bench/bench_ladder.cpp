// The app costs nothing: the ladder's times beside those of hand-written kernels that nvcc compiled ahead of
// time, on the same inputs, between the same events, sample by sample in turn.
//   bench_ladder [SAMPLES]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/catalog.h"
#include "ladder_ahead.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/timed_subject.h"
#include "measure/statistics.h"

namespace stridescope::bench {
namespace {

constexpr std::uint64_t kElements = 1u << 24;

// The hand-written kernels of one rung as a timed run of the same runner.
class AheadRun {
 public:
  static Result<AheadRun> make(measure::gpu::CleanRunner& runner, ahead::Rung rung,
                               std::uint64_t inputPlace) {
    AheadRun made;
    for (auto* buffer : {&made.a_, &made.b_, &made.out_}) {
      auto allocated = runner.allocate(kElements / ahead::kThreads * sizeof(int));
      if (!allocated) return tl::unexpected(allocated.error());
      *buffer = std::move(*allocated);
    }
    const auto at = [](const std::unique_ptr<measure::gpu::GpuBuffer>& buffer) {
      return reinterpret_cast<int*>(buffer->address());
    };
    auto enqueue = [rung, a = at(made.a_), b = at(made.b_), out = at(made.out_)](
                       std::uint64_t input, void* stream) -> Result<void> {
      const char* fault =
          ahead::enqueue(rung, reinterpret_cast<const int*>(input), a, b, out, kElements, stream);
      if (fault) return unavailable(fault);
      return {};
    };
    auto run = runner.timed({.name = "hand-written",
                             .before = {},
                             .steps = {measure::gpu::TimedWork{enqueue}},
                             .inputPlace = inputPlace,
                             .resultAddress = made.out_->address(),
                             .resultBytes = sizeof(int)});
    if (!run) return tl::unexpected(run.error());
    made.run_ = std::move(*run);
    return made;
  }
  Result<measure::Timed> run(std::uint64_t input) {
    const auto outcome = run_->run(input);
    if (!outcome) return tl::unexpected(outcome.error());
    measure::Timed timed{outcome->microseconds, 0};
    std::memcpy(&timed.resultBits, outcome->result.data(), sizeof(int));
    return timed;
  }

 private:
  std::unique_ptr<measure::gpu::GpuBuffer> a_, b_, out_;
  std::unique_ptr<measure::gpu::TimedRun> run_;
};

struct Pair {
  std::string id;
  std::unique_ptr<measure::gpu::TimedSubject> ours;
  std::optional<AheadRun> theirs;
  std::vector<model::TimingSample> oursSamples, theirsSamples;
};

Result<void> sampleBoth(Pair& pair, measure::gpu::InputPool& inputs, std::uint32_t turn) {
  // Who is first takes turns, too.
  for (int half = 0; half < 2; ++half) {
    const bool ours = (turn + unsigned(half)) % 2 == 0;
    const auto timed = ours ? pair.ours->run(inputs.next()) : pair.theirs->run(inputs.next());
    if (!timed) return tl::unexpected(timed.error());
    (ours ? pair.oursSamples : pair.theirsSamples).push_back({turn, float(timed->microseconds)});
  }
  return {};
}

Result<void> measure(std::uint32_t samples) {
  auto runner = measure::gpu::makeCleanRunner(0);
  if (!runner) return tl::unexpected(runner.error());
  auto passes = measure::gpu::MemoryPasses::load(**runner);
  if (!passes) return tl::unexpected(passes.error());
  measure::gpu::InputPool inputs(**runner);
  const model::TimingCase timingCase{.elements = kElements, .threads = ahead::kThreads};
  if (auto filled = inputs.fill(timingCase, kElements); !filled) return filled;
  const measure::gpu::CaseMemory memory{.inputPlace = inputs.first(), .room = kElements, .passes = &*passes};
  std::vector<Pair> pairs;
  const auto rungs = kernels::catalog().first(5);
  for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
    Pair pair;
    pair.id = rungs[rung].id;
    auto ours =
        measure::gpu::makeTimedVariant(**runner, {model::SubjectKind::Variant, pair.id}, timingCase, memory);
    if (!ours) return tl::unexpected(ours.error());
    auto theirs = AheadRun::make(**runner, ahead::Rung(rung), inputs.first());
    if (!theirs) return tl::unexpected(theirs.error());
    pair.ours = std::move(*ours), pair.theirs = std::move(*theirs);
    const auto a = pair.ours->run(inputs.next()), b = pair.theirs->run(inputs.next());
    if (!a) return tl::unexpected(a.error());
    if (!b) return tl::unexpected(b.error());
    if (a->resultBits != b->resultBits) return unavailable(pair.id + ": the two results differ.");
    pairs.push_back(std::move(pair));
  }
  for (std::uint32_t turn = 0; turn < samples; ++turn)
    for (Pair& pair : pairs)
      if (auto sampled = sampleBoth(pair, inputs, turn); !sampled) return sampled;

  std::printf("%s, int +, 2^24 elements, 256 threads per block, %u samples, medians\n",
              (*runner)->memoryFacts()->name.c_str(), samples);
  std::printf("%-24s %12s %16s %8s  %s\n", "variant", "ours (us)", "hand-written", "ratio", "95 %");
  for (const Pair& pair : pairs) {
    const auto ratio = measure::ratioOf(pair.oursSamples, pair.theirsSamples);
    const auto median = [](const std::vector<model::TimingSample>& taken) {
      std::vector<float> values;
      for (const model::TimingSample& sample : taken) values.push_back(sample.microseconds);
      return measure::summarize(values).median;
    };
    std::printf("%-24s %12.2f %16.2f %8.4f  %.4f to %.4f\n", pair.id.c_str(), median(pair.oursSamples),
                median(pair.theirsSamples), ratio->median, ratio->interval.low, ratio->interval.high);
  }
  return {};
}

}  // namespace
}  // namespace stridescope::bench

int main(int argc, char** argv) {
  const unsigned long requested = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  const auto measured = stridescope::bench::measure(requested > 0 ? std::uint32_t(requested) : 201);
  if (measured) return 0;
  std::printf("SKIPPED: %s\n", measured.error().sentence.c_str());
  return 0;
}
