// The only way to NVIDIA's libraries (OpenGL's excepted): worker processes, which are this program, started
// once more with a command that --help does not list. Whatever a driver does to a worker, fail, crash, exit,
// or hang, is a sentence to the program, within a time that is limited.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/group_status.h"
#include "engine/worker/worker_engine.h"
#include "engine/worker/worker_process.h"
#include "model/machine_code.h"

namespace stridescope::engine::worker {

// Shared by all of a program that uses GPUs. Any function may be called from any thread. Once a library's
// call has hung, nothing is started for a minute: what would wait for it, too, is told the same at once.
class GpuWorkers {
 public:
  // How long a plain call of a library may take, unless limitCalls() says otherwise. Those that compile or
  // wait for kernels may take twelve times as long (library_call.h).
  static constexpr std::chrono::milliseconds kCallLimit{5'000};

  GpuWorkers();
  ~GpuWorkers();  // stops what compiles; engines and devices are their owners'
  GpuWorkers(const GpuWorkers&) = delete;
  GpuWorkers& operator=(const GpuWorkers&) = delete;

  // Before anything else; above 0.
  void limitCalls(std::chrono::milliseconds limit);

  // The program ends: what waits in status(), group(), engine() or machineCode() returns at once, and nothing
  // starts any more.
  void close();

  // What there is, or was some seconds ago, within the limit of one call. Where the worker could not answer,
  // the reason is the only problem.
  GpuStatus status();

  // What several GPUs at once need. Where the worker could not answer, the reason stands for each part.
  GroupStatus group();

  // The engine of that GPU, in the driver's numbering, in a process of its own. Errors: the engine's own, or
  // how the worker ended.
  Result<std::unique_ptr<Engine>> engine(unsigned index);

  // A kernel's machine code for that GPU; nothing: for one that many have (engine/gpu/machine_code.h).
  Result<model::MachineCode> machineCode(const model::Experiment& experiment, std::optional<unsigned> gpu);

  // For workers of other kinds: this program as a worker with these arguments, its calls watched. It does not
  // start where the program ends, or a library's call hung a short time ago.
  WorkerCommand command(std::vector<std::string> arguments) const;

 private:
  WorkerCommand queryCommand() const;

  struct Shared;
  std::shared_ptr<Shared> shared_;  // with engines, which tell of calls that hang
};

// ---- the workers' side

// The N of `gpu-worker N`, if that is what the program was started with: serveEngine() then serves that GPU.
std::optional<unsigned> gpuWorkerIndex(int argc, const char* const* argv);

// Whether the program was started to answer status(), group() and machineCode().
bool isGpuQueryWorker(int argc, const char* const* argv);

struct GpuQueries {
  std::function<GpuStatus()> status;
  std::function<GroupStatus()> group;
  std::function<Result<model::MachineCode>(const model::Experiment&, std::optional<unsigned>)> machineCode;
};
// Answers until the program is gone. The process's exit code.
int serveGpuQueries(const GpuQueries& queries);

}  // namespace stridescope::engine::worker
