#include "cli/own_kernel.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>
#include <utility>

#include "archive/recording_file.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "engine/access/gpu_access.h"
#include "engine/access/kernel_run.h"
#include "engine/access/launch_file.h"
#include "engine/access/launch_guess.h"
#include "engine/access/variant_copy.h"
#include "report/own_kernel.h"

namespace stridescope::cli {

namespace access = engine::access;

namespace {

// These options mean for a kernel of one's own what they mean for a variant.
constexpr std::array<std::string_view, 3> kOfExecutor{"--schedule", "--schedule-seed", "--block-order"};

}  // namespace

void KernelOptions::declare(Options& options) {
  options.value("--kernel", kernel_, "with FILE.cu: which of its __global__ functions", "NAME");
  options.value("--template", template_, "with FILE.cu: the kernel's template arguments, such as 'int, 256'",
                "ARGUMENTS");
  options.value("--grid", grid_,
                "with FILE.cu: blocks, as X, XxY or XxYxZ; --block has a block's threads alike", "EXTENTS");
  options.value("--shared", shared_, "with FILE.cu: bytes of dynamic shared memory", "BYTES");
  options.value(
      "--arg", arguments_,
      "with FILE.cu: a parameter's argument: NAME=PATTERN:COUNT, NAME=zero:COUNT, NAME=file:PATH or "
      "NAME=NUMBER",
      "NAME=WHAT");
  options.value("--launch-file", launchFile_,
                "with FILE.cu: its launches; FILE.launch.json where there is one", "FILE.json");
  options.value("--inspect", inspect_,
                "with FILE.cu: the block that is recorded, as X, X,Y or X,Y,Z; or all of them",
                "BX,BY,BZ|all");
  options.value(
      "--inspect-launch", inspectLaunch_,
      "with FILE.cu: the launch that --inspect speaks of, from 0; of the others block 0 is recorded", "K");
  options.value("--recorder", recorder_,
                "what records FILE.cu: auto (default), source, which knows operands, or access, which takes "
                "every text; a variant, too, is recorded by access if that is asked",
                "RECORDER");
  options.value("--expect", expected_,
                "with FILE.cu: the numbers that an array should have in the end, or \"OP of ARRAY\"",
                "NAME=FILE");
  options.value("--same-as", sameAs_,
                "with FILE.cu: another kernel, which leaves what is expected of the same launch", "OTHER.cu");
}

void KernelOptions::declareWithBlock(Options& options) {
  declare(options);
  options.value("--block", block_, "with FILE.cu: a block's threads, as X, XxY or XxYxZ", "EXTENTS");
}

std::string KernelOptions::firstGiven() const {
  const std::string option = firstForFiles();
  return option.empty() && recorder_ != kAuto ? "--recorder" : option;
}

std::string KernelOptions::firstForFiles() const {
  if (block_) return "--block";
  if (kernel_) return "--kernel";
  if (template_) return "--template";
  if (grid_) return "--grid";
  if (shared_) return "--shared";
  if (!arguments_.empty()) return "--arg";
  if (launchFile_) return "--launch-file";
  if (inspect_) return "--inspect";
  if (inspectLaunch_) return "--inspect-launch";
  if (!expected_.empty()) return "--expect";
  return sameAs_ ? "--same-as" : "";
}

bool KernelOptions::takes(const std::string& name, const ExperimentOptions& options) const {
  return (model::isKernelFile(name) && !isRecordingName(options.engine)) || wantsAccesses();
}

Result<bool> KernelOptions::takes(std::span<const std::string> names,
                                  const ExperimentOptions& options) const {
  if (const auto chosen = runOptions(); !chosen) return tl::unexpected(chosen.error());
  const std::string option = firstForFiles();
  if (!option.empty() && std::ranges::none_of(names, model::isKernelFile))
    return usageError(option +
                      " goes with a file of your own, such as `stridescope step FILE.cu`; a variant has no "
                      "use for it.");
  if (!option.empty() && isRecordingName(options.engine))
    return usageError(option + " says how a kernel is launched; of a recording (--engine " + options.engine +
                      "), that is known.");
  return std::ranges::any_of(names, [&](const std::string& name) { return takes(name, options); });
}

Result<void> KernelOptions::refuseOthers(const ExperimentOptions& options) {
  constexpr std::array<std::string_view, 4> kTaken{"--block", "--schedule", "--schedule-seed",
                                                   "--block-order"};
  if (const std::string option = options.typedBeside(kTaken); !option.empty())
    return usageError(
        option + " is for variants: a kernel of your own has its launch file, --grid, --block and --arg.");
  const auto engine = engine::parseEngineName(options.engine);
  if (!engine || engine->kind == engine::EngineNameKind::Recording)
    return usageError("--engine " + options.engine +
                      " does not run a kernel of your own: host, gpu and gpu:N do.");
  return {};
}

// What the command line says goes before what the launch file says.
Result<void> KernelOptions::change(access::LaunchRequest& launch,
                                   const std::optional<std::string>& block) const {
  if (kernel_) launch.kernel = *kernel_;
  if (template_) launch.templateArguments = *template_;
  for (const auto& [given, option, extents] :
       {std::tuple(&grid_, "--grid", &launch.grid), std::tuple(&block, "--block", &launch.block)}) {
    if (!*given) continue;
    const auto parsed = access::parseExtents(**given);
    if (!parsed)
      return usageError(std::string(option) + " " + **given +
                        " is no extent: write X, XxY or XxYxZ, as in 32x8.");
    *extents = *parsed;
    (option == std::string_view("--grid") ? launch.saysGrid : launch.saysBlock) = true;
  }
  if (shared_) {
    const auto bytes = parseNumber("--shared", *shared_);
    if (!bytes) return tl::unexpected(bytes.error());
    launch.sharedBytes = *bytes;
    launch.saysShared = true;
  }
  for (const std::string& typed : arguments_) {
    auto argument = access::parseArgument(typed);
    if (!argument) return tl::unexpected(argument.error());
    const auto known = std::ranges::find(launch.arguments, argument->name, &access::ArgumentRequest::name);
    if (known == launch.arguments.end())
      launch.arguments.push_back(*std::move(argument));
    else
      *known = *std::move(argument);
  }
  return {};
}

// On the GPU that is named; with `auto` on the first one, if there is any that can be used, else on the CPU.
Result<access::KernelRun> KernelOptions::record(const Context& context, const access::KernelFile& kernel,
                                                access::KernelRunOptions options,
                                                const ExperimentOptions& experiment) {
  engine::EngineName name = engine::parseEngineName(experiment.engine).value_or(engine::EngineName{});
  const bool isAuto = name.kind == engine::EngineNameKind::Auto;
  std::string ofExecutor;
  for (const std::string_view option : kOfExecutor)
    if (experiment.typed(option)) ofExecutor = option;
  if (options.recorder == access::RecorderChoice::Source) ofExecutor = "--recorder source";
  if (!ofExecutor.empty() && name.kind == engine::EngineNameKind::Gpu)
    return usageError(ofExecutor + " is for the CPU executor: --engine host.");
  if (!ofExecutor.empty()) name.kind = engine::EngineNameKind::Host;
  const auto& onGpu = context.services.sources.recordOwnOnGpu;
  std::unique_ptr<access::GpuAccess> gpu;
  if (name.kind != engine::EngineNameKind::Host && onGpu) gpu = onGpu(name.gpu);
  if (!gpu && name.kind == engine::EngineNameKind::Gpu)
    return unavailable("This build has no GPU engine; use --engine host.");
  LongWork work(context.terminal);
  if (const auto opened = gpu ? gpu->open(work.job) : Result<void>(); !opened) {
    work.line.clear();
    if (!isAuto || work.job.cancel) return tl::unexpected(opened.error());
    context.streams.error << "engine: CPU executor, because no GPU can be used: "
                          << printable(opened.error().sentence) << "\n";
    gpu.reset();
  }
  options.gpu = gpu.get();
  auto run = access::runKernelFile(kernel, work.job, options);
  work.line.clear();
  return run;
}

// A file's path begins where the command was typed; a launch file's, where the kernel is.
Result<void> KernelOptions::expect(access::LaunchRequest& launch) const {
  for (const std::string& typed : expected_) {
    const auto equals = typed.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == typed.size())
      return usageError("--expect " + typed + " cannot be read: write NAME=FILE or NAME='OP of ARRAY'.");
    const std::string name = typed.substr(0, equals), what = typed.substr(equals + 1);
    launch.expected.erase(name);
    launch.expectedFiles.erase(name);
    launch.expectedReductions.erase(name);
    if (const auto of = what.find(" of "); of != std::string::npos) {
      const std::string op = what.substr(0, of);
      if (std::ranges::count(access::kReductions, op) == 0)
        return usageError("--expect " + typed + ": '" + op + "' is none of + * min max & | ^.");
      launch.expectedReductions[name] = {what.substr(of + 4), op};
    } else {
      launch.expectedFiles[name] = std::filesystem::absolute(what);
    }
  }
  if (sameAs_) launch.sameAs = std::filesystem::absolute(*sameAs_);
  return {};
}

