#include "cli/own_kernel.h"

#include <filesystem>

#include "base/numbers.h"
#include "base/regular_file.h"
#include "cli/long_work.h"
#include "engine/access/kernel_run.h"
#include "engine/access/launch_file.h"
#include "report/kernel_step.h"

namespace stridescope::cli {
namespace {

namespace access = engine::access;

constexpr std::uint64_t kMaxTextBytes = 4 << 20, kMaxLaunchBytes = 64 << 20;

// FILE.launch.json beside FILE.cu.
std::filesystem::path launchFileOf(std::filesystem::path text) {
  return text.replace_extension(".launch.json");
}

}  // namespace

bool isKernelFile(std::string_view word) { return word.ends_with(".cu"); }

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

std::string KernelOptions::firstGiven() const {
  if (kernel_) return "--kernel";
  if (template_) return "--template";
  if (grid_) return "--grid";
  if (shared_) return "--shared";
  if (!arguments_.empty()) return "--arg";
  if (launchFile_) return "--launch-file";
  return inspect_ ? "--inspect" : "";
}

ExitCode KernelOptions::step(const Context& context, const std::string& file,
                             const std::optional<std::string>& block,
                             const std::optional<report::RoundRange>& rounds, bool json) const {
  const std::filesystem::path path(file);
  auto text = readRegularFile(path, "CUDA C++", kMaxTextBytes);
  if (!text) return tell(context, text.error());
  access::KernelFile kernel{
      .name = path.filename(), .folder = path.parent_path(), .text = *std::move(text), .launches = {}};

  std::filesystem::path launches = launchFile_ ? std::filesystem::path(*launchFile_) : launchFileOf(path);
  std::error_code absent;
  const bool hasFile = launchFile_ || std::filesystem::exists(launches, absent);
  if (hasFile) {
    const auto content = readRegularFile(launches, "a launch file", kMaxLaunchBytes);
    if (!content) return tell(context, content.error());
    auto parsed = access::parseLaunchFile(launches.filename(), *content);
    if (!parsed) return tell(context, parsed.error());
    kernel.launches = *std::move(parsed);
  } else {
    kernel.launches.launches.emplace_back();
  }
  for (access::LaunchRequest& launch : kernel.launches.launches) {
    if (kernel_) launch.kernel = *kernel_;
    if (template_) launch.templateArguments = *template_;
    for (const auto& [given, option, extents] :
         {std::tuple(&grid_, "--grid", &launch.grid), std::tuple(&block, "--block", &launch.block)}) {
      if (!*given) continue;
      const auto parsed = access::parseExtents(**given);
      if (!parsed)
        return tell(context,
                    Error{ErrorKind::Usage, std::string(option) + " " + **given +
                                                " is no extent: write X, XxY or XxYxZ, as in 32x8."});
      *extents = *parsed;
    }
    if (shared_) {
      const auto bytes = parseNumber("--shared", *shared_);
      if (!bytes) return tell(context, bytes.error());
      launch.sharedBytes = *bytes;
    }
    for (const std::string& typed : arguments_) {
      auto argument = access::parseArgument(typed);
      if (!argument) return tell(context, argument.error());
      const auto known = std::ranges::find(launch.arguments, argument->name, &access::ArgumentRequest::name);
      if (known == launch.arguments.end())
        launch.arguments.push_back(*std::move(argument));
      else
        *known = *std::move(argument);
    }
  }
  access::KernelRunOptions options;
  if (inspect_) {
    std::string extents = *inspect_;
    unsigned numbers[3] = {0, 0, 0};
    std::size_t count = 0;
    std::string_view rest = extents;
    bool isRead = true;
    while (isRead && count < 3 && !rest.empty()) {
      const auto end = std::min(rest.find(','), rest.size());
      const auto number = typedNumber(rest.substr(0, end));
      isRead = number && *number <= 0xffffffffu;
      if (isRead) numbers[count++] = unsigned(*number);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!isRead || !rest.empty() || count == 0)
      return tell(context,
                  Error{ErrorKind::Usage,
                        "--inspect " + *inspect_ + " is no block: write X, X,Y or X,Y,Z, counted from 0."});
    options.inspected = {numbers[0], numbers[1], numbers[2]};
  }

  LongWork work(context.terminal);
  auto run = access::runKernelFile(kernel, work.job, options);
  work.line.clear();
  if (!run) return tell(context, run.error());
  model::Trace trace = std::move(run->trace);
  report::KernelStep step{.file = kernel.name, .kernel = *std::move(run), .run = {}};
  step.run = lab::runOf(std::move(trace));
  if (hasFile) step.expected = launches.filename();
  bool isWhole = true;
  MemoryBudget budget;
  if (json)
    isWhole = report::writeKernelStepJson(context.streams.out, step, rounds, budget);
  else
    context.streams.out << report::kernelStepText(step, rounds);
  if (step.kernel.check == access::KernelCheck::Wrong) return ExitCode::Wrong;
  const bool isLimited = !isWhole || metLimit(step.run.analysis);
  if (!step.kernel.hasEnded) return isLimited ? ExitCode::Limit : ExitCode::Wrong;
  return isLimited ? ExitCode::Limit : ExitCode::Right;
}

}  // namespace stridescope::cli
