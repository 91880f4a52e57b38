#include "access_worker.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "access/facts.h"
#include "access_recorder.h"
#include "base/numbers.h"
#include "debug_info.h"
#include "engine/host/executor/grid_runner.h"
#include "engine/sandbox/confined_library.h"
#include "engine/worker/rpc_server.h"

namespace stridescope::engine::access {
namespace {

constexpr std::string_view kCommand = "access-worker";
constexpr std::chrono::seconds kProcessorTime{300};
constexpr std::uint64_t kMemoryBytes = 4ull << 30;
constexpr std::uint64_t kGap = 64 << 10;  // between buffers: an index that misses one does not hit the next
constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kGuardBytes = 8;

// The loaded text.
struct Library {
  const ::accesses::KernelEntry* kernels = nullptr;
  unsigned kernelCount = 0;
  std::uint64_t base = 0;           // where it is loaded
  std::uint64_t threadStorage = 0;  // where its thread-local storage is, of the thread that asked
};

std::vector<KernelTypes> typesOf(const Library& library) {
  std::vector<KernelTypes> all;
  for (unsigned k = 0; k < library.kernelCount; ++k) {
    std::vector<::accesses::ParameterFacts> facts(library.kernels[k].parameters());
    library.kernels[k].tell(facts.data());
    KernelTypes types;
    for (const ::accesses::ParameterFacts& each : facts) {
      ParameterType type{
          .isPointer = each.isPointer, .isConst = each.isConst, .isWhole = each.isWhole, .bytes = each.bytes};
      for (::accesses::U32 m = 0; m < std::min(each.members, ::accesses::kMaxMembers); ++m)
        type.members.push_back(
            {NumberKind(each.member[m].kind), each.member[m].bytes, each.member[m].offset});
      types.parameters.push_back(std::move(type));
    }
    all.push_back(std::move(types));
  }
  return all;
}

struct TlsSearch {
  std::uint64_t address;  // in the library
  std::uint64_t storage = 0;
};
int findTls(dl_phdr_info* info, std::size_t, void* given) {
  auto& search = *static_cast<TlsSearch*>(given);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address < begin || search.address - begin >= part.p_memsz) continue;
    search.storage = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
    return 1;
  }
  return 0;
}

Result<Library> loadLibrary(const std::string& file) {
  const auto attach = sandbox::loadConfined(file, kAttachSymbol, "kernel", [] {});
  if (!attach) return tl::unexpected(attach.error());
  Dl_info where{};
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto symbol = [&](const char* name) { return handle == nullptr ? nullptr : ::dlsym(handle, name); };
  Library library;
  library.kernels = static_cast<const ::accesses::KernelEntry*>(symbol(kKernelsSymbol));
  const auto* const count = static_cast<const unsigned*>(symbol(kKernelCountSymbol));
  const auto anchor = reinterpret_cast<void* (*)()>(symbol(kAnchorSymbol));
  if (library.kernels == nullptr || count == nullptr || anchor == nullptr || ::dladdr(*attach, &where) == 0)
    return unavailable("The compiled kernel lacks what the program looks for in it.");
  library.kernelCount = *count;
  library.base = reinterpret_cast<std::uint64_t>(where.dli_fbase);
  reinterpret_cast<void (*)(const ::accesses::Hooks*)> (*attach)(&AccessRecorder::hooks());
  anchor();  // the storage is there from now on
  TlsSearch search{reinterpret_cast<std::uint64_t>(library.kernels)};
  ::dl_iterate_phdr(findTls, &search);
  library.threadStorage = search.storage;
  return library;
}

