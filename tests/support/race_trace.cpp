#include "support/race_trace.h"

#include "support/trace_builder.h"

namespace stridescope::support {
namespace {

constexpr const char* kText = R"(__global__ void missing_barrier(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[tid];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2)
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
}
)";

}  // namespace

model::Trace raceTrace(unsigned threads) {
  TraceBuilder trace(threads);
  trace.useKernelText(kText);
  const auto in = trace.buffer("in", threads);
  const auto data = trace.sharedArray("data", threads);
  for (unsigned i = 0; i < threads; ++i) trace.poke(in, i, i);
  const auto loadIn = trace.site({.kind = model::SiteKind::Load, .text = "in[tid]"});
  const auto fill = trace.site({.kind = model::SiteKind::Store, .text = "data[tid]"});
  const auto barrier = trace.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto loop = trace.site({.kind = model::SiteKind::Loop, .text = "s > 0"});
  const std::vector<int> inLoop{int(loop)};
  const auto branch = trace.site({.kind = model::SiteKind::Branch, .text = "tid < s", .loops = inLoop});
  constexpr int kStatement = 100;
  const auto loadA = trace.site({.kind = model::SiteKind::Load,
                                 .text = "data[tid]",
                                 .loops = inLoop,
                                 .statement = kStatement,
                                 .occurrence = 3});
  const auto loadB = trace.site(
      {.kind = model::SiteKind::Load, .text = "data[tid + s]", .loops = inLoop, .statement = kStatement});
  const auto store = trace.site({.kind = model::SiteKind::Store,
                                 .text = "data[tid]",
                                 .loops = inLoop,
                                 .statement = kStatement,
                                 .occurrence = 2});
  for (unsigned t = 0; t < threads; ++t) trace.store(t, fill, data, t, trace.load(t, loadIn, in, t));
  trace.blockBarrier(barrier);
  for (unsigned t = 0; t < threads; ++t) {
    for (unsigned s = threads / 2; s > 0; s /= 2) {
      trace.branch(t, loop, true);
      trace.branch(t, branch, t < s);
      if (t >= s) continue;
      const std::uint64_t a = trace.load(t, loadA, data, t), b = trace.load(t, loadB, data, t + s);
      trace.store(t, store, data, t, a + b);
    }
    trace.branch(t, loop, false);
  }
  model::Trace built = trace.build();
  built.experiment.variant = "missing_barrier";
  built.experiment.elements = threads;
  built.result = std::to_string(trace.peek(data, 0));
  built.expected = std::to_string(threads * (threads - 1) / 2);
  return built;
}

}  // namespace stridescope::support
