// Wiring: what doctor looks at, and who opens the window.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/pending_file.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "cli/findings.h"
#include "engine/access/access_worker.h"
#include "engine/access/gpu_access.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/worker/gpu_worker.h"
#include "export_process.h"
#include "gpu_workers/serve_gpu_worker.h"
#include "lab/sources/sources.h"
#include "session/settings.h"
#include "window/window.h"

namespace {

using namespace stridescope;
using namespace stridescope::program;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The GPUs, and, where one can be used, the counters of one reduction: what a driver allows shows when it is
// asked.
std::vector<cli::Finding> gpuFindings(engine::worker::GpuWorkers& gpus,
                                      const lab::sources::Sources& sources) {
  const engine::GpuStatus status = gpus.status();
  std::vector<cli::Finding> findings = cli::gpuFindings(status);
  if (!status.usable()) return findings;
  engine::JobControl nobodyCancels;
  const auto counted = sources.timing.makeGpu(0, nobodyCancels).and_then([&](const auto& device) {
    return device->template measure<model::CounterRecord>(
        {.variant = "sequential", .threads = 256, .elements = 256}, nobodyCancels);
  });
  findings.push_back(cli::countersFinding(counted));
  findings.push_back(cli::ownKernelsFinding(sources.recordOwnOnGpu(0)->open(nobodyCancels)));
  return findings;
}

cli::Services wiredServices() {
  cli::Services services;
  services.version = STRIDESCOPE_VERSION;
  const std::shared_ptr<engine::CodeTrust> trust = services.trust;
  const auto gpus = std::make_shared<engine::worker::GpuWorkers>();
  services.limitLibraryCalls = [gpus](std::chrono::milliseconds limit) { gpus->limitCalls(limit); };
  services.sources = lab::sources::ofThisMachine(trust, gpus);
  const window::WindowParts shared{
      .trust = trust,
      .gpus = gpus,
      .sources = services.sources,
      .exportRun = [sources = services.sources](const session::ExportOrder& order, engine::JobControl& job) {
        return exportInItsOwnProcess(order, sources, job);
      }};
  services.openWindow = [shared](const std::string& file) { return window::openWindow(file, shared); };
  services.drawShot = [shared](const cli::ShotRequest& request) { return window::drawShot(request, shared); };
  services.makePainter = [shared](const cli::PainterSetup& setup) {
    return window::makeRoundPainter(setup, shared);
  };
  services.panels = window::panelNames();
  services.modes = window::modeNames();
  services.examinations = {
      [shared] { return gpuFindings(*shared.gpus, shared.sources); },
      [shared] { return cli::groupFindings(shared.gpus->group(), shared.gpus->status()); },
      [] {
        return std::vector{cli::compilerFinding(environment("PATH")),
                           cli::sandboxFinding(engine::sandbox::sandboxSupport())};
      },
      [] { return std::vector{cli::displayFinding(environment("DISPLAY"), environment("WAYLAND_DISPLAY"))}; },
      window::pictureFindings,
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
       {failed ? std::filesystem::path() : temporary, std::filesystem::path(session::configFolder()),
        std::filesystem::path(".")})
    if (!folder.empty()) sweepTemporaries(folder);
}

Result<int> run(int argc, char** argv) {
  cli::Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) == 1};
  if (const auto code = gpu_workers::serveAsGpuWorker(argc, argv)) return *code;
  if (const auto combine = engine::sandbox::combineWorkerArguments(argc, argv))
    return engine::sandbox::serveCombine(*combine);
  if (const auto library = engine::access::accessWorkerLibrary(argc, argv))
    return engine::access::serveAccesses(*library);
  if (isExportProcess(argc, argv)) return serveExport(wiredServices());
  sweepAfterOthers();
  const int code = cli::runCommandLine(argc, argv, streams, wiredServices());
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
  return int(cli::exitCodeOf(code.error()));
}
