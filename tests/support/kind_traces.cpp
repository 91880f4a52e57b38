#include "support/kind_traces.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>

#include "support/trace_builder.h"

namespace stridescope::support {
namespace {

constexpr const char* kShuffleText = R"(__global__ void reduce(const T* in, T* out)
{
    __shared__ T partial[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    T value = in[threadIdx.x];
    for (unsigned d = 16; d > 0; d /= 2)
        value = combine(value, __shfl_down_sync(0xffffffff, value, d));
    if (lane == 0) partial[warp] = value;
    __syncthreads();

    if (warp == 0) {
        value = lane < blockDim.x / 32 ? partial[lane] : identity;
        for (unsigned d = 16; d > 0; d /= 2)
            value = combine(value, __shfl_down_sync(0xffffffff, value, d));
        if (lane == 0) out[blockIdx.x] = value;
    }
}
)";

constexpr const char* kWarpReduceText = R"(__global__ void reduce(const T* in, T* out)
{
    __shared__ T partial[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    T value = combineWarp(in[threadIdx.x]);
    if (lane == 0) partial[warp] = value;
    __syncthreads();

    if (warp == 0) {
        value = lane < blockDim.x / 32 ? partial[lane] : identity;
        value = combineWarp(value);
        if (lane == 0) out[blockIdx.x] = value;
    }
}
)";

constexpr const char* kGlobalText = R"(__global__ void reduce(T* array)
{
    unsigned tid = threadIdx.x;
    for (unsigned s = blockDim.x; s > 0; s /= 2) {
        if (tid < s) array[tid] = combine(array[tid], array[tid + s]);
        __syncthreads();
    }
}
)";

constexpr const char* kMergeText =
    R"(__global__ void merge(const T* values, const unsigned* starts, T* merged, unsigned* origin, unsigned n)
{
    extern __shared__ T heads[];
    __shared__ unsigned owners[1024];
    unsigned tid = threadIdx.x;
    unsigned head = starts[tid], end = starts[tid + 1];

    for (unsigned i = 0; i < n; i++) {
        heads[tid] = head < end ? values[head] : identity;
        owners[tid] = tid;
        __syncthreads();
        for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
            if (tid < s && heads[tid + s] < heads[tid]) {
                heads[tid] = heads[tid + s];
                owners[tid] = owners[tid + s];
            }
            __syncthreads();
        }
        if (tid == 0) {
            merged[i] = heads[0];
            origin[i] = owners[0];
        }
        if (tid == owners[0]) head++;
        __syncthreads();
    }
}
)";

constexpr const char* kGridStrideText = R"(__global__ void reduce(const T* in, T* total, unsigned n)
{
    T value = identity;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        value = combine(value, in[i]);
    combineAtomically(total, value);
}
)";

constexpr auto kSum = [](std::uint64_t a, std::uint64_t b) {
  return std::uint64_t(std::uint32_t(a) + std::uint32_t(b));
};

model::Trace finished(TraceBuilder& builder, const std::string& variant, std::uint64_t elements,
                      const std::string& result) {
  model::Trace trace = builder.build();
  trace.experiment.variant = variant;
  trace.experiment.elements = elements;
  trace.launches[0].elements = elements;
  trace.executor.device = "CPU executor";
  trace.preamble = "using T = int;\n";
  trace.result = trace.expected = result;
  trace.ok = true;
  return trace;
}

struct Loop {
  std::uint32_t loop, exchange;
};