// Device memory: the buffers, far apart.
class Memory {
 public:
  ~Memory() {
    if (all_ != nullptr) ::munmap(all_, bytes_);
  }
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Result<void> fill(const std::vector<std::vector<std::uint8_t>>& buffers) {
    bytes_ = kGap;
    for (const auto& buffer : buffers) {
      ranges_.push_back({bytes_, buffer.size()});
      bytes_ += (buffer.size() + kAlignment - 1) / kAlignment * kAlignment + kGap;
    }
    void* const memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      return limitMet("The kernel's arrays need " + figure(bytes_) +
                      " bytes, which are not there. Take smaller ones.");
    }
    all_ = static_cast<std::uint8_t*>(memory);
    for (std::size_t b = 0; b < buffers.size(); ++b) {
      ranges_[b].base += reinterpret_cast<std::uint64_t>(all_);
      if (!buffers[b].empty())
        std::memcpy(reinterpret_cast<void*>(ranges_[b].base), buffers[b].data(), buffers[b].size());
    }
    return {};
  }
  const recording::MemoryRange& operator[](std::size_t buffer) const { return ranges_[buffer]; }
  std::vector<std::vector<std::uint8_t>> contents() const {
    std::vector<std::vector<std::uint8_t>> all;
    for (const auto& range : ranges_) {
      const auto* const from = reinterpret_cast<const std::uint8_t*>(range.base);
      all.emplace_back(from, from + range.bytes);
    }
    return all;
  }

 private:
  std::uint8_t* all_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::vector<recording::MemoryRange> ranges_;
};

// "reduce" of "reduce<int, 128>".
std::string_view withoutArguments(std::string_view function) {
  return function.substr(0, function.find('<'));
}

std::optional<model::ElementType> elementTypeOf(const SharedVariable& variable) {
  if (variable.isFloating && variable.elementBytes == 4) return model::ElementType::Float;
  if (variable.isFloating && variable.elementBytes == 8) return model::ElementType::Double;
  if (variable.isSigned && variable.elementBytes == 4) return model::ElementType::Int;
  if (variable.isSigned && variable.elementBytes == 8) return model::ElementType::Int64;
  return std::nullopt;
}

// The kernel's own shared arrays, those of the functions that it may call, and those of the file.
std::vector<SharedVariable> sharedOf(const DebugInfo& info, const AccessLaunch& launch) {
  std::vector<SharedVariable> arrays;
  for (const SharedVariable& variable : info.shared) {
    const auto function = withoutArguments(variable.function);
    if (variable.name == kAnchorSymbol || std::ranges::count(launch.otherKernels, function) != 0) continue;
    arrays.push_back(variable);
  }
  for (SharedVariable& array : arrays)
    if (std::ranges::count(arrays, array.name, &SharedVariable::name) > 1 && !array.function.empty())
      array.name = std::string(withoutArguments(array.function)) + "::" + array.name;
  return arrays;
}

model::Array arrayOf(const SharedVariable& variable, std::uint64_t bytes) {
  return {.name = variable.name,
          .elementBytes = variable.elementBytes,
          .bytes = bytes,
          .type = elementTypeOf(variable)};
}

// The elements of dynamic shared memory are those that the text gives its name in the kernel; else words.
SharedVariable dynamicOf(const DebugInfo& info, const AccessLaunch& launch) {
  SharedVariable words;
  for (const SharedVariable& pointer : info.pointers) {
    if (pointer.name != launch.dynamicName) continue;
    words = pointer;
    if (withoutArguments(pointer.function) == launch.function) break;
  }
  words.name = launch.dynamicName;
  if (words.elementBytes == 0 || launch.sharedBytes % words.elementBytes != 0) words.elementBytes = 4;
  return words;
}

SharedLayout layoutOf(const DebugInfo& info, const AccessLaunch& launch) {
  SharedLayout layout;
  for (const SharedVariable& array : sharedOf(info, launch))
    layout.arrays.push_back(arrayOf(array, array.bytes));
  layout.dynamic = arrayOf(dynamicOf(info, launch), launch.sharedBytes);
  return layout;
}

class Run {
 public:
  Run(const Library& library, const DebugInfo& info, const AccessOrder& order, JobControl& job)
      : library_(library), info_(info), order_(order), job_(job) {
    for (const std::uint64_t guard : info.guards)
      recorder_.passOver({reinterpret_cast<const void*>(library.threadStorage + guard), kGuardBytes});
  }

  Result<AccessRecord> record() {
    if (auto filled = memory_.fill(order_.buffers); !filled) return tl::unexpected(filled.error());
    AccessRecord record;
    record.finished = true;
    for (std::size_t k = 0; k < order_.launches.size() && record.finished; ++k) {
      auto ended = launch(order_.launches[k], record);
      if (!ended) return tl::unexpected(ended.error());
      record.finished = *ended;
    }
    record.buffers = memory_.contents();
    nameSites(record);
    return record;
  }