Result<KernelOptions::Launches> KernelOptions::launches(const std::string& file,
                                                        const std::optional<std::string>& block,
                                                        bool anew) const {
  auto kernel = access::readKernelFile(file, launchFile_);
  if (!kernel) return tl::unexpected(kernel.error());
  if (anew && !launchFile_) {
    kernel->launchFile.clear();
    kernel->launches.launches.assign(1, {});
  }
  for (access::LaunchRequest& launch : kernel->launches.launches) {
    if (auto changed = change(launch, block); !changed) return tl::unexpected(changed.error());
  }
  if (auto expected = expect(kernel->launches.launches.back()); !expected)
    return tl::unexpected(expected.error());
  auto guessed = access::guessLaunch(*kernel);
  if (!guessed) return tl::unexpected(guessed.error());
  return Launches{*std::move(kernel), *std::move(guessed)};
}

Result<access::KernelRunOptions> KernelOptions::runOptions() const {
  access::KernelRunOptions chosen;
  using Choice = access::RecorderChoice;
  constexpr std::array<std::pair<std::string_view, Choice>, 3> kRecorders{
      {{kAuto, Choice::Auto}, {"source", Choice::Source}, {kAccess, Choice::Access}}};
  const auto recorder = std::ranges::find(kRecorders, recorder_, &std::pair<std::string_view, Choice>::first);
  if (recorder == kRecorders.end())
    return tl::unexpected(
        notOneOf("--recorder", recorder_, {std::string(kAuto), "source", std::string(kAccess)}));
  chosen.recorder = recorder->second;
  if (inspectLaunch_) {
    const auto launch = parseNumber("--inspect-launch", *inspectLaunch_);
    if (!launch) return tl::unexpected(launch.error());
    chosen.inspectedLaunch = std::size_t(*launch);
  }
  chosen.inspectsAll = inspect_ == "all";
  if (!inspect_ || chosen.inspectsAll) return chosen;
  const auto index = access::parseThree(*inspect_, ',', 0);
  if (!index)
    return usageError("--inspect " + *inspect_ +
                      " is no block: write X, X,Y or X,Y,Z, counted from 0, or all.");
  chosen.inspected = *index;
  return chosen;
}

