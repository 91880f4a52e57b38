#include "access_worker.h"

#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "access_recorder.h"
#include "base/numbers.h"
#include "crash_guard.h"
#include "debug_info.h"
#include "engine/host/executor/grid_runner.h"
#include "engine/sandbox/confinement.h"
#include "engine/worker/rpc_server.h"
#include "kernel_library.h"
#include "kernel_text.h"
#include "shared_layout.h"
#include "site_naming.h"

namespace stridescope::engine::access {
namespace {

constexpr std::string_view kCommand = "access-worker";
constexpr std::chrono::seconds kProcessorTime{300};
constexpr std::uint64_t kMemoryBytes = 4ull << 30;
constexpr std::uint64_t kGap = 64 << 10;  // between buffers: an index that misses one does not hit the next
constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kMostAtOnce = model::kMaxBlockTraces;
constexpr std::uint64_t kGuardBytes = 8;
constexpr std::uint64_t kGuardPage = 4096;            // below each thread's stack
constexpr std::uint64_t kMaxStaticShared = 48 << 10;  // CUDA's, of a block

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

class Run {
 public:
  Run(const KernelLibrary& library, const DebugInfo& info, const AccessOrder& order, JobControl& job)
      : library_(library), info_(info), order_(order), job_(job) {
    for (const std::uint64_t guard : info.guards)
      recorder_.passOver({reinterpret_cast<const void*>(library.threadStorage + guard), kGuardBytes});
    if (order.isRecorded) recorder_.expectRecorded(order.recordedSites);
    current = this;
  }
  ~Run() { current = nullptr; }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // What the recorder tells that runs in this process.
  static std::pair<std::string, int> toldOfCrash(const Crash& crash) { return current->told(crash); }

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
    if (const auto& unseen = recorder_.unseen()) record.unseen = int(*unseen);
    NamedText text{.file = order_.textFile, .base = library_.base};
    for (const AccessLaunch& launch : order_.launches)
      text.kernels.insert(reinterpret_cast<std::uint64_t>(library_.kernels[launch.kernel].function));
    nameSites(recorder_, info_, text, record);
    record.printed = recorder_.printed();
    record.printsMore = recorder_.printsMore();
    record.missesDynamic = recorder_.missesDynamic();
    return record;
  }

