#include "model/counters.h"

#include <algorithm>
#include <cmath>

#include "model/quantity.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

constexpr double kMaxCounterValue = 1e18, kMaxPercent = 100;

// The metrics' names are those of Nsight Compute's documentation (Profiling Guide, Metrics Reference), which
// CUPTI's range profiler takes as they are.
constexpr std::array<CounterFacts, kCounters.size()> kFacts{{
    {Counter::SharedLoadWavefronts, "shared_load_wavefronts", "Shared loads, wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", CounterUnit::Count,
     "How often shared memory was gone through to serve the loads."},
    {Counter::SharedStoreWavefronts, "shared_store_wavefronts", "Shared stores, wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", CounterUnit::Count,
     "How often shared memory was gone through to serve the stores."},
    {Counter::SharedLoadConflicts, "shared_load_conflicts", "Shared loads, bank conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", CounterUnit::Count,
     "Wavefronts of loads beyond those that a request takes without a conflict."},
    {Counter::SharedStoreConflicts, "shared_store_conflicts", "Shared stores, bank conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", CounterUnit::Count,
     "Wavefronts of stores beyond those that a request takes without a conflict."},
    {Counter::Instructions, "instructions", "Instructions executed", "smsp__inst_executed.sum",
     CounterUnit::Count,
     "One for each instruction that a warp executed, however many of its lanes were active."},
    {Counter::ThreadInstructions, "thread_instructions", "Thread instructions executed",
     "smsp__thread_inst_executed.sum", CounterUnit::Count,
     "One for each instruction and each active lane, whether its predicate was true or not."},
    {Counter::Branches, "branches", "Branches", "smsp__sass_inst_executed_op_branch.sum", CounterUnit::Count,
     "Branch instructions that warps executed."},
    {Counter::DivergentBranchTargets, "divergent_branch_targets", "Divergent branch targets",
     "smsp__sass_branch_targets_threads_divergent.sum", CounterUnit::Count,
     "Branch targets to which only some of a warp's active lanes went."},
    {Counter::AchievedOccupancy, "achieved_occupancy", "Achieved occupancy",
     "sm__warps_active.avg.pct_of_peak_sustained_active", CounterUnit::Percent,
     "Warps resident on an SM that has any, on average, of the most that it can hold."},
    {Counter::DramReadBytes, "dram_read_bytes", "DRAM bytes read", "dram__bytes_read.sum", CounterUnit::Bytes,
     "From device memory's chips; what L2 had is not among them."},
    {Counter::DramWrittenBytes, "dram_written_bytes", "DRAM bytes written", "dram__bytes_write.sum",
     CounterUnit::Bytes,
     "To device memory's chips: also what earlier kernels left in L2, and not what stays there."},
    {Counter::DramShare, "dram_share", "DRAM, share of its peak",
     "dram__throughput.avg.pct_of_peak_sustained_elapsed", CounterUnit::Percent,
     "Of the most that the memory chips can move, over the kernel's whole time."},
    {Counter::L2HitRate, "l2_hit_rate", "L2 hit rate", "lts__t_sector_hit_rate.pct", CounterUnit::Percent,
     "Sectors of 32 bytes that L2 had when they were asked for."},
    {Counter::StallBarrier, "stall_barrier", "Warps stalled: barrier",
     "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", CounterUnit::Warps,
     "They wait at __syncthreads() for the other warps of their block."},
    {Counter::StallLongScoreboard, "stall_long_scoreboard", "Warps stalled: long scoreboard",
     "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", CounterUnit::Warps,
     "They wait for what was loaded from device memory or a cache."},
    {Counter::StallShortScoreboard, "stall_short_scoreboard", "Warps stalled: short scoreboard",
     "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", CounterUnit::Warps,
     "They wait for what was loaded from shared memory, or for a shuffle."},
    {Counter::StallMioThrottle, "stall_mio_throttle", "Warps stalled: MIO throttle",
     "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio", CounterUnit::Warps,
     "The queue of shared-memory instructions, shuffles and special functions is full."},
    {Counter::StallMathPipeThrottle, "stall_math_pipe_throttle", "Warps stalled: math pipe throttle",
     "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", CounterUnit::Warps,
     "The arithmetic pipeline that they need is in use."},
    {Counter::StallBranchResolving, "stall_branch_resolving", "Warps stalled: branch resolving",
     "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio", CounterUnit::Warps,
     "They wait until the target of a branch is known."},
    {Counter::StallWait, "stall_wait", "Warps stalled: wait",
     "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", CounterUnit::Warps,
     "They wait out the fixed latency of the instruction before."},
    {Counter::StallNotSelected, "stall_not_selected", "Warps not selected",
     "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio", CounterUnit::Warps,
     "They could issue, and another warp did."},
}};

}  // namespace

std::span<const CounterFacts> counterFacts() { return kFacts; }

const CounterFacts& factsOf(Counter counter) {
  return *std::ranges::find(kFacts, counter, &CounterFacts::counter);
}

std::string_view nameOf(Counter counter) { return factsOf(counter).id; }

std::optional<double> LaunchCounters::find(Counter counter) const {
  const auto found = std::ranges::find(values, counter, &CounterValue::counter);
  if (found == values.end()) return std::nullopt;
  return factsOf(counter).unit == CounterUnit::Percent ? std::min(found->value, kMaxPercent) : found->value;
}

static std::optional<std::string> faultOf(const LaunchCounters& launch) {
  if (launch.grid == 0 || launch.block == 0 || launch.block > kMaxThreads)
    return "a launch has blocks or threads that cannot be";
  for (auto value = launch.values.begin(); value != launch.values.end(); ++value) {
    if (std::size_t(value->counter) >= kCounters.size()) return "a counter is unknown";
    if (!std::isfinite(value->value) || value->value < 0 || value->value > kMaxCounterValue)
      return "a counter is no number from 0 on";
    if (std::find_if(launch.values.begin(), value,
                     [&](const CounterValue& other) { return other.counter == value->counter; }) != value)
      return "a launch has a counter twice";
  }
  return std::nullopt;
}

std::optional<std::string> faultOf(const CounterRecord& record) {
  if (auto fault = faultOfOrigin(record.experiment, record.kernelHash, record.executor)) return fault;
  if (record.launches.empty() || record.launches.size() > kMaxLaunches)
    return "it has no launch, or too many of them";
  for (const LaunchCounters& launch : record.launches)
    if (auto fault = faultOf(launch)) return fault;
  return std::nullopt;
}

bool tellsOf(const CounterRecord& record, const Experiment& experiment) {
  return measuredExperiment(record.experiment) == measuredExperiment(experiment);
}

}  // namespace stridescope::model
