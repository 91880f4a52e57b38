#include "kernel_run.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "access_worker.h"
#include "base/numbers.h"
#include "base/regular_file.h"
#include "engine/access/gpu_access.h"
#include "engine/sandbox/confinement.h"
#include "engine/worker/rpc_client.h"
#include "kernel_numbers.h"
#include "kernel_source.h"
#include "launch_planner.h"
#include "output_check.h"
#include "text_piece.h"

namespace stridescope::engine::access {
namespace {

constexpr std::chrono::milliseconds kStart{20'000}, kReport{1'000};

std::optional<model::ElementType> elementTypeOf(const ParameterType& type) {
  if (type.members.size() != 1) return std::nullopt;
  const MemberType& member = type.members.front();
  using enum model::ElementType;
  if (member.kind == NumberKind::Floating) return member.bytes == 4 ? Float : Double;
  if (member.kind == NumberKind::Signed && member.bytes >= 4) return member.bytes == 4 ? Int : Int64;
  if (member.kind == NumberKind::Unsigned && member.bytes == 4) return Unsigned;
  return std::nullopt;
}

// The loops of a text that were reached, outermost first: where they begin.
class ReachedLoops {
 public:
  ReachedLoops(const CompiledKernels& compiled, const std::map<std::size_t, int>& siteOf)
      : compiled_(compiled) {
    for (const auto& [number, site] : siteOf)
      all_.emplace_back(compiled.branches[number].begin, number, site);
    std::ranges::sort(all_);
  }

  // The sites of those around a place of the text.
  std::vector<int> around(BranchCondition::Place place) const {
    std::vector<int> loops;
    for (const auto& [begin, number, site] : all_)
      if (begin <= place && place <= compiled_.branches[number].end) loops.push_back(site);
    return loops;
  }

