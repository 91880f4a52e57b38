#include "engine/access/gpu/serve_gpu_accesses.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "base/numbers.h"
#include "engine/access/gpu/access_log.h"
#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/patched_kernels.h"
#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_device.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/stopwatch.h"
#include "engine/worker/rpc_server.h"
#include "model/measured_origin.h"

namespace stridescope::engine::access::gpu {
namespace {

using engine::gpu::DeviceMemory;
using engine::gpu::GpuDevice;
using engine::gpu::GpuSession;

constexpr std::uint64_t kEntries = 1ull << 21;
constexpr std::uint64_t kCopiesBytes = 64ull << 20;
constexpr std::uint32_t kMostCopies = 4096;
constexpr std::chrono::seconds kKernelTime{20};
constexpr unsigned kClockedRuns = 21, kClockedWarmUps = 3;  // caches and clocks settle
constexpr std::size_t kMostPrinted = 64 << 10;

// What the kernel prints, in place of this process's standard output, which is nobody's.
class Printed {
 public:
  Printed() : file_(::memfd_create("printed", MFD_CLOEXEC)), before_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    if (file_ >= 0) ::dup2(file_, STDOUT_FILENO);
  }
  ~Printed() {
    if (before_ >= 0) ::dup2(before_, STDOUT_FILENO), ::close(before_);
    if (file_ >= 0) ::close(file_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  std::string text() const {
    std::fflush(stdout);
    std::string text(kMostPrinted, '\0');
    const ssize_t bytes = file_ < 0 ? 0 : ::pread(file_, text.data(), text.size(), 0);
    text.resize(std::size_t(std::max<ssize_t>(bytes, 0)));
    return text;
  }

 private:
  int file_, before_;
};

class Run {
 public:
  Run(GpuSession& session, const SanitizerApi& sanitizer, const GpuAccessOrder& asked, JobControl& job)
      : session_(session),
        device_(*session.device),
        sanitizer_(sanitizer),
        asked_(asked),
        job_(job),
        arrays_(device_),
        log_(device_),
        entries_(device_),
        copies_(device_) {}

  Result<GpuAccessRecord> record() {
    if (job_.progress) job_.progress(0, "compiling " + asked_.order.textFile + " for the GPU");
    auto kernels = PatchedKernels::load(session_, sanitizer_, asked_, Patching::Accesses);
    if (!kernels) return tl::unexpected(kernels.error());
    kernels_ = *std::move(kernels);
    STRIDESCOPE_TRY(arrays_.fill(asked_.order.buffers));
    GpuAccessRecord answer{.executor = {.kind = model::EngineKind::Gpu,
                                        .device = device_.facts().name,
                                        .computeCapability = device_.facts().capabilityText(),
                                        .driver = session_.driverRelease,
                                        .compiler = session_.compilerName(),
                                        .recordedOn = model::utcNow()}};
    const Printed printed;
    AccessRecord& record = answer.record;
    record.finished = true;
    for (std::size_t k = 0; k < asked_.order.launches.size() && record.finished; ++k) {
      if (job_.cancel) return cancelled();
      const AccessLaunch& launch = asked_.order.launches[k];
      if (job_.progress) job_.progress(0, "running " + launch.function);
      auto ended = this->launch(launch, asked_.shared[k], record);
      if (!ended) return tl::unexpected(ended.error());
      record.finished = *ended;
    }
    auto buffers = arrays_.contents();
    if (!buffers) return tl::unexpected(buffers.error());
    record.buffers = *std::move(buffers);
    nameSites(record);
    record.printed = printed.text();
    if (asked_.isClocked && record.finished) STRIDESCOPE_TRY(clock(answer));
    answer.notes = notes();
    return answer;
  }

 private:
  // Whether it ended.
  Result<bool> launch(const AccessLaunch& asked, const SharedLayout& layout, AccessRecord& record) {
    auto window = kernels_->windowOf(asked.kernel, layout, asked.sharedBytes);
    if (!window) return tl::unexpected(window.error());
    model::LaunchTrace trace;
    trace.setShape(asked.grid, asked.block);
    trace.recorded().block = asked.inspected;
    LoggedBlock logged{.threads = unsigned(asked.block.count()),
                       .shared = window->arrays,
                       .windowBegin = window->begin,
                       .windowBytes = window->end - window->begin,
                       .eventsPerThread = asked_.order.eventsPerThread};
    for (const AccessArgument& argument : asked.arguments)
      for (const AccessPointer& pointer : argument.pointers) {
        const DeviceRange& range = arrays_.ranges()[pointer.buffer];
        if (std::ranges::count(logged.buffers, range.base, &DeviceRange::base) != 0) continue;
        logged.buffers.push_back(range);
        trace.buffers.push_back({.name = pointer.name, .elementBytes = 4, .bytes = range.bytes});
      }
    if (logged.buffers.size() > recording::kMaxBuffers)
      return limitMet(asked.function + " is given " + figure(logged.buffers.size()) + " arrays; " +
                      figure(recording::kMaxBuffers) + " can be recorded.");
    std::vector<std::vector<std::uint8_t>> values = arrays_.argumentsOf(asked);
    std::vector<void*> arguments;
    for (auto& value : values) arguments.push_back(value.data());

    patched::Log log;
    STRIDESCOPE_TRY(prepare(log, asked, logged, trace));
    STRIDESCOPE_TRY(kernels_->launch(asked, arguments, log_.address()));
    STRIDESCOPE_TRY(device_.finish("run " + asked.function, kKernelTime));
    STRIDESCOPE_TRY(fetch(log, logged));
    readLog(logged, instructions_, trace.recorded());
    for (std::size_t i = 0; i < missed_.size(); ++i) missed_[i] += log.missed[i];
    if (log.faults > 0) {
      std::vector<NamedRange> named;
      const bool isShared = log.fault.kind == patched::EntryKind::Shared;
      for (std::size_t b = 0; !isShared && b < logged.buffers.size(); ++b)
        named.push_back({trace.buffers[b].name, logged.buffers[b].base, logged.buffers[b].bytes});
      for (std::size_t s = 0; isShared && s < logged.shared.size(); ++s)
        named.push_back({logged.shared[s].array.name, logged.shared[s].begin, logged.shared[s].array.bytes});
      trace.recorded().problems.insert(
          trace.recorded().problems.begin(),
          problemOf(log.fault, log.fault.block == asked.inspected, named, instructions_));
    }
    record.launches.push_back(std::move(trace));
    return log.faults == 0;
  }

  Result<void> prepare(patched::Log& log, const AccessLaunch& asked, const LoggedBlock& logged,
                       const model::LaunchTrace& trace) {
    const model::Dim3 shape = trace.gridShape();
    log.block[0] = patched::U32(asked.inspected % shape.x);
    log.block[1] = patched::U32(asked.inspected / shape.x % shape.y);
    log.block[2] = patched::U32(asked.inspected / shape.x / shape.y);
    log.threads = logged.threads;
    log.capacity = kEntries;
    log.sharedBegin = patched::U32(logged.windowBegin);
    log.sharedBytes = patched::U32(logged.windowBytes);
    log.copyCapacity =
        std::uint32_t(std::min<std::uint64_t>(kMostCopies, kCopiesBytes / std::max(1u, log.sharedBytes)));
    STRIDESCOPE_TRY(entries_.reserve(kEntries * sizeof(patched::Entry)));
    STRIDESCOPE_TRY(copies_.reserve(std::uint64_t(log.copyCapacity) * log.sharedBytes));
    log.entries = reinterpret_cast<patched::Entry*>(entries_.address());
    log.copied = reinterpret_cast<patched::U8*>(copies_.address());
    const auto& ranges = arrays_.ranges();
    log.arena = {arrays_.whole().base, arrays_.whole().bytes};
    log.ranges = patched::U32(std::min<std::size_t>(ranges.size(), patched::kMaxRanges));
    for (std::size_t b = 0; b < log.ranges; ++b) log.range[b] = {ranges[b].base, ranges[b].bytes};
    STRIDESCOPE_TRY(log_.reserve(sizeof(log)));
    return copyToGpu(device_, log_.address(), &log, sizeof(log));
  }

  Result<void> fetch(patched::Log& log, LoggedBlock& logged) {
    STRIDESCOPE_TRY(copyFromGpu(device_, &log, log_.address(), sizeof(log)));
    // What a kernel that runs wild wrote there must not lead this program astray.
    const std::uint64_t entries = std::min<std::uint64_t>(log.used, kEntries);
    logged.dropped = log.used - entries;
    logged.entries.resize(entries);
    STRIDESCOPE_TRY(
        copyFromGpu(device_, logged.entries.data(), entries_.address(), entries * sizeof(patched::Entry)));
    const std::uint32_t copies = std::min<std::uint32_t>(
        log.copies, std::uint32_t(std::min<std::uint64_t>(
                        kMostCopies, kCopiesBytes / std::max<std::uint64_t>(1, logged.windowBytes))));
    std::vector<std::uint8_t> all(copies * logged.windowBytes);
    STRIDESCOPE_TRY(copyFromGpu(device_, all.data(), copies_.address(), all.size()));
    for (std::uint32_t c = 0; c < copies; ++c) {
      const auto begin = all.begin() + std::ptrdiff_t(c * logged.windowBytes);
      logged.copies.emplace_back(begin, begin + std::ptrdiff_t(logged.windowBytes));
    }
    return {};
  }

  // Runs it again and again, with the clock read at barriers alone.
  Result<void> clock(GpuAccessRecord& answer) {
    if (job_.progress) job_.progress(0, "clocking " + asked_.order.textFile);
    auto clocked = PatchedKernels::load(session_, sanitizer_, asked_, Patching::Clock);
    if (!clocked) return tl::unexpected(clocked.error());
    auto clean = LoadedKernels::load(session_, asked_, Contraction::Separate);
    if (!clean) return tl::unexpected(clean.error());
    STRIDESCOPE_TRY((*clean)->find());
    auto watch = engine::gpu::Stopwatch::make(device_);
    if (!watch) return tl::unexpected(watch.error());
    std::map<std::uint64_t, std::uint32_t> siteAt;  // by function and offset
    for (std::uint32_t i = 0; i < instructions_.all().size(); ++i) {
      const InstructionPlace place = kernels_->placeOf(instructions_.all()[i].pc, asked_.order.textFile);
      siteAt[std::uint64_t(place.function) << 40 | place.offset] = idOf_[i];
    }
    const auto siteOf = [&](std::uint64_t pc) {
      const InstructionPlace place = (*clocked)->placeOf(pc, asked_.order.textFile);
      const auto found = siteAt.find(std::uint64_t(place.function) << 40 | place.offset);
      return found == siteAt.end() ? recording::kMaxSites : found->second;
    };
    const std::size_t launches = asked_.order.launches.size();
    answer.clocks.resize(launches);
    std::vector<std::vector<std::vector<model::WarpMarks>>> runs(launches);  // by launch, run and warp
    std::vector<double> cleanTimes, clockedTimes;
    for (unsigned run = 0; run < kClockedWarmUps + kClockedRuns; ++run) {
      if (job_.cancel) return cancelled();
      const bool isKept = run >= kClockedWarmUps;
      STRIDESCOPE_TRY(arrays_.restore());
      double clockedTime = 0;
      for (std::size_t k = 0; k < launches; ++k) {
        const AccessLaunch& launch = asked_.order.launches[k];
        LoggedBlock logged{.threads = unsigned(launch.block.count()), .windowBytes = 0};
        const auto taken = timed(**watch, **clocked, launch, logged);
        if (!taken) return tl::unexpected(taken.error());
        clockedTime += *taken;
        if (isKept) runs[k].push_back(clockMarks(logged.entries, logged.threads, siteOf));
      }
      STRIDESCOPE_TRY(arrays_.restore());
      const auto cleanTime = (*watch)->timed([&] { return launchAll(**clean); }, kKernelTime);
      if (!cleanTime) return tl::unexpected(cleanTime.error());
      if (!isKept) continue;
      cleanTimes.push_back(*cleanTime);
      clockedTimes.push_back(clockedTime);
    }
    for (std::size_t k = 0; k < launches; ++k) keepMarks(runs[k], answer.clocks[k]);
    answer.cleanMicroseconds = medianOf(cleanTimes);
    answer.clockedMicroseconds = medianOf(clockedTimes);
    return {};
  }

  Result<void> launchAll(LoadedKernels& kernels) {
    for (const AccessLaunch& launch : asked_.order.launches) {
      auto values = arrays_.argumentsOf(launch);
      std::vector<void*> arguments;
      for (auto& value : values) arguments.push_back(value.data());
      STRIDESCOPE_TRY(kernels.launch(launch, arguments));
    }
    return {};
  }

  // A launch that reads the clock: its time in microseconds, and its marks in `logged`.
  Result<double> timed(engine::gpu::Stopwatch& watch, PatchedKernels& clocked, const AccessLaunch& launch,
                       LoggedBlock& logged) {
    model::LaunchTrace shape;
    shape.setShape(launch.grid, launch.block);
    patched::Log log;
    STRIDESCOPE_TRY(prepare(log, launch, logged, shape));
    auto values = arrays_.argumentsOf(launch);
    std::vector<void*> arguments;
    for (auto& value : values) arguments.push_back(value.data());
    const auto time =
        watch.timed([&] { return clocked.launch(launch, arguments, log_.address()); }, kKernelTime);
    if (!time) return tl::unexpected(time.error());
    STRIDESCOPE_TRY(fetch(log, logged));
    return *time;
  }

  static double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
  }

  // `runs`: by run and warp.
  static void keepMarks(const std::vector<std::vector<model::WarpMarks>>& runs, ClockedLaunch& kept) {
    std::vector<std::pair<std::uint64_t, std::size_t>> lasting;  // the cycles of a run's first warp
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (runs[run].empty() || runs[run].front().empty()) continue;
      const model::WarpMarks& first = runs[run].front();
      kept.firstWarp.push_back(first);
      lasting.emplace_back(first.back().clock - first.front().clock, run);
    }
    std::ranges::sort(lasting);
    if (!lasting.empty()) kept.warps = runs[lasting[lasting.size() / 2].second];
  }