// The five shuffles of some warps; `values` has one per thread.
void shuffleDown(TraceBuilder& trace, const Loop& sites, unsigned warps, std::vector<std::uint64_t>& values) {
  for (unsigned d = 16; d > 0; d /= 2)
    for (unsigned warp = 0; warp < warps; ++warp) {
      for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
        trace.branch(warp * model::kWarpSize + lane, sites.loop, true);
      const std::vector<std::uint64_t> given(values.begin() + warp * model::kWarpSize,
                                             values.begin() + (warp + 1) * model::kWarpSize);
      const auto sourceOf = [&](unsigned lane) { return lane + d < model::kWarpSize ? lane + d : lane; };
      trace.shuffle(sites.exchange, warp, sourceOf, [&](unsigned lane) { return given[lane]; });
      for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
        values[warp * model::kWarpSize + lane] = kSum(given[lane], given[sourceOf(lane)]);
    }
  for (unsigned thread = 0; thread < warps * model::kWarpSize; ++thread)
    trace.branch(thread, sites.loop, false);
}

void reduceWarps(TraceBuilder& trace, std::uint32_t site, unsigned warps,
                 std::vector<std::uint64_t>& values) {
  for (unsigned warp = 0; warp < warps; ++warp) {
    std::uint64_t sum = 0;
    const std::vector<std::uint64_t> given(values.begin() + warp * model::kWarpSize,
                                           values.begin() + (warp + 1) * model::kWarpSize);
    for (std::uint64_t value : given) sum = kSum(sum, value);
    trace.warpReduce(
        site, warp, [&](unsigned lane) { return given[lane]; }, sum);
    std::fill_n(values.begin() + warp * model::kWarpSize, model::kWarpSize, sum);
  }
}

// What the two kernels that reduce in registers have in common; `shuffles` or one warp reduction.
model::Trace registerTrace(unsigned threads, bool shuffles) {
  const unsigned warps = threads / model::kWarpSize;
  TraceBuilder trace(threads);
  trace.useKernelText(shuffles ? kShuffleText : kWarpReduceText);
  const auto in = trace.buffer("in", threads), out = trace.buffer("out", 1);
  const auto partial = trace.sharedArray("partial", 32);
  for (unsigned i = 0; i < threads; ++i) trace.poke(in, i, i);

  const auto exchangeSites = [&](int occurrence) -> Loop {
    if (!shuffles)
      return {
          0, trace.site(
                 {.kind = model::SiteKind::WarpOperation, .text = "combineWarp(", .occurrence = occurrence})};
    const auto loop = trace.site({.kind = model::SiteKind::Loop, .text = "d > 0", .occurrence = occurrence});
    return {loop, trace.site({.kind = model::SiteKind::WarpOperation,
                              .text = "__shfl_down_sync(0xffffffff, value, d)",
                              .loops = {int(loop)},
                              .occurrence = occurrence})};
  };
  const auto load = trace.site({.kind = model::SiteKind::Load, .text = "in[threadIdx.x]"});
  const Loop first = exchangeSites(1);
  const auto firstLane = trace.site({.kind = model::SiteKind::Branch, .text = "lane == 0"});
  const auto storePartial = trace.site({.kind = model::SiteKind::Store, .text = "partial[warp]"});
  const auto barrier = trace.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto firstWarp = trace.site({.kind = model::SiteKind::Branch, .text = "warp == 0"});
  const auto loadPartial = trace.site({.kind = model::SiteKind::Load, .text = "partial[lane]"});
  const Loop second = exchangeSites(2);
  const auto writer = trace.site({.kind = model::SiteKind::Branch, .text = "lane == 0", .occurrence = 2});
  const auto store = trace.site({.kind = model::SiteKind::Store, .text = "out[blockIdx.x]"});

  std::vector<std::uint64_t> values(threads);
  for (unsigned t = 0; t < threads; ++t) values[t] = trace.load(t, load, in, t);
  shuffles ? shuffleDown(trace, first, warps, values) : reduceWarps(trace, first.exchange, warps, values);
  for (unsigned t = 0; t < threads; ++t) {
    trace.branch(t, firstLane, t % model::kWarpSize == 0);
    if (t % model::kWarpSize == 0) trace.store(t, storePartial, partial, t / model::kWarpSize, values[t]);
  }
  trace.blockBarrier(barrier);
  for (unsigned t = 0; t < threads; ++t) trace.branch(t, firstWarp, t < model::kWarpSize);
  for (unsigned t = 0; t < model::kWarpSize; ++t)
    values[t] = t < warps ? trace.load(t, loadPartial, partial, t) : 0;
  shuffles ? shuffleDown(trace, second, 1, values) : reduceWarps(trace, second.exchange, 1, values);
  for (unsigned t = 0; t < model::kWarpSize; ++t) trace.branch(t, writer, t == 0);
  trace.store(0, store, out, 0, values[0]);
  return finished(trace, shuffles ? "warp_shuffle" : "warp_redux", threads, std::to_string(values[0]));
}