 private:
  // Whether it ended.
  Result<bool> launch(const AccessLaunch& asked, AccessRecord& record) {
    const std::vector<SharedVariable> arrays = sharedOf(info_, asked);
    if (arrays.size() + (asked.sharedBytes > 0 ? 1 : 0) > recording::kMaxSharedArrays)
      return limitMet(asked.function + " has " + figure(arrays.size()) + " shared arrays; " +
                      figure(recording::kMaxSharedArrays) + " can be recorded.");
    recording::HostLaunch launch;
    launch.grid = {unsigned(asked.grid.x), asked.grid.y, asked.grid.z};
    launch.block = {unsigned(asked.block.x), asked.block.y, asked.block.z};
    launch.dynamicSharedBytes = asked.sharedBytes;
    launch.kernel = library_.kernels[asked.kernel].call;
    std::uint64_t total = asked.sharedBytes;
    for (const SharedVariable& array : arrays) {
      launch.placedShared.push_back({library_.threadStorage + array.offset, array.bytes});
      launch.sharedNames.push_back(array.name);
      total += array.bytes;
    }
    if (total > recording::kMaxSharedBytes)
      return limitMet("A block of " + asked.function + " needs " + figure(total) +
                      " bytes of shared memory; it can have " + figure(recording::kMaxSharedBytes) + ".");
    launch.sharedNames.push_back(asked.dynamicName);

    model::LaunchTrace trace;
    std::vector<std::uint64_t> values;
    std::vector<std::vector<std::uint8_t>> bytes;
    std::vector<void*> pointers;
    for (const AccessArgument& argument : asked.arguments) {
      if (!argument.isBuffer) {
        bytes.push_back(argument.value);
        bytes.back().resize(std::max<std::size_t>(bytes.back().size(), 16));
        continue;
      }
      const recording::MemoryRange& range = memory_[argument.buffer];
      bytes.emplace_back(16);
      std::memcpy(bytes.back().data(), &range.base, sizeof(range.base));
      const bool isKnown = std::ranges::any_of(
          launch.buffers, [&](const recording::MemoryRange& other) { return other.base == range.base; });
      if (isKnown) continue;
      launch.buffers.push_back(range);
      launch.bufferNames.push_back(argument.name);
      trace.buffers.push_back({.name = argument.name, .elementBytes = 4, .bytes = range.bytes});
    }
    for (auto& each : bytes) {
      pointers.push_back(each.data());
      recorder_.passOver({each.data(), each.size()});
    }
    if (launch.buffers.size() > recording::kMaxBuffers)
      return limitMet(asked.function + " is given " + figure(launch.buffers.size()) + " arrays; " +
                      figure(recording::kMaxBuffers) + " can be recorded.");
    launch.arguments = pointers.data();
    launch.eventsPerThread = order_.endlessEvents;
    launch.recordedPerThread = order_.eventsPerThread;
    launch.traceBytes = order_.traceBytes;
    launch.goesOnUnrecorded = true;
    launch.cancel = &job_.cancel;

    recorder_.beginLaunch(std::uint32_t(arrays.size()));
    recording::BlockRunner runner;
    if (std::string hindrance = runner.begin(launch); !hindrance.empty())
      return limitMet(std::move(hindrance));
    trace.setShape(asked.grid, asked.block);
    trace.recorded().block = asked.inspected;
    const std::uint64_t blocks = asked.grid.count();
    recording::GridRunner grid(runner, unsigned(asked.block.count()), {blocks, asked.inspected});
    auto outcome = recording::BlockOutcome::Finished;
    while (grid.ended() < blocks && outcome == recording::BlockOutcome::Finished) {
      outcome = grid.endOne();
      if (job_.cancel.load(std::memory_order_relaxed)) return cancelled();
      if (job_.progress)
        job_.progress(float(double(grid.ended()) / double(blocks)), "running " + asked.function);
    }
    if (outcome == recording::BlockOutcome::Stopped) (void)grid.endInspected();
    if (outcome == recording::BlockOutcome::NoMemory) return tl::unexpected(outOfMemory("recording a block"));
    keep(grid.takeRecord(), arrays, dynamicOf(info_, asked), trace);
    trace.recorded().problems = runner.problems();
    record.launches.push_back(std::move(trace));
    return outcome == recording::BlockOutcome::Finished;
  }

