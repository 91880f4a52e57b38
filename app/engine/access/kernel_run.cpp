#include "kernel_run.h"

#include <algorithm>
#include <filesystem>

#include "access_worker.h"
#include "base/numbers.h"
#include "engine/access/gpu_access.h"
#include "engine/sandbox/confinement.h"
#include "engine/worker/rpc_client.h"
#include "kernel_numbers.h"
#include "kernel_source.h"
#include "kernel_trace.h"
#include "launch_planner.h"
#include "model/trace.h"
#include "output_check.h"

namespace stridescope::engine::access {
namespace {

constexpr std::chrono::milliseconds kStart{20'000}, kReport{1'000};
constexpr std::string_view kNotChecked = "Nothing is expected of the arrays, so they are not checked.";

tl::unexpected<Error> missesDynamic(const KernelFile& file, const CompiledKernels& compiled,
                                    std::size_t launch) {
  const LaunchRequest& request = file.launches.launches[std::min(launch, file.launches.launches.size() - 1)];
  const std::uint64_t threads = request.block.count();
  return usageError("The kernel uses dynamic shared memory, " + compiled.text.dynamicName +
                    " (extern __shared__), and the launch gives it 0 bytes. Say how many as \"shared\" in " +
                    launchFileOf(file) +
                    " (on the command line: --shared BYTES): " + std::to_string(4 * threads) +
                    " has 4 bytes for each of " + std::to_string(threads) + " threads.");
}

// What another kernel leaves, launched alike, is expected.
Result<void> expectSame(const KernelFile& file, LaunchRequest& launch, JobControl& job,
                        const KernelRunOptions& options) {
  if (file.launches.launches.size() > 1)
    return usageError("What another kernel leaves is compared of a single launch. Take one, or \"expect\".");
  const auto path = std::filesystem::path(file.folder.empty() ? "." : file.folder) / launch.sameAs;
  auto other = readKernelTextFile(path);
  if (!other) return tl::unexpected(other.error());
  other->launches = file.launches;
  LaunchRequest& alike = other->launches.launches.front();
  alike.sameAs.clear();
  alike.expected.clear();
  alike.expectedFiles.clear();
  alike.expectedReductions.clear();
  // Its kernel has a name of its own, unless it has several.
  const auto text = readKernelText(other->name, other->text, {.tellsBranches = false});
  if (text && !kernelOf(alike, *other, *text)) alike.kernel.clear();
  if (text && text->kernels.size() == 1 && !text->kernels.front().isTemplate) alike.templateArguments.clear();
  const auto run = runKernelFile(
      *other, job, {.program = options.program, .limit = options.limit, .recorder = RecorderChoice::Access});
  if (!run) return tl::unexpected(run.error());
  if (!run->hasEnded)
    return usageError(other->name +
                      " did not end, so nothing can be compared with it. Step it by itself to see why.");
  bool isSame = false;
  for (const KernelOutput& output : run->outputs) {
    launch.expected.try_emplace(output.name, output.members);
    isSame = true;
  }
  if (!isSame) return usageError(other->name + " writes no array, so nothing can be compared with it.");
  return {};
}

std::vector<std::string> notesOn(const KernelFile& file, const CompiledKernels& compiled,
                                 const AccessRecord& record) {
  constexpr std::uint64_t kSharedWithoutAsking = 48 << 10;
  std::vector<std::string> notes;
  const std::vector<std::string>& leftOut = compiled.text.leftOut;
  std::string names;
  for (std::size_t i = 0; i < leftOut.size(); ++i)
    names += (i == 0 ? "" : i + 1 == leftOut.size() ? " and " : ", ") + leftOut[i];
  if (!names.empty())
    notes.push_back(names + (leftOut.size() == 1 ? " is the host's and was left out."
                                                 : " are the host's and were left out."));
  for (const LaunchRequest& launch : file.launches.launches)
    if (launch.sharedBytes > kSharedWithoutAsking) {
      notes.push_back("More than " + figure(kSharedWithoutAsking) +
                      " bytes of dynamic shared memory need, on a GPU, cudaFuncSetAttribute(kernel, "
                      "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the launch.");
      break;
    }
  if (record.printsMore)
    notes.push_back("The kernel prints more than " + figure(record.printed.size()) +
                    " bytes; the rest is not kept.");
  if (record.hasMoreSites)
    notes.push_back("The text has more places that access memory than are told apart.");
  return notes;
}

}  // namespace

KernelCheck checkOf(const model::Trace& trace) {
  if (!model::hasEnded(trace) || trace.checkNote == kNotChecked) return KernelCheck::NotChecked;
  return trace.ok ? KernelCheck::Right : KernelCheck::Wrong;
}

std::string_view nameOf(KernelCheck check) {
  return check == KernelCheck::Right ? "right" : check == KernelCheck::Wrong ? "wrong" : "not checked";
}

// A person's kernels with what their launches are given.
struct PreparedKernels {
  NamedKernels kernels;
  CompiledKernels compiled;
  std::unique_ptr<worker::RpcClient> client{};  // the process that has loaded them; null: the CPU runs none
  std::vector<SharedLayout> shared{};           // by kernel, where there is no process to ask
  Arrays arrays{};
  AccessOrder order{};
  std::vector<LaunchRequest> launches{};  // with what is expected of them, read
  std::string expectation{};              // KernelRun's
};

namespace {

// The order for a GPU, as yet without launches.
Result<GpuAccessOrder> textForGpu(const KernelFile& file, const PreparedKernels& prepared) {
  auto headers = deviceFilesOf(file, prepared.compiled.text);
  if (!headers) return tl::unexpected(headers.error());
  GpuAccessOrder asked{.order = {.textFile = file.name},
                       .text = prepared.compiled.text.deviceText,
                       .headers = *std::move(headers)};
  for (const NamedKernel& kernel : prepared.kernels.all) asked.kernels.push_back(kernel.expression);
  return asked;
}

// Fewer threads do not help a text that makes system calls.
Error withoutSystemCalls(Error error) {
  constexpr std::string_view kKilled = "SIGSYS (Bad system call). ";
  const std::size_t found = error.sentence.find(kKilled);
  if (found == std::string::npos) return error;
  error.sentence.resize(found + kKilled.size());
  error.sentence += "A kernel may make none. Fix its text.";
  return error;
}

// Compiled and loaded on the CPU; the types of the parameters.
Result<std::vector<KernelTypes>> loadOnCpu(const KernelFile& file, PreparedKernels& prepared, JobControl& job,
                                           const KernelRunOptions& options) {
  const sandbox::SandboxSupport support = sandbox::sandboxSupport();
  if (!support.isComplete()) return unavailable(support.sentence());
  // On a GPU, what is compiled here tells of types alone.
  const RecorderChoice recorder = options.gpu != nullptr ? RecorderChoice::Access : options.recorder;
  auto compiled =
      compileKernels(file, prepared.compiled.text, prepared.kernels, recorder, job, options.headers);
  if (!compiled) return tl::unexpected(compiled.error());
  prepared.compiled = *std::move(compiled);
  prepared.client = std::make_unique<worker::RpcClient>(
      accessWorkerCommand(options.program, prepared.compiled.object.path()), kAccessService,
      worker::ClientLimits{.cancelling = std::chrono::milliseconds(0), .report = kReport});
  if (auto started = prepared.client->start(); !started) return tl::unexpected(started.error());
  auto types = prepared.client->ready<std::vector<KernelTypes>>(kStart, job);
  if (!types) return tl::unexpected(withoutSystemCalls(types.error()));
  if (types->size() != prepared.kernels.all.size()) return prepared.client->nonsense("It has other kernels.");
  return types;
}

// The GPU's compiler takes what the CPU's does not: inline PTX, and what the program's own CUDA headers lack.
Result<std::vector<KernelTypes>> describeOnGpu(const KernelFile& file, PreparedKernels& prepared,
                                               JobControl& job, const KernelRunOptions& options) {
  const auto asked = textForGpu(file, prepared);
  if (!asked) return tl::unexpected(asked.error());
  auto facts = options.gpu->describe(*asked, job);
  if (!facts) return tl::unexpected(facts.error());
  const std::size_t kernels = prepared.kernels.all.size();
  if (facts->types.size() != kernels || facts->shared.size() != kernels)
    return unavailable("The process that records on the GPU tells of other kernels. Try again.");
  prepared.client.reset();
  prepared.shared = std::move(facts->shared);
  return std::move(facts->types);
}

Result<PreparedKernels> prepare(const KernelFile& file, JobControl& job, const KernelRunOptions& options) {
  auto text = readKernelText(file.name, file.text, {.tellsBranches = false});
  if (!text) return tl::unexpected(text.error());
  auto kernels = namedKernels(file, *text);
  if (!kernels) return tl::unexpected(kernels.error());
  PreparedKernels prepared{.kernels = *std::move(kernels), .compiled = {.text = *std::move(text)}};
  auto types = loadOnCpu(file, prepared, job, options);
  if (!types && options.gpu != nullptr && !job.cancel) {
    // Where neither takes it, the CPU's compiler has said more.
    if (auto described = describeOnGpu(file, prepared, job, options)) types = std::move(described);
  }
  if (!types) return tl::unexpected(types.error());

  if (options.inspectedLaunch && *options.inspectedLaunch >= file.launches.launches.size())
    return usageError("--inspect-launch " + figure(*options.inspectedLaunch) +
                      ": there is no such launch of " + figure(file.launches.launches.size()) +
                      ", counted from 0.");
  LaunchPlanner planner(file, prepared.kernels, prepared.compiled.text, *types);
  prepared.order = {.textFile = file.name,
                    .schedule = options.schedule,
                    .blockOrder = options.blockOrder,
                    .scheduleSeed = options.scheduleSeed,
                    .blockOrderSeed = options.blockOrderSeed,
                    // Who waits for it longer can say less of why it did not end.
                    .milliseconds = std::uint64_t(options.limit.count()) * 4 / 5};
  for (std::size_t k = 0; k < file.launches.launches.size(); ++k) {
    auto launch = planner.plan(k, options);
    if (!launch) return tl::unexpected(launch.error());
    prepared.order.launches.push_back(*std::move(launch));
  }
  prepared.arrays = planner.arrays();
  prepared.launches = file.launches.launches;
  prepared.expectation = file.launchFile.empty() ? "expected" : file.launchFile + " expects";
  for (LaunchRequest& launch : prepared.launches) {
    if (auto read = readExpected(file, prepared.arrays, launch); !read) return tl::unexpected(read.error());
    if (!launch.sameAs.empty()) {
      if (auto other = expectSame(file, launch, job, options); !other) return tl::unexpected(other.error());
      prepared.expectation = std::filesystem::path(launch.sameAs).filename().native() + " leaves them";
    }
    if (auto fault = faultOfExpected(launch, prepared.arrays)) return usageError(*fault);
  }
  prepared.order.buffers = prepared.arrays.bytes;
  if (const auto& recorded = prepared.compiled.recorded) {
    prepared.order.isRecorded = true;
    prepared.order.recordedSites = std::uint32_t(recorded->pass.sites.size());
    prepared.order.sharedNames = recorded->sharedNames;
    // What local variables become is recorded, too.
    prepared.order.eventsPerThread *= 2;
  }
  return prepared;
}

// The same order for a GPU: what the CPU's compiler tells of shared memory is asked of the process.
Result<GpuAccessOrder> forGpu(const KernelFile& file, PreparedKernels& prepared, JobControl& job) {
  auto asked = textForGpu(file, prepared);
  if (!asked) return asked;
  asked->order = prepared.order;
  for (const AccessLaunch& launch : prepared.order.launches) {
    if (!prepared.client) {
      SharedLayout layout = prepared.shared[launch.kernel];
      layout.dynamic.bytes = launch.sharedBytes;
      asked->shared.push_back(std::move(layout));
      continue;
    }
    auto layout = prepared.client->call(kAskSharedLayout, launch, {.silence = kStart, .whole = kStart}, job);
    if (!layout) return tl::unexpected(layout.error());
    asked->shared.push_back(*std::move(layout));
  }
  return asked;
}

// An access that recording calls miss, as a function of a header of CUDA's makes it: only the compiled text
// tells of it.
NotRecorded unseenIn(const CompiledKernels& compiled, const AccessRecord& record) {
  const std::vector<model::Site>& own = compiled.recorded->pass.sites;
  const auto number = std::size_t(record.unseen);
  const model::Site* const site = number < own.size() ? &own[number]
                                  : number - own.size() < record.sites.size()
                                      ? &record.sites[number - own.size()]
                                      : nullptr;
  const auto placeOf = [](const model::Site& at) {
    return "line " + std::to_string(at.line) + (at.column > 0 ? ", column " + std::to_string(at.column) : "");
  };
  return {site == nullptr ? "" : placeOf(*site), "This accesses memory in a way that has no recording call."};
}

bool hasOthers(const model::Trace& trace) {
  return std::ranges::any_of(trace.launches, [](const model::LaunchTrace& launch) {
    return std::ranges::any_of(launch.blocks,
                               [](const model::BlockTrace& block) { return !block.others.empty(); });
  });
}

// What the GPU executed. Nothing: it was not listed.
std::optional<model::MachineCode> codeOf(std::vector<model::CodeLine> lines, const model::Trace& trace) {
  std::string capability = trace.executor.computeCapability;
  std::erase(capability, '.');
  model::MachineCode code{.experiment = trace.experiment,
                          .kernelHash = model::hashOf(trace.kernelText),
                          .executor = trace.executor,
                          .target = "sm_" + capability,
                          .lines = std::move(lines)};
  return model::faultOf(code) ? std::nullopt : std::optional(std::move(code));
}

// `asked`: the order for a GPU, which is run there; null: the CPU runs it.
Result<KernelRun> recordPrepared(const KernelFile& file, PreparedKernels& prepared,
                                 const GpuAccessOrder* asked, JobControl& job,
                                 const KernelRunOptions& options, std::optional<NotRecorded>& unseen) {
  const auto& [kernels, compiled, client, shared, arrays, order, launches, expectation] = prepared;
  std::optional<GpuAccessRecord> onGpu;
  Result<AccessRecord> record;
  if (asked != nullptr) {
    auto recorded = options.gpu->record(*asked, options.limit, job);
    if (!recorded) return tl::unexpected(recorded.error());
    record = std::move(recorded->record);
    onGpu = *std::move(recorded);
  } else {
    record = client->call(kRecordAccesses, order, {.silence = options.limit, .whole = options.limit}, job);
  }
  if (!record) return tl::unexpected(withoutSystemCalls(record.error()));
  if (record->buffers.size() != arrays.bytes.size() || record->launches.empty())
    return unavailable("The process that ran the kernel leaves an array out. Try again.");
  if (compiled.recorded)
    for (model::Site& site : record->sites)
      site.column = columnBefore(compiled.text, *compiled.recorded, site.line, site.column);
  if (record->unseen >= 0 && compiled.recorded) unseen = unseenIn(compiled, *record);
  if (record->missesDynamic) return missesDynamic(file, compiled, record->launches.size() - 1);

  KernelRun run;
  run.hasEnded = record->finished;
  run.printed = record->printed;
  for (std::size_t b = 0; b < arrays.names.size(); ++b)
    if (arrays.isWritten[b])
      run.outputs.push_back(
          {arrays.names[b], printedMembers(arrays.types[b], record->buffers[b]), arrays.types[b].members});
  run.notes = notesOn(file, compiled, *record);
  const LaunchRequest& first = file.launches.launches.front();
  run.trace = traceOf(file, compiled, kernels.all[kernels.ofLaunch.front()], *std::move(record), arrays);
  if (onGpu) {
    run.trace.executor = onGpu->executor;
    if (!client)
      run.notes.emplace_back(
          "The CPU's compiler does not take the text, so that the types of shared arrays are not known: "
          "they are shown in words of 4 bytes.");
    run.notes.insert(run.notes.end(), onGpu->notes.begin(), onGpu->notes.end());
    if (hasOthers(run.trace))
      run.notes.emplace_back(
          "No map shows accesses to other blocks of a cluster, bulk copies, and barriers that are not of the "
          "whole block. The sentence of each round tells of them. Such a barrier ends no round.");
    run.code = codeOf(std::move(onGpu->code), run.trace);
    run.clocks = std::move(onGpu->clocks);
    run.cleanMicroseconds = onGpu->cleanMicroseconds;
    run.clockedMicroseconds = onGpu->clockedMicroseconds;
  }
  run.templateArguments = first.templateArguments;
  run.sharedBytes = first.sharedBytes;
  if (!run.hasEnded) return run;
  for (const LaunchRequest& launch : launches) checkOutputs(launch, run, arrays);
  run.trace.ok = run.check != KernelCheck::Wrong;
  run.expectation = expectation;
  if (run.mismatch)
    run.trace.checkNote = run.mismatch->place + " is " + run.mismatch->got +
                          ", which is WRONG: " + run.mismatch->expected + " is expected.";
  else if (run.check == KernelCheck::Right)
    run.trace.checkNote = "The arrays are as " + run.expectation + ".";
  else
    run.trace.checkNote = kNotChecked;
  return run;
}

// What records on a GPU is told of the text's conditions, too.
Result<KernelRun> recordOnGpu(const KernelFile& file, PreparedKernels& prepared, GpuAccessOrder& asked,
                              JobControl& job, const KernelRunOptions& options,
                              std::optional<NotRecorded>& unseen) {
  auto telling = tellingKernelsOf(file);
  if (!telling) return tl::unexpected(telling.error());
  asked.telling = std::move(telling->telling);
  prepared.compiled.branches = std::move(telling->branches);
  asked.isClocked = options.isClocked;
  asked.wantsCode = options.wantsCode;
  return recordPrepared(file, prepared, &asked, job, options, unseen);
}

Result<KernelRun> runRecorded(const KernelFile& file, JobControl& job, const KernelRunOptions& options,
                              std::optional<NotRecorded>& unseen) {
  auto prepared = prepare(file, job, options);
  if (!prepared) return tl::unexpected(prepared.error());
  if (options.gpu == nullptr) return recordPrepared(file, *prepared, nullptr, job, options, unseen);
  auto asked = forGpu(file, *prepared, job);
  if (!asked) return tl::unexpected(asked.error());
  return recordOnGpu(file, *prepared, *asked, job, options, unseen);
}

}  // namespace

struct KernelsForGpu::State {
  const KernelFile& file;
  KernelRunOptions options;
  PreparedKernels prepared;
  GpuAccessOrder order;
};

KernelsForGpu::KernelsForGpu(std::unique_ptr<State> state) : state_(std::move(state)) {}
KernelsForGpu::~KernelsForGpu() = default;
KernelsForGpu::KernelsForGpu(KernelsForGpu&& other) noexcept = default;
KernelsForGpu& KernelsForGpu::operator=(KernelsForGpu&& other) noexcept = default;

Result<KernelsForGpu> KernelsForGpu::prepare(const KernelFile& file, JobControl& job,
                                             KernelRunOptions options) {
  options.recorder = RecorderChoice::Access;
  auto prepared = access::prepare(file, job, options);
  if (!prepared) return tl::unexpected(prepared.error());
  auto order = forGpu(file, *prepared, job);
  if (!order) return tl::unexpected(order.error());
  return KernelsForGpu(
      std::make_unique<State>(State{file, std::move(options), *std::move(prepared), *std::move(order)}));
}

const GpuAccessOrder& KernelsForGpu::order() const { return state_->order; }

Result<KernelRun> KernelsForGpu::record(JobControl& job) {
  std::optional<NotRecorded> none;
  return recordOnGpu(state_->file, state_->prepared, state_->order, job, state_->options, none);
}

Result<KernelRun> runKernelFile(const KernelFile& file, JobControl& job, const KernelRunOptions& options) {
  if (options.gpu != nullptr && options.recorder == RecorderChoice::Source)
    return usageError(
        "The source recorder records a kernel of your own on the CPU alone. Choose the CPU executor "
        "(on the command line: --engine host).");
  std::optional<NotRecorded> unseen;
  auto run = runRecorded(file, job, options, unseen);
  if (!run || model::recorderOf(run->trace) == model::Recorder::Access) return run;
  if (unseen && options.recorder == RecorderChoice::Source) return notTakenBySource(file, *unseen);
  if (options.recorder == RecorderChoice::Source || (!unseen && !(run->hasEnded && model::isCut(run->trace))))
    return run;
  // The accesses alone may be all that is to be known, or may fit.
  KernelRunOptions plain = options;
  plain.recorder = RecorderChoice::Access;
  std::optional<NotRecorded> none;
  auto again = runRecorded(file, job, plain, none);
  if (!again || (!unseen && model::isCut(again->trace))) return unseen ? std::move(again) : std::move(run);
  again->trace.recorderReason =
      unseen ? unseen->sentence()
             : "With operands and local variables, the run has more events than are kept.";
  return again;
}

}  // namespace stridescope::engine::access
