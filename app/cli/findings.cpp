#include "cli/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/numbers.h"
#include "cli/commands.h"
#include "report/table.h"

namespace stridescope::cli {
namespace {

constexpr double kBytesInMib = 1024.0 * 1024.0;
constexpr std::array kCompilers{"c++", "g++", "clang++"};

Finding gpuFinding(const engine::GpuDescription& gpu) {
  Finding finding{
      fmt::format("GPU {}", gpu.index), gpu.problems.empty(),
      fmt::format("{}, compute capability {}, {} multiprocessors, {} MiB", gpu.name, gpu.computeCapability,
                  gpu.multiprocessors, roundedFigure(double(gpu.memoryBytes) / kBytesInMib))};
  for (const std::string& problem : gpu.problems) finding.text += ". " + problem;
  return finding;
}

constexpr std::string_view kSimulated = "The family \"several GPUs\" can be stepped without them.";

Finding severalGpusFinding(const engine::GroupStatus& status, const engine::GpuStatus& gpus) {
  const auto toDo = [](std::string text) { return Finding{"several GPUs", false, std::move(text)}; };
  const bool isSaid = std::ranges::find(gpus.problems, status.whyNotAsked) != gpus.problems.end();
  if (!status.whyNotAsked.empty() && !isSaid) return toDo(status.whyNotAsked);
  if (status.gpus == 0)
    return toDo(fmt::format("No GPU can be used, so several cannot be timed together. {}", kSimulated));
  if (status.gpus == 1)
    return toDo(
        fmt::format("The driver lists one GPU, so several cannot be timed together (CUDA_VISIBLE_DEVICES may "
                    "hide others). {}",
                    kSimulated));
  if (!status.unreached.empty()) {
    const engine::GpuPair& pair = status.unreached.front();
    const std::size_t more = status.unreached.size() - 1;
    return toDo(fmt::format(
        "GPU {} cannot use the memory of GPU {}{} (nvidia-smi topo -p2p r says which GPUs can), so that they "
        "cannot be timed together. CUDA_VISIBLE_DEVICES can leave one out. {}",
        pair.from, pair.to,
        more == 0 ? "" : fmt::format(", and so it is with {} other {}", more, more == 1 ? "pair" : "pairs"),
        kSimulated));
  }
  return {"several GPUs", true, fmt::format("each of {} GPUs can use the memory of all others", status.gpus)};
}

}  // namespace

std::vector<Finding> groupFindings(const engine::GroupStatus& status, const engine::GpuStatus& gpus) {
  const bool hasNccl = !status.ncclLibrary.empty();
  return {severalGpusFinding(status, gpus),
          {"NCCL", hasNccl,
           hasNccl ? fmt::format("{} ({})", status.ncclVersion, status.ncclLibrary) : status.whyNoNccl}};
}

std::vector<Finding> gpuFindings(const engine::GpuStatus& status) {
  std::vector<Finding> findings;
  if (!status.driverLibrary.empty())
    findings.push_back({"driver", true,
                        fmt::format("{}, for CUDA up to {} ({})",
                                    status.driverVersion.empty() ? "version unknown" : status.driverVersion,
                                    status.cudaVersion, status.driverLibrary)});
  for (const engine::GpuDescription& gpu : status.gpus) findings.push_back(gpuFinding(gpu));
  if (!status.nvrtcLibrary.empty())
    findings.push_back({"NVRTC", true, fmt::format("{} ({})", status.nvrtcVersion, status.nvrtcLibrary)});
  for (const std::string& problem : status.problems) findings.push_back({"GPU engine", false, problem});
  if (!status.cacheFolder.empty())
    findings.push_back({"kernel cache", true,
                        fmt::format("{}, {} MiB", status.cacheFolder,
                                    decimalText(double(status.cacheBytes) / kBytesInMib, 1))});
  return findings;
}

Finding countersFinding(const Result<model::CounterRecord>& counted) {
  if (!counted) return {"counters", false, counted.error().sentence};
  return {"counters", true,
          fmt::format("{} of {} hardware counters can be read", counted->launches.front().values.size(),
                      model::kCounters.size())};
}

Finding ownKernelsFinding(const Result<void>& opened) {
  if (!opened) return {"own kernels", false, opened.error().sentence};
  return {"own kernels", true, "kernels of your own can be recorded on the GPU"};
}

Finding compilerFinding(const std::string& path) {
  for (const char* compiler : kCompilers) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string file = folder + "/" + compiler;
      if (access(file.c_str(), X_OK) == 0) return {"C++ compiler", true, file};
    }
  }
  return {"C++ compiler", false,
          "None of c++, g++ and clang++ is found, so the CPU executor cannot run text that a person wrote; "
          "install g++. The catalogue's variants run without it."};
}

Finding sandboxFinding(const engine::sandbox::SandboxSupport& support) {
  std::string text = support.sentence();
  if (!support.isComplete()) text += " Until then it is not run on the CPU; everything else works.";
  return {"sandbox", support.isComplete(), std::move(text)};
}

Finding displayFinding(const std::string& x11, const std::string& wayland) {
  if (!wayland.empty()) return {"display", true, "Wayland, " + wayland};
  if (!x11.empty()) return {"display", true, "X11, " + x11};
  return {"display", false,
          "Neither DISPLAY nor WAYLAND_DISPLAY is set, so no window can open; step, record, verify and shot "
          "work without one."};
}

// stridescope doctor

namespace {

constexpr std::size_t kIndent = 8;

class DoctorCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "doctor";
    options.about = "What works on this machine, and what to do where it does not";
    options.footer = "Example:\n  stridescope doctor";
  }

  ExitCode run(const Context& context) override {
    if (context.services.examinations.empty()) context.streams.out << "Nothing to examine is built in.\n";
    for (const auto& examine : context.services.examinations)
      for (const Finding& finding : examine()) {
        const std::string text = report::paragraph(finding.subject + ": " + finding.text, kIndent);
        context.streams.out << fmt::format("{:<{}}", finding.ok ? "ok" : "to do", kIndent)
                            << text.substr(kIndent) << std::flush;
      }
    return ExitCode::Right;
  }
};

}  // namespace

std::unique_ptr<Command> makeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

}  // namespace stridescope::cli