  // The instructions become sites, in the order of the code: the compiler moves them away from that of the
  // text, and lanes are lined up by how far they are.
  void nameSites(AccessRecord& record) {
    struct Named {
      std::uint32_t number = 0;
      InstructionPlace place;
    };
    const auto& all = instructions_.all();
    std::vector<Named> named;
    for (std::uint32_t i = 0; i < all.size(); ++i)
      named.push_back({i, kernels_->placeOf(all[i].pc, asked_.order.textFile)});
    std::ranges::sort(named, {}, [&](const Named& each) {
      return std::tuple(each.place.function, each.place.offset, all[each.number].kind);
    });
    idOf_.assign(all.size(), 0);
    for (const Named& each : named) {
      const auto id = std::uint32_t(record.sites.size());
      idOf_[each.number] = id;
      record.sites.push_back({.id = int(id),
                              .kind = all[each.number].kind,
                              .line = std::max(1, each.place.line),
                              .column = 0,  // the line table of the GPU's code has none
                              .length = 0,
                              .statement = each.place.line,
                              .loops = {},
                              .text = {}});
    }
    constexpr std::uint64_t kSiteBits = std::uint64_t(0xfff) << 40;
    for (model::LaunchTrace& launch : record.launches) {
      for (model::Event& event : launch.recorded().events)
        event.head = (event.head & ~kSiteBits) | std::uint64_t(idOf_[event.site()]) << 40;
      for (model::Problem& problem : launch.recorded().problems)
        if (problem.site >= 0) problem.site = int(idOf_[std::size_t(problem.site)]);
    }
    record.hasMoreSites = instructions_.isFull();
  }

