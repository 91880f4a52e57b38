#include "support/ladder_trace.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "support/trace_builder.h"

namespace stridescope::support {
namespace {

template <class T>
std::uint64_t bitsOf(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T sumOf(std::uint64_t a, std::uint64_t b) {
  T x, y;
  std::memcpy(&x, &a, sizeof x);
  std::memcpy(&y, &b, sizeof y);
  return T(x + y);
}

// Which pairs are combined in each stride of the variant's loop, and how its condition reads.
struct LoopRule {
  std::string_view loopText, branchText, targetText, operandText;
  bool halving;  // the stride goes down from half the block, else up from 1
  unsigned lastStride;
  // The thread's target element, or -1 if it sits this stride out.
  int (*targetOf)(unsigned thread, unsigned stride, unsigned threads);
};

int moduloTarget(unsigned thread, unsigned stride, unsigned) {
  return thread % (2 * stride) == 0 ? int(thread) : -1;
}
int contiguousTarget(unsigned thread, unsigned stride, unsigned threads) {
  const unsigned index = 2 * stride * thread;
  return index < threads ? int(index) : -1;
}
int sequentialTarget(unsigned thread, unsigned stride, unsigned) {
  return thread < stride ? int(thread) : -1;
}

LoopRule ruleOf(std::string_view variant) {
  if (variant == "interleaved_modulo")
    return {"s < blockDim.x", "tid % (2 * s) == 0", "data[tid]", "data[tid + s]", false, 0, moduloTarget};
  if (variant == "interleaved_contiguous")
    return {"s < blockDim.x", "index < blockDim.x", "data[index]", "data[index + s]", false, 0,
            contiguousTarget};
  if (variant == "sequential" || variant == "first_add_on_load")
    return {"s > 0", "tid < s", "data[tid]", "data[tid + s]", true, 1, sequentialTarget};
  if (variant == "unrolled_last_warp")
    return {"s > 32", "tid < s", "data[tid]", "data[tid + s]", true, 64, sequentialTarget};
  throw std::logic_error("no rung of the ladder: " + std::string(variant));
}

template <class T>
class Ladder {
 public:
  Ladder(std::string_view variant, unsigned threads, model::ElementType type)
      : variant_(variant),
        rule_(ruleOf(variant)),
        threads_(threads),
        addsOnLoad_(variant == "first_add_on_load" || variant == "unrolled_last_warp"),
        unrolls_(variant == "unrolled_last_warp"),
        elements_(addsOnLoad_ ? 2 * threads : threads),
        trace_(threads, type) {}

  model::Trace run() {
    trace_.useKernelText(kernels::kernelText(variant_));
    in_ = trace_.buffer("in", elements_);
    out_ = trace_.buffer("out", 1);
    data_ = trace_.sharedArray("data", threads_);
    for (unsigned i = 0; i < elements_; ++i) trace_.poke(in_, i, bitsOf(T(i)));
    if (unrolls_) addTailSites();  // the function stands before the kernel
    loadInput();
    reduceInLoop();
    if (unrolls_) reduceLastWarp();
    writeResult();
    return trace_.build();
  }

  std::uint64_t result() const { return trace_.peek(out_, 0); }
  unsigned elements() const { return elements_; }

 private:
  void loadInput() {
    // "data[tid]" stands in the text first as the target of the first statement, but after the function's own
    // uses.
    const int tailUses = unrolls_ ? 7 : 0;
    const auto load = trace_.site({.kind = model::SiteKind::Load,
                                   .text = addsOnLoad_ ? "in[i]" : "in[blockIdx.x * blockDim.x + tid]",
                                   .statement = 100});
    const auto second =
        addsOnLoad_
            ? trace_.site({.kind = model::SiteKind::Load, .text = "in[i + blockDim.x]", .statement = 100})
            : load;
    const auto store = trace_.site(
        {.kind = model::SiteKind::Store, .text = "data[tid]", .statement = 100, .occurrence = 1 + tailUses});
    const auto barrier = trace_.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    for (unsigned t = 0; t < threads_; ++t) {
      std::uint64_t bits = trace_.load(t, load, in_, t);
      if (addsOnLoad_) bits = bitsOf(sumOf<T>(bits, trace_.load(t, second, in_, t + threads_)));
      trace_.store(t, store, data_, t, bits);
    }
    trace_.blockBarrier(barrier);
  }

  void reduceInLoop() {
    const bool sameTarget = rule_.targetText == "data[tid]";  // as in the first statement
    const int uses = (sameTarget ? 1 : 0) + (unrolls_ ? 7 : 0);
    const auto loop = trace_.site({.kind = model::SiteKind::Loop, .text = std::string(rule_.loopText)});
    const std::vector<int> inLoop{int(loop)};
    const auto branch = trace_.site(
        {.kind = model::SiteKind::Branch, .text = std::string(rule_.branchText), .loops = inLoop});
    const auto loadA = trace_.site({.kind = model::SiteKind::Load,
                                    .text = std::string(rule_.targetText),
                                    .loops = inLoop,
                                    .statement = 200,
                                    .occurrence = uses + 2});
    const auto loadB = trace_.site({.kind = model::SiteKind::Load,
                                    .text = std::string(rule_.operandText),
                                    .loops = inLoop,
                                    .statement = 200});
    const auto store = trace_.site({.kind = model::SiteKind::Store,
                                    .text = std::string(rule_.targetText),
                                    .loops = inLoop,
                                    .statement = 200,
                                    .occurrence = uses + 1});
    const auto barrier = trace_.site(
        {.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()", .loops = inLoop, .occurrence = 2});
    unsigned s = rule_.halving ? threads_ / 2 : 1;
    for (; rule_.halving ? s >= rule_.lastStride : s < threads_; s = rule_.halving ? s / 2 : s * 2) {
      for (unsigned t = 0; t < threads_; ++t) {
        trace_.branch(t, loop, true);
        const int target = rule_.targetOf(t, s, threads_);
        trace_.branch(t, branch, target >= 0);
        if (target < 0) continue;
        const std::uint64_t a = trace_.load(t, loadA, data_, unsigned(target));
        const std::uint64_t b = trace_.load(t, loadB, data_, unsigned(target) + s);
        trace_.store(t, store, data_, unsigned(target), bitsOf(sumOf<T>(a, b)));
      }
      trace_.blockBarrier(barrier);
    }
    for (unsigned t = 0; t < threads_; ++t) trace_.branch(t, loop, false);
  }

  struct TailStep {
    unsigned stride;
    std::uint32_t load, value, afterLoad, store, afterStore;
  };

  void addTailSites() {
    firstLoad_ = trace_.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
    firstValue_ = trace_.site({.kind = model::SiteKind::Assign, .text = "value"});
    const char* texts[] = {"data[tid + 32]", "data[tid + 16]", "data[tid +  8]",
                           "data[tid +  4]", "data[tid +  2]", "data[tid +  1]"};
    for (int i = 0; i < 6; ++i) {
      TailStep& step = tail_.emplace_back();
      step.stride = 32u >> i;
      step.load = trace_.site({.kind = model::SiteKind::Load, .text = texts[i]});
      // "value" stands once in the first line, then three times for each step: assigned, read, stored.
      step.value = trace_.site({.kind = model::SiteKind::Assign, .text = "value", .occurrence = 3 * i + 2});
      step.afterLoad = trace_.site(
          {.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()", .occurrence = 2 * i + 1});
      step.store = trace_.site({.kind = model::SiteKind::Store, .text = "data[tid]", .occurrence = i + 2});
      step.afterStore = trace_.site(
          {.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()", .occurrence = 2 * i + 2});
    }
  }

  void reduceLastWarp() {
    const auto branch = trace_.site({.kind = model::SiteKind::Branch, .text = "tid < 32"});
    for (unsigned t = 0; t < threads_; ++t) trace_.branch(t, branch, t < model::kWarpSize);
    std::vector<std::uint64_t> value(model::kWarpSize);
    for (unsigned t = 0; t < model::kWarpSize; ++t)
      value[t] = trace_.assign(t, firstValue_, trace_.load(t, firstLoad_, data_, t));
    for (const TailStep& step : tail_) {
      for (unsigned t = 0; t < model::kWarpSize; ++t)
        value[t] = trace_.assign(
            t, step.value, bitsOf(sumOf<T>(value[t], trace_.load(t, step.load, data_, t + step.stride))));
      trace_.warpBarrier(step.afterLoad, 0);
      for (unsigned t = 0; t < model::kWarpSize; ++t) trace_.store(t, step.store, data_, t, value[t]);
      trace_.warpBarrier(step.afterStore, 0);
    }
  }

  void writeResult() {
    const auto branch = trace_.site({.kind = model::SiteKind::Branch, .text = "tid == 0"});
    const auto load = trace_.site({.kind = model::SiteKind::Load, .text = "data[0]", .statement = 300});
    const auto store =
        trace_.site({.kind = model::SiteKind::Store, .text = "out[blockIdx.x]", .statement = 300});
    for (unsigned t = 0; t < threads_; ++t) trace_.branch(t, branch, t == 0);
    trace_.store(0, store, out_, 0, trace_.load(0, load, data_, 0));
  }

  std::string_view variant_;
  LoopRule rule_;
  unsigned threads_;
  bool addsOnLoad_, unrolls_;
  unsigned elements_;
  TraceBuilder trace_;
  std::uint32_t in_ = 0, out_ = 0, data_ = 0, firstLoad_ = 0, firstValue_ = 0;
  std::vector<TailStep> tail_;
};

template <class T>
model::Trace runLadder(std::string_view variant, unsigned threads, model::ElementType type) {
  Ladder<T> ladder(variant, threads, type);
  model::Trace trace = ladder.run();
  trace.experiment.variant = variant;
  trace.experiment.elements = ladder.elements();
  trace.launches[0].elements = ladder.elements();
  trace.preamble = kernels::preambleOf(trace.kernelText, type, model::Operator::Add, threads);
  trace.executor.device = "CPU executor";
  T sum = 0;
  for (unsigned i = 0; i < ladder.elements(); ++i) sum = T(sum + T(i));
  trace.result = model::printElement(type, ladder.result());
  trace.expected = model::printElement(type, bitsOf(sum));
  trace.ok = trace.result == trace.expected;
  return trace;
}

}  // namespace

model::Trace ladderTrace(std::string_view variant, unsigned threads, model::ElementType type) {
  switch (type) {
    case model::ElementType::Int:
      return runLadder<int>(variant, threads, type);
    case model::ElementType::Unsigned:
      return runLadder<unsigned>(variant, threads, type);
    case model::ElementType::Int64:
      return runLadder<long long>(variant, threads, type);
    case model::ElementType::Float:
      return runLadder<float>(variant, threads, type);
    case model::ElementType::Double:
      return runLadder<double>(variant, threads, type);
  }
  throw std::logic_error("no such element type");
}

bool hasLadderTrace(std::string_view variant) {
  constexpr std::string_view kKnown[] = {"interleaved_modulo", "interleaved_contiguous", "sequential",
                                         "first_add_on_load", "unrolled_last_warp"};
  return std::ranges::find(kKnown, variant) != std::end(kKnown);
}

}  // namespace stridescope::support
