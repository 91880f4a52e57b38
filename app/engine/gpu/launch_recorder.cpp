#include "engine/gpu/launch_recorder.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <tuple>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "instrument/instrument.h"
#include "model/remote_acts.h"
#include "model/trace.h"
#include "model/trace_check.h"
#include "recording/gpu_control.h"

namespace stridescope::engine::gpu {
namespace {

// What the recording kernel reported, as problems for a person.

using recording::GpuReport;
using recording::GpuReportKind;

// " at data[tid + s] (line 12)", or nothing for a site that is not in the table.
std::string placeText(const GpuReport& report, const instrument::Instrumented& instrumented) {
  if (report.site >= instrumented.sites.size()) return {};
  const model::Site& site = instrumented.sites[report.site];
  return " at " + site.text + " (line " + std::to_string(site.line) + ")";
}

model::Problem problemOf(const GpuReport& report, const recording::GpuControl& control,
                         const instrument::Instrumented& instrumented) {
  const std::string thread = "Thread " + std::to_string(report.thread);
  const std::string place = placeText(report, instrumented);
  model::Problem problem{.kind = model::ProblemKind::Limit,
                         .text = {},
                         .site = place.empty() ? -1 : static_cast<int>(report.site),
                         .thread = report.thread};
  switch (report.kind) {
    case GpuReportKind::OutOfBounds:
      problem.kind = model::ProblemKind::OutOfBounds;
      problem.text = thread + " accesses memory outside every array and buffer" + place +
                     ". The access was left out; check the index.";
      break;
    case GpuReportKind::UndefinedShuffle:
      problem.kind = model::ProblemKind::UndefinedShuffle;
      problem.text = thread + " reads lane " + std::to_string(report.value) + ", which does not take part" +
                     place + ": what it receives is undefined.";
      break;
    case GpuReportKind::EventLimit:
      problem.text = thread + " made more than " + figure(control.eventLimit) +
                     " events and was stopped. Check that its loops end, or take fewer elements.";
      problem.site = -1;
      break;
    case GpuReportKind::SnapshotLimit:
      problem.text = "The block passed more than " + figure(control.slotLimit) +
                     " barriers; shared memory was copied at the first ones only.";
      break;
    case GpuReportKind::TimeLimit:
      problem.text = "The launch did not end within " + std::to_string(control.timeLimit / 1'000'000'000) +
                     " s; threads of blocks that are not inspected were stopped" + place +
                     ". Check that its loops end, or take fewer elements.";
      break;
  }
  return problem;
}

// One problem for each kind and site: its lowest thread's.
std::vector<model::Problem> problemsOf(const recording::GpuControl& control,
                                       const instrument::Instrumented& instrumented) {
  const std::size_t count = std::min(control.reportCount, recording::kMaxGpuReports);
  std::vector<GpuReport> reports(control.reports, control.reports + count);
  std::ranges::stable_sort(reports, {}, &GpuReport::thread);  // they come in any order

  std::vector<model::Problem> problems;
  for (const GpuReport& report : reports) {
    model::Problem problem = problemOf(report, control, instrumented);
    const bool known = std::ranges::any_of(problems, [&](const model::Problem& other) {
      return other.kind == problem.kind && other.site == problem.site;
    });
    if (!known) problems.push_back(std::move(problem));
  }
  return problems;
}

using recording::GpuControl;
using recording::kMaxSharedArrays;
using namespace std::chrono_literals;

// The log has room for every thread to make as many events, though few make many: larger than the trace may
// be.
constexpr std::uint64_t kMaxLogBytes = 512ull << 20;
constexpr std::uint64_t kMaxSlotBytes = 64ull << 20;
constexpr std::uint64_t kMaxSlots = 1 << 14;
constexpr std::uint64_t kStagingBytes = 8ull << 20;
constexpr auto kKernelTime = 10s;  // after it, other blocks than the inspected are stopped
constexpr auto kWaitingTime = kKernelTime + 5s;

CUdeviceptr countersAt(CUdeviceptr begin, std::uint64_t index) {
  return begin + index * sizeof(recording::U32);
}

template <class T>
T* devicePointer(CUdeviceptr address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

// Copied events go to `copied`, in the order that core.h states, and remote accesses to the acts beside the
// events; the others stay, thread after thread.
void separateEvents(model::LaunchTrace& trace, const std::vector<std::vector<model::Event>>& threads,
                    const instrument::Instrumented& instrumented) {
  std::vector<model::RemoteAccess> remote;
  trace.recorded().first.assign(1, 0);
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    std::uint32_t barriers = 0, blockBarriers = 0;
    for (const model::Event& event : threads[thread]) {
      if (event.kind() == model::EventKind::Copied) {
        trace.recorded().copied.push_back(
            {thread, barriers - 1, event});  // it follows the barrier that it belongs to
      } else if (event.kind() == model::EventKind::Remote) {
        remote.push_back(
            {.site = event.site(),
             .rank = std::uint32_t(event.value),
             .array = event.sharedArray(),
             .offset = event.offset(),
             .bytes = event.width(),
             .thread = thread,
             .eventsBefore = std::uint32_t(trace.recorded().events.size()) - trace.recorded().first.back(),
             .barriersBefore = blockBarriers});
      } else {
        trace.recorded().events.push_back(event);
        if (event.kind() == model::EventKind::WarpBarrier) ++barriers;
        if (event.kind() == model::EventKind::BlockBarrier) ++blockBarriers;
      }
    }
    trace.recorded().first.push_back(static_cast<std::uint32_t>(trace.recorded().events.size()));
  }
  trace.recorded().others = model::remoteActs(std::move(remote), instrumented.sites, trace.recorded().shared);
  const auto order = [](const model::BlockTrace::CopiedWord& word) {
    return std::tuple(word.thread, word.barrier, word.event.space(), word.event.offset());
  };
  std::ranges::stable_sort(trace.recorded().copied, {}, order);
  const auto isRepeat = [&](const auto& a, const auto& b) { return order(a) == order(b); };
  trace.recorded().copied.erase(
      std::unique(trace.recorded().copied.begin(), trace.recorded().copied.end(), isRepeat),
      trace.recorded().copied.end());
}

}  // namespace

LaunchRecorder::LaunchRecorder(GpuDevice& device, RecordLimits limits)
    : device_(device), limits_(limits), log_(device), counters_(device), slots_(device), staging_(device) {}

Result<RecordedLaunch> LaunchRecorder::record(GpuModule& module, const instrument::Instrumented& instrumented,
                                              const LaunchSize& size, std::uint64_t inspected,
                                              const std::vector<KernelArgument>& arguments) {
  if (std::ranges::count_if(arguments, &KernelArgument::isBuffer) > std::int64_t{recording::kMaxBuffers})
    return usageError("A kernel with more than " + std::to_string(recording::kMaxBuffers) +
                      " buffers cannot be recorded.");
  const auto room = makeRoom(module, size);
  if (!room) return tl::unexpected(room.error());
  STRIDESCOPE_TRY(start(module, size, inspected, arguments, *room));
  const auto counted = fetchCounters(module, size, *room);
  if (!counted) return tl::unexpected(counted.error());

  RecordedLaunch launch;
  model::LaunchTrace& trace = launch.trace;
  trace.setShape(size.grid, size.block);
  trace.recorded().block = inspected;
  if (size.cluster > 1) trace.recorded().cluster = inspected / size.cluster;
  trace.buffers = buffersAmong(arguments);
  for (std::size_t array = 0; array < instrumented.shared.size(); ++array) {
    const recording::SharedRange& range = counted->control.shared[array];
    trace.recorded().shared.push_back({instrumented.shared[array].name, range.elementBytes, range.bytes});
  }
  while (!trace.recorded().shared.empty() && trace.recorded().shared.back().bytes == 0)
    trace.recorded().shared.pop_back();  // never reached
  trace.recorded().problems = problemsOf(counted->control, instrumented);
  STRIDESCOPE_TRY(fetchEvents(trace, instrumented, *counted, *room));
  STRIDESCOPE_TRY(fetchSlots(trace, *counted, *room));
  launch.finished = allThreadsFinished(*counted, *room);
  return launch;
}

bool LaunchRecorder::allThreadsFinished(const Counted& counted, const Room& room) {
  const auto stopped = [&](std::uint32_t events) { return events > room.events; };
  return counted.control.stoppedThreads == 0 && std::ranges::none_of(counted.events, stopped);
}

Result<void> LaunchRecorder::makeReady() {
  if (logBytes_ == 0) {
    std::size_t free = 0, total = 0;
    STRIDESCOPE_TRY(device_.check(device_.api().cuMemGetInfo(&free, &total), "cuMemGetInfo",
                                  "ask how much GPU memory is free"));
    logBytes_ = std::clamp<std::uint64_t>(free / 4, 16ull << 20, kMaxLogBytes);
  }
  STRIDESCOPE_TRY(log_.reserve(logBytes_));
  return staging_.reserve(kStagingBytes);
}

Result<LaunchRecorder::Room> LaunchRecorder::makeRoom(const GpuModule& module, const LaunchSize& size) {
  const std::uint64_t threads = size.block.count();
  if (threads == 0 || threads > model::kMaxThreads)
    return usageError("A block of " + std::to_string(threads) + " threads cannot be run: 1 to 1024 can.");
  if (const auto fault = model::faultOfShape({}, size.block))
    return usageError("The GPU cannot launch " + *fault + ". Choose another shape.");
  Room room;
  room.slotBytes = recording::slotBytesOf(size.sharedBytes) +
                   recording::slotBytesOf(module.staticSharedBytes()) +
                   kMaxSharedArrays * recording::kSlotAlignment;
  room.slots = static_cast<std::uint32_t>(std::min(kMaxSlots, kMaxSlotBytes / room.slotBytes));
  room.counterBytes = (2 * threads + room.slots + 1) * sizeof(recording::U32);

  STRIDESCOPE_TRY(makeReady());
  room.events = static_cast<std::uint32_t>(
      std::min(limits_.eventsPerThread, logBytes_ / sizeof(model::Event) / threads));

  STRIDESCOPE_TRY(counters_.reserve(room.counterBytes));
  STRIDESCOPE_TRY(slots_.reserve(room.slots * room.slotBytes));
  return room;
}

Result<void> LaunchRecorder::start(GpuModule& module, const LaunchSize& size, std::uint64_t inspected,
                                   const std::vector<KernelArgument>& arguments, const Room& room) {
  const auto symbol = module.variable("recording_control", sizeof(GpuControl));
  if (!symbol) return tl::unexpected(symbol.error());
  control_ = *symbol;

  GpuControl control;
  control.events = devicePointer<recording::Event>(log_.address());
  control.counts = devicePointer<recording::U32>(counters_.address());
  control.barriers = devicePointer<recording::U32>(countersAt(counters_.address(), size.block.count()));
  control.tickets = devicePointer<recording::U32>(countersAt(counters_.address(), 2 * size.block.count()));
  control.slots = devicePointer<recording::U8>(slots_.address());
  control.slotBytes = room.slotBytes;
  control.inspectedBlock = inspected;
  control.timeLimit = std::chrono::nanoseconds(kKernelTime).count();
  control.eventLimit = room.events;
  control.slotLimit = room.slots;
  std::vector<std::uint64_t> values;
  std::size_t buffers = 0;
  for (const KernelArgument& argument : arguments) {
    if (argument.isBuffer) control.buffers[buffers++] = {argument.value, argument.bytes};
    values.push_back(argument.value);
  }

  const DriverApi& api = device_.api();
  std::memcpy(staging_.data(), &control, sizeof control);
  STRIDESCOPE_TRY(
      device_.check(api.cuMemcpyHtoDAsync(control_, staging_.data(), sizeof control, device_.stream()),
                    "cuMemcpyHtoDAsync", "set the recorder up"));
  STRIDESCOPE_TRY(
      device_.check(api.cuMemsetD8Async(counters_.address(), 0, room.counterBytes, device_.stream()),
                    "cuMemsetD8Async", "clear the recorder's counters"));
  return module.launch(size, values);
}

Result<LaunchRecorder::Counted> LaunchRecorder::fetchCounters(GpuModule& module, const LaunchSize& size,
                                                              const Room& room) {
  const DriverApi& api = device_.api();
  std::byte* const counters = staging_.data() + sizeof(GpuControl);
  const std::size_t threads = size.block.count();
  const std::size_t bytes = threads * sizeof(recording::U32);  // the size of the counts, then of the barriers
  const std::string doing = "record " + module.name();
  STRIDESCOPE_TRY(
      device_.check(api.cuMemcpyDtoHAsync(staging_.data(), control_, sizeof(GpuControl), device_.stream()),
                    "cuMemcpyDtoHAsync", doing));
  STRIDESCOPE_TRY(
      device_.check(api.cuMemcpyDtoHAsync(counters, counters_.address(), 2 * bytes, device_.stream()),
                    "cuMemcpyDtoHAsync", doing));
  STRIDESCOPE_TRY(device_.finish(doing, kWaitingTime));

  Counted counted;
  std::memcpy(static_cast<void*>(&counted.control), staging_.data(), sizeof(GpuControl));
  std::vector<std::uint32_t> barriers(threads);
  counted.events.resize(threads);
  std::memcpy(counted.events.data(), counters, bytes);
  std::memcpy(barriers.data(), counters + bytes, bytes);
  counted.barriers = *std::ranges::max_element(barriers);

  // What a kernel that runs wild wrote there must not lead this program astray.
  std::uint64_t sharedBytes = 0;
  for (const recording::SharedRange& range : counted.control.shared)
    sharedBytes += recording::slotBytesOf(std::min<std::uint64_t>(range.bytes, room.slotBytes + 1));
  if (sharedBytes > room.slotBytes)
    return unavailable("The record of " + module.name() +
                       " is damaged: the kernel wrote where it must not. Check its indices.");
  return counted;
}

Result<void> LaunchRecorder::copyBack(CUdeviceptr from, std::uint64_t bytes, std::string_view doing) {
  STRIDESCOPE_TRY(
      device_.check(device_.api().cuMemcpyDtoHAsync(staging_.data(), from, bytes, device_.stream()),
                    "cuMemcpyDtoHAsync", doing));
  return device_.finish(doing, kWaitingTime);
}

// The log's rows (event k of all threads) up to the longest thread's, as many at a time as the staging memory
// holds.
Result<void> LaunchRecorder::fetchEvents(model::LaunchTrace& trace,
                                         const instrument::Instrumented& instrumented, const Counted& counted,
                                         const Room& room) {
  const std::size_t threads = counted.events.size();
  std::vector<std::vector<model::Event>> columns(threads);
  std::uint64_t longest = 0, total = 0;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    trace.recorded().cut = trace.recorded().cut || counted.events[thread] > room.events;
    const std::uint32_t count = std::min(counted.events[thread], room.events);
    columns[thread].reserve(count);
    longest = std::max<std::uint64_t>(longest, count);
    total += count;
  }
  if (total * sizeof(model::Event) > limits_.traceBytes) {
    trace.recorded().cut = true;
    longest = std::min<std::uint64_t>(longest, limits_.traceBytes / sizeof(model::Event) / threads);
    trace.recorded().problems.push_back({.kind = model::ProblemKind::Limit,
                                         .text = "The trace is larger than " + bytesText(limits_.traceBytes) +
                                                 "; of each thread the first " + figure(longest) +
                                                 " events were kept. Take fewer elements.",
                                         .site = -1,
                                         .thread = 0});
  }