// The lists' heads and what the threads keep of them.
class Merger {
 public:
  Merger(const std::vector<std::vector<int>>& lists, int limit, bool ownersFirst)
      : lists_(lists),
        limit_(limit),
        ownersFirst_(ownersFirst),
        threads_(unsigned(lists.size())),
        trace_(threads_, model::ElementType::Int) {
    for (const auto& list : lists) {
      starts_.push_back(total_);
      total_ += unsigned(list.size());
    }
    starts_.push_back(total_);
  }

  model::Trace run() {
    addMemory();
    addSites();
    std::vector<unsigned> head(threads_);
    for (unsigned t = 0; t < threads_; ++t) {
      head[t] = unsigned(trace_.load(t, loadStart_, startsBuffer_, t));
      trace_.load(t, loadEnd_, startsBuffer_, t + 1);
    }
    const unsigned end = limit_ < 0 ? total_ : unsigned(limit_);
    for (unsigned i = 0; i < end; ++i) mergeOne(i, head);
    if (limit_ < 0)
      for (unsigned t = 0; t < threads_; ++t) trace_.branch(t, loop_, false);
    else
      loadHeads(head);  // the next element's, which is never found
    model::Trace trace = finished(trace_, "k_way_merge", total_, "merged");
    trace.experiment.op = model::Operator::Min;
    trace.experiment.lists = threads_;
    trace.launches[0].recorded().cut = limit_ >= 0;
    return trace;
  }

 private:
  void addMemory() {
    trace_.useKernelText(kMergeText);
    values_ = trace_.buffer("values", std::max(1u, total_));
    startsBuffer_ = trace_.buffer("starts", threads_ + 1);
    merged_ = trace_.buffer("merged", std::max(1u, total_));
    origin_ = trace_.buffer("origin", std::max(1u, total_));
    if (ownersFirst_) owners_ = trace_.sharedArray("owners", 1024);
    heads_ = trace_.sharedArray("heads", threads_);
    if (!ownersFirst_) owners_ = trace_.sharedArray("owners", 1024);
    for (unsigned t = 0; t < threads_; ++t)
      for (unsigned i = 0; i < lists_[t].size(); ++i)
        trace_.poke(values_, starts_[t] + i, std::uint32_t(lists_[t][i]));
    for (unsigned t = 0; t <= threads_; ++t) trace_.poke(startsBuffer_, t, starts_[t]);
  }

  std::uint32_t site(model::SiteKind kind, const char* text, int occurrence = 1,
                     std::vector<int> loops = {}) {
    return trace_.site({.kind = kind, .text = text, .loops = std::move(loops), .occurrence = occurrence});
  }