Result<access::KernelRunOptions> KernelOptions::runOptionsOnGpu() const {
  auto chosen = runOptions();
  if (chosen && chosen->recorder == access::RecorderChoice::Source)
    return usageError(
        "--recorder source is for the CPU executor, and this command runs the kernel on a GPU. Leave "
        "it out.");
  return chosen;
}

Result<access::KernelRunOptions> KernelOptions::runOptions(const ExperimentOptions& options) const {
  auto chosen = runOptions();
  const auto request = readExperimentRequest("", options.only(kOfExecutor));
  if (!request) return tl::unexpected(request.error());
  if (!chosen) return chosen;
  chosen->schedule = request->experiment.schedule;
  chosen->blockOrder = request->experiment.blockOrder;
  chosen->scheduleSeed = request->experiment.scheduleSeed;
  chosen->blockOrderSeed = request->experiment.blockOrderSeed;
  return chosen;
}

Result<report::KernelStep> KernelOptions::run(const Context& context, const std::string& file,
                                              const ExperimentOptions& options, AlsoOnGpu also) const {
  if (!model::isKernelFile(file)) return runCopy(context, file, options, also);
  if (auto refused = refuseOthers(options); !refused) return tl::unexpected(refused.error());
  auto kernel = launches(file, options.typed("--block"));
  if (!kernel) return tl::unexpected(kernel.error());
  std::string guesses;
  for (const std::string& each : kernel->guessed) guesses += " " + each;
  if (!guesses.empty())
    guesses =
        "Guessed:" + guesses + ". `stridescope init " + file + "` keeps it as a launch file, to be changed.";
  return step(context, kernel->file, guesses, options, also);
}

