#include "launch_runner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "engine/host/executor/grid_runner.h"
#include "model/remote_acts.h"
#include "model/trace_check.h"

namespace stridescope::engine::host {
namespace {

using recording::BlockOutcome;

// The kernel's arguments as cuLaunchKernel takes them: a pointer to each, in order.
struct Arguments {
  // Addresses, or numbers: little-endian, a narrower one reads its part. A struct of pointers has several.
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<void*> pointers;

  explicit Arguments(const std::vector<KernelArgument>& given) {
    for (const KernelArgument& argument : given) {
      if (argument.of != model::ParameterOf::All) {
        values.push_back({argument.value});
        continue;
      }
      // As the kernel's own struct, a row of pointers of this machine, or of a page's 32 bits. Who reaches
      // for a device that is not there finds null.
      std::array<std::uintptr_t, model::kMaxGpus> row{};
      std::ranges::copy(argument.copies, row.begin());
      std::memcpy(values.emplace_back(row.size(), 0).data(), row.data(), sizeof(row));
    }
    for (std::vector<std::uint64_t>& value : values) pointers.push_back(value.data());
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
};

// Where the buffers lie, and what sentences call them: of several devices the copies of each.
void placeBuffers(const std::vector<KernelArgument>& given, recording::HostLaunch& launch) {
  for (const KernelArgument& argument : given) {
    if (!argument.isBuffer) continue;
    if (argument.copies.empty()) {
      launch.buffers.push_back({argument.value, argument.bytes});
      launch.bufferNames.push_back(argument.name);
    }
    for (std::size_t device = 0; device < argument.copies.size(); ++device) {
      launch.buffers.push_back({argument.copies[device], argument.bytes});
      launch.bufferNames.push_back(argument.name + " of GPU " + std::to_string(device));
    }
  }
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

// The first buffer in which the blocks' results are joined, as the executor counts buffers, that of the
// devices' before that of the blocks of one device; -1: none.
int joiningBuffer(const std::vector<model::Array>& buffers) {
  if (const auto inbox = model::indexOfRole(buffers, model::ParameterRole::Inbox)) return int(*inbox);
  const auto found = std::ranges::find_if(
      buffers, [](const model::Array& buffer) { return buffer.role && model::joinsBlocks(*buffer.role); });
  return found == buffers.end() ? -1 : int(found - buffers.begin());
}

void keepRecord(recording::BlockRecord record, const HostLaunchInput& input, model::BlockTrace& block) {
  block.events = std::move(record.events);
  block.first = std::move(record.first);
  block.barrierCopies = std::move(record.barrierCopies);
  block.copied = std::move(record.copied);
  block.cut = record.cut;
  for (std::size_t k = 0; k < record.sharedBytes.size(); ++k)
    block.shared.push_back(
        {input.text.shared[k].name, input.kernel.sharedElementBytes[k], record.sharedBytes[k]});
  block.others = model::remoteActs(std::move(record.remote), input.text.sites, block.shared);
}

// In the order of their places; the inspected one is shown. One that did not come to its end before the
// launch was stopped has no record, but for the inspected one.
void keepRecords(std::vector<std::pair<std::uint64_t, recording::BlockRecord>> records,
                 const HostLaunchInput& input, model::LaunchTrace& trace) {
  std::ranges::sort(records, {}, [](const auto& record) { return record.first; });
  const bool hasInspected =
      std::ranges::count(records, input.shape.inspected, [](const auto& record) { return record.first; }) > 0;
  if (!hasInspected) return;  // it has done nothing
  trace.blocks.clear();
  for (auto& [number, record] : records) {
    if (number == input.shape.inspected) trace.shown = unsigned(trace.blocks.size());
    model::BlockTrace& block = trace.blocks.emplace_back();
    block.block = number;
    block.device = unsigned(number / trace.blocksOfDevice());
    if (input.shape.cluster > 1) block.cluster = number / input.shape.cluster;
    keepRecord(std::move(record), input, block);
  }
}

}  // namespace

Result<RecordedLaunch> runLaunch(recording::BlockRunner& runner, const HostLaunchInput& input,
                                 const RecordLimits& limits, const JobControl& job,
                                 const std::function<void(double fraction)>& done) {
  const auto devices = unsigned(input.arguments.size());
  std::list<Arguments> arguments;
  for (const std::vector<KernelArgument>& each : input.arguments) arguments.emplace_back(each);
  recording::HostLaunch launch;
  if (const auto fault = model::faultOfShape(input.shape.grid, input.shape.block))
    return usageError("The CPU executor cannot launch " + *fault +
                      ". Choose another block size, or fewer elements.");
  launch.grid = inRuntime(input.shape.grid);
  launch.block = inRuntime(input.shape.block);
  launch.dynamicSharedBytes = input.shape.sharedBytes;
  launch.cluster = input.shape.cluster;
  launch.kernel = input.kernel.call;
  launch.arguments = arguments.front().pointers.data();
  launch.devices = devices;
  for (Arguments& each : arguments) launch.argumentsOfDevices.push_back(each.pointers.data());
  placeBuffers(input.arguments.front(), launch);
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
  const std::uint64_t blocks = input.shape.grid.count() * devices;
  trace.setShape(input.shape.grid, input.shape.block);
  trace.grid = blocks;
  trace.devices = devices;
  trace.recorded().block = input.shape.inspected;
  trace.recorded().device = unsigned(input.shape.inspected / trace.blocksOfDevice());
  if (input.shape.cluster > 1) trace.recorded().cluster = input.shape.inspected / input.shape.cluster;
  trace.buffers = buffersAmong(input.arguments.front());
  if (blocks > 1) launch.joiningBuffer = joiningBuffer(trace.buffers);
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
  recording::GridRunner grid(runner, unsigned(input.shape.block.count()),
                             {.blocks = blocks,
                              .inspected = input.shape.inspected,
                              .order = input.blockOrder,
                              .seed = input.blockOrderSeed,
                              .ofDevice = devices == 1 ? 0 : input.shape.grid.count(),
                              .cluster = input.shape.cluster});
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
  keepRecords(grid.takeRecords(), input, trace);
  if (outcome == BlockOutcome::Cancelled) return cancelled();
  trace.recorded().problems = runner.problems();
  trace.arrivals = runner.arrivals();
  result.finished = outcome == BlockOutcome::Finished;
  return result;
}

}  // namespace stridescope::engine::host