  void addSites() {
    loadStart_ = site(model::SiteKind::Load, "starts[tid]");
    loadEnd_ = site(model::SiteKind::Load, "starts[tid + 1]");
    loop_ = site(model::SiteKind::Loop, "i < n");
    const std::vector<int> in{int(loop_)};
    loadValue_ = site(model::SiteKind::Load, "values[head]", 1, in);
    storeHead_ = site(model::SiteKind::Store, "heads[tid]", 1, in);
    storeOwner_ = site(model::SiteKind::Store, "owners[tid]", 1, in);
    filled_ = site(model::SiteKind::BlockBarrier, "__syncthreads()", 1, in);
    strideLoop_ = site(model::SiteKind::Loop, "s > 0", 1, in);
    const std::vector<int> inner{int(loop_), int(strideLoop_)};
    loadOther_ = site(model::SiteKind::Load, "heads[tid + s]", 1, inner);
    loadOwn_ = site(model::SiteKind::Load, "heads[tid]", 2, inner);
    less_ = site(model::SiteKind::Branch, "tid < s && heads[tid + s] < heads[tid]", 1, inner);
    loadMoved_ = site(model::SiteKind::Load, "heads[tid + s]", 2, inner);
    moveHead_ = site(model::SiteKind::Store, "heads[tid]", 3, inner);
    loadOwner_ = site(model::SiteKind::Load, "owners[tid + s]", 1, inner);
    moveOwner_ = site(model::SiteKind::Store, "owners[tid]", 2, inner);
    strided_ = site(model::SiteKind::BlockBarrier, "__syncthreads()", 2, inner);
    first_ = site(model::SiteKind::Branch, "tid == 0", 1, in);
    loadFound_ = site(model::SiteKind::Load, "heads[0]", 1, in);
    storeMerged_ = site(model::SiteKind::Store, "merged[i]", 1, in);
    loadFrom_ = site(model::SiteKind::Load, "owners[0]", 1, in);
    storeOrigin_ = site(model::SiteKind::Store, "origin[i]", 1, in);
    loadWinner_ = site(model::SiteKind::Load, "owners[0]", 2, in);
    wins_ = site(model::SiteKind::Branch, "tid == owners[0]", 1, in);
    written_ = site(model::SiteKind::BlockBarrier, "__syncthreads()", 3, in);
  }

  void loadHeads(const std::vector<unsigned>& head) {
    for (unsigned t = 0; t < threads_; ++t) {
      trace_.branch(t, loop_, true);
      const bool live = head[t] < starts_[t + 1];
      trace_.store(t, storeHead_, heads_, t, live ? trace_.load(t, loadValue_, values_, head[t]) : INT_MAX);
      trace_.store(t, storeOwner_, owners_, t, t);
    }
    trace_.blockBarrier(filled_);
  }

  void mergeOne(unsigned i, std::vector<unsigned>& head) {
    loadHeads(head);
    for (unsigned s = threads_ / 2; s > 0; s /= 2) {
      for (unsigned t = 0; t < threads_; ++t) compare(t, s);
      trace_.blockBarrier(strided_);
    }
    for (unsigned t = 0; t < threads_; ++t) {
      trace_.branch(t, strideLoop_, false);
      trace_.branch(t, first_, t == 0);
      if (t == 0) {
        trace_.store(t, storeMerged_, merged_, i, trace_.load(t, loadFound_, heads_, 0));
        trace_.store(t, storeOrigin_, origin_, i, trace_.load(t, loadFrom_, owners_, 0));
      }
      const bool wins = trace_.load(t, loadWinner_, owners_, 0) == t;
      trace_.branch(t, wins_, wins);
      if (wins) ++head[t];
    }
    trace_.blockBarrier(written_);
  }

  void compare(unsigned t, unsigned s) {
    trace_.branch(t, strideLoop_, true);
    if (t >= s) return trace_.branch(t, less_, false);
    const auto other = std::int32_t(trace_.load(t, loadOther_, heads_, t + s));
    const bool moves = other < std::int32_t(trace_.load(t, loadOwn_, heads_, t));
    trace_.branch(t, less_, moves);
    if (!moves) return;
    trace_.store(t, moveHead_, heads_, t, trace_.load(t, loadMoved_, heads_, t + s));
    trace_.store(t, moveOwner_, owners_, t, trace_.load(t, loadOwner_, owners_, t + s));
  }