  static void keep(recording::BlockRecord block, const std::vector<SharedVariable>& arrays,
                   const SharedVariable& dynamic, model::LaunchTrace& trace) {
    trace.recorded().events = std::move(block.events);
    trace.recorded().first = std::move(block.first);
    trace.recorded().barrierCopies = std::move(block.barrierCopies);
    trace.recorded().copied = std::move(block.copied);
    trace.recorded().cut = block.cut;
    for (std::size_t k = 0; k < block.sharedBytes.size(); ++k) {
      trace.recorded().shared.push_back(
          arrayOf(k < arrays.size() ? arrays[k] : dynamic, block.sharedBytes[k]));
    }
  }

  struct Named {
    std::uint32_t place = 0;
    int line = 0, column = 0;
    std::uint64_t address = 0;
    int functionLine = 0;
    std::uint64_t function = 0;  // where its code begins
  };

  // By place, the one whose site it shares: `a[i] = c ? x : y` is one store of the text, for which the
  // compiler has one in each branch. Those are of one kind, at one place of the text, and no thread comes to
  // both between two block barriers. `named` is sorted.
  std::vector<std::uint32_t> joined(const std::vector<Named>& named, const AccessRecord& record) const {
    const auto& places = recorder_.places().all();
    std::vector<std::uint32_t> groupOf(places.size()), sameAs(places.size());
    std::map<std::tuple<int, int, recording::SiteKind>, std::uint32_t> groups;
    for (const Named& site : named) {
      sameAs[site.place] = groupOf[site.place] = site.place;
      if (site.line == 0) continue;  // not of the text
      const auto key = std::tuple(site.line, site.column, places[site.place].kind);
      groupOf[site.place] = groups.try_emplace(key, site.place).first->second;
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> together;
    std::map<std::uint32_t, std::vector<std::uint32_t>> seen;  // by group, of one thread between two barriers
    for (const model::LaunchTrace& launch : record.launches) {
      const model::BlockTrace& block = launch.recorded();
      for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
        seen.clear();
        for (const model::Event& event : block.eventsOf(thread)) {
          if (event.secondHalf()) continue;
          if (event.kind() == model::EventKind::BlockBarrier) seen.clear();
          auto& others = seen[groupOf[event.site()]];
          if (std::ranges::count(others, event.site()) != 0) continue;
          for (const std::uint32_t other : others)
            together.emplace(std::min(other, event.site()), std::max(other, event.site()));
          others.push_back(event.site());
        }
      }
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      const std::uint32_t place = named[i].place;
      for (std::size_t k = 0; k < i; ++k) {
        const std::uint32_t first = named[k].place;
        if (sameAs[first] != first || groupOf[first] != groupOf[place]) continue;
        const bool isFree = std::ranges::none_of(named, [&](const Named& other) {
          return sameAs[other.place] == first &&
                 together.contains({std::min(other.place, place), std::max(other.place, place)});
        });
        if (!isFree) continue;
        sameAs[place] = first;
        break;
      }
    }
    return sameAs;
  }

  // The places become sites, in the order of the text.
  void nameSites(AccessRecord& record) const {
    const auto& places = recorder_.places().all();
    std::vector<Named> named(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      named[i] = {.place = std::uint32_t(i),
                  .address = reinterpret_cast<std::uint64_t>(places[i].address) - library_.base};
      const TextPlace* const at = info_.placeOf(named[i].address - 1);  // within the call
      if (at != nullptr && at->file == order_.textFile)
        named[i].line = at->line, named[i].column = at->column;
      if (const FunctionCode* const function = info_.functionOf(named[i].address - 1)) {
        named[i].functionLine = function->line;
        named[i].function = function->begin;
      }
    }
    // In the order of evaluation, which within a function is that of its code; functions as they stand in the
    // text.
    std::ranges::sort(named, {}, [](const Named& site) {
      return std::tuple(site.functionLine, site.function, site.address);
    });
    const std::vector<std::uint32_t> sameAs = joined(named, record);
    std::vector<std::uint32_t> idOf(places.size());
    for (const Named& site : named) {
      if (sameAs[site.place] != site.place) continue;
      const auto id = std::uint32_t(record.sites.size());
      idOf[site.place] = id;
      record.sites.push_back({.id = int(id),
                              .kind = places[site.place].kind,
                              .line = std::max(1, site.line),
                              .column = std::max(1, site.column),
                              .length = 0,
                              .statement = site.line,
                              .loops = {},
                              .text = {}});
    }
    for (std::size_t place = 0; place < places.size(); ++place) idOf[place] = idOf[sameAs[place]];
    for (model::LaunchTrace& launch : record.launches) {
      for (model::Event& event : launch.recorded().events)
        if (!event.secondHalf()) setSite(event, idOf);
      // The upper half of 16 bytes names the site of the lower one.
      auto& events = launch.recorded().events;
      for (std::size_t i = 1; i < events.size(); ++i)
        if (events[i].secondHalf()) events[i].head = (events[i - 1].head + 8) | 1ull << 63;
      for (auto& copy : launch.recorded().copied) setSite(copy.event, idOf);
      for (model::Problem& problem : launch.recorded().problems)
        if (problem.site >= 0 && std::size_t(problem.site) < idOf.size())
          problem.site = int(idOf[std::size_t(problem.site)]);
    }
    record.hasMoreSites = recorder_.places().isFull();
    record.printed = recorder_.printed();
  }

