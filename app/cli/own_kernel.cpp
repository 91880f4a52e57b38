#include "cli/own_kernel.h"

#include <algorithm>
#include <tuple>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/long_work.h"
#include "engine/access/gpu_access.h"
#include "engine/access/kernel_run.h"
#include "engine/access/launch_file.h"
#include "report/kernel_step.h"

namespace stridescope::cli {

namespace access = engine::access;

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
  options.value("--inspect", inspect_, "with FILE.cu: the block that is recorded, as X, X,Y or X,Y,Z",
                "BX,BY,BZ");
}

void KernelOptions::declareWithBlock(Options& options) {
  declare(options);
  options.value("--block", block_, "with FILE.cu: a block's threads, as X, XxY or XxYxZ", "EXTENTS");
}

std::string KernelOptions::firstGiven() const {
  if (block_) return "--block";
  if (kernel_) return "--kernel";
  if (template_) return "--template";
  if (grid_) return "--grid";
  if (shared_) return "--shared";
  if (!arguments_.empty()) return "--arg";
  if (launchFile_) return "--launch-file";
  return inspect_ ? "--inspect" : "";
}

Result<void> KernelOptions::refuseOthers(const ExperimentOptions& options) {
  if (const std::string option = options.typedBeside("--block"); !option.empty())
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
  }
  if (shared_) {
    const auto bytes = parseNumber("--shared", *shared_);
    if (!bytes) return tl::unexpected(bytes.error());
    launch.sharedBytes = *bytes;
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
                                                access::KernelRunOptions options, const std::string& engine) {
  const engine::EngineName name = engine::parseEngineName(engine).value_or(engine::EngineName{});
  const bool isAuto = name.kind == engine::EngineNameKind::Auto;
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

Result<access::KernelFile> KernelOptions::read(const std::string& file,
                                               const std::optional<std::string>& block) const {
  auto kernel = access::readKernelFile(file, launchFile_);
  if (!kernel) return kernel;
  for (access::LaunchRequest& launch : kernel->launches.launches)
    if (auto changed = change(launch, block); !changed) return tl::unexpected(changed.error());
  return kernel;
}

Result<access::KernelRunOptions> KernelOptions::runOptions() const {
  access::KernelRunOptions options;
  if (!inspect_) return options;
  const auto index = access::parseThree(*inspect_, ',', 0);
  if (!index)
    return usageError("--inspect " + *inspect_ + " is no block: write X, X,Y or X,Y,Z, counted from 0.");
  options.inspected = *index;
  return options;
}

Result<report::KernelStep> KernelOptions::run(const Context& context, const std::string& file,
                                              const ExperimentOptions& experiment, bool isClocked) const {
  const auto kernel = read(file, experiment.typed("--block"));
  if (!kernel) return tl::unexpected(kernel.error());
  auto options = runOptions();
  if (!options) return tl::unexpected(options.error());
  options->isClocked = isClocked;
  auto run = record(context, *kernel, *options, experiment.engine);
  if (!run) return tl::unexpected(run.error());
  report::KernelStep step{
      .file = kernel->name, .kernel = *std::move(run), .run = {}, .expected = kernel->launchFile};
  step.run = lab::runOf(std::move(step.kernel.trace));
  if (isClocked && step.kernel.clocks.empty())
    context.streams.error << "Cycles are read on a GPU alone, and only of a run that ends.\n";
  if (!step.kernel.clocks.empty()) step.cycles = report::cyclesOf(step);
  return step;
}

ExitCode exitCodeOf(const report::KernelStep& step, bool limited) {
  if (step.kernel.check == access::KernelCheck::Wrong) return ExitCode::Wrong;
  if (limited || metLimit(step.run.analysis)) return ExitCode::Limit;
  return step.kernel.hasEnded ? ExitCode::Right : ExitCode::Wrong;
}

}  // namespace stridescope::cli