  const std::vector<std::vector<int>>& lists_;
  int limit_;
  bool ownersFirst_;
  unsigned threads_, total_ = 0;
  std::vector<unsigned> starts_;
  TraceBuilder trace_;
  std::uint32_t values_ = 0, startsBuffer_ = 0, merged_ = 0, origin_ = 0, heads_ = 0, owners_ = 0;
  std::uint32_t loadStart_ = 0, loadEnd_ = 0, loop_ = 0, loadValue_ = 0, storeHead_ = 0, storeOwner_ = 0,
                filled_ = 0, strideLoop_ = 0, loadOther_ = 0, loadOwn_ = 0, less_ = 0, loadMoved_ = 0,
                moveHead_ = 0, loadOwner_ = 0, moveOwner_ = 0, strided_ = 0, first_ = 0, loadFound_ = 0,
                storeMerged_ = 0, loadFrom_ = 0, storeOrigin_ = 0, loadWinner_ = 0, wins_ = 0, written_ = 0;
};

}  // namespace

model::Trace shuffleTrace(unsigned threads) { return registerTrace(threads, true); }

model::Trace warpReduceTrace(unsigned threads) { return registerTrace(threads, false); }

model::Trace globalMemoryTrace(unsigned threads) {
  TraceBuilder trace(threads);
  trace.useKernelText(kGlobalText);
  const auto array = trace.buffer("array", 2 * threads);
  for (unsigned i = 0; i < 2 * threads; ++i) trace.poke(array, i, i);
  const auto loop = trace.site({.kind = model::SiteKind::Loop, .text = "s > 0"});
  const std::vector<int> in{int(loop)};
  const auto branch = trace.site({.kind = model::SiteKind::Branch, .text = "tid < s", .loops = in});
  const auto loadA = trace.site(
      {.kind = model::SiteKind::Load, .text = "array[tid]", .loops = in, .statement = 200, .occurrence = 2});
  const auto loadB =
      trace.site({.kind = model::SiteKind::Load, .text = "array[tid + s]", .loops = in, .statement = 200});
  const auto store =
      trace.site({.kind = model::SiteKind::Store, .text = "array[tid]", .loops = in, .statement = 200});
  const auto barrier =
      trace.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()", .loops = in});
  for (unsigned s = threads; s > 0; s /= 2) {
    for (unsigned t = 0; t < threads; ++t) {
      trace.branch(t, loop, true);
      trace.branch(t, branch, t < s);
      if (t >= s) continue;
      const std::uint64_t a = trace.load(t, loadA, array, t), b = trace.load(t, loadB, array, t + s);
      trace.store(t, store, array, t, kSum(a, b));
    }
    trace.blockBarrier(barrier);
  }
  for (unsigned t = 0; t < threads; ++t) trace.branch(t, loop, false);
  return finished(trace, "global_memory", 2 * threads, std::to_string(trace.peek(array, 0)));
}

model::Trace mergeTrace(const std::vector<std::vector<int>>& lists, int elements, bool ownersFirst) {
  return Merger(lists, elements, ownersFirst).run();
}

model::Trace gridStrideTrace(unsigned threads, unsigned perThread) {
  TraceBuilder trace(threads);
  trace.useKernelText(kGridStrideText);
  const auto in = trace.buffer("in", threads * perThread), total = trace.buffer("total", 1);
  for (unsigned i = 0; i < threads * perThread; ++i) trace.poke(in, i, i);
  const auto loop = trace.site({.kind = model::SiteKind::Loop, .text = "i < n"});
  const auto load = trace.site({.kind = model::SiteKind::Load, .text = "in[i]", .loops = {int(loop)}});
  const auto atomic =
      trace.site({.kind = model::SiteKind::Atomic, .text = "combineAtomically(total, value)"});
  std::uint64_t left = 0;
  for (unsigned t = 0; t < threads; ++t) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < perThread; ++i) {
      trace.branch(t, loop, true);
      sum = kSum(sum, trace.load(t, load, in, t + i * threads));
    }
    trace.branch(t, loop, false);
    left = kSum(left, sum);
    trace.atomic(t, atomic, total, 0, sum, left);
  }
  return finished(trace, "grid_stride", threads * perThread, std::to_string(left));
}

}  // namespace stridescope::support
