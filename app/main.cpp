// Wiring: which engines there are, what doctor looks at, and who opens the window.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "cli/command_line.h"
#include "cli/findings.h"
#include "engine/custom/combine_worker.h"
#include "engine/custom/custom_engine.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/host/host_engine.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/serve_engine.h"
#include "shipped_recordings.h"
#include "timing/cpu/cpu_device.h"
#include "timing/gpu/timing_worker.h"
#include "window_services.h"

namespace {

using namespace stridescope;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Services wiredServices() {
  Services services;
  services.version = STRIDESCOPE_VERSION;
  services.makeHostEngine = [] { return makeCustomEngine(makeHostEngine()); };
  services.makeGpuEngine = [](unsigned index) {
    return makeGpuWorkerEngine(index).map([](auto gpu) { return makeCustomEngine(std::move(gpu)); });
  };
  services.timing.makeGpu = makeGpuTimingWorker;
  services.timing.makeCpu = makeCpuTimingDevice;
  services.recordedTimings = shippedTimings;
  services.openWindow = openStridescopeWindow;
  services.drawShot = drawStridescopeShot;
  services.examinations = {
      [] { return gpuFindings(queryGpus()); },
      [] {
        return std::vector{counterFinding(), compilerFinding(environment("PATH"))};
      },
      [] { return std::vector{displayFinding(environment("DISPLAY"), environment("WAYLAND_DISPLAY"))}; },
      pictureFindings,
  };
  return services;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away, as in `stridescope step ... | head`, is no reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) == 1};
  try {
    if (const auto gpu = gpuWorkerIndex(argc, argv))
      return serveEngine([index = *gpu] { return makeGpuEngine(index); });
    if (const auto combine = combineWorkerArguments(argc, argv)) return serveCombine(*combine);
    if (const auto gpu = timingWorkerIndex(argc, argv)) return serveGpuTimings(*gpu);
    return runCommandLine(argc, argv, streams, wiredServices());
  } catch (const std::exception& failure) {  // out of memory, above all
    std::cerr << "stridescope: " << failure.what() << "\n";
    return int(ExitCode::Missing);
  }
}
