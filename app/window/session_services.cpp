#include "window/session_services.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "archive/recording_file.h"
#include "engine/access/gpu_access.h"
#include "engine/access/kernel_run.h"
#include "engine/engine.h"
#include "engine/sandbox/object_compiler.h"
#include "lab/known/recorded.h"
#include "lab/sources/sources.h"

namespace stridescope::window {
namespace {

// The names are those of --engine.
Result<std::shared_ptr<engine::Engine>> makeEngine(const std::string& id, const WindowParts& parts) {
  auto opened = parts.sources.open(id);
  if (!opened) return tl::unexpected(opened.error());
  return std::shared_ptr<engine::Engine>(std::move(opened->engine));
}

std::vector<session::EngineChoice> listEngines(engine::worker::GpuWorkers& gpus) {
  std::vector<session::EngineChoice> choices;
  const engine::GpuStatus status = gpus.status();
  for (const engine::GpuDescription& gpu : status.gpus) {
    session::EngineChoice choice{.id = engine::gpuEngineName(gpu.index), .label = gpu.name};
    for (const std::string& problem : gpu.problems) choice.why += session::inWindow(problem);
    if (choice.why.empty() && !status.usable() && !status.problems.empty())
      choice.why = session::inWindow(status.problems.front());
    choices.push_back(std::move(choice));
  }
  if (status.gpus.empty())
    choices.push_back({.id = engine::gpuEngineName(0),
                       .label = "a GPU",
                       .why = status.problems.empty() ? "No NVIDIA GPU was found."
                                                      : session::inWindow(status.problems.front())});
  choices.push_back({.id = "host", .label = "CPU executor"});
  session::addRecorded(lab::sources::shippedRecordings(), choices);
  return choices;
}

// A board with the timings that come with the program.
std::shared_ptr<measure::TimingBoard> timingBoard(const WindowParts& parts, std::function<void()> wake) {
  auto board = std::make_shared<measure::TimingBoard>(parts.sources.timing, std::move(wake));
  const lab::sources::RecordSet& shipped = parts.sources.shipped;
  board->showRecorded(shipped.of<model::TimingRecord>().all(), shipped.of<model::CostRecord>().all(),
                      shipped.of<model::GroupTimingRecord>().all(), shipped.of<model::LinkRecord>().all());
  return board;
}

// A person's own kernels as recordings, in a folder that goes with the session.
class KernelRecordings {
 public:
  explicit KernelRecordings(std::function<std::unique_ptr<engine::access::GpuAccess>(unsigned)> onGpu)
      : onGpu_(std::move(onGpu)) {}

  Result<session::KernelRecord> record(const session::KernelOrder& order, engine::JobControl& job) {
    if (!folder_) {
      auto made = engine::sandbox::PrivateFolder::make();
      if (!made) return tl::unexpected(made.error());
      folder_ = *std::move(made);
    }
    auto file = engine::access::readKernelFile(order.path);
    if (!file) return tl::unexpected(file.error());
    if (order.text) file->text = *order.text;
    if (order.launches) file->launches = *order.launches;
    const model::Dim3 grid = file->launches.launches.front().grid;
    const std::uint64_t row = order.inspected / grid.x;
    const model::Dim3 inspected(order.inspected % grid.x, unsigned(row % grid.y), unsigned(row / grid.y));
    const auto gpu = gpuOf(order.engine, job);
    if (!gpu) return tl::unexpected(gpu.error());
    auto run = engine::access::runKernelFile(
        *file, job, {.inspected = inspected, .gpu = *gpu, .wantsCode = true, .headers = headers_});
    if (!run) return tl::unexpected(run.error());
    const std::filesystem::path name = file->name + "." + std::to_string(++count_) + ".stride";
    const auto recording = folder_->path() / name;
    std::vector<model::MachineCode> codes;
    if (run->code) codes.push_back(*std::move(run->code));
    if (auto written = archive::writeRecording(recording, {&run->trace, 1}, true, {codes}); !written)
      return tl::unexpected(written.error());
    return session::KernelRecord{
        .recording = recording.native(), .notes = std::move(run->notes), .printed = std::move(run->printed)};
  }

 private:
  // What records on the engine's GPU; null: the CPU does, which it does for `auto` where no GPU can be used.
  Result<engine::access::GpuAccess*> gpuOf(const std::string& engine, engine::JobControl& job) {
    const engine::EngineName name = engine::parseEngineName(engine).value_or(engine::EngineName{});
    if (name.kind != engine::EngineNameKind::Gpu && name.kind != engine::EngineNameKind::Auto) return nullptr;
    const bool isAuto = name.kind == engine::EngineNameKind::Auto;
    if (!onGpu_ || (isAuto && hasNoGpu_)) return nullptr;
    auto& gpu = gpus_[name.gpu];
    if (!gpu) gpu = onGpu_(name.gpu);
    const auto opened = gpu->open(job);
    if (opened) return gpu.get();
    if (!isAuto || job.cancel) return tl::unexpected(opened.error());
    hasNoGpu_ = true;
    return nullptr;
  }

  std::function<std::unique_ptr<engine::access::GpuAccess>(unsigned)> onGpu_;
  std::map<unsigned, std::unique_ptr<engine::access::GpuAccess>> gpus_;  // each with its process
  bool hasNoGpu_ = false;
  std::unique_ptr<engine::sandbox::PrivateFolder> folder_;
  const std::shared_ptr<engine::sandbox::CompiledHeaders> headers_ =
      std::make_shared<engine::sandbox::CompiledHeaders>();
  unsigned count_ = 0;
};

}  // namespace

session::SessionServices sessionServices(const WindowParts& parts, const std::function<void()>& wake) {
  return {.makeEngine = [parts](const std::string& id) { return makeEngine(id, parts); },
          .makeRecorded = [](const std::string& path,
                             archive::RecordingIndex index) -> std::shared_ptr<engine::Engine> {
            return lab::sources::recordingOf(path, std::move(index));
          },
          .listEngines = [gpus = parts.gpus] { return listEngines(*gpus); },
          .greet = {},
          .wake = wake,
          .timings = timingBoard(parts, wake),
          .shippedRecordings = lab::sources::shippedRecordings(),
          .recordKernel = [recordings = std::make_shared<KernelRecordings>(parts.sources.recordOwnOnGpu)](
                              const session::KernelOrder& order,
                              engine::JobControl& job) { return recordings->record(order, job); },
          .known = {.recorded = [shipped = parts.sources.shipped](
                                    const std::string& id) { return lab::recordedFor(id, shipped); },
                    .compileCode = parts.sources.compileCode,
                    .measuringGpu = parts.sources.timing.makeGpu},
          .exportRun = parts.exportRun,
          .trust = parts.trust};
}

}  // namespace stridescope::window
