// Wiring: which engines there are, what doctor looks at, and who opens the window.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "cli/command_line.h"
#include "cli/findings.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/sandbox/custom_engine.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/host/host_engine.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/serve_engine.h"
#include "session/settings.h"
#include "shipped_recordings.h"
#include "measure/cpu/cpu_device.h"
#include "measure/gpu/timing_worker.h"
#include "base/temporary_entry.h"
#include "base/without_exceptions.h"
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
  const std::shared_ptr<CodeTrust> trust = services.trust;
  services.makeHostEngine = [trust] { return makeCustomEngine(makeHostEngine(), trust); };
  services.makeGpuEngine = [trust](unsigned index) {
    return makeGpuWorkerEngine(index).map([&](auto gpu) { return makeCustomEngine(std::move(gpu), trust); });
  };
  services.timing.makeGpu = makeGpuTimingWorker;
  services.timing.makeCpu = makeCpuTimingDevice;
  services.recordedTimings = shippedTimings;
  services.openWindow = [trust](const std::string& recording) {
    return openStridescopeWindow(recording, trust);
  };
  services.drawShot = [trust](const ShotRequest& request) { return drawStridescopeShot(request, trust); };
  services.examinations = {
      [] { return gpuFindings(queryGpus()); },
      [] {
        return std::vector{compilerFinding(environment("PATH")), sandboxFinding(sandboxSupport())};
      },
      [] { return std::vector{displayFinding(environment("DISPLAY"), environment("WAYLAND_DISPLAY"))}; },
      pictureFindings,
  };
  return services;
}

// Whether something that was to be printed is lost: a full disk. A pipe whose reader went away, as in
// `stridescope step ... | head`, has had what it wanted.
bool outputIsLost() {
  std::cout.flush();
  struct stat status {};
  const bool isPipe =
      fstat(STDOUT_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
  return !std::cout && !isPipe;
}

// What runs that were killed left where this one may write, too.
void sweepAfterOthers() {
  std::error_code failed;
  const auto temporary = std::filesystem::temp_directory_path(failed);
  for (const std::filesystem::path& folder :
       {failed ? std::filesystem::path() : temporary, std::filesystem::path(configFolder()),
        std::filesystem::path(".")})
    if (!folder.empty()) sweepTemporaries(folder);
}

Result<int> run(int argc, char** argv) {
  Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) == 1};
  if (const auto gpu = gpuWorkerIndex(argc, argv))
    return serveEngine([index = *gpu] { return makeGpuEngine(index); });
  if (const auto combine = combineWorkerArguments(argc, argv)) return serveCombine(*combine);
  if (const auto gpu = timingWorkerIndex(argc, argv)) return serveGpuTimings(*gpu);
  sweepAfterOthers();
  const int code = runCommandLine(argc, argv, streams, wiredServices());
  if (!outputIsLost()) return code;
  return unavailable(
      "The output could not be written in full. Check that the disk is not full, that no limit on the size "
      "of "
      "files (ulimit -f) is in the way, and that standard output is open.");
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away is no reason to be killed, and neither is a file that would become too large:
  // both are errors of what was being written.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);
  const auto code = withoutExceptions("running the program", [&] { return run(argc, argv); });
  if (code) return *code;
  std::cerr << "stridescope: " << code.error().sentence << "\n";
  if (!code.error().details.empty()) std::cerr << code.error().details << "\n";
  return int(ExitCode::Missing);
}