  const std::uint64_t rowBytes = std::max<std::uint64_t>(threads, 1) * sizeof(model::Event);
  const std::uint64_t rowsAtOnce = kStagingBytes / rowBytes;
  for (std::uint64_t row = 0; row < longest; row += rowsAtOnce) {
    const std::uint64_t rows = std::min(rowsAtOnce, longest - row);
    STRIDESCOPE_TRY(
        copyBack(log_.address() + row * rowBytes, rows * rowBytes, "copy the recorded events back"));
    for (std::size_t thread = 0; thread < threads; ++thread) {
      const std::uint64_t count = std::min<std::uint64_t>(counted.events[thread], room.events);
      const std::byte* source = staging_.data() + thread * sizeof(model::Event);
      for (std::uint64_t k = row; k < std::min(count, row + rows); ++k, source += rowBytes) {
        model::Event event;
        std::memcpy(static_cast<void*>(&event), source, sizeof event);
        columns[thread].push_back(event);
      }
    }
  }
  separateEvents(trace, columns, instrumented);
  return {};
}

Result<void> LaunchRecorder::fetchSlots(model::LaunchTrace& trace, const Counted& counted, const Room& room) {
  const std::uint64_t slots = std::min(counted.barriers, room.slots);
  const std::uint64_t slotsAtOnce = kStagingBytes / room.slotBytes;
  for (std::uint64_t slot = 0; slot < slots; slot += slotsAtOnce) {
    const std::uint64_t count = std::min(slotsAtOnce, slots - slot);
    STRIDESCOPE_TRY(copyBack(slots_.address() + slot * room.slotBytes, count * room.slotBytes,
                             "copy the snapshots back"));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::byte* source = staging_.data() + i * room.slotBytes;
      std::vector<std::uint8_t>& copy = trace.recorded().barrierCopies.emplace_back();
      for (const recording::SharedRange& range : counted.control.shared) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(source);
        copy.insert(copy.end(), bytes, bytes + range.bytes);
        source += recording::slotBytesOf(range.bytes);
      }
    }
  }
  return {};
}

}  // namespace stridescope::engine::gpu