// The variant is run once as itself: what its launches are and what comes of them is then in its trace.
Result<report::KernelStep> KernelOptions::runCopy(const Context& context, const std::string& variant,
                                                  const ExperimentOptions& options, AlsoOnGpu also) const {
  const auto request = readExperimentRequest(variant, options);
  if (!request) return tl::unexpected(request.error());
  allowTypedCode(*request, *context.services.trust);
  if (auto fault = engineNameFault(options.engine)) return tl::unexpected(*std::move(fault));
  if (isRecordingName(options.engine))
    return usageError("--recorder access runs the variant: leave the recording out.");
  if (const auto experiment = completed(*request); !experiment) return tl::unexpected(experiment.error());
  const auto engine = openEngine(context, "host");
  if (!engine) return tl::unexpected(engine.error());
  Result<model::Trace> trace;
  {
    LongWork work(context.terminal);
    trace = engine->traceOf(*request, work.job);
    work.line.clear();
  }
  if (!trace) return tl::unexpected(trace.error());
  const auto copy = access::copyOfVariant(*trace);
  if (!copy) return tl::unexpected(copy.error());
  const std::string name = trace->experiment.variant + ".cu";
  auto launches = access::parseLaunchFile(name, copy->launches);
  if (!launches) return tl::unexpected(launches.error());
  return step(context, {.name = name, .folder = {}, .text = copy->text, .launches = *std::move(launches)}, {},
              options, also);
}

Result<report::KernelStep> KernelOptions::step(const Context& context, const access::KernelFile& file,
                                               const std::string& guesses, const ExperimentOptions& options,
                                               AlsoOnGpu also) const {
  auto chosen = runOptions(options);
  if (!chosen) return tl::unexpected(chosen.error());
  chosen->isClocked = also.clock;
  chosen->wantsCode = also.code;
  auto run = record(context, file, *chosen, options);
  if (!run) {
    Error error = run.error();
    if (!guesses.empty()) error.details = guesses + (error.details.empty() ? "" : "\n" + error.details);
    return tl::unexpected(std::move(error));
  }
  if (!guesses.empty()) run->notes.insert(run->notes.begin(), guesses);
  report::KernelStep told{.file = file.name, .kernel = *std::move(run), .run = {}};
  told.run = lab::runOf(std::move(told.kernel.trace));
  if (also.clock && told.kernel.clocks.empty())
    context.streams.error << "Cycles are read on a GPU alone, and only of a run that ends.\n";
  if (!told.kernel.clocks.empty()) told.cycles = report::cyclesOf(told);
  return told;
}

Result<RecordedKernels> recordKernels(const Context& context, const std::vector<std::string>& kernelNames,
                                      const KernelOptions& kernels, const ExperimentOptions& options,
                                      AlsoOnGpu also) {
  auto folder = engine::sandbox::PrivateFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  RecordedKernels recorded{.folder = *std::move(folder), .recording = {}, .names = {}};
  recorded.recording = recorded.folder->path() / "kernels.stride";
  std::vector<model::Trace> traces;
  std::vector<model::MachineCode> codes;
  for (const std::string& name : kernelNames) {
    auto step = kernels.run(context, name, options, also);
    if (!step) return tl::unexpected(step.error());
    tellRun(context, *step);
    recorded.names.push_back(step->file);
    if (step->kernel.code) codes.push_back(*std::move(step->kernel.code));
    traces.push_back(std::move(step->run.trace));
  }
  if (auto written = archive::writeRecording(recorded.recording, traces, true, {codes}); !written)
    return tl::unexpected(written.error());
  return recorded;
}

void tellRun(const Context& context, const report::KernelStep& step) {
  for (const std::string& note : step.kernel.notes) context.streams.error << printable(note) << "\n";
  const model::Trace& trace = step.run.trace;
  if (step.kernel.hasEnded) {
    if (step.kernel.check == access::KernelCheck::Wrong)
      context.streams.error << printable(step.file + ": " + trace.checkNote) << "\n";
    return;
  }
  std::string why;
  for (const model::LaunchTrace& launch : trace.launches)
    for (const model::BlockTrace& block : launch.blocks)
      for (const model::Problem& problem : block.problems)
        if (why.empty()) why = " " + problem.text;
  context.streams.error << printable("The run of " + step.file + " did not end." + why) << "\n";
}

ExitCode exitCodeOf(const report::KernelStep& step, bool limited) {
  if (step.kernel.check == access::KernelCheck::Wrong) return ExitCode::Wrong;
  if (limited || metLimit(step.run.analysis)) return ExitCode::Limit;
  return step.kernel.hasEnded ? ExitCode::Right : ExitCode::Wrong;
}

}  // namespace stridescope::cli