 private:
  const CompiledKernels& compiled_;
  std::vector<std::tuple<BranchCondition::Place, std::size_t, int>> all_;
};

// A site of a file that the text includes stands at the directive, and tells where it is in that file. One of
// a file that another one includes stands at the first line.
void standAtInclude(const KernelText& text, const std::string& file, model::Site& site) {
  site.text = file + ":" + std::to_string(site.line);
  site.line = site.column = 1;
  site.length = 0;
  for (const KernelText::IncludedFile& include : text.includes)
    if (std::filesystem::path(include.name).filename() == file) site.line = include.line;
}

// Where each site stands in the person's text, what it says there, and which loops are around it.
ReachedLoops describeSites(const KernelFile& file, const CompiledKernels& compiled,
                           const AccessRecord& record, std::vector<model::Site>& sites) {
  const std::vector<int>& branches = record.branches;
  std::map<std::size_t, int> siteOf;  // by the number of a loop's condition
  for (std::size_t s = 0; s < sites.size(); ++s) {
    model::Site& site = sites[s];
    if (s < record.files.size() && !record.files[s].empty()) {
      standAtInclude(compiled.text, record.files[s], site);
      continue;
    }
    const auto number = s < branches.size() && branches[s] >= 0 ? std::size_t(branches[s]) : ~std::size_t{0};
    if (number < compiled.branches.size() && !compiled.branches[number].text.empty()) {
      const BranchCondition& condition = compiled.branches[number];
      std::tie(site.line, site.column) = condition.place;
      site.length = condition.length;
      site.text = condition.text;
      if (condition.isLoop) siteOf.try_emplace(number, site.id);
      continue;
    }
    site.column = compiled.text.edits.columnBefore(site.line, site.column);
    const TextPiece piece = pieceAt(file.text, site.line, site.column);
    site.column = piece.column;
    site.length = piece.length;
    site.text = piece.text;
  }
  ReachedLoops loops(compiled, siteOf);
  for (model::Site& site : sites) {
    site.loops = loops.around({site.line, site.column});
    if (site.kind != model::SiteKind::Loop) continue;
    std::erase(site.loops, site.id);  // it is the innermost
    site.loops.push_back(site.id);
  }
  return loops;
}

model::Operation operationOf(model::SiteKind kind) {
  switch (kind) {
    case model::SiteKind::Load:
      return model::Operation::Load;
    case model::SiteKind::Store:
      return model::Operation::Store;
    case model::SiteKind::Update:
      return model::Operation::Update;
    case model::SiteKind::Branch:
      return model::Operation::Branch;
    case model::SiteKind::Loop:
      return model::Operation::Loop;
    case model::SiteKind::BlockBarrier:
      return model::Operation::SyncThreads;
    case model::SiteKind::WarpOperation:
      return model::Operation::WarpOperation;
    case model::SiteKind::Atomic:
      return model::Operation::Atomic;
    case model::SiteKind::Assign:
      return model::Operation::Assign;
  }
  return model::Operation::Load;
}

// What is known of the text without reading it: its functions, and who calls whom.
model::KernelModel modelOf(const AccessRecord& record, const CompiledKernels& compiled,
                           const ReachedLoops& loops, const std::vector<model::Site>& sites) {
  model::KernelModel model{.functions = record.functions};
  for (const AccessCall& each : record.calls) {
    model.calls.push_back(each.call);
    if (each.line < 1) continue;
    const int column = compiled.text.edits.columnBefore(each.line, std::max(1, each.column));
    if (const auto around = loops.around({each.line, column}); !around.empty())
      model.calls.back().loop = around.back();
  }
  for (std::size_t s = 0; s < sites.size(); ++s)
    model.sites.push_back({.operation = operationOf(sites[s].kind), .function = record.functionOfSite[s]});
  return model;
}

// A function that is called within a loop has sites in no loop. Where it is not known which function calls
// which, lanes that call it would seem to begin the loop anew, so their accesses would not be lined up with
// those of the others. Without loops, accesses are lined up by how often each site was reached.
void leaveLoopsOut(std::vector<model::Site>& sites) {
  for (model::Site& site : sites) {
    site.loops.clear();
    if (site.kind == model::SiteKind::Loop) site.kind = model::SiteKind::Branch;
  }
}

// The text's own sites, and behind them those that problems name beside them.
void takeRecorded(const KernelFile& file, const RecordedText& recorded, std::vector<model::Site> others,
                  model::Trace& trace) {
  trace.sites = recorded.pass.sites;
  trace.kernel = recorded.pass.model;
  if (recorded.pass.elementType) trace.experiment.type = *recorded.pass.elementType;
  for (model::Site& site : others) {
    const TextPiece piece = pieceAt(file.text, site.line, 0);
    site.column = piece.column;
    site.length = piece.length;
    site.text = piece.text;
    trace.sites.push_back(std::move(site));
    trace.kernel.sites.emplace_back();
  }
}

// What was recorded tells only from where in the compiled text it came.
void takePlaces(const KernelFile& file, const CompiledKernels& compiled, AccessRecord& record,
                model::Trace& trace) {
  trace.sites = std::move(record.sites);
  const ReachedLoops loops = describeSites(file, compiled, record, trace.sites);
  // The place of a crash is a site like that of an assignment, but to no variable.
  const bool hasCrash = std::ranges::count(trace.sites, model::SiteKind::Assign, &model::Site::kind) != 0;
  if (hasCrash || record.functionOfSite.size() != trace.sites.size())
    leaveLoopsOut(trace.sites);
  else if (compiled.knowsBranches)
    trace.kernel = modelOf(record, compiled, loops, trace.sites);
}

model::Trace traceOf(const KernelFile& file, const CompiledKernels& compiled, const NamedKernel& kernel,
                     AccessRecord record, const Arrays& arrays) {
  model::Trace trace;
  const LaunchRequest& first = file.launches.launches.front();
  model::Kernel own{
      .id = file.name, .title = file.name, .text = file.text, .function = kernel.declaration.name};
  own.launch.fixed = model::FixedLaunch{first.grid, first.block, first.sharedBytes};
  trace.experiment.variant = file.name;
  trace.experiment.threads = unsigned(first.block.count());
  trace.experiment.kernel = Shared<model::Kernel>(std::move(own));
  trace.kernelText = file.text;
  trace.executor = {.kind = model::EngineKind::Host, .device = "CPU executor", .compiler = "C++"};
  trace.recorderReason = compiled.whyNotRecorded;
  if (compiled.recorded)
    takeRecorded(file, *compiled.recorded, std::move(record.sites), trace);
  else
    takePlaces(file, compiled, record, trace);
  trace.launches = std::move(record.launches);
  for (model::LaunchTrace& launch : trace.launches)
    for (model::Array& buffer : launch.buffers) {
      const auto known = std::ranges::find(arrays.names, buffer.name);
      if (known == arrays.names.end()) continue;
      const ParameterType& type = arrays.types[std::size_t(known - arrays.names.begin())];
      buffer.elementBytes = type.bytes;
      buffer.type = elementTypeOf(type);
    }
  return trace;
}

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

Result<KernelFile> readTextFile(const std::filesystem::path& place) {
  constexpr std::uint64_t kMaxTextBytes = 4 << 20;
  auto text = readRegularFile(place, "CUDA C++", kMaxTextBytes);
  if (!text) return tl::unexpected(text.error());
  return KernelFile{
      .name = place.filename(), .folder = place.parent_path(), .text = *std::move(text), .launches = {}};
}

// What another kernel leaves, launched alike, is expected.
Result<void> expectSame(const KernelFile& file, LaunchRequest& launch, JobControl& job,
                        const KernelRunOptions& options) {
  if (file.launches.launches.size() > 1)
    return usageError("What another kernel leaves is compared of a single launch. Take one, or \"expect\".");
  const auto path = std::filesystem::path(file.folder.empty() ? "." : file.folder) / launch.sameAs;
  auto other = readTextFile(path);
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

std::string launchFileOf(const KernelFile& file) {
  return file.launchFile.empty() ? std::filesystem::path(file.name).stem().string() + ".launch.json"
                                 : file.launchFile;
}

Result<KernelFile> readKernelFile(const std::string& path, const std::optional<std::string>& launchFile) {
  constexpr std::uint64_t kMaxLaunchBytes = 64 << 20;
  auto read = readTextFile(path);
  if (!read) return read;
  KernelFile file = *std::move(read);
  std::filesystem::path launches = path;
  if (launchFile)
    launches = *launchFile;
  else
    launches.replace_extension(".launch.json");
  std::error_code absent;
  if (!launchFile && !std::filesystem::exists(launches, absent)) {
    file.launches.launches.emplace_back();
    return file;
  }
  const auto content = readRegularFile(launches, "a launch file", kMaxLaunchBytes);
  if (!content) return tl::unexpected(content.error());
  file.launchFile = launches.filename();
  auto parsed = parseLaunchFile(file.launchFile, *content);
  if (!parsed) return tl::unexpected(parsed.error());
  file.launches = *std::move(parsed);
  return file;
}

std::string_view nameOf(KernelCheck check) {
  return check == KernelCheck::Right ? "right" : check == KernelCheck::Wrong ? "wrong" : "not checked";
}

namespace {

// A person's kernels with what their launches are given.
struct Prepared {
  NamedKernels kernels;
  CompiledKernels compiled;
  std::unique_ptr<worker::RpcClient> client{};  // the process that has loaded them; null: the CPU runs none
  std::vector<SharedLayout> shared{};           // by kernel, where there is no process to ask
  Arrays arrays{};
  AccessOrder order{};
  std::vector<LaunchRequest> launches{};  // with what is expected of them, read
  std::string expectation{};              // KernelRun's
};

// The order for a GPU, as yet without launches.
Result<GpuAccessOrder> textForGpu(const KernelFile& file, const Prepared& prepared) {
  auto headers = deviceFilesOf(file, prepared.compiled.text);
  if (!headers) return tl::unexpected(headers.error());
  GpuAccessOrder asked{.order = {.textFile = file.name},
                       .text = prepared.compiled.text.deviceText,
                       .headers = *std::move(headers)};
  for (const NamedKernel& kernel : prepared.kernels.all) asked.kernels.push_back(kernel.expression);
  return asked;
}

// Compiled and loaded on the CPU; the types of the parameters.
Result<std::vector<KernelTypes>> loadOnCpu(const KernelFile& file, Prepared& prepared, JobControl& job,
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
  if (!types) return tl::unexpected(types.error());
  if (types->size() != prepared.kernels.all.size()) return prepared.client->nonsense("It has other kernels.");
  return types;
}

// The GPU's compiler takes what the CPU's does not: inline PTX, and what the program's own CUDA headers lack.
Result<std::vector<KernelTypes>> describeOnGpu(const KernelFile& file, Prepared& prepared, JobControl& job,
                                               const KernelRunOptions& options) {
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

Result<Prepared> prepare(const KernelFile& file, JobControl& job, const KernelRunOptions& options) {
  auto text = readKernelText(file.name, file.text, {.tellsBranches = false});
  if (!text) return tl::unexpected(text.error());
  auto kernels = namedKernels(file, *text);
  if (!kernels) return tl::unexpected(kernels.error());
  Prepared prepared{.kernels = *std::move(kernels), .compiled = {.text = *std::move(text)}};
  auto types = loadOnCpu(file, prepared, job, options);
  if (!types && options.gpu != nullptr && !job.cancel) {
    // Where neither takes it, the CPU's compiler has said more.
    if (auto described = describeOnGpu(file, prepared, job, options)) types = std::move(described);
  }
  if (!types) return tl::unexpected(types.error());

  if (options.inspectedLaunch && *options.inspectedLaunch >= file.launches.launches.size())
    return usageError("--inspect-launch " + figure(*options.inspectedLaunch) + ": there are " +
                      figure(file.launches.launches.size()) + " launches, counted from 0.");
  LaunchPlanner planner(file, prepared.kernels, prepared.compiled.text, *types);
  prepared.order = {.textFile = file.name,
                    .schedule = options.schedule,
                    .blockOrder = options.blockOrder,
                    .scheduleSeed = options.scheduleSeed,
                    .blockOrderSeed = options.blockOrderSeed};
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
Result<GpuAccessOrder> forGpu(const KernelFile& file, Prepared& prepared, JobControl& job) {
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

}  // namespace

Result<GpuAccessOrder> gpuOrderOf(const KernelFile& file, JobControl& job, const KernelRunOptions& options) {
  KernelRunOptions plain = options;
  plain.recorder = RecorderChoice::Access;
  auto prepared = prepare(file, job, plain);
  if (!prepared) return tl::unexpected(prepared.error());
  return forGpu(file, *prepared, job);
}

namespace {

// An access that recording calls miss, as a function of a header of CUDA's makes it: only the compiled text
// tells of it.
NotRecorded unseenIn(const CompiledKernels& compiled, const AccessRecord& record) {
  const std::vector<model::Site>& own = compiled.recorded->pass.sites;
  const auto number = std::size_t(record.unseen);
  const model::Site* const site = number < own.size() ? &own[number]
                                  : number - own.size() < record.sites.size()
                                      ? &record.sites[number - own.size()]
                                      : nullptr;
  return {site == nullptr ? ""
                          : "line " + std::to_string(site->line) + ", column " + std::to_string(site->column),
          "This accesses memory in a way that has no recording call."};
}

bool isCut(const model::Trace& trace) {
  return std::ranges::any_of(trace.launches, [](const model::LaunchTrace& launch) {
    return std::ranges::any_of(launch.blocks, &model::BlockTrace::cut);
  });
}

Result<KernelRun> runRecorded(const KernelFile& file, JobControl& job, const KernelRunOptions& options,
                              std::optional<NotRecorded>& unseen) {
  auto prepared = prepare(file, job, options);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto& [kernels, compiled, client, shared, arrays, order, launches, expectation] = *prepared;
  std::optional<GpuAccessRecord> onGpu;
  Result<AccessRecord> record;
  if (options.gpu != nullptr) {
    auto asked = forGpu(file, *prepared, job);
    if (!asked) return tl::unexpected(asked.error());
    asked->isClocked = options.isClocked;
    auto recorded = options.gpu->record(*asked, options.limit, job);
    if (!recorded) return tl::unexpected(recorded.error());
    record = std::move(recorded->record);
    onGpu = *std::move(recorded);
  } else {
    record = client->call(kRecordAccesses, order, {.silence = options.limit, .whole = options.limit}, job);
  }
  if (!record) return tl::unexpected(record.error());
  if (record->buffers.size() != arrays.bytes.size() || record->launches.empty())
    return unavailable("The process that ran the kernel leaves an array out. Try again.");
  if (record->unseen >= 0 && compiled.recorded) unseen = unseenIn(compiled, *record);
  if (record->missesDynamic) return missesDynamic(file, compiled, record->launches.size() - 1);

  KernelRun run;
  run.hasEnded = record->finished;
  run.printed = record->printed;
  for (std::size_t b = 0; b < arrays.names.size(); ++b)
    if (arrays.isWritten[b])
      run.outputs.push_back({arrays.names[b], printedMembers(arrays.types[b], record->buffers[b])});
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
    run.trace.checkNote = run.mismatch->output + "[" + figure(run.mismatch->element) + "] is " +
                          run.mismatch->got + ", which is WRONG: " + run.mismatch->expected + " is expected.";
  else if (run.check == KernelCheck::Right)
    run.trace.checkNote = "The arrays are as " + run.expectation + ".";
  else
    run.trace.checkNote = "Nothing is expected of the arrays, so they are not checked.";
  return run;
}

}  // namespace

Result<KernelRun> runKernelFile(const KernelFile& file, JobControl& job, const KernelRunOptions& options) {
  if (options.gpu != nullptr && options.recorder == RecorderChoice::Source)
    return usageError(
        "The source recorder records a kernel of your own on the CPU alone. Choose the CPU executor "
        "(on the command line: --engine host).");
  std::optional<NotRecorded> unseen;
  auto run = runRecorded(file, job, options, unseen);
  if (!run || model::recorderOf(run->trace) == model::Recorder::Access) return run;
  if (unseen && options.recorder == RecorderChoice::Source) return notTakenBySource(file, *unseen);
  if (options.recorder == RecorderChoice::Source || (!unseen && !(run->hasEnded && isCut(run->trace))))
    return run;
  // The accesses alone may be all that is to be known, or may fit.
  KernelRunOptions plain = options;
  plain.recorder = RecorderChoice::Access;
  std::optional<NotRecorded> none;
  auto again = runRecorded(file, job, plain, none);
  if (!again || (!unseen && isCut(again->trace))) return unseen ? std::move(again) : std::move(run);
  again->trace.recorderReason =
      unseen ? unseen->sentence()
             : "With operands and local variables, the run has more events than are kept.";
  return again;
}

}  // namespace stridescope::engine::access
