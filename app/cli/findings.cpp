#include "cli/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <sstream>

#include "narration/wording.h"

namespace stridescope::cli {
namespace {

constexpr double kBytesInMib = 1024.0 * 1024.0;
constexpr std::array kCompilers{"c++", "g++", "clang++"};

Finding gpuFinding(const engine::GpuDescription& gpu) {
  Finding finding{
      fmt::format("GPU {}", gpu.index), gpu.problems.empty(),
      fmt::format("{}, compute capability {}, {} multiprocessors, {:.0f} MiB", gpu.name,
                  gpu.computeCapability, gpu.multiprocessors, double(gpu.memoryBytes) / kBytesInMib)};
  for (const std::string& problem : gpu.problems) finding.text += ". " + problem;
  return finding;
}

}  // namespace

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
    findings.push_back(
        {"kernel cache", true,
         fmt::format("{}, {:.1f} MiB", status.cacheFolder, double(status.cacheBytes) / kBytesInMib)});
  return findings;
}

Finding countersFinding(const Result<model::CounterRecord>& counted) {
  if (!counted) return {"counters", false, counted.error().sentence};
  return {"counters", true,
          fmt::format("{} of {} hardware counters can be read", counted->launches.front().values.size(),
                      model::kCounters.size())};
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

}  // namespace stridescope::cli
