#include "launch_runner.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/host/executor/grid_runner.h"
#include "model/trace_check.h"

namespace stridescope::engine::host {
namespace {

using recording::BlockOutcome;

// The kernel's arguments as cuLaunchKernel takes them: a pointer to each, in order.
struct Arguments {
  std::vector<std::uint64_t> values;  // addresses, or numbers: little-endian, a narrower one reads its part
  std::vector<void*> pointers;
  std::vector<recording::MemoryRange> ranges;  // the buffers', in order
  std::vector<std::string> names;              // the buffers'
};

Arguments laidOut(const std::vector<KernelArgument>& given) {
  Arguments arguments;
  for (const KernelArgument& argument : given) {
    arguments.values.push_back(argument.value);
    if (!argument.isBuffer) continue;
    arguments.ranges.push_back({argument.value, argument.bytes});
    arguments.names.push_back(argument.name);
  }
  for (std::uint64_t& value : arguments.values) arguments.pointers.push_back(&value);
  return arguments;
}

dim3 inRuntime(const model::Dim3& size) { return {unsigned(size.x), size.y, size.z}; }

// A thread that goes through its elements in a loop makes some events for each of them, and in a merge all
// threads make some for each value at each stride: more than are recorded. Who makes more than these does not
// end.
constexpr std::uint64_t kEventsPerElement = 16, kEventsPerMergedValue = 256;
constexpr std::uint64_t kMaxEventsPerThread = 0xffff0000;  // they are counted in 32 bits

std::uint64_t eventsAllowed(const kernels::LaunchShape& shape, const RecordLimits& limits) {
  const bool merges = std::ranges::any_of(shape.arguments, [](const kernels::PlannedArgument& argument) {
    return argument.parameter.role == model::ParameterRole::Merged;
  });
  const std::uint64_t threads = std::max<std::uint64_t>(1, shape.grid.count() * shape.block.count());
  const std::uint64_t perThread = merges ? shape.elements : shape.elements / threads;
  const std::uint64_t needed =
      perThread > 1 ? perThread * (merges ? kEventsPerMergedValue : kEventsPerElement) : 0;
  return std::clamp(needed, limits.eventsPerThread, std::max(limits.eventsPerThread, kMaxEventsPerThread));
}

// The first buffer in which the blocks' results are joined, as the executor counts buffers; -1: none.
int joiningBuffer(const std::vector<model::Array>& buffers) {
  const auto found = std::ranges::find_if(
      buffers, [](const model::Array& buffer) { return buffer.role && model::joinsBlocks(*buffer.role); });
  return found == buffers.end() ? -1 : int(found - buffers.begin());
}

void keepRecord(recording::BlockRecord record, const HostLaunchInput& input, model::LaunchTrace& trace) {
  trace.recorded().events = std::move(record.events);
  trace.recorded().first = std::move(record.first);
  trace.recorded().barrierCopies = std::move(record.barrierCopies);
  trace.recorded().copied = std::move(record.copied);
  trace.recorded().cut = record.cut;
  for (std::size_t k = 0; k < record.sharedBytes.size(); ++k)
    trace.recorded().shared.push_back(
        {input.text.shared[k].name, input.kernel.sharedElementBytes[k], record.sharedBytes[k]});
}

}  // namespace

Result<RecordedLaunch> runLaunch(recording::BlockRunner& runner, const HostLaunchInput& input,
                                 const RecordLimits& limits, const JobControl& job,
                                 const std::function<void(double fraction)>& done) {
  Arguments arguments = laidOut(input.arguments);
  recording::HostLaunch launch;
  if (const auto fault = model::faultOfShape(input.shape.grid, input.shape.block))
    return usageError("The CPU executor cannot launch " + *fault +
                      ". Choose another block size, or fewer elements.");
  launch.grid = inRuntime(input.shape.grid);
  launch.block = inRuntime(input.shape.block);
  launch.dynamicSharedBytes = input.shape.sharedBytes;
  launch.kernel = input.kernel.call;
  launch.arguments = arguments.pointers.data();
  launch.buffers = arguments.ranges;
  launch.bufferNames = arguments.names;
  for (const instrument::SharedDeclaration& array : input.text.shared)
    launch.sharedNames.push_back(array.name);
  launch.goesOnUnrecorded = true;
  launch.eventsPerThread = eventsAllowed(input.shape, limits);
  launch.recordedPerThread = limits.eventsPerThread;
  launch.traceBytes = limits.traceBytes;
  launch.cancel = &job.cancel;
  launch.schedule = input.schedule;
  launch.scheduleSeed = input.scheduleSeed;
  RecordedLaunch result;
  model::LaunchTrace& trace = result.trace;
  trace.setShape(input.shape.grid, input.shape.block);
  trace.recorded().block = input.shape.inspected;
  trace.buffers = buffersAmong(input.arguments);
  if (input.shape.grid.count() > 1) launch.joiningBuffer = joiningBuffer(trace.buffers);
  launch.isLoad = [&sites = input.text.sites](recording::U32 site) {
    return site < sites.size() && sites[site].kind == model::SiteKind::Load;
  };
  if (std::string hindrance = runner.begin(launch); !hindrance.empty())
    return unavailable(std::move(hindrance));

  using Clock = std::chrono::steady_clock;
  constexpr auto kBetweenReports = std::chrono::milliseconds(10);
  auto reported = Clock::now();
  const auto noMemory = tl::unexpected(outOfMemory("recording a block"));
  BlockOutcome outcome = BlockOutcome::Finished;
  const std::uint64_t blocks = input.shape.grid.count();
  recording::GridRunner grid(runner, unsigned(input.shape.block.count()),
                             {blocks, input.shape.inspected, input.blockOrder, input.blockOrderSeed});
  while (grid.ended() < blocks && outcome == BlockOutcome::Finished) {
    outcome = grid.endOne();
    if (outcome == BlockOutcome::NoMemory) return noMemory;
    if (job.cancel.load(std::memory_order_relaxed)) outcome = BlockOutcome::Cancelled;
    if (const auto now = Clock::now(); now - reported >= kBetweenReports) {
      reported = now;
      done(double(grid.ended()) / double(blocks));
    }
  }
  if (outcome == BlockOutcome::Stopped) {  // perhaps another block failed: the inspected one is shown
    const BlockOutcome ofInspected = grid.endInspected();
    if (ofInspected == BlockOutcome::NoMemory) return noMemory;
    if (ofInspected == BlockOutcome::Cancelled) outcome = ofInspected;
  }
  keepRecord(grid.takeRecord(), input, trace);
  if (outcome == BlockOutcome::Cancelled) return cancelled();
  trace.recorded().problems = runner.problems();
  trace.arrivals = runner.arrivals();
  result.finished = outcome == BlockOutcome::Finished;
  return result;
}

}  // namespace stridescope::engine::host