  std::vector<std::string> notes() const {
    static constexpr std::array<std::pair<patched::Missed, std::string_view>, patched::kMissed> kNotes{{
        {patched::Missed::RemoteShared,
         "Accesses to other blocks' shared memory, in a cluster, are not shown."},
        {patched::Missed::BulkCopy, "Bulk copies to shared memory are not shown."},
        {patched::Missed::ArrivalBarrier,
         "Barriers in shared memory (cuda::barrier, mbarrier) are not shown, and end no round."},
        {patched::Missed::NamedBarrier, "Barriers of a part of the block are not shown, and end no round."},
        {patched::Missed::Matrix, "Accesses of matrix instructions are not shown."},
    }};
    std::vector<std::string> all;
    for (const auto& [what, note] : kNotes)
      if (missed_[std::size_t(what)] > 0) all.emplace_back(note);
    const bool hasShuffles = std::ranges::any_of(instructions_.all(), [](const Instructions::Place& place) {
      return place.kind == recording::SiteKind::WarpOperation;
    });
    if (hasShuffles)
      all.emplace_back(
          "Shuffles are shown as warp barriers: which lane gives which value is not known on a GPU.");
    return all;
  }

  GpuSession& session_;
  GpuDevice& device_;
  const SanitizerApi& sanitizer_;
  const GpuAccessOrder& asked_;
  JobControl& job_;
  std::unique_ptr<PatchedKernels> kernels_;
  DeviceArrays arrays_;
  DeviceMemory log_, entries_, copies_;
  Instructions instructions_;
  std::vector<std::uint32_t> idOf_;  // the site of each
  std::array<std::uint64_t, patched::kMissed> missed_{};
};

std::optional<std::string> faultOf(const GpuAccessOrder& asked) {
  if (asked.shared.size() != asked.order.launches.size()) return "a launch has no shared arrays";
  for (const AccessLaunch& launch : asked.order.launches) {
    if (launch.kernel >= asked.kernels.size()) return "there is no such kernel";
    if (auto fault = faultOfArguments(launch, asked.order.buffers.size())) return fault;
    if (launch.inspected >= launch.grid.count()) return "there is no such block";
  }
  return std::nullopt;
}

class Server {
 public:
  // Opens the GPU.
  Result<void> open(unsigned index) {
    // Without a driver there is no GPU, whatever else is missing. It is not called yet.
    const auto driver = engine::gpu::SharedLibrary::open(engine::gpu::driverCandidates({}));
    // Functions that are loaded later would not be patched.
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    if (driver) {
      auto sanitizer = subscribeToSanitizer();
      if (!sanitizer) return tl::unexpected(sanitizer.error());
      sanitizer_ = *std::move(sanitizer);
    }
    auto session = GpuSession::open(index, {}, engine::gpu::ContextKind::Own);
    if (!session) return tl::unexpected(session.error());
    session_ = std::make_unique<GpuSession>(*std::move(session));
    return {};
  }