 private:
  // Whether it ended.
  Result<bool> launch(const AccessLaunch& asked, AccessRecord& record) {
    const std::vector<SharedVariable> arrays = sharedOf(library_, info_, asked);
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
    std::uint64_t own = 0;  // for certain: others may be of functions that it does not call
    for (const SharedVariable& array : arrays)
      if (array.function.empty() || withoutArguments(array.function) == asked.function) own += array.bytes;
    if (own > kMaxStaticShared) return tl::unexpected(tooMuchStatic(asked, own));
    if (total > recording::kMaxSharedBytes) return tl::unexpected(tooMuchShared(asked, total));
    for (const ModuleVariable& variable : info_.variables) {
      if (variable.name.starts_with(kGapName)) continue;
      launch.moduleVariables.push_back({library_.base + variable.address, variable.bytes});
      launch.moduleNames.push_back(variable.name);
    }
    for (const auto& [begin, bytes] : info_.dataSections)
      launch.moduleData.push_back({library_.base + begin, bytes});
    if (order_.isRecorded)
      launch.sharedNames = order_.sharedNames;
    else
      launch.sharedNames.push_back(asked.dynamicName);

    launch.sharedArray = [this, &arrays, &asked](recording::U32 index) {
      const std::vector<model::Array> all = arrayNumbers(arrays, asked);
      return index < all.size() ? all[index] : model::Array{};
    };

    model::LaunchTrace trace;
    std::vector<std::uint64_t> values;
    std::vector<std::vector<std::uint8_t>> bytes;
    std::vector<void*> pointers;
    for (const AccessArgument& argument : asked.arguments) {
      bytes.push_back(bytesOf(argument, [&](std::uint32_t buffer) { return memory_[buffer].base; }));
      bytes.back().resize(std::max<std::size_t>(bytes.back().size(), 16));
      for (const AccessPointer& pointer : argument.pointers) {
        const recording::MemoryRange& range = memory_[pointer.buffer];
        const bool isKnown = std::ranges::any_of(
            launch.buffers, [&](const recording::MemoryRange& other) { return other.base == range.base; });
        if (isKnown) continue;
        launch.buffers.push_back(range);
        launch.bufferNames.push_back(pointer.name);
        trace.buffers.push_back({.name = pointer.name, .elementBytes = 4, .bytes = range.bytes});
      }
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
    launch.traceBytes =
        order_.traceBytes / (asked.recordsAll ? std::min(asked.grid.count(), kMostAtOnce) : 1);
    launch.goesOnUnrecorded = true;
    launch.cancel = &job_.cancel;
    launch.schedule = order_.schedule;
    launch.scheduleSeed = order_.scheduleSeed;
    if (!order_.isRecorded) launch.positionOf = AccessRecorder::positionOf;

    recorder_.beginLaunch(std::uint32_t(arrays.size()), launch.sharedArray);
    recorder_.setElements(elementsOf(asked, arrays));
    recording::BlockRunner runner;
    if (std::string hindrance = runner.begin(launch); !hindrance.empty())
      return limitMet(std::move(hindrance));
    trace.setShape(asked.grid, asked.block);
    const std::uint64_t blocks = asked.grid.count();
    recording::GridRunner grid(runner, unsigned(asked.block.count()),
                               {.blocks = blocks,
                                .inspected = asked.inspected,
                                .order = order_.blockOrder,
                                .seed = order_.blockOrderSeed,
                                .recordsAll = asked.recordsAll});
    auto outcome = recording::BlockOutcome::Finished;
    std::vector<std::size_t> problems;  // how many there were when each block had ended
    while (grid.ended() < blocks && outcome == recording::BlockOutcome::Finished) {
      outcome = grid.endOne();
      problems.push_back(runner.problems().size());
      if (job_.cancel.load(std::memory_order_relaxed)) return cancelled();
      if (grid.ended() < blocks && std::chrono::steady_clock::now() > end_)
        return limitMet("Of the " + figure(blocks) + " blocks of " + asked.function + ", " +
                        figure(grid.ended()) +
                        " had run when most of the time for a run was over. Launch fewer blocks "
                        "(on the command line: --grid).");
      if (job_.progress)
        job_.progress(float(double(grid.ended()) / double(blocks)), "running " + asked.function);
    }
    if (outcome == recording::BlockOutcome::Stopped && !asked.recordsAll) (void)grid.endInspected();
    if (outcome == recording::BlockOutcome::NoMemory) return tl::unexpected(outOfMemory("recording a block"));
    if (const auto fault = faultOfDeclared(asked)) return tl::unexpected(*fault);
    auto records = grid.takeRecords();
    if (records.empty()) return tl::unexpected(outOfMemory("recording a block"));
    trace.blocks.resize(records.size());
    for (std::size_t b = 0; b < records.size(); ++b) {
      trace.blocks[b].block = records[b].first;
      keep(std::move(records[b].second), arrayNumbers(arrays, asked), trace.blocks[b]);
      const HandedOver handedOver = recorder_.takeHandedOver(trace.blocks[b].block);
      trace.blocks[b].meetings = handedOver.meetings(trace.blocks[b].first);
      trace.blocks[b].meetingsCut = handedOver.isCut;
      // Blocks that are all recorded end one after the other; else all problems are told at the one.
      const auto& all = runner.problems();
      const std::size_t from = asked.recordsAll && b > 0 ? problems[b - 1] : 0;
      const std::size_t to = asked.recordsAll && b < problems.size() ? problems[b] : all.size();
      trace.blocks[b].problems.assign(all.begin() + std::ptrdiff_t(from), all.begin() + std::ptrdiff_t(to));
    }
    std::ranges::sort(trace.blocks, {}, &model::BlockTrace::block);
    record.launches.push_back(std::move(trace));
    return outcome == recording::BlockOutcome::Finished;
  }

  AccessRecorder::LaunchElements elementsOf(const AccessLaunch& asked,
                                            const std::vector<SharedVariable>& arrays) const {
    AccessRecorder::LaunchElements elements;
    for (const SharedVariable& array : arrays) {
      elements.all.push_back({{library_.threadStorage + array.offset, array.bytes},
                              array.element.bytes,
                              array.element.alignment});
      elements.haveBitFields.push_back(info_.isOfClang && array.element.hasBitFields);
    }
    const SharedVariable dynamic = dynamicOf(library_, info_, asked);
    elements.dynamic = {{}, dynamic.element.bytes, dynamic.element.alignment};
    elements.haveBitFields.push_back(info_.isOfClang && dynamic.element.hasBitFields);
    const auto function = reinterpret_cast<std::uint64_t>(library_.kernels[asked.kernel].function);
    const FunctionCode* const code = info_.functionOf(function - library_.base);
    for (std::size_t p = 0; code != nullptr && p < std::min(code->parameters.size(), asked.arguments.size());
         ++p) {
      const ParameterType& type = code->parameters[p];
      for (const AccessPointer& pointer : asked.arguments[p].pointers) {
        const recording::MemoryRange& range = memory_[pointer.buffer];
        if (type.isPointer) elements.all.push_back({range, type.bytes, type.alignment});
        for (const PointerMember& member : type.pointers)
          if (type.members[member.member].offset == pointer.offset)
            elements.all.push_back({range, member.bytes, member.alignment});
      }
    }
    return elements;
  }

  static Error tooMuchStatic(const AccessLaunch& asked, std::uint64_t bytes) {
    return {ErrorKind::Usage, asked.function + " declares " + figure(bytes) +
                                  " bytes of static shared memory; CUDA's compiler takes at most " +
                                  figure(kMaxStaticShared) +
                                  ". Make it dynamic (extern __shared__), or the arrays smaller."};
  }
  static Error tooMuchShared(const AccessLaunch& asked, std::uint64_t bytes) {
    return {ErrorKind::Usage,
            "A block of " + asked.function + " needs " + figure(bytes) +
                " bytes of shared memory; it can have " + figure(recording::kMaxSharedBytes) +
                ". Make its arrays smaller, or give it fewer dynamic bytes (on the command line: --shared)."};
  }

  // Recording calls tell how large shared arrays are when a thread comes to them.
  std::optional<Error> faultOfDeclared(const AccessLaunch& asked) const {
    std::uint64_t all = 0, dynamic = 0;
    for (std::size_t k = 0; k < order_.sharedNames.size() && k < recorder_.declared().size(); ++k) {
      all += recorder_.declared()[k].bytes;
      if (order_.sharedNames[k] == asked.dynamicName) dynamic += recorder_.declared()[k].bytes;
    }
    if (all - dynamic > kMaxStaticShared) return tooMuchStatic(asked, all - dynamic);
    if (all > recording::kMaxSharedBytes) return tooMuchShared(asked, all);
    return std::nullopt;
  }

  // The block's shared arrays by number, but for how many bytes they have.
  std::vector<model::Array> arrayNumbers(const std::vector<SharedVariable>& placed,
                                         const AccessLaunch& asked) const {
    std::vector<model::Array> all;
    for (const SharedVariable& array : placed) all.push_back(arrayOf(array, 0));
    if (!order_.isRecorded) {
      all.push_back(arrayOf(dynamicOf(library_, info_, asked), 0));
      return all;
    }
    for (std::size_t k = 0; k < order_.sharedNames.size() && k < recorder_.declared().size(); ++k) {
      const AccessRecorder::DeclaredArray& declared = recorder_.declared()[k];
      all.push_back(arrayOf(declaredArray(info_, asked, order_.sharedNames[k],
                                          {declared.bytes, declared.elementBytes, declared.kind}),
                            0));
    }
    return all;
  }

  // ---- A thread that a signal stopped.

  std::pair<std::string, int> told(const Crash& crash) {
    const recording::StackBounds stack = recording::stackOfRunningThread();
    const int site = siteOf(crash, stack);
    const auto bottom = reinterpret_cast<std::uint64_t>(stack.bottom);
    const bool isOfMemory = crash.signal == SIGSEGV || crash.signal == SIGBUS;
    if (isOfMemory && crash.address < bottom && bottom - crash.address <= kGuardPage)
      return {"needs more than the " + figure(stack.bytes >> 10) +
                  " KiB that a thread has here for its variables and calls. Check that a function that calls "
                  "itself comes to an end, and that arrays among its variables are small.",
              site};
    if (isOfMemory) return {"accesses memory that there is not. Check its pointers.", site};
    if (crash.signal == SIGFPE)
      return {
          "divides a whole number by zero, or by -1 where the quotient does not fit. On a GPU the result "
          "is undefined. Check the divisor.",
          site};
    return {"reaches a trap, which ends the kernel: __builtin_trap(), or code that cannot be reached.", site};
  }

  // AddressSanitizer marks what lies between the variables of a frame, and all of a stack is read here.
  __attribute__((no_sanitize("address"))) static std::uint64_t wordOfStack(std::uint64_t address) {
    using Word [[gnu::may_alias]] = std::uint64_t;
    return *reinterpret_cast<const volatile Word*>(address);
  }

  // The instruction, if it is the text's; else the call in the text from which the thread came there, by the
  // return addresses on its stack. -1: none is found.
  int siteOf(const Crash& crash, const recording::StackBounds& stack) {
    if (placeOfText(crash.instruction) != nullptr)
      return int(recorder_.numberOfInstruction(crash.instruction));
    const auto bottom = reinterpret_cast<std::uint64_t>(stack.bottom), top = bottom + stack.bytes;
    for (std::uint64_t at = (std::max(crash.stack, bottom) + 7) / 8 * 8; at + 8 <= top; at += 8) {
      const std::uint64_t word = wordOfStack(at);
      if (isOfText(word - 1)) return int(recorder_.numberOfInstruction(word - 1));
    }
    return -1;
  }
  // Null: the code there is not from the text's own file.
  const TextPlace* placeOfText(std::uint64_t address) const {
    const std::uint64_t offset = address - library_.base;
    const bool isOfLibrary =
        address >= library_.base && !info_.places.empty() && offset <= info_.places.back().address;
    const TextPlace* const place = isOfLibrary ? info_.placeOf(offset) : nullptr;
    return place != nullptr && place->file == order_.textFile ? place : nullptr;
  }
  // Any number on a stack may look like an address, but seldom like one in a function.
  bool isOfText(std::uint64_t address) const {
    return placeOfText(address) != nullptr && info_.functionOf(address - library_.base) != nullptr;
  }

  static void keep(recording::BlockRecord block, const std::vector<model::Array>& arrays,
                   model::BlockTrace& trace) {
    trace.events = std::move(block.events);
    trace.first = std::move(block.first);
    trace.barrierCopies = std::move(block.barrierCopies);
    trace.copied = std::move(block.copied);
    trace.cut = block.cut;
    for (std::size_t k = 0; k < block.sharedBytes.size() && k < arrays.size(); ++k) {
      trace.shared.push_back(arrays[k]);
      trace.shared.back().bytes = block.sharedBytes[k];
      // No thread came to the declaration.
      if (block.sharedBytes[k] == 0) trace.shared.back().extents.clear();
    }
  }

  static inline Run* current = nullptr;  // the one of the process

  const KernelLibrary& library_;
  const DebugInfo& info_;
  const AccessOrder& order_;
  JobControl& job_;
  const std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(order_.milliseconds);
  Memory memory_;
  AccessRecorder recorder_;
};

std::optional<std::string> faultOf(const AccessOrder& order, const std::vector<KernelTypes>& kernels) {
  for (const AccessLaunch& launch : order.launches) {
    if (launch.kernel >= kernels.size()) return "there is no such kernel";
    if (launch.arguments.size() != kernels[launch.kernel].parameters.size()) return "an argument is missing";
    if (auto fault = faultOfArguments(launch, order.buffers.size())) return fault;
    if (launch.inspected >= launch.grid.count()) return "there is no such block";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> faultOfArguments(const AccessLaunch& launch, std::size_t buffers) {
  for (const AccessArgument& argument : launch.arguments)
    for (const AccessPointer& pointer : argument.pointers) {
      if (pointer.buffer >= buffers) return "a buffer is missing";
      if (pointer.offset + sizeof(std::uint64_t) > argument.value.size())
        return "a pointer is outside of its argument";
    }
  return std::nullopt;
}

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
  guardCrashes(Run::toldOfCrash);
  const auto loaded = loadKernelLibrary(library);
  if (!loaded) {
    server.failed(loaded.error());
    return worker::kNotAWorker;
  }
  const std::vector<KernelTypes> types = typesOf(*loaded, *info);
  server.ready(types);
  worker::CallTable calls;
  calls.on(kRecordAccesses, [&](const AccessOrder& order, JobControl& job) -> Result<AccessRecord> {
    if (const auto fault = faultOf(order, types))
      return unavailable("The process that runs your kernel was asked for what makes no sense.", *fault);
    return Run(*loaded, *info, order, job).record();
  });
  calls.on(kAskSharedLayout, [&](const AccessLaunch& launch, JobControl&) -> Result<SharedLayout> {
    return layoutOf(*loaded, *info, launch);
  });
  server.serve(calls);
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::access