  static void setSite(model::Event& event, const std::vector<std::uint32_t>& idOf) {
    constexpr std::uint64_t kSiteBits = std::uint64_t(0xfff) << 40;
    event.head = (event.head & ~kSiteBits) | std::uint64_t(idOf[event.site()]) << 40;
  }

  const Library& library_;
  const DebugInfo& info_;
  const AccessOrder& order_;
  JobControl& job_;
  Memory memory_;
  AccessRecorder recorder_;
};

std::optional<std::string> faultOf(const AccessOrder& order, const std::vector<KernelTypes>& kernels) {
  for (const AccessLaunch& launch : order.launches) {
    if (launch.kernel >= kernels.size()) return "there is no such kernel";
    if (launch.arguments.size() != kernels[launch.kernel].parameters.size()) return "an argument is missing";
    for (const AccessArgument& argument : launch.arguments)
      if (argument.isBuffer && argument.buffer >= order.buffers.size()) return "a buffer is missing";
    if (launch.inspected >= launch.grid.count()) return "there is no such block";
  }
  return std::nullopt;
}

}  // namespace

worker::WorkerCommand accessWorkerCommand(const std::string& program, const std::string& library) {
  return {.program = program,
          .arguments = {std::string(kCommand), library},
          .name = "stridescope",
          .environment = sandbox::variablesOfTheLoader(),
          .subject = "The process that runs your kernel",
          .causeOfSilence = "the kernel does not end",
          .advice = "Fix its text, or launch fewer threads."};
}

std::optional<std::string> accessWorkerLibrary(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != kCommand) return std::nullopt;
  return argv[2];
}

int serveAccesses(const std::string& library) {
  // The first one reads, where sanitizers are on, what the process may not read later.
  const recording::BlockRunner beforeConfinement;
  sandbox::limitWorker(kProcessorTime, kMemoryBytes);
  const auto confined = sandbox::confineFiles(library, "kernel");
  // Read before system calls are forbidden: the loader's filter has none of those that a reader needs.
  const auto info = confined ? readDebugInfo(library) : tl::unexpected(confined.error());
  const auto stream = worker::beginWorker();
  if (!stream) return worker::kNotAWorker;
  worker::RpcServer server(kAccessService, *stream);
  if (!info) {
    server.failed(info.error());
    return worker::kNotAWorker;
  }
  const auto loaded = loadLibrary(library);
  if (!loaded) {
    server.failed(loaded.error());
    return worker::kNotAWorker;
  }
  const std::vector<KernelTypes> types = typesOf(*loaded);
  server.ready(types);
  worker::CallTable calls;
  calls.on(kRecordAccesses, [&](const AccessOrder& order, JobControl& job) -> Result<AccessRecord> {
    if (const auto fault = faultOf(order, types))
      return unavailable("The process that runs your kernel was asked for what makes no sense.", *fault);
    return Run(*loaded, *info, order, job).record();
  });
  calls.on(kAskSharedLayout, [&](const AccessLaunch& launch, JobControl&) -> Result<SharedLayout> {
    return layoutOf(*info, launch);
  });
  server.serve(calls);
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::access
