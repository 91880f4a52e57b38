// verify FILE.cu
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analysis/barrier_copies.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/long_work.h"
#include "cli/own_kernel_measured.h"
#include "engine/access/kernel_run.h"
#include "lab/run.h"

namespace stridescope::cli {

namespace access = engine::access;

namespace {

// How the arrays of two runs compare.
struct OutputsCompared {
  std::uint64_t members = 0, different = 0;
  double largest = 0;     // difference relative to the larger of the value and 1
  std::string where{};    // of it
  bool isNumeric = true;  // all that differ are numbers
};

OutputsCompared compareOutputs(const std::vector<access::KernelOutput>& one,
                               const std::vector<access::KernelOutput>& other) {
  OutputsCompared compared;
  for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k)
    for (std::size_t i = 0; i < std::min(one[k].members.size(), other[k].members.size()); ++i) {
      ++compared.members;
      const std::string &mine = one[k].members[i], &theirs = other[k].members[i];
      if (mine == theirs) continue;
      ++compared.different;
      char *end = nullptr, *otherEnd = nullptr;
      const double a = std::strtod(mine.c_str(), &end), b = std::strtod(theirs.c_str(), &otherEnd);
      compared.isNumeric = compared.isNumeric && *end == '\0' && *otherEnd == '\0' && std::isfinite(a - b);
      const double distance = std::abs(a - b) / std::max({1.0, std::abs(a), std::abs(b)});
      if (!compared.where.empty() && !(distance > compared.largest)) continue;
      compared.largest = distance;
      compared.where = one[k].name + "[" + figure(i) + "]: " + mine + " and " + theirs;
    }
  return compared;
}

// What mathematical functions of a GPU may be away from those of a CPU (CUDA C++ Programming Guide,
// "Mathematical Functions": at most some units in the last place of a float).
constexpr double kFunctionsApart = 1e-5;

bool hasRaces(const lab::Run& run) {
  return std::ranges::any_of(run.analysis.launches,
                             [](const analysis::LaunchAnalysis& launch) { return !launch.races.empty(); });
}

}  // namespace

ExitCode verifyOwnKernel(const Context& context, const KernelOptions& kernel,
                         const OwnKernelRequest& request) {
  if (!context.services.sources.recordOwnOnGpu) return tell(context, noGpuForOwnKernels());
  const auto launches = kernel.launches(request.file, request.block);
  if (!launches) return tell(context, launches.error());
  const access::KernelFile& file = launches->file;
  auto options = kernel.runOptionsOnGpu();
  if (!options) return tell(context, options.error());
  options->recorder = access::RecorderChoice::Access;  // the GPU records accesses, too
  LongWork work(context.terminal);
  const auto recorder = context.services.sources.recordOwnOnGpu(request.gpu);
  if (const auto opened = recorder->open(work.job); !opened) {
    work.line.clear();
    return tell(context, opened.error());
  }
  auto onCpu = access::runKernelFile(file, work.job, *options);
  options->gpu = recorder.get();
  auto onGpu = onCpu ? access::runKernelFile(file, work.job, *options) : onCpu;
  work.line.clear();
  if (!onGpu) return tell(context, onGpu.error());
  const bool bothEnded = onCpu->hasEnded && onGpu->hasEnded;
  const lab::Run cpu = lab::runOf(std::move(onCpu->trace));
  const lab::Run gpu = lab::runOf(std::move(onGpu->trace));
  const OutputsCompared outputs = compareOutputs(onCpu->outputs, onGpu->outputs);
  const bool isRacy = hasRaces(cpu) || hasRaces(gpu);
  std::string text =
      printable(file.name) + ": " + printable(gpu.trace.executor.device) + " against the CPU executor\n";
  bool isDifferent = false;
  if (!bothEnded) {
    text += "arrays      not compared: a run did not end\n";
  } else if (outputs.different == 0) {
    text += fmt::format("arrays      equal: {} values\n", figure(outputs.members));
  } else {
    const bool isClose = outputs.isNumeric && outputs.largest <= kFunctionsApart;
    isDifferent = !isClose && !isRacy;
    text += fmt::format("arrays      {}: {} of {} values differ, most by {:.1e} of the value, at {}\n",
                        isClose ? "close" : "different", figure(outputs.different), figure(outputs.members),
                        outputs.largest, printable(outputs.where));
  }
  if (isRacy) {
    text += "snapshots   not compared: the kernel has races, and no two runs need be the same\n";
  } else {
    const analysis::CopiesCompared copies = analysis::compareBarrierCopies(cpu.trace, gpu.trace);
    if (copies.difference) {
      text += "snapshots   different: " + printable(*copies.difference) + "\n";
      isDifferent = isDifferent || outputs.different == 0;
    } else {
      text += fmt::format("snapshots   equal: {} bytes at {} block barriers\n", figure(copies.bytes),
                          figure(copies.barriers));
    }
  }
  context.streams.out << text;
  return isDifferent ? ExitCode::Wrong : ExitCode::Right;
}

}  // namespace stridescope::cli