  Result<GpuAccessRecord> record(const GpuAccessOrder& asked, JobControl& job) {
    if (const auto fault = faultOf(asked))
      return unavailable("The process that records on the GPU was asked for what makes no sense.", *fault);
    const auto entered = session_->device->enter();
    if (!entered) return tl::unexpected(entered.error());
    STRIDESCOPE_TRY(addPatches());
    return Run(*session_, *sanitizer_, asked, job).record();
  }
  Result<GpuKernelFacts> describe(const GpuAccessOrder& asked) { return factsOf(*session_, asked); }
  bool isUsable() const { return session_->device->isUsable(); }

 private:
  Result<void> addPatches() {
    if (hasPatches_) return {};
    const auto patches = compiledPatches(*session_);
    if (!patches) return tl::unexpected(patches.error());
    const LibraryCall adding("sanitizerAddPatches", kLongCall);
    STRIDESCOPE_TRY(
        sanitizer_->check(sanitizer_->addPatches(patches->c_str(), nullptr), "sanitizerAddPatches"));
    hasPatches_ = true;
    return {};
  }

  std::shared_ptr<const SanitizerApi> sanitizer_;
  std::unique_ptr<GpuSession> session_;
  bool hasPatches_ = false;
};

}  // namespace

int serveGpuAccesses(unsigned index) {
  const auto stream = worker::beginWorker();
  if (!stream) return worker::kNotAWorker;
  worker::RpcServer rpc(kGpuAccessService, *stream);
  Server server;
  const auto opened = withoutExceptions("opening the GPU", [&] { return server.open(index); });
  if (!opened) {
    rpc.failed(opened.error());
    return worker::kNotAWorker;
  }
  rpc.ready(worker::Nothing::Nothing);
  worker::CallTable calls;
  calls.on(kRecordGpuAccesses, [&](const GpuAccessOrder& asked, JobControl& job) {
    return withoutExceptions("recording on the GPU", [&] { return server.record(asked, job); });
  });
  calls.on(kAskGpuKernels, [&](const GpuAccessOrder& asked, JobControl&) {
    return withoutExceptions("compiling for the GPU", [&] { return server.describe(asked); });
  });
  rpc.serve(calls, [&] { return server.isUsable(); });
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::access::gpu
